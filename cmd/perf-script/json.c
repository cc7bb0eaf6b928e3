/* The report as JSON (RFC 8259). */
#include "cmd/perf-script/advice.h"
#include "cmd/perf-script/report.h"
#include "common/base/jsontext.h"

/* The next key of an object: `before` is "{" or ",". */
static void
key(struct out *o, char before, const char *name)
{
    out_char(o, before);
    jsontext_string(o, span_cstr(name));
    out_char(o, ':');
}

static void
put_number(struct out *o, char before, const char *name, uint64_t n)
{
    key(o, before, name);
    out_u64(o, n);
}

static void
put_times(struct out *o, const struct check *c)
{
    const struct {
        const char *name;
        uint64_t ns;
    } times[] = {{"first", c->first}, {"last", c->last}, {"duration", c->last - c->first}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        key(o, ',', times[i].name);
        if (c->samples > c->no_time)
            report_seconds(o, times[i].ns);
        else
            out_text(o, "null");
    }
    key(o, ',', "rate");
    if (c->last > c->first)
        out_format(o, "%.3f", report_rate(c));
    else
        out_text(o, "null");
}

/* [{"name":"cycles","samples":12,"period":345}, ...], the most frequent first. */
static void
put_tally(struct out *o, const char *name, const struct tally *t, const char *count,
          const char *sum)
{
    struct arena arena = {0};
    const uint32_t *order = tally_order(t, &arena);
    key(o, ',', name);
    out_char(o, '[');
    for (size_t i = 0; i < t->names.count; i++) {
        if (i > 0)
            out_char(o, ',');
        key(o, '{', "name");
        jsontext_string(o, intern_text(&t->names, order[i]));
        put_number(o, ',', count, t->rows[order[i]].count);
        put_number(o, ',', sum, t->rows[order[i]].sum);
        out_char(o, '}');
    }
    out_char(o, ']');
    arena_free(&arena);
}

static void
put_places(struct out *o, const struct check *c)
{
    key(o, ',', "skipped_lines");
    out_char(o, '[');
    for (size_t i = 0; i < c->skipped && i < CHECK_PLACES; i++) {
        if (i > 0)
            out_char(o, ',');
        key(o, '{', "file");
        jsontext_string(o, span_cstr(c->places[i].file));
        put_number(o, ',', "line", c->places[i].line);
        out_char(o, '}');
    }
    out_char(o, ']');
}

static void
put_advice(struct out *o, const struct check *c)
{
    char text[ADVICE_TEXT];
    key(o, ',', "advice");
    out_char(o, '[');
    for (size_t at = 0, n = 0; advice_next(c, &at, text); n++) {
        if (n > 0)
            out_char(o, ',');
        jsontext_string(o, span_cstr(text));
    }
    out_char(o, ']');
}

void
report_json(struct out *o, const struct check *c)
{
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
        {"broken_stacks", c->broken.broken},
        {"cut_stacks", c->cut},
        {"interpreted_samples", c->interpreted},
        {"frames", c->frames},
        {"different_frames", c->lines},
        {"nameless_frames", c->nameless},
        {"nameless_jit_frames", c->nameless_jit_all},
        {"nameless_kernel_frames", c->nameless_kernel},
        {"cut_names", c->cut_names},
        {"records", c->records},
        {"lost_records", c->lost_records},
        {"lost_events", c->lost},
        {"skipped", c->skipped},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        put_number(o, i > 0 ? ',' : '{', counts[i].name, counts[i].n);
    put_times(o, c);
    put_tally(o, "events", &c->events, "samples", "period");
    put_tally(o, "commands", &c->comms, "samples", "period");
    put_tally(o, "dsos", &c->dsos, "frames", "nameless");
    put_places(o, c);
    put_advice(o, c);
    out_text(o, "}\n");
}
