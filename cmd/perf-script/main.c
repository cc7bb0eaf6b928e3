/* perf-script: select, check and mend perf script text. */
#include "cmd/perf-script/check.h"
#include "cmd/perf-script/extent.h"
#include "cmd/perf-script/naming.h"
#include "cmd/perf-script/options.h"
#include "cmd/perf-script/report.h"
#include "common/stack/foldedtext.h"
#include "common/stack/perftext.h"
#include "common/stack/perfwrite.h"

/* Everything that the work needs. */
struct work {
    struct options *options;
    struct diag *diag;
    struct input in;
    struct perftext text;
    struct naming naming;
    struct check check;
    struct out out;
    struct perfwrite writer;
    struct text held;    /* comments and records inside a sample: they are written after it */
    uint64_t samples;    /* written or counted */
    uint64_t no_address; /* nameless frames that print no address */
    uint64_t folded;     /* skipped lines that look like folded stacks */
};

static bool
accept(void *ctx, const struct perf_header *h)
{
    return selection_takes(ctx, h);
}

/* Writes a comment or a record as it is, except for a carriage return. */
static void
write_other(struct work *w, struct span line)
{
    if (span_ends(line, SPAN("\r")))
        line.len--;
    if (!w->text.source.open) {
        out_span(&w->out, line);
        out_char(&w->out, '\n');
        return;
    }
    text_add(&w->held, line);
    text_add(&w->held, SPAN("\n"));
}

static void
take_sample(struct work *w)
{
    struct sample s = w->text.source.sample;
    naming_apply(&w->naming, &s);
    w->samples++;
    if (w->options->stats != STATS_NONE) {
        check_sample(&w->check, &w->text.source.frames, &s);
        return;
    }
    perfwrite_sample(&w->writer, &s);
    out_span(&w->out, text_span(&w->held));
    w->held.len = 0;
}

static void
take_record(struct work *w)
{
    const struct source *s = &w->text.source;
    if (!selection_takes_record(&w->options->selection, &s->header))
        return;
    if (w->options->stats == STATS_NONE)
        write_other(w, s->text);
    else
        check_record(&w->check, s->lost);
}

static void
skip_line(struct work *w)
{
    struct folded f;
    struct span line = w->text.source.text;
    w->no_address += span_starts(span_trim(line), SPAN("[unknown]"));
    w->folded += folded_parse(line, 0, &f);
    input_skip(&w->in, w->text.source.why);
    check_skipped(&w->check, input_place(&w->in));
}

static void
read_file(struct work *w)
{
    struct source *s = &w->text.source;
    for (enum source_item item; (item = source_next(s)) != ITEM_END;) {
        if (item == ITEM_SAMPLE)
            take_sample(w);
        else if (item == ITEM_RECORD)
            take_record(w);
        else if (item != ITEM_COMMENT)
            skip_line(w);
        else if (w->options->stats == STATS_NONE)
            write_other(w, s->text);
    }
}

static void
report(struct work *w)
{
    check_finish(&w->check, &w->text.source.frames);
    if (w->options->stats == STATS_JSON)
        report_json(&w->out, &w->check);
    else
        report_text(&w->out, &w->check);
}

/* Says which samples could not be judged. */
static void
say_lacking(struct work *w)
{
    static const char *const names[FIELDS] = {"process id", "thread id", "command",
                                              "CPU",        "event",     "time"};
    const struct selection *s = &w->options->selection;
    for (int f = 0; f < FIELDS; f++)
        if (s->lacking[f] > 0)
            diag_note(w->diag, "%llu samples left out, since they print no %s",
                      (unsigned long long)s->lacking[f], names[f]);
    uint64_t lone = s->lone_tids > 0 ? s->lone_tids : w->naming.lone_tids;
    if (lone > 0)
        diag_note(w->diag,
                  "%llu samples print a thread id only, which was taken for the process's "
                  "(perf script -F +pid prints both)",
                  (unsigned long long)lone);
}

static void
say_what_was_missing(struct work *w)
{
    const struct naming *naming = &w->naming;
    bool maps = w->options->map_dir != NULL || w->options->nmaps > 0;
    input_say_skipped(&w->in, w->samples, "sample");
    say_lacking(w);
    if (maps && w->no_address > 0)
        diag_note(w->diag,
                  "frames without addresses cannot be named (perf script -F +ip prints them)");
    else if (maps && naming->found == 0 && naming->nameless > 0)
        diag_note(w->diag, "no frame got a name from a perf map");
    if (w->options->selection.seen == 0 && w->diag->status == 0)
        diag_note(w->diag, w->folded > 0 ? "no samples in the input: this looks like folded stacks"
                                         : "no samples in the input");
    else if (w->samples == 0 && w->options->selection.seen > 0)
        diag_note(w->diag, "none of %llu samples is selected",
                  (unsigned long long)w->options->selection.seen);
}

/* Percents of the input's time need its length, and so a first pass over it. What cannot be read is
 * said then, and not again. */
static void
resolve_percents(struct options *o, struct diag *diag, struct arena *arena)
{
    uint64_t first, last;
    o->operands = operands_reopenable(diag, arena, o->operands.names, o->operands.count);
    if (extent_measure(diag, &o->operands, &first, &last))
        window_resolve(&o->selection.time, first, last);
}

static void
work(struct work *w)
{
    struct options *o = w->options;
    perftext_init(&w->text, &perf_rules, &w->in.lines);
    w->text.source.accept = accept;
    w->text.source.ctx = &o->selection;
    perfwrite_init(&w->writer, &w->out, &w->text.source.frames);
    naming_init(&w->naming, w->diag, &w->text.source.frames);
    if (o->map_dir != NULL)
        naming_set_dir(&w->naming, o->map_dir);
    for (size_t i = 0; i < o->nmaps; i++)
        naming_add_map(&w->naming, o->maps[i].pid, o->maps[i].path);
    operands_start(&w->in, w->diag, &o->operands);
    while (operands_next(&w->in, &o->operands))
        read_file(w);
    if (o->stats != STATS_NONE)
        report(w);
}

int
main(int argc, char **argv)
{
    struct work w;
    struct options options;
    struct diag diag;
    struct arena arena = {0};
    options_read(&options, argc, argv);
    diag_init(&diag, "perf-script");
    diag.quiet = options.quiet;
    if (window_has_percent(&options.selection.time))
        resolve_percents(&options, &diag, &arena);
    w = (struct work){.options = &options, .diag = &diag};
    out_stdout(&w.out);
    work(&w);
    out_close(&w.out);
    diag_finish(&diag);
    say_what_was_missing(&w);
    return diag.status;
}
