/* stackstat: counts events of a command, of processes or of the machine.
 *
 *     sets.c       the events that are counted by default, and for -d
 *     counting.c   the kernel's counters
 *     results.c    means of the counts, and how they are printed
 *     versus.c     the comparison of two commands */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cmd/stackstat/options.h"
#include "cmd/stackstat/sets.h"
#include "common/base/clock.h"
#include "common/base/helper.h"
#include "common/base/num.h"
#include "common/base/outfile.h"
#include "common/base/utf8.h"
#include "common/machine/command.h"
#include "common/machine/message.h"
#include "common/machine/procfs.h"
#include "common/machine/running.h"
#include "common/machine/stop.h"

struct work {
    struct options options;
    struct diag diag;
    struct counting counting;
    struct count *counts; /* [event * places + place], of the last run or interval */
    enum absence *absence;
    struct results sides[SIDES], *results; /* of each command; of the current one */
    char **argv;                           /* the current command */
    struct style style;
    struct outfile file;
    struct out out;
    struct running running; /* the counted processes or threads */
    struct command command;
    int stop;
    uint64_t began, read; /* when the run began; when the counters were last read */
    int status;           /* last exit status of the command other than 0 */
    struct arena names;
};

/* Why a run ended. */
enum end { END_ITSELF, END_DURATION, END_SIGNAL };

/* Name the places: CPUs, or threads by their commands. */
static void
name_places(struct work *w)
{
    struct results *r = w->results;
    struct text comm = {0};
    if (r->kind == ONE_PLACE)
        return;
    r->names = mem_alloc((r->places + 1) * sizeof *r->names);
    for (size_t i = 0; i < r->places; i++) {
        const char *name;
        if (r->kind == EACH_CPU) {
            name = message(&w->names, "CPU%d", (int)w->options.target.cpus.at[i]);
        } else {
            int32_t tid = w->counting.tasks.at[i];
            procfs_read_of(&comm, tid, "comm");
            struct span text = span_trim(text_span(&comm));
            utf8_mask(comm.ptr, comm.len);
            name = message(&w->names, "%.*s-%d", SPAN_ARG(text), (int)tid);
        }
        r->names[i] = span_cstr(name);
    }
    free(comm.ptr);
}

/* Allocate the results, now that the places are known. */
static void
start_results(struct work *w)
{
    struct results *r = w->results;
    r->events = w->options.events.events;
    r->absences = w->absence;
    r->count = w->options.events.count;
    r->kind = w->counting.places;
    r->places = counting_places(&w->counting);
    name_places(w);
    if (w->counts == NULL)
        w->counts = mem_alloc((r->count * r->places + 1) * sizeof *w->counts);
    results_start(r);
}

/* Read the counters, and add what they counted since the last reading. */
static void
add_counts(struct work *w)
{
    struct results *r = w->results;
    uint64_t now = clock_now();
    if (!counting_read(&w->counting, w->counts))
        diag_error(&w->diag, NOWHERE, "a counter cannot be read: %s", strerror(errno));
    mean_add(&r->elapsed, (double)(now - w->read) / CLOCK_SECOND);
    for (size_t i = 0; i < r->count * r->places; i++) {
        mean_add(&r->list[i].value, w->counts[i].value);
        mean_add(&r->list[i].enabled, (double)w->counts[i].enabled);
        mean_add(&r->list[i].running, (double)w->counts[i].running);
    }
    w->read = now;
}

static void
print_interval(struct work *w)
{
    results_start(w->results);
    add_counts(w);
    results_print_interval(w->results, &w->style, (double)(w->read - w->began) / CLOCK_SECOND,
                           &w->out);
    out_flush(&w->out);
}

/* Return the milliseconds until that moment, but at most `most`. */
static int
until(uint64_t moment, int most)
{
    uint64_t now = clock_now();
    uint64_t ms = moment > now ? (moment - now - 1) / CLOCK_MILLISECOND + 1 : 0;
    return ms < (uint64_t)most ? (int)ms : most;
}

