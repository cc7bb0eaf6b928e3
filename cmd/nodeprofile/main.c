/* nodeprofile: profiles a running Node process by V8's CPU profiler or heap profiler, and prints
 * the .cpuprofile or .heapprofile. It opens the inspector, through which V8 takes requests, by
 * SIGUSR1, and closes it again.
 *
 * The process may belong to any user, and lie. So it gets a signal only if it catches it;
 * connections are made only to ports on which it listens itself; a connection is used only if it
 * has accepted it itself; and its answers are bounded and masked. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/nodeprofile/cpuprofile.h"
#include "cmd/nodeprofile/guard.h"
#include "cmd/nodeprofile/heapprofile.h"
#include "cmd/nodeprofile/inspector.h"
#include "cmd/nodeprofile/nodeprocess.h"
#include "cmd/nodeprofile/workers.h"
#include "common/base/clock.h"
#include "common/base/diag.h"
#include "common/base/json.h"
#include "common/base/num.h"
#include "common/base/opt.h"
#include "common/base/out.h"
#include "common/base/procmount.h"
#include "common/base/utf8.h"

/* A busy process answers between two turns of its event loop, or when V8 interrupts it. */
enum {
    ANSWER_SECONDS = 10,
    PROFILE_SECONDS = 120,
    OPEN_SECONDS = 5,
    TURN_SECONDS = 2,
    DAY = 24 * 60 * 60,
};

/* Interval of checking the process: 20 ms. */
static const struct timespec between_looks = {.tv_nsec = 20 * 1000 * 1000};

enum heap { HEAP_NONE, HEAP_LIVE, HEAP_ALL };

/* Values of process.memoryUsage(), in bytes. */
struct memory_usage {
    uint64_t heap, external, resident;
};

struct work {
    double seconds;       /* 0: until a signal */
    int interval;         /* microseconds between samples; for the heap, bytes; 0: default */
    enum heap heap;       /* which heap profile: what is still in use, or all */
    char parameters[192]; /* of the methods that begin the profile, as JSON */
    struct memory_usage usage[2]; /* at the begin and at the end of the profile */
    bool knows_usage;
    struct nodeprocess target;
    struct nodeprocess_ports before;
    bool opened;        /* this program has opened the inspector */
    bool taken;         /* at some time while waiting, another process had the inspector's port */
    struct guard guard; /* closes the inspector if this program is killed */
    unsigned port;
    struct inspector inspector;
    struct workers workers;
    struct span profile; /* profile of the main thread */
    struct text memory;  /* memory that holds it */
    char reason[128];    /* why there is no profile, if that is no constant text */
    struct diag diag;
    struct out out;
};

enum { OPTION_INTERVAL = 1, OPTION_DURATION, OPTION_HEAP };

static const struct opt table[] = {
    {"duration", 'd', OPT_NUM, true, OPTION_DURATION, "SECONDS",
     "profile for this time (until Ctrl-C)"},
    {"heap", 0, OPT_MAYBE_TEXT, true, OPTION_HEAP, "[=live|all]",
     "profile what allocates memory that is still in use (live), or all memory"},
    {"interval", 'i', OPT_INT, true, OPTION_INTERVAL, "N",
     "microseconds between samples (1000); with --heap bytes (32768)"},
    OPT_COMMON,
};

static const struct opt_program program = {
    .name = "nodeprofile",
    .synopsis = "[option ...] PID",
    .about = "Profiles a running Node process, however it was started, through its inspector, and "
             "prints a\n.cpuprofile, or with --heap a .heapprofile.",
    .table = table,
    .usage_status = 2,
};

static volatile sig_atomic_t stopped;

static void
stop(int signal_number)
{
    (void)signal_number;
    stopped = 1;
}

static void
catch_signals(void)
{
    static const int list[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = stop};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        sigaction(list[i], &action, NULL);
}

static uint64_t
after(double seconds)
{
    return clock_now() + (uint64_t)(seconds * (double)CLOCK_SECOND);
}

