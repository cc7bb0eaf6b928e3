#include "cmd/stackstat/options.h"

#include <stdlib.h>

#include "common/base/mem.h"
#include "common/base/opt.h"
#include "common/machine/readopt.h"

enum { EVENTS = 1, PROCESSES, THREADS, ALL, CPUS, CGROUP, DETAILED, GROWTH, DURATION };

#define AT(member) OPT_AT(struct options, member)

static const struct opt table[] = {
    OPT_HEADING("What to count"),
    {"event", 'e', OPT_TEXT, true, EVENTS, "EVENT,...",
     "what is counted: page-faults, cycles:u, syscalls:sys_enter_*, {cycles,instructions}"},
    {"detailed", 'd', OPT_FLAG, true, DETAILED, NULL,
     "also the first and the last level of caches; -dd: also the others; -ddd: also prefetches"},
    {"list", 0, OPT_FLAG, true, AT(list), NULL, "print the events of this machine"},
    OPT_HEADING("Where to count"),
    {"pid", 'p', OPT_TEXT, true, PROCESSES, "PID,...",
     "these processes: all threads, and what they start"},
    {"tid", 't', OPT_TEXT, true, THREADS, "TID,...", "these threads alone"},
    {"all", 'a', OPT_FLAG, true, ALL, NULL, "all processes"},
    {"cgroup", 0, OPT_TEXT, true, CGROUP, "PATH", "the processes of this cgroup"},
    {"cpu", 'C', OPT_TEXT, true, CPUS, "CPU,...", "only on these CPUs: 0-3,8"},
    OPT_HEADING("How long, and how often"),
    {"duration", 0, OPT_NUM, true, DURATION, "SECONDS", "end after this time"},
    {"interval", 'I', OPT_COUNT, true, AT(interval), "MS",
     "print what was counted every MS milliseconds"},
    {"repeat", 'r', OPT_COUNT, true, AT(runs), "N",
     "run the command N times: print the mean and how much it varies; with --vs each (3)"},
    OPT_HEADING("To compare two commands, -- A --vs -- B"),
    {"max-growth", 0, OPT_TEXT, true, GROWTH, "PERCENT[:EVENT]",
     "exit with status 1 if an event grew by more, not by chance"},
    OPT_HEADING("Output"),
    {"no-aggr", 'A', OPT_FLAG, true, AT(per_cpu), NULL, "with -a or -C: a count for each CPU"},
    {"per-thread", 0, OPT_FLAG, true, AT(per_thread), NULL,
     "with -p or -t: a count for each thread"},
    {"json", 'j', OPT_FLAG, true, AT(json), NULL, "print a JSON object for each count"},
    {"separator", 'x', OPT_TEXT, true, AT(separator), "SEP", "print fields with SEP between them"},
    {"output", 'o', OPT_TEXT, true, AT(output), "FILE", "print to this file, not standard error"},
    OPT_HEADING("Other"),
    OPT_COMMON,
};

static const struct opt_program program = {
    .name = "stackstat",
    .synopsis = "[option ...] -p PID | -a | -- command [argument ...] [--vs -- command ...]",
    .about = "Counts events of a command, of processes or of the machine, as perf stat does.",
    .table = table,
    .usage_status = 2,
};

static void
set_target(struct options *o, enum target_kind kind)
{
    if (o->target.kind != TARGET_NONE && o->target.kind != kind)
        opt_usage(&program, "-p, -t, -a and --cgroup exclude each other");
    o->target.kind = kind;
}

/* Split the words "A ... --vs -- B ...", as flamepipe --compare does. */
static void
split_commands(struct options *o)
{
    char **word = o->target.command;
    if (word == NULL)
        return;
    while (*word != NULL &&
           (strcmp(word[0], "--vs") != 0 || word[1] == NULL || strcmp(word[1], "--") != 0))
        word++;
    if (*word == NULL)
        return;
    o->after = word + 2;
    if (word == o->target.command || *o->after == NULL)
        opt_usage(&program, "--vs: two commands are needed: -- A --vs -- B");
    *word = NULL;
}

