/* stackrecord: sample processes, a command or the machine, and print their stacks.
 *
 *     capture/   from the machine to records: counters, ring buffers, tasks, memory. Only this
 *                folder and common/machine make system calls about other processes, or read a clock
 *     plan.c     the steps that records go through, most of them from common/stage
 *     output/    the last steps: text, folded stacks, perf.data */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "cmd/stackrecord/capture/header.h"
#include "cmd/stackrecord/plan.h"
#include "common/base/decimal.h"
#include "common/base/helper.h"
#include "common/base/num.h"
#include "common/machine/probe.h"
#include "common/machine/stop.h"

struct work {
    struct options options;
    struct diag diag;
    struct capture capture;
    struct plan plan;
};

/* Return the command's exit status, unless the recording ended it after the duration, or failed. */
static int
status_of(struct work *w, enum sampler_end end)
{
    const struct command *command = &w->capture.command;
    if (command->pid == 0)
        return w->diag.status;
    capture_await_command(&w->capture, end);
    if (w->diag.status != 0 || (end == END_DURATION && command->status == 128 + SIGTERM))
        return w->diag.status;
    return command->status;
}

static const char *
why_no_samples(const struct work *w, enum sampler_end end)
{
    if (end == END_SIGNAL)
        return "a signal ended the recording before there was one";
    if (w->options.derive.syscalls)
        return "no system call that is wanted began and returned while it was recorded";
    if (w->options.derive.off_cpu)
        return "what was recorded never began to wait, or waited all the time";
    if (!attach_counts_time(&w->capture.session.events.events[0]))
        return "the event did not happen often enough in what was recorded";
    return "nothing that was recorded ran on a CPU for long enough: record longer, or more often "
           "(-F)";
}

static void
explain(struct work *w, enum sampler_end end)
{
    const struct sampler *s = &w->capture.sampler;
    if (end == END_FAILED)
        diag_error(&w->diag, NOWHERE, "the recording broke off: %s", strerror(errno));
    if (s->lost > 0)
        diag_note(
            &w->diag,
            "%s records were lost, beside %s samples that were not: the ring buffers were "
            "full, since the output was read slowly, the machine was busy, or they are small: "
            "%s, or raise --memory",
            NUM_TEXT(s->lost), NUM_TEXT(s->samples),
            w->options.derive.syscalls ? "each system call has two; record some calls alone "
                                         "(--syscalls=NAME), or no stacks (--call-graph none)"
                                       : "lower -F");
    if (s->lost_tasks > 0)
        diag_note(&w->diag,
                  "%s records of the names, mappings, starts and ends of processes were lost, "
                  "which came faster than they are read: some functions may have no names",
                  NUM_TEXT(s->lost_tasks));
    if (s->throttled > 0)
        diag_note(&w->diag,
                  "the kernel paused sampling %s times, since more samples came than "
                  "kernel.perf_event_max_sample_rate permits: lower -F, or raise -c or that limit "
                  "(sysctl)",
                  NUM_TEXT(s->throttled));
    if (w->plan.text.parts > 0)
        diag_note(&w->diag,
                  "the stacks were printed in %s parts, since they take more than their share of "
                  "--memory (%s MB): counts of equal lines add up, as all that read them do",
                  NUM_TEXT(w->plan.text.parts + 1), NUM_TEXT(w->plan.text.stacks_limit >> 20));
    uint64_t too_short = derived_too_short(&w->plan.derived);
    if (too_short > 0)
        diag_note(&w->diag, "%s waits shorter than --min-block=%zu are left out",
                  NUM_TEXT(too_short), w->options.derive.min_block);
    derived_explain_calls(derived_unknown_calls(&w->plan.derived),
                          derived_unended_calls(&w->plan.derived), &w->diag);
    if (w->capture.strings.unread > 0)
        diag_note(&w->diag,
                  "%s strings were not read, since more than %s came at once: their addresses are "
                  "printed",
                  NUM_TEXT(w->capture.strings.unread), NUM_TEXT(CALLSTRINGS_MOST));
    uint64_t cut_turns = derived_cut_turns(&w->plan.derived);
    if (cut_turns > 0)
        diag_note(&w->diag,
                  "%s turns of event loops are not known, since records were lost in them: stalls "
                  "may be missing",
                  NUM_TEXT(cut_turns));
    if (options_prints(&w->options) && derived_lacks_turns(&w->plan.derived))
        diag_note(&w->diag,
                  "no turns: no event loop was seen in what was recorded, or it may not be "
                  "looked at (kernel.yama.ptrace_scope); record as root");
    if (s->samples == 0 && !w->options.derive.wall && w->diag.status == 0 &&
        !w->capture.command.is_protected)
        diag_note(&w->diag, "no samples: %s", why_no_samples(w, end));
}