/* Connect to the inspector, if it is the process that listens on the port. Any other server there
 * gets only the request for a page. */
static bool
try_port(struct work *w, unsigned port)
{
    if (inspector_open(&w->inspector, port, after(ANSWER_SECONDS)) == NULL &&
        nodeprocess_has_end(&w->target, w->inspector.socket.fd)) {
        w->port = port;
        return true;
    }
    inspector_close(&w->inspector);
    return false;
}

/* Wait until the process listens on a new port that is an inspector's, and connect to that. It may
 * also open ports of its own meanwhile. Signals do not end the wait: otherwise the inspector would
 * stay open. */
static bool
try_new_port(struct work *w)
{
    struct nodeprocess_ports now;
    unsigned own = nodeprocess_inspector_port(&w->target);
    uint64_t until = after(OPEN_SECONDS);
    while (clock_now() < until && nodeprocess_runs(&w->target) &&
           !nodeprocess_has_moved(&w->target)) {
        nodeprocess_find_ports(&w->target, &now);
        w->taken |= now.others[own];
        for (unsigned port = 0; port < NODEPROCESS_PORTS && clock_now() < until; port++) {
            if (!now.listens[port] || w->before.listens[port])
                continue;
            if (try_port(w, port))
                return true;
            w->before.listens[port] = true;
        }
        nanosleep(&between_looks, NULL);
    }
    return false;
}

/* Connect to an inspector that is open already: at its own port, where 0 means any port, or in
 * workers of a cluster at one of the next. */
static bool
try_open_ports(struct work *w)
{
    enum { WORKERS = 1000 };
    unsigned first = nodeprocess_inspector_port(&w->target);
    uint64_t until = after(ANSWER_SECONDS); /* for all ports: a program may listen on thousands */
    unsigned end =
        first == 0 || first + WORKERS > NODEPROCESS_PORTS ? NODEPROCESS_PORTS : first + WORKERS;
    for (unsigned port = first; port < end && !stopped && clock_now() < until; port++)
        if (w->before.listens[port] && try_port(w, port))
            return true;
    return false;
}

/* Return true if the process closes its inspector within that time. */
static bool
is_closed(struct work *w, double seconds)
{
    struct nodeprocess_ports now;
    for (uint64_t until = after(seconds); clock_now() < until; nanosleep(&between_looks, NULL)) {
        nodeprocess_find_ports(&w->target, &now);
        if (!now.listens[w->port])
            return true;
    }
    return false;
}

/* Return true if another program, such as a debugger, is connected to the inspector and stays
 * connected. */
static bool
is_used(struct work *w)
{
    uint64_t until = after(TURN_SECONDS);
    while (nodeprocess_count_connections(w->port) > 1) {
        if (clock_now() >= until)
            return true;
        nanosleep(&between_looks, NULL);
    }
    return false;
}

/* Close the inspector if this program opened it, and verify that. Leave it open if others use it,
 * since Node stops the process that closes it until they have disconnected. On SIGUSR1, Node makes
 * its event loop open the inspector, and also interrupts JavaScript to do so: if the inspector was
 * closed before the event loop's turn, that would open it again. So close it after that turn, or at
 * once if there is none in time. */
static void
close_inspector(struct work *w)
{
    static const char later[] = "{\"expression\":\"void setImmediate(() => process._debugEnd())\"}";
    static const char now[] = "{\"expression\":\"process._debugEnd()\"}";
    struct inspector *i = &w->inspector;
    struct span result;
    if (i->ending)
        w->opened = false; /* Node has closed it */
    if (w->opened && is_used(w)) {
        diag_error(&w->diag, NOWHERE,
                   "process %ld: its inspector stays open, on port %u of 127.0.0.1: another "
                   "program is connected to it",
                   (long)w->target.pid, w->port);
        w->opened = false; /* leave it to them */
    }
    bool closed = !w->opened;
    if (!closed) {
        inspector_ask(i, "Runtime.evaluate", later, after(ANSWER_SECONDS), &result);
        closed = is_closed(w, TURN_SECONDS);
    }
    if (!closed)
        inspector_ask(i, "Runtime.evaluate", now, after(ANSWER_SECONDS), &result);
    inspector_close(i);
    if (!closed && !is_closed(w, OPEN_SECONDS))
        diag_error(&w->diag, NOWHERE,
                   "process %ld: its inspector is still open, on port %u of 127.0.0.1",
                   (long)w->target.pid, w->port);
}

