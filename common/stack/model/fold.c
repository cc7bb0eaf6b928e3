#include "common/stack/model/fold.h"

#include <stdlib.h>

#include "common/base/num.h"

/* A frame's names: usually the number of one name; with NAME_LIST_BIT, an index in `lists`. */
#define NAME_LIST_BIT 0x80000000u
#define UNSEEN        UINT32_MAX

static const struct fold_run whole_stack = {0, false};

void
fold_init(struct fold *f, const struct fold_options *options, const struct frametab *frames,
          struct profile *profile)
{
    *f = (struct fold){.options = options,
                       .frames = frames,
                       .profile = profile,
                       .names = {.options = &options->names, .profile = profile},
                       .runs = &whole_stack,
                       .nruns = 1};
}

static uint32_t
keep_list(struct fold *f)
{
    const struct foldname *n = &f->names;
    if (n->count == 1 && n->ids[0] < NAME_LIST_BIT)
        return n->ids[0];
    if (n->count + f->nlists >= NAME_LIST_BIT - 1)
        mem_exhausted();
    uint32_t at = (uint32_t)f->nlists;
    f->lists = mem_grow(f->lists, &f->lists_cap, f->nlists + n->count + 1, sizeof *f->lists);
    f->lists[f->nlists++] = (uint32_t)n->count;
    for (size_t i = 0; i < n->count; i++)
        f->lists[f->nlists++] = n->ids[i];
    return NAME_LIST_BIT | at;
}

static uint32_t
look_up(struct fold *f, uint32_t frame, bool java)
{
    uint32_t **table = &f->lookup[java];
    if (frame >= f->lookup_len[java]) {
        *table = mem_grow(*table, &f->lookup_cap[java], frametab_count(f->frames), sizeof **table);
        while (f->lookup_len[java] < f->lookup_cap[java])
            (*table)[f->lookup_len[java]++] = UNSEEN;
    }
    if ((*table)[frame] == UNSEEN) {
        foldname_frame(&f->names, frametab_frame(f->frames, frame), java);
        (*table)[frame] = keep_list(f);
    }
    return (*table)[frame];
}

static void
push(struct fold *f, const uint32_t *names, size_t n)
{
    f->stack = mem_grow(f->stack, &f->stack_cap, f->nstack + n, sizeof *f->stack);
    for (size_t i = 0; i < n; i++)
        f->stack[f->nstack++] = names[i];
}

static void
push_names(struct fold *f, uint32_t names)
{
    if (names < NAME_LIST_BIT)
        push(f, &names, 1);
    else
        push(f, &f->lists[names & ~NAME_LIST_BIT] + 1, f->lists[names & ~NAME_LIST_BIT]);
}

/* Append the command's name. It is composed only once, unless it contains the pid. */
static void
push_comm(struct fold *f, const struct perf_header *h)
{
    char text[PERF_NUMBER];
    if (f->options->names.pid || f->options->names.tid) {
        f->no_pid += perf_header_text(h, PERF_PID, text).len == 0;
        foldname_comm(&f->names, h);
        push(f, f->names.ids, f->names.count);
        return;
    }
    if (f->comm == f->comm_len) {
        foldname_comm(&f->names, h);
        MEM_ADD(f->comm_names, f->comm_len, f->comm_cap, keep_list(f));
    }
    if (h->field[PERF_COMM].len > 0) /* it may not be printed: perf script -F -comm */
        push_names(f, f->comm_names[f->comm]);
}

/* Append the frame of the time slice. It is mostly that of the previous sample. */
static void
push_slice(struct fold *f, const struct perf_header *h)
{
    char text[SLICE_TEXT];
    uint64_t ms = h->time / 1000000;
    f->in_slice = perf_header_has(h, PERF_TIME);
    f->no_time += !f->in_slice;
    if (!f->in_slice)
        return;
    ms -= ms % f->options->slice;
    if (!f->has_slice || ms != f->slice_time)
        f->slice_name = profile_name(f->profile, slice_frame(text, (struct slice){.ms = ms}));
    f->has_slice = true;
    f->slice_time = ms;
    push(f, &f->slice_name, 1);
    if (f->options->host.len > 0) {
        uint32_t host = profile_name(f->profile, f->options->host);
        push(f, &host, 1);
    }
}

/* Return the number of frames to keep, counted from the leaf: up to the first that matches
 * --skip-after. */