/* Wait until the run ends. Print the intervals meanwhile. */
static enum end
await_end(struct work *w)
{
    enum { LOOK_MS = 100, LONG_MS = 1000 /* wait again, in case waitpid failed */ };
    const struct options *o = &w->options;
    uint64_t interval = o->interval * CLOCK_MILLISECOND, next = w->began + interval;
    const bool looks = o->target.ids.count > 0 && w->command.pid == 0;
    uint64_t over = w->began + (uint64_t)(o->duration * CLOCK_SECOND);
    while (stop_signal() == 0) {
        if (w->command.pid != 0 ? command_has_ended(&w->command, false) : w->running.ended)
            return END_ITSELF;
        int wait = looks ? LOOK_MS : LONG_MS;
        if (o->duration > 0 && (wait = until(over, wait)) == 0)
            return END_DURATION;
        if (interval > 0 && (wait = until(next, wait)) == 0) {
            print_interval(w);
            while (next <= w->read)
                next += interval;
            continue;
        }
        poll(&(struct pollfd){.fd = w->stop, .events = POLLIN}, 1, wait);
        stop_drain(w->stop);
        if (looks)
            running_check(&w->running);
    }
    return END_SIGNAL;
}

/* End the command if it still runs, and wait for its end. */
static void
end_command(struct work *w, enum end end)
{
    struct command *c = &w->command;
    bool ours = end == END_DURATION || (end == END_SIGNAL && stop_was_sent());
    if (ours && !command_has_ended(c, false))
        kill(c->pid, end == END_SIGNAL ? stop_signal() : SIGTERM);
    command_has_ended(c, true);
    if (c->status != 0 && !(end == END_DURATION && c->status == 128 + SIGTERM))
        w->status = c->status;
}

/* Return a time in seconds. */
static double
seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Start the counters, then the command. Return false, after a message, if it does not start. */
static bool
start(struct work *w)
{
    const struct target *t = &w->options.target;
    w->began = w->read = clock_now();
    if (t->kind != TARGET_COMMAND && !counting_enable(&w->counting))
        diag_error(&w->diag, NOWHERE, "a counter cannot be started: %s", strerror(errno));
    if (w->command.pid == 0)
        return true;
    int error = command_start(&w->command);
    if (error == 0)
        return true;
    diag_error(&w->diag, (struct place){w->argv[0], 0}, "%s",
               error == EPIPE ? "its process was killed before it could start" : strerror(error));
    w->status = w->command.status;
    return false;
}

/* Append ":u" to the names of events that are counted in user mode only, as perf does. */
static void
name_user_only(struct work *w, size_t i, uint64_t flags)
{
    struct event *e = &w->options.events.events[i];
    if (e->flags == flags)
        return;
    e->name = span_cstr(
        message(&w->names, "%.*s%s", SPAN_ARG(e->name), span_has(e->name, ':') ? "u" : ":u"));
    diag_warn(&w->diag, "events that are counted in user mode alone", NOWHERE,
              "%.*s: only code in user mode is counted: kernel.perf_event_paranoid is %ld; as "
              "root, 'sysctl kernel.perf_event_paranoid=1' permits the kernel's",
              SPAN_ARG(e->name), procfs_setting("kernel/perf_event_paranoid", 2));
}

static bool
open_counters(struct work *w)
{
    struct options *o = &w->options;
    struct events *e = &o->events;
    uint64_t *flags = mem_alloc(e->count * sizeof *flags);
    for (size_t i = 0; i < e->count; i++)
        flags[i] = e->events[i].flags;
    bool opened = counting_open(&w->counting, (int32_t)w->command.pid, w->absence, &w->diag);
    for (size_t i = 0; i < e->count && opened; i++)
        name_user_only(w, i, flags[i]);
    free(flags);
    return opened;
}

