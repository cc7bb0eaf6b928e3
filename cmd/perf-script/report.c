#include "cmd/perf-script/report.h"

#include <stdio.h>

#include "cmd/perf-script/window.h"
#include "common/base/jsontext.h"
#include "common/base/num.h"
#include "common/base/utf8.h"
#include "common/stack/frames/checkadvice.h"

enum { TOP = 10, COUNT_WIDTH = 14 };

/* Write nanoseconds as seconds, as time_format does. */
static void
put_seconds(struct out *o, uint64_t ns)
{
    char text[TIME_TEXT];
    time_format(ns, text);
    out_cstr(o, text);
}

/* Return the number of samples per second, from the first sample to the last; 0 if all have the
 * same time. */
static double
rate(const struct check *c)
{
    uint64_t timed = c->samples - c->no_time;
    return c->last > c->first ? (double)timed / ((double)(c->last - c->first) / 1e9) : 0;
}

static void
put_masked(struct out *o, struct span s)
{
    struct arena arena = {0};
    char *text = arena_cstr(&arena, s);
    utf8_mask(text, s.len);
    out_span(o, span_of(text, s.len));
    arena_free(&arena);
}

/* Write " 12,345". */
static void
put_count(struct out *o, uint64_t n)
{
    out_format(o, "%*s", COUNT_WIDTH, NUM_TEXT(n));
}

/* Write " 12,345 12.3 % ". */
static void
put_share(struct out *o, uint64_t n, uint64_t of)
{
    put_count(o, n);
    out_format(o, "  %5.1f %%  ", of > 0 ? 100 * (double)n / (double)of : 0);
}

/* Write " 12,345 samples". */
static void
line(struct out *o, uint64_t n, const char *what)
{
    put_count(o, n);
    out_format(o, "  %s\n", what);
}

static void
line_if(struct out *o, uint64_t n, const char *what)
{
    if (n > 0)
        line(o, n, what);
}

/* Write the most frequent names, and how many more there are. */
static void
put_tally(struct out *o, const char *title, const struct tally *t, uint64_t of)
{
    struct arena arena = {0};
    size_t n = t->names.count;
    const uint32_t *order = tally_order(t, &arena);
    uint64_t rest = 0;
    if (n > 0)
        out_format(o, "\n%s\n", title);
    for (size_t i = 0; i < n; i++) {
        if (i >= TOP && n > TOP + 1) {
            rest = num_add(rest, t->rows[order[i]].count);
            continue;
        }
        struct span name = intern_text(&t->names, order[i]);
        put_share(o, t->rows[order[i]].count, of);
        put_masked(o, name.len > 0 ? name : SPAN("(not printed)"));
        out_char(o, '\n');
    }
    if (n > TOP + 1) {
        put_share(o, rest, of);
        out_format(o, "%s others\n", NUM_TEXT(n - TOP));
    }
    arena_free(&arena);
}

static void
put_times(struct out *o, const struct check *c)
{
    if (c->samples == c->no_time)
        return;
    out_text(o, "\ntime\n  from ");
    put_seconds(o, c->first);
    out_text(o, " to ");
    put_seconds(o, c->last);
    out_text(o, ": ");
    put_seconds(o, c->last - c->first);
    out_text(o, " s");
    if (c->last > c->first)
        out_format(o, ", %.1f samples a second", rate(c));
    out_char(o, '\n');
}

/* Write " no pid, not always cpu": fields that the text lacks, so that they are not known. */
static void
put_fields(struct out *o, const struct check *c)
{
    const struct {
        const char *name;
        uint64_t without;
    } fields[] = {{"pid", c->no_pid},   {"tid", c->no_tid},       {"cpu", c->no_cpu},
                  {"time", c->no_time}, {"period", c->no_period}, {"event", c->no_event}};
    const char *before = "\nfields\n  ";
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (fields[i].without == 0)
            continue;
        out_cstr(o, before);
        out_cstr(o, fields[i].without == c->samples ? "no " : "not always ");
        out_cstr(o, fields[i].name);
        before = ", ";
    }
    if (before[0] == ',')
        out_char(o, '\n');
}

