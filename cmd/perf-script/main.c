/* perf-script: print perf.data, or perf script text, as text; select and check samples. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "common/stack/frames/check.h"
#include "cmd/perf-script/datasource.h"
#include "cmd/perf-script/options.h"
#include "cmd/perf-script/rangescript.h"
#include "cmd/perf-script/repeats.h"
#include "cmd/perf-script/report.h"
#include "cmd/perf-script/trace.h"
#include "common/base/confine.h"
#include "common/base/decimal.h"
#include "common/base/num.h"
#include "common/base/utf8.h"
#include "common/stack/model/eventname.h"
#include "common/stack/text/foldedtext.h"
#include "common/stack/text/lookslike.h"
#include "common/stack/text/perftext.h"
#include "common/stack/text/perfwrite.h"
#include "common/symbolize/mapnames.h"
#include "common/symbolize/naming.h"

/* The state of the program. */
struct work {
    struct options *options;
    struct diag *diag;
    struct input in;
    struct perftext text;
    struct datasource data;
    struct source *source; /* of the open file: `text` or `data` */
    struct mapnames maps;
    struct intern named;  /* DSOs of JIT-compiled code for which recordings have names */
    struct naming naming; /* names for text */
    struct check check;
    struct repeats repeats; /* stacks not yet passed on to check and folding */
    struct folding folding;
    struct out out;
    struct out report;  /* with --report */
    struct arena arena; /* for names of temporary files */
    struct perfwrite writer;
    struct trace trace;  /* with --trace, instead of the writer */
    struct text held;    /* comments and records inside a sample, to be written after it */
    uint64_t samples;    /* number of samples written or counted */
    uint64_t no_address; /* number of nameless frames without a printed address */
    uint64_t strays;     /* number of frames without a header */
    /* Start of the input, to guess its format if it has no samples. */
    char head[LOOKSLIKE_BYTES];
    size_t head_len;
};

static bool
accept(void *ctx, const struct perf_header *h)
{
    return selection_takes(ctx, h);
}

/* Write a comment or record as it is, except for a carriage return. Write nothing with --trace. */
static void
write_other(struct work *w, struct span line)
{
    if (w->options->trace)
        return;
    if (span_ends(line, SPAN("\r")))
        line.len--;
    if (!w->source->open) {
        perfwrite_line(&w->writer, line);
        return;
    }
    size_t start = w->held.len;
    text_add(&w->held, line);
    utf8_mask(w->held.ptr + start, line.len);
    text_add(&w->held, SPAN("\n"));
}

/* Print the leaf in the header, as perf script -G does, and drop the other frames. */
static void
keep_leaf(struct sample *s)
{
    s->nframes = s->nframes > 0;
    s->frame_in_header = s->nframes > 0;
    s->header.no_callchain = true;
    s->blank = false;
}

static void
take_lines(void *work, const struct maplines *lines)
{
    mapnames_take_lines(&((struct work *)work)->maps, lines);
}

/* Remember the DSO of a process's JIT-compiled code. */
static void
take_named(void *work, uint32_t pid)
{
    char dso[32];
    snprintf(dso, sizeof dso, "/tmp/perf-%d.map", (int)pid);
    intern_add(&((struct work *)work)->named, span_cstr(dso));
}

/* Return true if samples are counted for a report. */
static bool
checks(const struct work *w)
{
    return w->options->stats != STATS_NONE || w->options->report != NULL;
}

/* Return true if text is written. */
static bool
prints(const struct work *w)
{
    return w->options->stats == STATS_NONE && !w->options->folding.folded;
}

/* Pass on the collected stacks, to be counted. */
static void
count_stacks(struct work *w)
{
    struct repeats *r = &w->repeats;
    for (size_t i = 0; i < r->count; i++) {
        struct sample s;
        repeats_sample(r, i, &s);
        if (checks(w))
            check_stack(&w->check, &w->text.frames, &s, r->rows[i].command, r->rows[i].times);
        if (r->rows[i].taken)
            folding_add(&w->folding, &s, r->rows[i].times, r->rows[i].weight);
    }
    repeats_forget(r);
}