/* Run and count once. Return false, after a message, if that fails. */
static bool
run(struct work *w, enum end *end)
{
    struct rusage before, after;
    w->command = (struct command){0};
    if (w->argv != NULL && !command_prepare(&w->command, w->argv, false)) {
        diag_error(&w->diag, NOWHERE, "no process can be started: %s", strerror(errno));
        return false;
    }
    if (!open_counters(w))
        return false;
    if (w->results->count == 0) {
        start_results(w);
        if (w->options.interval > 0 && w->style.separator == NULL && !w->style.json)
            results_print_heads(w->results, &w->out);
    }
    getrusage(RUSAGE_CHILDREN, &before);
    if (!start(w))
        return false;
    *end = await_end(w);
    if (!counting_disable(&w->counting))
        diag_error(&w->diag, NOWHERE, "a counter cannot be stopped: %s", strerror(errno));
    if (w->options.interval > 0)
        print_interval(w);
    else
        add_counts(w);
    counting_close(&w->counting);
    if (w->command.pid == 0)
        return true;
    end_command(w, *end);
    getrusage(RUSAGE_CHILDREN, &after);
    mean_add(&w->results->user, seconds(after.ru_utime) - seconds(before.ru_utime));
    mean_add(&w->results->system, seconds(after.ru_stime) - seconds(before.ru_stime));
    return true;
}

/* Report which events were not counted, and why. If none was, that is an error. */
static void
explain(struct work *w)
{
    const struct results *r = w->results;
    struct text names = {0};
    size_t missing = 0, left_out = 0;
    for (size_t i = 0; i < r->count; i++) {
        left_out += w->absence[i] == LEFT_OUT;
        if (w->absence[i] != NOT_SUPPORTED)
            continue;
        if (missing++ > 0)
            text_add(&names, SPAN(", "));
        text_add(&names, r->events[i].name);
    }
    if (missing > 0)
        diag_note(&w->diag, "%.*s: this machine has no such counter%s, as many virtual machines",
                  SPAN_ARG(text_span(&names)), missing > 1 ? "s" : "");
    if (left_out > 0)
        diag_note(&w->diag,
                  "%s of %s events are not counted, since each counter is an open file, and no "
                  "more are permitted: raise the limit (as root 'ulimit -Hn 1000000; ulimit -n "
                  "1000000'), or count fewer",
                  NUM_TEXT(left_out), NUM_TEXT(r->count));
    if (missing + left_out == r->count)
        diag_error(&w->diag, NOWHERE, "nothing was counted: try -e task-clock, or --list");
    free(names.ptr);
}

/* Return the title as perf prints it: "'make -j2'", "process id '12'". */
static const char *
title(struct work *w, char **command)
{
    const struct target *t = &w->options.target;
    struct text text = {0};
    if (t->kind == TARGET_SYSTEM)
        return "'system wide'";
    if (t->kind == TARGET_COMMAND)
        for (char **word = command; *word != NULL; word++)
            TEXT_ADD(&text, word > command ? SPAN(" ") : SPAN("'"), span_cstr(*word));
    else if (t->kind == TARGET_CGROUP)
        TEXT_ADD(&text, SPAN("cgroup '"), span_cstr(t->cgroup));
    for (size_t i = 0; i < t->ids.count; i++) {
        const char *kind = t->kind == TARGET_PROCESSES ? "process id '" : "thread id '";
        char digits[NUM_DIGITS];
        TEXT_ADD(&text, i > 0 ? SPAN(",") : span_cstr(kind),
                 num_decimal(digits, (uint64_t)t->ids.at[i]));
    }
    text_add(&text, SPAN("'"));
    const char *copy = arena_cstr(&w->names, text_span(&text));
    free(text.ptr);
    return copy;
}

static bool
open_output(struct work *w)
{
    const char *name = w->options.output;
    if (name == NULL) {
        out_open(&w->out, STDERR_FILENO, "standard error");
        return true;
    }
    if (!outfile_open(&w->file, name, &w->diag))
        return false;
    out_open(&w->out, w->file.fd, w->file.name);
    if (outfile_empty(&w->file))
        return true;
    diag_error(&w->diag, outfile_place(&w->file), "%s", strerror(errno));
    return false;
}

/* Prepare the events and the target, and open the output. Return false, after a message, on
 * failure. */