/* Start a guard, and send the signal, which opens the inspector. Return NULL, or why it was not
 * sent. */
static const char *
send_signal(struct work *w)
{
    const int keep[GUARD_KEEPS] = {w->target.fd, w->target.lock};
    switch (guard_start(&w->guard, keep)) {
    case GUARD_WAKES:
        w->opened = try_new_port(w);
        if (w->opened)
            close_inspector(w);
        _exit(w->diag.status);
    case GUARD_FAILED:
        snprintf(w->reason, sizeof w->reason,
                 "nothing can be started that closes its inspector if this is killed: %s",
                 strerror(errno));
        return w->reason;
    case GUARD_WATCHES:
        break;
    }
    return nodeprocess_signal(&w->target);
}

/* Connect to the inspector, opening it if necessary. Return NULL, or why there is none. */
static const char *
open_inspector(struct work *w)
{
    /* After SIGCONT it would open the inspector, and nobody would close it. */
    if (nodeprocess_is_stopped(&w->target)) {
        snprintf(w->reason, sizeof w->reason, "it is stopped; 'kill -CONT %ld' lets it go on",
                 (long)w->target.pid);
        return w->reason;
    }
    nodeprocess_find_ports(&w->target, &w->before);
    if (try_open_ports(w))
        return NULL;
    if (stopped)
        return "a signal came before it was profiled";
    const char *why = send_signal(w);
    if (why != NULL)
        return why;
    w->opened = try_new_port(w);
    if (w->opened)
        return NULL;
    if (!nodeprocess_runs(&w->target))
        return "it ended";
    if (nodeprocess_has_moved(&w->target))
        return "it moved to another network namespace while it was asked";
    if (nodeprocess_is_stopped(&w->target))
        return "it was stopped before it opened its inspector, and opens it when it goes on";
    if (!w->taken)
        return "it opened no inspector in time, but may still do so if it is busy";
    snprintf(w->reason, sizeof w->reason,
             "another process has port %u, at which its inspector would open",
             nodeprocess_inspector_port(&w->target));
    return w->reason;
}

/* Return NULL, or why the process must not be profiled: it could hang forever. With this option, V8
 * in Node 18 to 20 (10.2 to 11.3) takes the lock of its list of code for each sample. If the
 * interrupted thread holds that lock itself, as it does while compiling a function, it
 * deadlocks. */
static const char *
check_options(struct inspector *i)
{
    static const char ask[] =
        "{\"expression\":\"/^v(18|19|20)[.]/.test(process.version) && /--interpreted[-_]frames/"
        ".test(process.execArgv + process.env.NODE_OPTIONS)\"}";
    struct span result;
    const char *why = inspector_ask(i, "Runtime.evaluate", ask, after(ANSWER_SECONDS), &result);
    if (why != NULL)
        return why;
    if (!span_eq(json_find(json_find(result, SPAN("result")), SPAN("value")), SPAN("true")))
        return NULL;
    return "it was started with --interpreted-frames-native-stack, with which Node 18 to 20 may "
           "hang for ever while V8 takes a profile: record it with stackrecord";
}

/* Return NULL, or why V8 would not honour the options: in Node 18 to 20 it ignores which objects to
 * count. */
static const char *
check_heap(struct work *w)
{
    static const char ask[] = "{\"expression\":\"/^v(18|19|20)[.]/.test(process.version)\"}";
    struct span result;
    if (w->heap != HEAP_ALL)
        return NULL;
    const char *why =
        inspector_ask(&w->inspector, "Runtime.evaluate", ask, after(ANSWER_SECONDS), &result);
    if (why == NULL &&
        span_eq(json_find(json_find(result, SPAN("result")), SPAN("value")), SPAN("true")))
        return "--heap=all needs Node 22 or later: before, V8 reports only what is still in use; "
               "use --heap";
    return why;
}