/* Write how unwound stacks end, whether unwound here or by the program that printed the text. */
static void
put_unwound(struct out *o, const struct check *c)
{
    uint64_t cut, lost;
    checkadvice_cut(c, &cut);
    checkadvice_lost(c, &lost);
    if (c->unwound == 0 && cut == 0 && lost == 0)
        return;
    uint64_t all = c->unwound > 0 ? c->unwound : c->chains;
    out_text(o, "\nunwound stacks\n");
    put_share(o, all - cut - lost, all);
    out_text(o, "reach the root\n");
    put_share(o, cut, all);
    out_text(o, "are cut: the copy of the stack was too short\n");
    put_share(o, lost, all);
    out_text(o, "are lost: the way to a caller was not found\n");
    put_tally(o, "lost stacks, by DSO", &c->marks[1], lost);
}

static void
put_stacks(struct out *o, const struct check *c)
{
    out_text(o, "\nstacks\n");
    line(o, c->chains, "samples with a callchain");
    line(o, c->empty, "samples without any frame");
    line(o, c->single, "stacks with one user frame only");
    line(o, c->unreached, "stacks that do not reach a root");
    line(o, c->cut, "stacks cut at 127 frames");
    line_if(o, c->lbr_cut, "stacks cut at the most calls that the processor keeps (LBR)");
    put_unwound(o, c);
    out_text(o, "\nframes\n");
    line(o, c->frames, "frames");
    line(o, c->different, "different frames");
    put_share(o, c->nameless, c->frames);
    out_text(o, "without a name\n");
    put_share(o, c->nameless_jit_all, c->frames);
    out_text(o, "of them JIT-compiled\n");
    line_if(o, c->named_by[CHECK_MEMORY],
            "JIT-compiled, with a name that stackrecord read from memory");
    line_if(o, c->named_by[CHECK_DUMP], "JIT-compiled, with a name from a jitdump");
    line_if(o, c->named_by[CHECK_MAP],
            c->recording ? "JIT-compiled, with a name from a perf map"
                         : "JIT-compiled, with a name from a perf map, or read from memory");
    line_if(o, c->cut_names.names.count, "names that seem cut");
    line_if(o, c->doubtful, "samples in JIT-compiled code that took the place of other code");
}

/* Write where the nameless frames are. */
static void
put_nameless(struct out *o, const struct check *c)
{
    struct tally nameless = {0};
    for (uint32_t i = 0; i < c->dsos.names.count; i++)
        if (c->dsos.rows[i].sum > 0)
            tally_add(&nameless, intern_text(&c->dsos.names, i), c->dsos.rows[i].sum, 0);
    put_tally(o, "frames without a name, by DSO", &nameless, c->frames);
    tally_free(&nameless);
}

static void
put_losses(struct out *o, const struct check *c)
{
    if (c->records == 0 && c->skipped == 0 && c->turns == 0)
        return;
    out_text(o, "\nother lines\n");
    line_if(o, c->turns, "long turns of event loops");
    line_if(o, c->records, "records");
    line_if(o, c->lost_records, "of them report lost events");
    line_if(o, c->lost, "events lost");
    line_if(o, c->skipped, "lines skipped");
    for (size_t i = 0; i < c->skipped && i < CHECK_PLACES; i++) {
        out_format(o, "%*s", COUNT_WIDTH + 2, "");
        put_masked(o, span_cstr(c->places[i].file));
        out_format(o, ":%zu\n", c->places[i].line);
    }
    if (c->skipped > CHECK_PLACES)
        out_format(o, "%*s...\n", COUNT_WIDTH + 2, "");
}

static void
put_advice(struct out *o, const struct check *c)
{
    char text[CHECKADVICE_TEXT];
    for (size_t at = 0, n = 0; checkadvice_next(c, &at, text); n++) {
        out_cstr(o, n == 0 ? "\nadvice\n  " : "  ");
        put_masked(o, span_cstr(text));
        out_char(o, '\n');
    }
}

void
report_text(struct out *o, const struct check *c)
{
    line(o, c->samples, "samples");
    put_times(o, c);
    put_fields(o, c);
    put_tally(o, "events", &c->events, c->samples);
    put_tally(o, "commands", &c->comms, c->samples);
    if (c->samples > 0) {
        put_stacks(o, c);
        put_nameless(o, c);
    }
    put_losses(o, c);
    put_advice(o, c);
}

/* Write the next key of an object; `before` is "{" or ",". */
static void
json_key(struct out *o, char before, const char *name)
{
    out_char(o, before);
    jsontext_string(o, span_cstr(name));
    out_char(o, ':');
}

static void
json_number(struct out *o, char before, const char *name, uint64_t n)
{
    json_key(o, before, name);
    out_u64(o, n);
}