static void
count_sample(struct work *w, const struct sample *s)
{
    struct decimal weight = {0, 0};
    if (eventname_is_turn(s->header.field[PERF_EVENT])) {
        w->check.turns++;
        return;
    }
    bool taken = w->options->folding.folded && folding_takes(&w->folding, &s->header, &weight);
    if (checks(w))
        check_header(&w->check, &s->header);
    if (repeats_are_full(&w->repeats))
        count_stacks(w);
    repeats_add(&w->repeats, s, taken, weight);
}

static void
take_sample(struct work *w)
{
    struct sample s = w->source->sample;
    if (w->options->data.leaf_only && !s.header.no_callchain)
        keep_leaf(&s);
    if (w->options->max_stack > 0 && s.nframes > w->options->max_stack)
        s.nframes = w->options->max_stack;
    mapnames_see(&w->maps, naming_process(&s.header), !perf_header_has(&s.header, PERF_PID));
    if (!w->in.recording && (mapnames_any(&w->maps) || w->naming.demangle != DEMANGLE_NONE))
        naming_apply(&w->naming, &s);
    w->samples++;
    if (w->options->folding.folded || checks(w))
        count_sample(w, &s);
    if (!prints(w))
        return;
    if (w->options->trace)
        trace_sample(&w->trace, &s);
    else
        perfwrite_sample(&w->writer, &s);
    out_span(&w->out, text_span(&w->held));
    w->held.len = 0;
    /* While perf.data is read from a pipe, processes come and go, and each adds JIT frames. */
    if (w->in.recording && !checks(w) && frametab_is_full(&w->text.frames))
        perftext_forget_frames(&w->text);
}

static void
take_record(struct work *w)
{
    const struct source *s = w->source;
    if (!selection_takes_record(&w->options->selection, &s->header))
        return;
    bool printed = prints(w) && s->text.len > 0;
    if (printed && w->in.recording)
        perfwrite_record(&w->writer, &s->header, s->text);
    else if (printed)
        write_other(w, s->text);
    if (!printed || checks(w))
        check_record(&w->check, s->lost);
}

/* Pass the number of lines skipped since the last call to --check. */
static void
note_skipped(struct work *w)
{
    while (w->check.skipped < w->in.skipped)
        check_skipped(&w->check, w->in.last_skipped);
}

static void
read_file(struct work *w)
{
    uint64_t seen = w->options->selection.seen;
    struct source *s = w->source = &w->text.source;
    const struct derive_options *derive = &w->options->derive;
    if (!w->in.recording && (derive->off_cpu || derive->wall || derive->syscalls)) {
        diag_error(w->diag, (struct place){w->in.name, 0}, "is not perf.data, which %s reads",
                   derive->wall      ? "--wall"
                   : derive->off_cpu ? "--off-cpu"
                                     : "--syscalls");
        return;
    }
    if (w->in.recording && (!operands_spool_recording(&w->in, &w->arena) ||
                            !datasource_open(&w->data, &w->in.lines, w->in.name)))
        return;
    if (w->in.recording) {
        s = w->source = &w->data.records.source;
    } else {
        struct span head = looks_head_unless_perf(&w->in.lines);
        w->head_len = head.len;
        memcpy(w->head, head.ptr, head.len);
    }
    w->maps.searches = w->in.recording;
    fields_apply(w->in.recording ? w->options->fields : w->options->text_fields, &w->writer);
    w->writer.sample_flags = w->in.recording && (w->options->fields.header >> PERF_FLAGS & 1);
    for (enum source_item item; (item = source_next(s)) != ITEM_END;) {
        if (item == ITEM_SAMPLE) {
            take_sample(w);
        } else if (item == ITEM_RECORD) {
            take_record(w);
        } else if (item != ITEM_COMMENT) {
            w->strays += item == ITEM_STRAY;
            w->no_address += span_starts(span_trim(s->text), SPAN("[unknown]"));
            input_skip(&w->in, s->why);
        } else if (prints(w)) {
            write_other(w, s->text);
        }
        note_skipped(w);
    }
    note_skipped(w);
    if (w->in.recording)
        return;
    input_warn_cut(&w->in);
    size_t used = w->in.lines.number - (w->in.skipped - w->in.skipped_before);
    if (w->options->selection.seen > seen)
        looks_report_skipped(&w->in, looks_like(span_of(w->head, w->head_len)), used, false);
}