static bool
prepare(struct work *w)
{
    struct options *o = &w->options;
    struct events *e = &o->events;
    const char *problem = sets_add(o);
    problem = problem != NULL ? problem : events_prepare(e);
    if (problem != NULL)
        diag_error(&w->diag, NOWHERE, "%s", problem);
    if (problem != NULL || !target_find(&o->target, &w->diag) || !open_output(w))
        return false;
    w->counting = (struct counting){.events = e,
                                    .target = &o->target,
                                    .on_cpus = o->on_cpus,
                                    .places = o->per_cpu      ? EACH_CPU
                                              : o->per_thread ? EACH_THREAD
                                                              : ONE_PLACE};
    w->absence = mem_alloc(e->count * sizeof *w->absence);
    w->style = (struct style){
        .separator = o->separator, .json = o->json, .title = title(w, o->target.command)};
    for (int side = BEFORE; side < SIDES; side++)
        w->sides[side].has_times = o->target.command != NULL;
    for (size_t i = 0; i < o->target.ids.count && o->target.command == NULL; i++)
        running_add(&w->running, (uint32_t)o->target.ids.at[i]);
    w->stop = stop_open();
    if (w->stop < 0)
        diag_error(&w->diag, NOWHERE, "the counting cannot begin: %s", strerror(errno));
    return w->stop >= 0;
}

/* Run both commands alternately, compare their counts, and check the limits. */
static void
compare(struct work *w)
{
    const struct options *o = &w->options;
    char **const commands[] = {o->target.command, o->after};
    const char *const titles[] = {title(w, commands[BEFORE]), title(w, commands[AFTER])};
    const struct versus versus = {w->sides, titles};
    for (size_t i = 0; i < o->runs * SIDES; i++) {
        enum end end = END_ITSELF;
        w->results = &w->sides[i % SIDES];
        w->argv = commands[i % SIDES];
        if (!run(w, &end))
            return;
        if (end != END_ITSELF || w->status != 0) {
            diag_error(&w->diag, NOWHERE, "%s %s, so nothing is compared", titles[i % SIDES],
                       end != END_ITSELF ? "was interrupted" : "failed");
            return;
        }
    }
    versus_print(&versus, &w->style, &w->out);
    out_flush(&w->out);
    explain(w);
    for (size_t i = 0; i < o->nlimits; i++)
        versus_check(&versus, &o->limits[i], &w->diag);
}

/* Count, and print the results. */
static void
count(struct work *w)
{
    const struct options *o = &w->options;
    enum end end = END_ITSELF;
    w->argv = o->target.command;
    for (size_t i = 0; i < o->runs && end == END_ITSELF; i++)
        if (!run(w, &end))
            return;
    if (o->interval == 0)
        results_print(w->results, &w->style, &w->out);
    out_flush(&w->out);
    explain(w);
}

static int
list_events(struct work *w)
{
    out_stdout(&w->out);
    char *problem = events_print(&w->out);
    out_close(&w->out);
    if (problem != NULL)
        diag_note(&w->diag, "%s", problem);
    free(problem);
    return w->diag.status;
}

int
main(int argc, char **argv)
{
    static struct work w;
    options_read(&w.options, argc, argv);
    helper_init(true);
    diag_init(&w.diag, "stackstat");
    w.diag.quiet = w.options.quiet;
    for (size_t i = 0; i < w.options.events.nnotes; i++)
        diag_note(&w.diag, "%s", w.options.events.notes[i]);
    if (w.options.list)
        return list_events(&w);
    w.results = w.sides;
    if (prepare(&w)) {
        if (w.options.after != NULL)
            compare(&w);
        else
            count(&w);
    }
    counting_close(&w.counting);
    const char *problem = events_remove_uprobes(&w.options.events);
    if (problem != NULL)
        diag_error(&w.diag, NOWHERE, "%s", problem);
    if (w.options.output != NULL && w.out.name != NULL)
        out_close(&w.out);
    for (int side = BEFORE; side < SIDES; side++)
        results_free(&w.sides[side]);
    free(w.options.limits);
    free(w.counts);
    free(w.absence);
    events_free(&w.options.events);
    diag_finish(&w.diag);
    return w.status != 0 ? w.status : w.diag.status;
}
