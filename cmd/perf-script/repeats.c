#include "cmd/perf-script/repeats.h"

/* The positions of the numbers before the frames in the key of a stack. */
enum { KEY_COMMAND, KEY_FLAGS, KEY_FRAMES };
enum { IN_HEADER = 1, TAKEN = 2 };

/* Limits, so that the table fits the second-level cache of a core. */
enum { MOST_STACKS = 1 << 13, MOST_BYTES = 1 << 20 };

static uint32_t
command_of(struct repeats *r, struct span comm)
{
    if (r->commands.count == 0 || !span_eq(intern_text(&r->commands, r->command), comm))
        r->command = intern_add(&r->commands, comm);
    return r->command;
}

/* Find the first frame that has the same names. */
static __attribute__((noinline)) uint32_t
find_first(struct repeats *r, uint32_t frame)
{
    uint32_t name;
    const struct frame *f = frametab_frame(r->frames, frame);
    TEXT_SET(&r->name, f->sym, f->doubtful ? SPAN("\n\n") : SPAN("\n"), f->dso);
    bool is_new = intern_put(&r->names, text_span(&r->name), &name);
    VEC_REACH(r->by_name, name + 1);
    VEC_REACH(r->firsts, frametab_count(r->frames));
    VEC_REACH(r->variants, frametab_count(r->frames));
    if (is_new)
        r->by_name.at[name] = frame;
    r->variants.at[r->by_name.at[name]]++;
    r->firsts.at[frame] = r->by_name.at[name] + 1;
    return r->by_name.at[name];
}

static inline uint32_t
first_of(struct repeats *r, uint32_t frame)
{
    uint32_t first = frame < r->firsts.n ? r->firsts.at[frame] : 0;
    return first > 0 ? first - 1 : find_first(r, frame);
}

void
repeats_add(struct repeats *r, const struct sample *s, bool taken, struct decimal weight)
{
    uint32_t id;
    size_t n = KEY_FRAMES + s->nframes;
    r->key = mem_grow(r->key, &r->key_cap, n, sizeof *r->key);
    r->key[KEY_COMMAND] = command_of(r, s->header.field[PERF_COMM]);
    r->key[KEY_FLAGS] = (s->frame_in_header ? IN_HEADER : 0) | (taken ? TAKEN : 0);
    for (size_t i = 0; i < s->nframes; i++)
        r->key[KEY_FRAMES + i] = first_of(r, s->frames[i]);
    if (intern_put(&r->stacks, span_of((const char *)r->key, n * sizeof *r->key), &id)) {
        r->rows = mem_grow(r->rows, &r->cap, id + 1, sizeof *r->rows);
        r->rows[id] = (struct repeat){r->command, taken, 0, {0, 0}};
        r->count = id + 1;
        r->bytes += n * sizeof *r->key;
    }
    r->rows[id].times++;
    r->rows[id].weight = decimal_add(r->rows[id].weight, weight);
}

bool
repeats_are_full(const struct repeats *r)
{
    return r->count >= MOST_STACKS || r->bytes >= MOST_BYTES;
}

void
repeats_sample(struct repeats *r, size_t i, struct sample *s)
{
    struct span key = intern_text(&r->stacks, (uint32_t)i);
    r->key = mem_grow(r->key, &r->key_cap, key.len / sizeof *r->key, sizeof *r->key);
    memcpy(r->key, key.ptr, key.len);
    *s = (struct sample){.frames = r->key + KEY_FRAMES,
                         .nframes = key.len / sizeof *r->key - KEY_FRAMES,
                         .frame_in_header = (r->key[KEY_FLAGS] & IN_HEADER) != 0};
    s->header.field[PERF_COMM] = intern_text(&r->commands, r->key[KEY_COMMAND]);
}

void
repeats_forget(struct repeats *r)
{
    intern_empty(&r->stacks);
    r->count = r->bytes = 0;
}