static void
report(struct work *w, struct out *out)
{
    const struct mapnames_process *incomplete = mapnames_incomplete(&w->maps);
    w->check.recording = w->maps.searches;
    w->check.named = &w->named;
    for (size_t i = 0; i < sizeof w->data.records.unwound / sizeof *w->data.records.unwound; i++)
        w->check.unwound += w->data.records.unwound[i];
    w->check.lbr_cut = w->data.records.lbr_cut;
    w->check.switches = w->data.switches;
    w->check.variants = w->repeats.variants.at;
    w->check.incomplete_map = incomplete != NULL ? incomplete->path : NULL;
    check_finish(&w->check, &w->text.frames);
    if (w->options->stats == STATS_JSON)
        report_json(out, &w->check);
    else
        report_text(out, &w->check);
    if (w->options->folding.rules.node)
        filter_write_nameless(&w->folding.filter, out);
    if (check_is_full(&w->check))
        diag_error(w->diag, NOWHERE, DECIMAL_FULL);
}

/* Return what the input looks like, without the advice after it, which is meant for programs that
 * read folded stacks. Return an empty text if that is unknown. */
static struct span
guess(const struct work *w)
{
    struct folded f;
    struct span head = span_of(w->head, w->head_len);
    if (folded_parse(span_before(head, '\n'), 0, &f))
        return SPAN("folded stacks, which stackcollapse has made already");
    return span_before(looks_like(head), ':');
}

/* Explain why there is no sample. It is an error if some lines are not perf script text; an empty
 * input may be right. */
static void
explain_no_samples(struct work *w)
{
    if (w->in.skipped == 0) {
        diag_note(w->diag, w->options->derive.off_cpu
                               ? "no samples: what was recorded never began to wait, or waited all "
                                 "the time"
                               : "no samples in the input");
        return;
    }
    struct span looks = guess(w);
    if (looks.len > 0 && !span_starts(looks, SPAN("perf script text")))
        diag_error(w->diag, NOWHERE, "no samples in the input: this looks like %.*s",
                   SPAN_ARG(looks));
    else if (w->strays > 0)
        diag_error(w->diag, NOWHERE,
                   "no samples in the input: headers lack time or event; print with perf script -F "
                   "comm,tid,time,event,ip,sym,dso");
    else
        diag_error(w->diag, NOWHERE, "no samples in the input");
}

/* Report what was left out, and why. */
static void
explain(struct work *w)
{
    bool maps = w->options->map_dir != NULL || w->options->nmaps > 0;
    input_say_skipped(&w->in, w->samples, "sample");
    if (maps && w->no_address > 0)
        diag_note(w->diag,
                  "frames without addresses cannot be named (perf script -F +ip prints them)");
    datasource_explain(&w->data);
    if (w->trace.others > 0)
        diag_note(w->diag,
                  "--trace leaves %s samples out, which are no system calls with a thread, a time "
                  "and a period: stackrecord --syscalls makes those, and perf-script --syscalls of "
                  "perf.data",
                  NUM_TEXT(w->trace.others));
    trace_free(&w->trace);
    mapnames_explain(&w->maps);
    selection_explain(&w->options->selection, w->diag, w->maps.searches);
    if (w->options->folding.folded)
        folding_report(&w->folding, w->diag, w->options->report == NULL);
    if (w->options->selection.seen == 0 && w->diag->status == 0)
        explain_no_samples(w);
}

/* Convert percentages of the input's time. That needs the first and last time, and so a pass over
 * the input. If a file cannot be read, that is reported now, and not again. */
static void
resolve_percents(struct options *o, struct diag *diag, struct arena *arena)
{
    uint64_t first, last;
    o->operands = operands_reopenable(diag, arena, o->operands.names, o->operands.count);
    if (operands_times(diag, &o->operands, o->data.nanoseconds, &first, &last))
        window_resolve(&o->selection.time, first, last);
}

