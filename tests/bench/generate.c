/* Makes a benchmark's input out of a recording: generate MODE MEGABYTES < recording > input
 *
 * repeat: the samples as they come, over and over
 *
 * shuffle: in random order
 *
 * system: eight CPUs in turn, each in the samples' order, with 40 command names for each
 *
 * deep: samples of 100 frames and more, with the twenty frames next to the leaf of any other
 *
 * wide: stacks that are nearly all different, pieces of three samples on what is left of a fourth
 *
 * short: ten frames, each of any sample: all stacks are different, and short
 *
 * Times go on evenly. The same arguments and recording give the same bytes. */
#include <stdio.h>
#include <stdlib.h>

#include "common/base/lines.h"
#include "common/base/mem.h"
#include "common/base/num.h"
#include "common/base/out.h"
#include "common/stack/text/perftext.h"

/* A sample of the recording. */
struct kept {
    struct span field[PERF_FIELDS];
    uint32_t *frames; /* leaf first */
    size_t nframes;
};

struct recording {
    struct perftext text;
    struct lines lines;
    struct arena arena;
    struct kept *samples;
    size_t count, cap;
};

enum { CPUS = 8 };

struct made {
    struct out out;
    uint64_t random; /* the state of splitmix64 */
    uint64_t bytes;
    uint64_t time;        /* microseconds */
    size_t cpu, at[CPUS]; /* where each CPU is in the recording */
};

/* splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). */
static size_t
below(struct made *m, size_t n)
{
    uint64_t z = m->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (size_t)((z ^ z >> 31) % n);
}

static void
load(struct recording *r)
{
    lines_start(&r->lines, 0);
    perftext_init(&r->text, &perf_rules, &r->lines);
    for (enum source_item item; (item = source_next(&r->text.source)) != ITEM_END;) {
        const struct sample *s = &r->text.source.sample;
        if (item != ITEM_SAMPLE || s->nframes == 0)
            continue;
        r->samples = mem_grow(r->samples, &r->cap, r->count + 1, sizeof *r->samples);
        struct kept *to = &r->samples[r->count++];
        for (int i = 0; i < PERF_FIELDS; i++)
            to->field[i] = arena_copy(&r->arena, s->header.field[i]);
        to->nframes = s->nframes;
        to->frames = arena_alloc(&r->arena, s->nframes * sizeof *to->frames);
        memcpy(to->frames, s->frames, s->nframes * sizeof *to->frames);
    }
}

static void
put_header(struct made *m, const struct recording *r, const struct kept *s, bool system)
{
    char line[512];
    int n;
    m->time += 1001;
    unsigned long long seconds = m->time / 1000000, micros = m->time % 1000000;
    if (system) {
        size_t worker = (size_t)(s - r->samples) / 97 % 40, pid = 1000 + worker * 7;
        n = snprintf(line, sizeof line, "%.*s/%zu %5zu/%-5zu [%03zu] %5llu.%06llu: %10.*s %.*s: \n",
                     SPAN_ARG(s->field[PERF_COMM]), worker, pid, pid + worker, below(m, 64),
                     seconds, micros, SPAN_ARG(s->field[PERF_PERIOD]),
                     SPAN_ARG(s->field[PERF_EVENT]));
    } else {
        n = snprintf(line, sizeof line, "%.*s %5.*s %5llu.%06llu: %10.*s %.*s: \n",
                     SPAN_ARG(s->field[PERF_COMM]), SPAN_ARG(s->field[PERF_TID]), seconds, micros,
                     SPAN_ARG(s->field[PERF_PERIOD]), SPAN_ARG(s->field[PERF_EVENT]));
    }
    out_span(&m->out, span_of(line, (size_t)n));
    m->bytes += (uint64_t)n;
}

static void
put_frames(struct made *m, const struct recording *r, const uint32_t *frames, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct span text = frametab_text(&r->text.frames, frames[i]);
        out_span(&m->out, text);
        m->bytes += text.len;
    }
}

static void
end_sample(struct made *m)
{
    out_char(&m->out, '\n');
    m->bytes++;
}

static const struct kept *
any(struct made *m, const struct recording *r)
{
    return &r->samples[below(m, r->count)];
}

static void
put_plain(struct made *m, const struct recording *r, const struct kept *s, bool system)
{
    put_header(m, r, s, system);
    put_frames(m, r, s->frames, s->nframes);
    end_sample(m);
}

static void
put_deep(struct made *m, const struct recording *r)
{
    const struct kept *root, *leaf;
    do
        root = any(m, r);
    while (root->nframes < 100);
    do
        leaf = any(m, r);
    while (leaf->nframes < 10);
    size_t near = leaf->nframes < 20 ? leaf->nframes : 20;
    put_header(m, r, root, false);
    put_frames(m, r, leaf->frames, near);
    put_frames(m, r, root->frames + near, root->nframes - near);
    end_sample(m);
}

/* From 3 to 9 frames of a stack, some way from its leaf. */
static void
put_some(struct made *m, const struct recording *r)
{
    const struct kept *s = any(m, r);
    size_t from = below(m, s->nframes), n = 3 + below(m, 7);
    put_frames(m, r, s->frames + from, n < s->nframes - from ? n : s->nframes - from);
}

static void
put_wide(struct made *m, const struct recording *r)
{
    const struct kept *root = any(m, r);
    size_t from = below(m, root->nframes);
    put_header(m, r, root, false);
    for (int i = 0; i < 3; i++)
        put_some(m, r);
    put_frames(m, r, root->frames + from, root->nframes - from);
    end_sample(m);
}

/* CPUs in turn, each on its own way through the recording. */
static void
put_system(struct made *m, const struct recording *r)
{
    m->cpu = (m->cpu + 1) % CPUS;
    size_t *at = &m->at[m->cpu];
    *at = *at == 0 ? below(m, r->count) : (*at + 1) % r->count;
    put_plain(m, r, &r->samples[*at], true);
}

static void
put_short(struct made *m, const struct recording *r)
{
    const struct kept *s = any(m, r);
    put_header(m, r, s, false);
    for (int i = 0; i < 10; i++) {
        s = any(m, r);
        put_frames(m, r, s->frames + below(m, s->nframes), 1);
    }
    end_sample(m);
}

int
main(int argc, char **argv)
{
    static const char *const modes[] = {"repeat", "shuffle", "system", "deep", "wide", "short"};
    struct recording r = {0};
    struct made m = {.random = 1, .time = 1000000000};
    uint64_t megabytes = 0;
    size_t mode = 0;
    while (argc == 3 && mode < 6 && strcmp(argv[1], modes[mode]) != 0)
        mode++;
    if (argc != 3 || mode == 6 || !num_u64(span_cstr(argv[2]), &megabytes)) {
        fputs("usage: generate repeat|shuffle|system|deep|wide|short MEGABYTES < recording\n",
              stderr);
        return 2;
    }
    load(&r);
    out_stdout(&m.out);
    for (size_t i = 0; r.count > 0 && m.bytes < megabytes * 1000000; i++) {
        if (mode == 0)
            put_plain(&m, &r, &r.samples[i % r.count], false);
        else if (mode == 2)
            put_system(&m, &r);
        else if (mode == 3)
            put_deep(&m, &r);
        else if (mode == 4)
            put_wide(&m, &r);
        else if (mode == 5)
            put_short(&m, &r);
        else
            put_plain(&m, &r, any(&m, &r), false);
    }
    out_close(&m.out);
    return r.count > 0 ? 0 : 1;
}