/* End the input of all steps and the output. Return the exit status. */
static int
finish(struct work *w, enum sampler_end end)
{
    struct capture *c = &w->capture;
    capture_end_command(c, end);
    sampler_finish(&c->sampler);
    if (options_prints(&w->options))
        out_close(&w->plan.out);
    if (profile_is_full(&w->plan.text.profile))
        diag_error(&w->diag, NOWHERE, DECIMAL_FULL);
    liveprocs_explain(c->live);
    capture_explain_silent(&w->diag);
    explain(w, end);
    return status_of(w, end);
}

/* Print the header, which says what is recorded. */
static void
print_header(struct work *w)
{
    struct text header = {0};
    header_add(&w->options.target, w->options.derive.turns, &header);
    out_span(&w->plan.out, text_span(&header));
    free(header.ptr);
}

/* Record. Return the exit status. */
static int
record(struct work *w, const struct dsofile_search *files)
{
    struct capture *c = &w->capture;
    struct plan *p = &w->plan;
    const bool writes = w->options.data != NULL, prints = options_prints(&w->options);
    if (!plan_open(p, &w->options, &w->diag))
        return w->diag.status;
    plan_make(p, c, files);
    /* The first record overwrites an existing perf.data: send none before the recording begins. */
    const bool early = !writes && !capture_counts_already(c);
    if (early)
        capture_kernel(c, false);
    if (!capture_begin(c)) {
        plan_drop(p);
        return c->command.status != 0 ? c->command.status : w->diag.status;
    }
    if (prints && !outfile_empty(&p->printed))
        diag_error(&w->diag, outfile_place(&p->printed), "%s", strerror(errno));
    if (w->options.header)
        print_header(w);
    if (!early)
        capture_kernel(c, writes);
    if (w->options.archive.folder != NULL)
        sampler_set_beat(&c->sampler, plan_beat, p);
    return finish(w, capture_run(c));
}

static int
list_events(struct work *w)
{
    struct out *out = &w->plan.out;
    out_stdout(out);
    char *problem = events_print(out);
    out_close(out);
    if (problem != NULL)
        diag_note(&w->diag, "%s", problem);
    free(problem);
    return w->diag.status;
}

/* Print what a probe can be made of: --list-vars and --list-lines. */
static int
list_probe(struct work *w)
{
    const struct options *o = &w->options;
    struct out *out = &w->plan.out;
    struct arena a = {0};
    const char *note = NULL;
    out_stdout(out);
    const char *wrong = o->list_vars != NULL
                            ? probe_print_variables(span_cstr(o->list_vars), out, &note, &a)
                            : probe_print_lines(span_cstr(o->list_lines), out, &note, &a);
    out_close(out);
    if (wrong != NULL)
        diag_error(&w->diag, NOWHERE, "%s: %s", o->list_vars != NULL ? o->list_vars : o->list_lines,
                   wrong);
    else if (note != NULL)
        diag_note(&w->diag, "%s", note);
    arena_free(&a);
    return w->diag.status;
}

static void
remove_uprobes(struct work *w)
{
    const char *problem = events_remove_uprobes(&w->options.events);
    if (problem != NULL)
        diag_error(&w->diag, NOWHERE, "%s", problem);
    events_free(&w->options.events);
}

int
main(int argc, char **argv)
{
    static struct work w;
    struct options *o = &w.options;
    options_read(o, argc, argv);
    helper_init(true);
    diag_init(&w.diag, "stackrecord");
    w.diag.quiet = o->quiet;
    for (size_t i = 0; i < o->events.nnotes; i++)
        diag_note(&w.diag, "%s", o->events.notes[i]);
    if (o->list)
        return list_events(&w);
    if (o->list_vars != NULL || o->list_lines != NULL)
        return list_probe(&w);
    if (o->parent != 0 && !stop_with_parent(o->parent)) {
        diag_error(&w.diag, NOWHERE, "--parent: process %d has ended, so nothing is recorded",
                   (int)o->parent);
        return w.diag.status;
    }
    if (!target_find(&o->target, &w.diag))
        return w.diag.status;
    const struct dsofile_search files = {.symfs = "",
                                         .cache = dsofile_cache_dir(),
                                         .debug = o->debug,
                                         .debuginfod = debuginfod_cache_dir(),
                                         .servers = debuginfod_start(o->debuginfod, &w.diag),
                                         .info = o->inlined || o->lines};
    /* Keep the command's output apart from the samples. */
    const char *stdout_gets = o->text != NULL ? o->text : o->data != NULL ? o->data : "-";
    bool to_stderr =
        strcmp(stdout_gets, "-") == 0 || (o->data != NULL && strcmp(o->data, "-") == 0);
    bool ready = capture_prepare(&w.capture, o, to_stderr, &w.diag);
    int status = ready ? record(&w, &files) : w.diag.status;
    if (!o->no_js_names)
        jsnames_free(&w.capture.names);
    calldetails_free(&w.capture.details);
    callstrings_free(&w.capture.strings);
    syscallkinds_free(&w.capture.calls);
    liveprocs_free(w.capture.live);
    counters_free(&w.capture.counters);
    remove_uprobes(&w);
    diag_finish(&w.diag);
    return status != 0 ? status : w.diag.status;
}