/* Read how much memory the process uses. Return false if there is no answer. */
static bool
read_usage(struct inspector *i, struct memory_usage *usage)
{
    static const char ask[] = "{\"expression\":\"process.memoryUsage()\",\"returnByValue\":true}";
    struct span result;
    if (inspector_ask(i, "Runtime.evaluate", ask, after(ANSWER_SECONDS), &result) != NULL)
        return false;
    struct span value = json_find(json_find(result, SPAN("result")), SPAN("value"));
    return num_u64(json_find(value, SPAN("heapUsed")), &usage->heap) &&
           num_u64(json_find(value, SPAN("external")), &usage->external) &&
           num_u64(json_find(value, SPAN("rss")), &usage->resident);
}

/* Return the growth of a size in MB, without the sign of a zero. */
static double
growth(uint64_t then, uint64_t now)
{
    double mb = ((double)now - (double)then) / 1e6;
    return mb > -0.05 && mb < 0 ? 0 : mb;
}

static void
print_usage(struct work *w)
{
    const struct memory_usage *then = &w->usage[0], *now = &w->usage[1];
    diag_note(&w->diag,
              "process %ld: V8's heap of the main thread has %.1f MB in use, external memory such "
              "as Buffers is %.1f MB (%+.1f meanwhile), resident %.1f MB (%+.1f)",
              (long)w->target.pid, (double)now->heap / 1e6, (double)now->external / 1e6,
              growth(then->external, now->external), (double)now->resident / 1e6,
              growth(then->resident, now->resident));
}

/* Set the parameters of the methods that begin the profile. Each method ignores parameters that it
 * does not know. */
static void
set_parameters(struct work *w)
{
    const char *all = w->heap == HEAP_ALL ? "true" : "false";
    if (w->heap == HEAP_NONE)
        snprintf(w->parameters, sizeof w->parameters, "{\"interval\":%d}",
                 w->interval > 0 ? w->interval : 1000);
    else
        snprintf(w->parameters, sizeof w->parameters,
                 "{\"samplingInterval\":%d,\"includeObjectsCollectedByMajorGC\":%s,"
                 "\"includeObjectsCollectedByMinorGC\":%s}",
                 w->interval > 0 ? w->interval : 32768, all, all);
}

/* Begin the profiles of all threads. Return NULL, or why that failed. */
static const char *
begin_profiles(struct work *w, const struct inspector_profile *kind)
{
    struct inspector *i = &w->inspector;
    struct span result;
    const char *why = w->heap == HEAP_NONE ? check_options(i) : check_heap(w);
    set_parameters(w);
    w->knows_usage = why == NULL && w->heap != HEAP_NONE && read_usage(i, &w->usage[0]);
    if (why == NULL)
        why = workers_start(&w->workers, i, kind, w->parameters, after(ANSWER_SECONDS));
    if (why == NULL) /* otherwise, a process that ends would wait for the end of the duration */
        inspector_ask(i, "NodeRuntime.notifyWhenWaitingForDisconnect", "{\"enabled\":true}",
                      after(ANSWER_SECONDS), &result);
    for (size_t k = 0; why == NULL && k < kind->n; k++)
        why = inspector_ask(i, kind->begin[k], w->parameters, after(ANSWER_SECONDS), &result);
    return why;
}