/* Return true if the path is that of a folder; else report an error. */
static bool
is_folder(struct diag *diag, const char *path)
{
    DIR *dir = opendir(path);
    if (dir == NULL)
        diag_error(diag, (struct place){path, 0}, "%s", strerror(errno));
    else
        closedir(dir);
    return dir != NULL;
}

/* Report a file of the command line that cannot be read, even if the input does not need it. A NULL
 * path means no file. */
static void
check_readable(struct diag *diag, const char *path)
{
    if (path != NULL && access(path, R_OK) != 0)
        diag_error(diag, (struct place){path, 0}, "%s", strerror(errno));
}

/* Open the file of --report. Return false, after a message, if that fails. */
static bool
open_report(struct work *w)
{
    const char *name = w->options->report;
    int fd = name != NULL ? open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (fd >= 0)
        out_open(&w->report, fd, name);
    else if (name != NULL)
        diag_error(w->diag, (struct place){name, 0}, "%s", strerror(errno));
    return name == NULL || fd >= 0;
}

static void
work(struct work *w)
{
    struct options *o = w->options;
    perftext_init(&w->text, &perf_rules, &w->in.lines);
    w->text.source.accept = accept;
    w->text.source.ctx = &o->selection;
    w->trace.out = &w->out;
    if (o->trace || o->stats != STATS_NONE || o->report != NULL || o->map_dir != NULL ||
        o->nmaps > 0 || selection_is_asked(&o->selection))
        w->text.source.numbers = PERF_NUMBERS;
    o->data.symbols.names = &w->maps.names;
    datasource_init(&w->data, &o->data, &o->derive, w->diag, &w->text.frames);
    w->data.records.source.accept = accept;
    w->data.records.source.ctx = &o->selection;
    perfwrite_init(&w->writer, &w->out, &w->text.frames);
    w->repeats.frames = &w->text.frames;
    mapnames_init(&w->maps, w->diag);
    w->naming = (struct naming){
        .names = &w->maps.names, .frames = &w->text.frames, .demangle = o->text_demangle};
    o->data.take_lines = take_lines;
    o->data.take_named = take_named;
    o->data.ctx = w;
    w->maps.as_perf = w->writer.as_perf = o->data.symbols.as_perf;
    if (o->map_dir != NULL && is_folder(w->diag, o->map_dir))
        w->maps.dir = o->map_dir;
    if (o->data.symbols.files.symfs[0] != '\0')
        is_folder(w->diag, o->data.symbols.files.symfs);
    check_readable(w->diag, o->data.symbols.kallsyms);
    check_readable(w->diag, o->data.symbols.vmlinux);
    for (size_t i = 0; i < o->nmaps; i++)
        mapnames_give(&w->maps, o->maps[i].pid, o->maps[i].path);
    operands_start(&w->in, w->diag, &o->operands);
    w->in.lines.before_read = out_before_read;
    w->in.lines.ctx = &w->out;
    w->in.takes_recordings = true;
    bool read = false;
    for (; operands_next(&w->in, &o->operands); read = true)
        read_file(w);
    count_stacks(w);
    if (o->folding.folded)
        folding_write(&w->folding, &w->out);
    if (checks(w) && read)
        report(w, o->report != NULL ? &w->report : &w->out);
}

int
main(int argc, char **argv)
{
    struct work w;
    struct options options;
    struct diag diag;
    struct arena arena = {0};
    if (rangescript_called(argc, argv))
        return rangescript_main(argc, argv);
    options_read(&options, argc, argv);
    diag_init(&diag, "perf-script");
    diag.quiet = options.quiet;
    options.data.symbols.files.servers = debuginfod_start(options.debuginfod, &diag);
    w = (struct work){.options = &options, .diag = &diag};
    if (!open_report(&w))
        return diag.status;
    confine(CONFINE_READING);
    if (window_has_percent(&options.selection.time))
        resolve_percents(&options, &diag, &arena);
    if (options.folding.folded &&
        !folding_init(&w.folding, &options.folding, &diag, &w.text.frames))
        return diag.status;
    out_stdout(&w.out);
    work(&w);
    out_close(&w.out);
    if (options.report != NULL)
        out_close(&w.report);
    explain(&w);
    diag_finish(&diag);
    return input_status(&w.in, options.strict);
}
