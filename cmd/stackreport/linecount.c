#include "cmd/stackreport/linecount.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/demangle/demangle_rust.h"
#include "common/stack/frames/v8name.h"

/* A frame's place: that of its innermost function, if its symbol names several. {0}: not looked up
 * yet. */
struct line_frame {
    enum { FRAME_UNSEEN, FRAME_LEFT_OUT, FRAME_UNWANTED, FRAME_COUNTED } state;
    bool inlined; /* it is a call that was inlined into the next frame */
    uint32_t place;
};

bool
linecount_parse(struct span srcline, struct span *file, uint64_t *line)
{
    size_t more = span_search(srcline, SPAN(" (discriminator "));
    if (more != SPAN_NONE)
        srcline = span_head(srcline, more);
    size_t colon = span_rfind(srcline, ':');
    if (colon == SPAN_NONE || colon == 0 || !num_u64(span_from(srcline, colon + 1), line))
        return false;
    *file = span_head(srcline, colon);
    return *line > 0 && !span_eq(*file, SPAN("??"));
}

uint32_t
linecount_function(struct linecount *c, struct span name, struct span dso)
{
    struct text key = {0};
    uint32_t number;
    /* Offsets belong to one file. */
    TEXT_SET(&key, name, span_of("", 1), c->instructions ? dso : SPAN(""));
    bool is_new = intern_put(&c->function_keys, text_span(&key), &number);
    free(key.ptr);
    if (is_new) {
        struct span kept = intern_text(&c->function_keys, number);
        VEC_ADD(c->functions, (struct line_function){
                                  .name = span_head(kept, name.len),
                                  .wanted = c->wanted == NULL || pattern_matches(c->wanted, name),
                              });
    }
    struct line_function *f = &c->functions.at[number];
    if (f->dso.len == 0 && dso.len > 0)
        f->dso = intern_text(&c->files, intern_add(&c->files, dso));
    return number;
}

uint32_t
linecount_place(struct linecount *c, uint32_t function, struct span file, uint64_t number)
{
    uint64_t key[] = {function, LINECOUNT_NONE, number};
    uint32_t place;
    if (file.len > 0)
        key[1] = intern_add(&c->files, file);
    if (intern_put(&c->place_keys, SPAN_BYTES(key), &place))
        VEC_ADD(c->places, (struct line_place){
                               .function = function, .file = (uint32_t)key[1], .number = number});
    return place;
}

/* V8's jitdumps have the lines of optimized JavaScript, but not the files, so "??:12" is printed.
 * Set *file to that of the function. Return false if the line is before the function: then it is of
 * a call that V8 inlined. */
static bool
parse_unknown_file(const struct frame *f, struct span *file, uint64_t *line)
{
    struct span number = f->srcline;
    struct v8name name;
    uint64_t first;
    if (!span_skip(&number, SPAN("??:")) || !num_u64(number, line) ||
        !(v8name_parse(f->sym, &name) || v8name_parse_clean(f->sym, &name)) || name.wasm ||
        !num_u64(span_before(name.position, ':'), &first))
        return false;
    *file = name.file;
    return *line >= first && file->len > 0;
}

/* Return the place of a frame in its function: its source line, or its instruction. */
static uint32_t
place_of(struct linecount *c, uint32_t function, const struct frame *f, bool *placed)
{
    struct line_function *in = &c->functions.at[function];
    struct span file = SPAN("");
    uint64_t number = 0;
    *placed = c->instructions
                  ? span_starts(f->offset, SPAN("+")) && num_hex(span_from(f->offset, 1), &number)
                  : linecount_parse(f->srcline, &file, &number);
    if (!c->instructions && !*placed && parse_unknown_file(f, &file, &number))
        *placed = c->guessed = true;
    if (*placed && c->instructions && f->has_ip && !in->has_start) {
        in->start = f->ip - number;
        in->has_start = true;
    }
    if (c->instructions)
        file = f->dso;
    return linecount_place(c, function, *placed ? file : SPAN(""), *placed ? number : 0);
}

static struct line_frame
look_up(struct linecount *c, const struct frame *f)
{
    struct line_frame frame = {.state = FRAME_LEFT_OUT,
                               .inlined = span_eq(f->dso, SPAN("inlined"))};
    bool placed;
    if (frame.inlined && c->instructions)
        return frame; /* its instructions are those of the function around it */
    foldname_frame(&c->foldname, f, false);
    if (c->foldname.count == 0)
        return frame;
    struct span name = profile_name_text(&c->names, c->foldname.ids[c->foldname.count - 1]);
    uint32_t function = linecount_function(c, name, frame.inlined ? SPAN("") : f->dso);
    frame.state = c->functions.at[function].wanted ? FRAME_COUNTED : FRAME_UNWANTED;
    frame.place = place_of(c, function, f, &placed);
    c->placed |= placed;
    return frame;
}

static void
start(struct linecount *c)
{
    c->names.demangle = demangle_rust_frame;
    c->name_options = (struct foldname_options){.dialect = &foldname_native, .tidy = TIDY_BRACKETS};
    c->foldname = (struct foldname){.options = &c->name_options, .profile = &c->names};
}

/* Add a count to a place, and to its function unless `last` says that the sample had it already:
 * recursion does not count twice. */
static void
add_total(struct linecount *c, struct line_place *p, struct decimal count)
{
    struct line_function *f = &c->functions.at[p->function];
    if (p->last != c->samples)
        p->total = decimal_add(p->total, count);
    if (f->last != c->samples)
        f->total = decimal_add(f->total, count);
    p->last = f->last = c->samples;
}

void
linecount_sample(struct linecount *c, const struct frametab *frames, const uint32_t *numbers,
                 size_t n, struct decimal count)
{
    bool leaf = true, inlined = false;
    if (c->samples++ == 0)
        start(c);
    if (frametab_was_emptied(frames, &c->generation))
        c->frames.n = 0;
    VEC_REACH(c->frames, frametab_count(frames));
    c->all = decimal_add(c->all, count);
    for (size_t i = 0; i < n; i++) {
        struct line_frame *frame = &c->frames.at[numbers[i]];
        if (frame->state == FRAME_UNSEEN)
            *frame = look_up(c, frametab_frame(frames, numbers[i]));
        if (frame->state == FRAME_LEFT_OUT)
            continue;
        if (frame->state == FRAME_COUNTED) {
            struct line_place *p = &c->places.at[frame->place];
            struct line_function *f = &c->functions.at[p->function];
            add_total(c, p, count);
            p->inlined |= inlined;
            p->self = leaf ? decimal_add(p->self, count) : p->self;
            f->self = leaf ? decimal_add(f->self, count) : f->self;
        }
        leaf = false;
        inlined = frame->inlined;
    }
}

bool
linecount_has_wanted(const struct linecount *c)
{
    size_t i = 0;
    while (i < c->functions.n && !c->functions.at[i].wanted)
        i++;
    return i < c->functions.n;
}

void
linecount_free(struct linecount *c)
{
    intern_free(&c->files);
    intern_free(&c->function_keys);
    intern_free(&c->place_keys);
    profile_free(&c->names);
    foldname_free(&c->foldname);
    free(c->functions.at);
    free(c->places.at);
    free(c->frames.at);
}