/* Profile all threads. Return NULL, or why there is no profile. */
static const char *
take_profiles(struct work *w)
{
    const struct inspector_profile *kind = w->heap == HEAP_NONE ? &inspector_cpu : &inspector_heap;
    struct inspector *i = &w->inspector;
    struct span result;
    const char *why = begin_profiles(w, kind);
    if (why != NULL)
        return why;
    if (w->seconds <= 0)
        diag_note(&w->diag, "profiling until Ctrl-C");
    if (!inspector_wait(i, after(w->seconds > 0 ? w->seconds : DAY), &stopped))
        return "it ended, or closed its inspector, before the profile was taken";
    uint64_t until = after(PROFILE_SECONDS);
    workers_stop(&w->workers);
    if ((why = inspector_ask(i, kind->stop, "{}", until, &result)) != NULL)
        return why;
    w->profile = json_find(result, SPAN("profile"));
    w->memory = websocket_keep(&i->socket);
    w->knows_usage = w->knows_usage && read_usage(i, &w->usage[1]); /* V8 has collected garbage */
    workers_wait(&w->workers, until, ANSWER_SECONDS * CLOCK_SECOND);
    return w->profile.len > 0 ? NULL : "its inspector answers what is not understood";
}

/* Print the profiles of the main thread and of workers as one. */
static void
print_profiles(struct work *w)
{
    struct text copy = {0};
    const struct workers *all = &w->workers;
    struct cpuprofile *threads = mem_alloc((all->n + 1) * sizeof *threads);
    threads[0] = (struct cpuprofile){SPAN("main"), utf8_masked(&copy, w->profile)};
    for (size_t i = 0; i < all->n; i++)
        threads[i + 1] = (struct cpuprofile){text_span(&all->list[i].name), all->list[i].profile};
    out_stdout(&w->out);
    (w->heap == HEAP_NONE ? cpuprofile_print : heapprofile_print)(&w->out, threads, all->n + 1);
    out_char(&w->out, '\n');
    out_close(&w->out);
    free(threads);
    free(copy.ptr);
}

static void
run(struct work *w, pid_t pid)
{
    const char *why = nodeprocess_open(&w->target, pid);
    bool connected = false;
    if (why == NULL) {
        why = open_inspector(w);
        connected = why == NULL;
    }
    if (connected) {
        why = take_profiles(w);
        close_inspector(w); /* first: if the reader of the profile ends, that ends this program */
    }
    guard_end(&w->guard);
    if (why == NULL && w->workers.left_out > 0)
        diag_warn(&w->diag, NULL, NOWHERE,
                  "process %ld: the profile lacks %zu of its workers, which ended before it or did "
                  "not answer",
                  (long)pid, w->workers.left_out);
    if (why != NULL)
        diag_error(&w->diag, NOWHERE, "process %ld: %s", (long)pid, why);
    else {
        if (w->knows_usage)
            print_usage(w);
        print_profiles(w);
    }
    workers_free(&w->workers);
    free(w->memory.ptr);
    nodeprocess_close(&w->target);
}

static enum heap
heap_option(const char *value)
{
    if (value == NULL || strcmp(value, "live") == 0)
        return HEAP_LIVE;
    if (strcmp(value, "all") != 0)
        opt_usage(&program, "option --heap: '%s' is neither live nor all", value);
    return HEAP_ALL;
}

int
main(int argc, char **argv)
{
    static struct work w;
    struct opt_reader r;
    uint64_t pid;
    opt_start(&r, &program, &w, argc, argv);
    for (int id; (id = opt_next(&r)) != OPT_DONE;)
        if (id == OPTION_INTERVAL)
            w.interval = (int)opt_at_least(&r, 1);
        else if (id == OPTION_HEAP)
            w.heap = heap_option(r.value);
        else if (r.real <= 0 || r.real > DAY)
            opt_usage(&program, "option --duration: '%s' is not between 0 and a day", r.value);
        else
            w.seconds = r.real;
    if (r.noperands != 1)
        opt_usage(&program, "one process is profiled: its number is missing, or there are several");
    if (!num_u64(span_cstr(r.argv[0]), &pid) || pid == 0 || pid > INT32_MAX)
        opt_usage(&program, "'%s' is not the number of a process", r.argv[0]);
    diag_init(&w.diag, program.name);
    w.diag.quiet = r.quiet;
    w.inspector.socket.fd = -1;
    if (!procmount_require(&w.diag))
        return w.diag.status;
    catch_signals();
    run(&w, (pid_t)pid);
    return w.diag.status;
}