/* Add a limit: "5" or "5:instructions". */
static void
add_limit(struct options *o, const struct opt_reader *r)
{
    char *end;
    struct limit limit = {.percent = strtod(r->value, &end), .text = r->value};
    if (end == r->value || (*end != '\0' && *end != ':') || (*end == ':' && end[1] == '\0') ||
        !(limit.percent >= 0 && limit.percent <= 1e9))
        opt_usage(&program, "option --%s: '%s' is not PERCENT or PERCENT:EVENT", r->name, r->value);
    limit.event = *end == ':' ? span_cstr(end + 1) : SPAN("");
    MEM_ADD(o->limits, o->nlimits, o->limits_cap, limit);
}

/* Refuse options that cannot be combined with two commands. */
static void
check_versus(const struct options *o)
{
    if (o->after == NULL && o->nlimits > 0)
        opt_usage(&program, "--max-growth compares two commands: -- A --vs -- B");
    if (o->after == NULL)
        return;
    if (o->runs == 1)
        opt_usage(&program, "--vs: one run of each does not show how much runs differ: --repeat=2 "
                            "or more");
    if (o->interval > 0 || o->duration > 0 || o->per_cpu || o->per_thread)
        opt_usage(&program, "--vs compares whole runs: --interval, --duration, --no-aggr and "
                            "--per-thread do not go with it");
}

static void
check(struct options *o)
{
    if (o->list)
        return;
    if (o->target.kind == TARGET_NONE && o->on_cpus)
        o->target.kind = TARGET_SYSTEM;
    if (o->target.kind == TARGET_NONE)
        opt_usage(&program, "what is to be counted? -p PID, -a, or a command after '--'");
    bool tasks = target_has_tasks(&o->target);
    if (o->per_cpu && tasks && !o->on_cpus)
        opt_usage(&program, "--no-aggr goes with -a, -C or --cgroup");
    if (o->per_thread && o->target.ids.count == 0)
        opt_usage(&program, "--per-thread goes with -p or -t");
    if (o->per_cpu && o->per_thread)
        opt_usage(&program, "--no-aggr and --per-thread exclude each other");
    if (o->runs > 1 && o->target.command == NULL)
        opt_usage(&program, "--repeat goes with a command");
    if (o->runs > 1 && o->interval > 0)
        opt_usage(&program, "--repeat prints means at the end: --interval does not go with it");
    check_versus(o);
    if (o->json && o->separator != NULL)
        opt_usage(&program, "--json and --separator exclude each other");
}

void
options_read(struct options *o, int argc, char **argv)
{
    struct opt_reader r;
    *o = (struct options){.events.groups = true};
    opt_start(&r, &program, o, argc, argv);
    for (int id; (id = opt_next(&r)) != OPT_DONE;) {
        switch (id) {
        case PROCESSES:
            set_target(o, TARGET_PROCESSES);
            readopt_numbers(&o->target.ids, &r, false);
            break;
        case THREADS:
            set_target(o, TARGET_THREADS);
            readopt_numbers(&o->target.ids, &r, false);
            break;
        case ALL:
            set_target(o, TARGET_SYSTEM);
            break;
        case CPUS:
            readopt_numbers(&o->target.cpus, &r, true);
            o->on_cpus = true;
            break;
        case CGROUP:
            set_target(o, TARGET_CGROUP);
            o->target.cgroup = r.value;
            break;
        case EVENTS:
            readopt_events(&o->events, &r);
            break;
        case DETAILED:
            o->detail++;
            break;
        case GROWTH:
            add_limit(o, &r);
            break;
        case DURATION:
            if (!(r.real > 0 && r.real <= 1e6))
                opt_usage(&program, "option --%s: '%s' is not a time in seconds", r.name, r.value);
            o->duration = r.real;
            break;
        }
    }
    o->quiet = r.quiet;
    o->target.command = readopt_command(&r);
    if (o->target.command != NULL && o->target.kind == TARGET_NONE && !o->on_cpus)
        o->target.kind = TARGET_COMMAND;
    split_commands(o);
    check(o);
    if (o->runs == 0)
        o->runs = o->after != NULL ? 3 : 1; /* as flamepipe --compare does */
}
