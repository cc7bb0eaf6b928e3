#include "cmd/stackcollapse/script/scripts.h"

#include "cmd/stackcollapse/formats.h"
#include "cmd/stackcollapse/options.h"

/* A script without options takes each argument for a file; so --help is ours. */
static const struct opt no_options[] = {OPT_COMMON};

/* Of stackcollapse-jstack.pl and stackcollapse-ibmjava.pl. */
static const struct opt jstack_options[] = {
    {"include-tname", 0, OPT_NEGATABLE, false, OPTION_COMM, NULL, "show the threads' names"},
    {"include-tid", 0, OPT_NEGATABLE, false, OPTION_TID, NULL, "keep the numbers in them"},
    {"shorten-pkgs", 0, OPT_NEGATABLE, false, OPTION_SHORTEN_PKGS, NULL, "shorten the packages"},
    OPT_COMMON,
};

static const struct opt elfutils_options[] = {
    {"pid", 0, OPT_FLAG, false, OPTION_PID, NULL, "begin each stack with the process number"},
    {"tid", 0, OPT_FLAG, false, OPTION_TID, NULL, "begin each stack with the thread number"},
    OPT_COMMON,
};

/* To the script it is a variable, to be changed in its text. */
static const struct opt dtrace_options[] = {
    {"includeoffset", 0, OPT_FLAG, false, OPTION_INCLUDEOFFSET, NULL, "keep the offsets"},
    OPT_COMMON,
};

static const struct opt allocations_options[] = {
    {"size", 0, OPT_FLAG, false, OPTION_SIZE, NULL, "count the bytes of allocations"},
    OPT_COMMON,
};

static const struct opt exceptions_options[] = {
    {"shorten-pkgs", 0, OPT_NEGATABLE, false, OPTION_SHORTEN_PKGS, NULL, "shorten the packages"},
    {"no-pkgs", 0, OPT_NEGATABLE, false, OPTION_NO_PKGS, NULL, "leave the packages out"},
    OPT_COMMON,
};

static const struct opt xdebug_options[] = {
    {"calls", 'c', OPT_FLAG, false, OPTION_CALLS, NULL, "count calls of functions that call none"},
    {"times", 't', OPT_FLAG, false, OPTION_TIMES, NULL, "count microseconds (the default)"},
    OPT_COMMON,
};

/* -v is awk's own. */
static const struct opt sched_options[] = {
    {"assign", 'v', OPT_TEXT, false, OPTION_ASSIGN, "NAME=VALUE",
     "set record_tid, record_wake_stack or recurse to 1"},
    OPT_COMMON,
};

/* One for each name in the Makefile's COMPAT: name, format, options, and the exit status on wrong
 * usage: errno, or 255 where that is 0. */
#define SCRIPTS(X)                                                                                 \
    X("stackcollapse-perf.pl", perf, options_table, 255)                                           \
    X("stackcollapse-gdb.pl", gdb, no_options, 255)                                                \
    X("stackcollapse-jstack.pl", jstack, jstack_options, 255)                                      \
    X("stackcollapse-faulthandler.pl", faulthandler, no_options, 255)                              \
    X("stackcollapse-elfutils.pl", elfutils, elfutils_options, 255)                                \
    X("stackcollapse-bpftrace.pl", bpftrace, no_options, 255)                                      \
    X("stackcollapse.pl", dtrace, dtrace_options, 255)                                             \
    X("stackcollapse-stap.pl", stap, no_options, 255)                                              \
    X("stackcollapse-go.pl", go, no_options, 255)                                                  \
    X("stackcollapse-java-exceptions.pl", java_exceptions, exceptions_options, 255)                \
    X("stackcollapse-ibmjava.pl", ibmjava, jstack_options, 255)                                    \
    X("stackcollapse-recursive.pl", recursive, no_options, 255)                                    \
    X("stackcollapse-wcp.pl", wcp, no_options, 255)                                                \
    X("stackcollapse-aix.pl", aix, no_options, 255)                                                \
    X("stackcollapse-pmc.pl", pmc, no_options, 255)                                                \
    X("stackcollapse-ljp.awk", ljp, no_options, 255)                                               \
    X("stackcollapse-vsprof.pl", vsprof, no_options, 0)                                            \
    X("stackcollapse-vtune.pl", vtune, no_options, 0)                                              \
    X("stackcollapse-vtune-mc.pl", vtune_mc, allocations_options, 255)                             \
    X("stackcollapse-perf-sched.awk", perf_sched, sched_options, 255)                              \
    X("stackcollapse-instruments.pl", instruments, no_options, 255)                                \
    X("stackcollapse-xdebug.php", xdebug, xdebug_options, 1)                                       \
    X("stackcollapse-sample.awk", sample, no_options, 255)                                         \
    X("stackcollapse-chrome-tracing.py", chrome, no_options, 2)                                    \
    X("pkgsplit-perf.pl", pkgsplit, no_options, 255)

#define ROW(script_name, format_id, options, status)                                               \
    {.program = {.name = script_name,                                                              \
                 .synopsis = "[option ...] [file ...]",                                            \
                 .about = "Folds stacks into one line each, as the script of this name does.",     \
                 .table = options,                                                                 \
                 .usage_status = status,                                                           \
                 .perl_help = true},                                                               \
     .format = FORMAT_##format_id},
static const struct script scripts[] = {SCRIPTS(ROW)};
#undef ROW

const struct script *
script_called(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (opt_called(scripts[i].program.name, argc, argv))
            return &scripts[i];
    return NULL;
}