static size_t
frames_kept(struct fold *f, const struct sample *s)
{
    if (!f->options->has_skip_after)
        return s->nframes;
    for (size_t i = 0; i < s->nframes; i++) {
        uint32_t v = look_up(f, s->frames[i], false);
        const uint32_t *names = v < NAME_LIST_BIT ? &v : &f->lists[v & ~NAME_LIST_BIT] + 1;
        size_t n = v < NAME_LIST_BIT ? 1 : f->lists[v & ~NAME_LIST_BIT];
        for (size_t j = 0; j < n; j++)
            if (pattern_matches(&f->options->skip_after, profile_name_text(f->profile, names[j])))
                return i + 1;
    }
    return s->nframes;
}

/* Append the names of n frames, which are given leaf first. */
static void
push_frames(struct fold *f, const uint32_t *frames, size_t n, bool java)
{
    while (n > 0) {
        /* Frames that were seen before and have one name. This saves 11 % of the instructions. */
        const uint32_t *table = f->lookup[java];
        size_t known = f->lookup_len[java];
        f->stack = mem_grow(f->stack, &f->stack_cap, f->nstack + n, sizeof *f->stack);
        uint32_t *to = f->stack + f->nstack;
        for (; n > 0 && frames[n - 1] < known && table[frames[n - 1]] < NAME_LIST_BIT; n--)
            *to++ = table[frames[n - 1]];
        f->nstack = (size_t)(to - f->stack);
        if (n > 0)
            push_names(f, look_up(f, frames[--n], java));
    }
}

void
fold_stack(struct fold *f, const struct sample *s)
{
    if (frametab_was_emptied(f->frames, &f->generation))
        f->lookup_len[0] = f->lookup_len[1] = 0; /* look_up fills in UNSEEN from there on */
    size_t end = frames_kept(f, s);
    f->nstack = 0;
    if (f->options->slice > 0)
        push_slice(f, &s->header);
    struct span comm = s->header.field[PERF_COMM];
    if (f->comms.count == 0 || !span_eq(intern_text(&f->comms, f->comm), comm))
        f->comm = intern_add(&f->comms, comm);
    if (!f->options->no_comm)
        push_comm(f, &s->header);
    for (size_t i = f->nruns; i-- > 0;) {
        const struct fold_run *run = &f->runs[i];
        if (run->start >= end)
            continue; /* --skip-after cut the whole run */
        push_frames(f, s->frames + run->start, end - run->start, run->java);
        end = run->start;
    }
}

bool
fold_is_empty(const struct fold *f)
{
    return f->nstack == f->in_slice;
}

bool
fold_add(struct fold *f, const struct sample *s, struct decimal weight)
{
    fold_stack(f, s);
    if (fold_is_empty(f))
        return false;
    if (f->in_slice && span_eq(s->header.field[PERF_EVENT], SPAN("wall")))
        turns_hold(&f->turns, f->profile, &s->header, f->stack, f->nstack, weight);
    else
        profile_add(f->profile, f->stack, f->nstack, weight, NULL);
    return true;
}

void
fold_turn(struct fold *f, const struct perf_header *turn)
{
    turns_add(&f->turns, f->profile, turn);
}

void
fold_finish(struct fold *f)
{
    turns_add(&f->turns, f->profile, NULL);
}

size_t
fold_size(const struct fold *f)
{
    size_t numbers =
        f->lookup_cap[0] + f->lookup_cap[1] + f->lists_cap + f->stack_cap + f->comm_cap;
    return numbers * sizeof(uint32_t) + intern_size(&f->comms) + turns_size(&f->turns);
}

void
fold_report(const struct fold *f, uint64_t no_period, struct diag *diag)
{
    if (f->no_pid > 0)
        diag_note(diag,
                  "samples without a process id: %s, shown as '?' (perf-script -F +pid "
                  "perf.data prints it)",
                  NUM_TEXT(f->no_pid));
    if (f->no_time > 0)
        diag_error(diag, NOWHERE,
                   "samples without a time: %s, in no slice (perf-script -F +time perf.data "
                   "prints it)",
                   NUM_TEXT(f->no_time));
    if (no_period > 0)
        diag_note(diag,
                  "samples without a period: %s, each counts 1 (perf-script -F +period "
                  "perf.data prints it)",
                  NUM_TEXT(no_period));
}

void
fold_free(struct fold *f)
{
    foldname_free(&f->names);
    turns_free(&f->turns);
    intern_free(&f->comms);
    free(f->lookup[0]);
    free(f->lookup[1]);
    free(f->lists);
    free(f->stack);
    free(f->comm_names);
}