static void
json_times(struct out *o, const struct check *c)
{
    const struct {
        const char *name;
        uint64_t ns;
    } times[] = {{"first", c->first}, {"last", c->last}, {"duration", c->last - c->first}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        json_key(o, ',', times[i].name);
        if (c->samples > c->no_time)
            put_seconds(o, times[i].ns);
        else
            out_text(o, "null");
    }
    json_key(o, ',', "rate");
    if (c->last > c->first)
        out_format(o, "%.3f", rate(c));
    else
        out_text(o, "null");
}

/* Write [{"name":"cycles","samples":12,"period":345}, ...], the most frequent names first. */
static void
json_tally(struct out *o, const char *name, const struct tally *t, const char *count,
           const char *sum)
{
    struct arena arena = {0};
    const uint32_t *order = tally_order(t, &arena);
    json_key(o, ',', name);
    out_char(o, '[');
    for (size_t i = 0; i < t->names.count; i++) {
        if (i > 0)
            out_char(o, ',');
        json_key(o, '{', "name");
        jsontext_string(o, intern_text(&t->names, order[i]));
        json_number(o, ',', count, t->rows[order[i]].count);
        json_number(o, ',', sum, t->rows[order[i]].sum);
        out_char(o, '}');
    }
    out_char(o, ']');
    arena_free(&arena);
}

static void
json_places(struct out *o, const struct check *c)
{
    json_key(o, ',', "skipped_lines");
    out_char(o, '[');
    for (size_t i = 0; i < c->skipped && i < CHECK_PLACES; i++) {
        if (i > 0)
            out_char(o, ',');
        json_key(o, '{', "file");
        jsontext_string(o, span_cstr(c->places[i].file));
        json_number(o, ',', "line", c->places[i].line);
        out_char(o, '}');
    }
    out_char(o, ']');
}

static void
json_advice(struct out *o, const struct check *c)
{
    char text[CHECKADVICE_TEXT];
    json_key(o, ',', "advice");
    out_char(o, '[');
    for (size_t at = 0, n = 0; checkadvice_next(c, &at, text); n++) {
        if (n > 0)
            out_char(o, ',');
        jsontext_string(o, span_cstr(text));
    }
    out_char(o, ']');
}

void
report_json(struct out *o, const struct check *c)
{
    uint64_t cut, lost;
    checkadvice_cut(c, &cut);
    checkadvice_lost(c, &lost);
    const struct {
        const char *name;
        uint64_t n;
    } counts[] = {
        {"samples", c->samples},
        {"samples_without_pid", c->no_pid},
        {"samples_without_tid", c->no_tid},
        {"samples_without_time", c->no_time},
        {"samples_without_cpu", c->no_cpu},
        {"samples_without_period", c->no_period},
        {"samples_without_event", c->no_event},
        {"callchains", c->chains},
        {"empty_stacks", c->empty},
        {"single_frame_stacks", c->single},
        {"broken_stacks", c->unreached},
        {"cut_stacks", c->cut},
        {"unwound_stacks", c->unwound},
        {"stacks_cut_by_copy", cut},
        {"stacks_cut_by_lbr", c->lbr_cut},
        {"stacks_lost", lost},
        {"interpreted_samples", c->interpreted},
        {"frames", c->frames},
        {"different_frames", c->different},
        {"nameless_frames", c->nameless},
        {"nameless_jit_frames", c->nameless_jit_all},
        {"memory_named_frames", c->named_by[CHECK_MEMORY]},
        {"jitdump_named_frames", c->named_by[CHECK_DUMP]},
        {"map_named_frames", c->named_by[CHECK_MAP]},
        {"nameless_kernel_frames", c->nameless_kernel},
        {"cut_names", c->cut_names.names.count},
        {"doubtful_samples", c->doubtful},
        {"turns", c->turns},
        {"records", c->records},
        {"lost_records", c->lost_records},
        {"lost_events", c->lost},
        {"skipped", c->skipped},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        json_number(o, i > 0 ? ',' : '{', counts[i].name, counts[i].n);
    json_times(o, c);
    json_tally(o, "events", &c->events, "samples", "period");
    json_tally(o, "commands", &c->comms, "samples", "period");
    json_tally(o, "dsos", &c->dsos, "frames", "nameless");
    json_places(o, c);
    json_advice(o, c);
    out_text(o, "}\n");
}
