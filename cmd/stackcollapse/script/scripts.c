#include "cmd/stackcollapse/script/scripts.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/stackcollapse/formats.h"
#include "cmd/stackcollapse/options.h"

/* How a script treats its operands. */
enum script_files {
    ANY_FILES,
    ASSIGNMENTS,      /* awk: operands before the first file may be NAME=VALUE */
    FILES_THAT_EXIST, /* at least one; all are opened before anything is read */
    FIRST_FILE,       /* the same, but only the first one is read */
    ONE_FILE,         /* exits with errno if it cannot be opened */
};

struct old_script {
    struct opt_program program;
    const struct format *format;
    enum script_files files;
};

/* A script without options takes each argument as a file; --help is an addition of ours. */
static const struct opt no_options[] = {OPT_COMMON};

/* Options of stackcollapse-jstack.pl and stackcollapse-ibmjava.pl. */
static const struct opt jstack_options[] = {
    {"include-tname", 0, OPT_NEGATABLE, false, OPTION_COMM, NULL, "show the threads' names"},
    {"include-tid", 0, OPT_NEGATABLE, false, AT(fold.names.tid), NULL, "keep the numbers in them"},
    {"shorten-pkgs", 0, OPT_NEGATABLE, false, AT(shorten_pkgs), NULL, "shorten the packages"},
    OPT_COMMON,
};

static const struct opt elfutils_options[] = {
    {"pid", 0, OPT_FLAG, false, AT(fold.names.pid), NULL,
     "begin each stack with the process number"},
    {"tid", 0, OPT_FLAG, false, AT(fold.names.tid), NULL,
     "begin each stack with the thread number"},
    OPT_COMMON,
};

/* In the script this is a variable, to be changed in its text. */
static const struct opt dtrace_options[] = {
    {"includeoffset", 0, OPT_FLAG, false, AT(offsets), NULL, "keep the offsets"},
    OPT_COMMON,
};

static const struct opt allocations_options[] = {
    {"size", 0, OPT_FLAG, false, AT(size), NULL, "count the bytes of allocations"},
    OPT_COMMON,
};

static const struct opt exceptions_options[] = {
    {"shorten-pkgs", 0, OPT_NEGATABLE, false, AT(shorten_pkgs), NULL, "shorten the packages"},
    {"no-pkgs", 0, OPT_NEGATABLE, false, AT(no_pkgs), NULL, "leave the packages out"},
    OPT_COMMON,
};

static const struct opt xdebug_options[] = {
    {"calls", 'c', OPT_FLAG, false, OPTION_CALLS, NULL, "count calls of functions that call none"},
    {"times", 't', OPT_FLAG, false, OPTION_TIMES, NULL, "count microseconds (the default)"},
    OPT_COMMON,
};

/* -v is an option of awk itself. */
static const struct opt sched_options[] = {
    {"assign", 'v', OPT_TEXT, false, OPTION_ASSIGN, "NAME=VALUE",
     "set record_tid, record_wake_stack or recurse to 1"},
    OPT_COMMON,
};

/* One row for each name in the Makefile's COMPAT: name, struct format that reads the input as the
 * script does (in this folder, or the usual format if both give the same output), options, exit
 * status on wrong usage (errno, or 255 if errno is 0), and how operands are treated. */
#define SCRIPTS(X)                                                                                 \
    X("stackcollapse-perf.pl", format_perf, options_table, 255, ANY_FILES)                         \
    X("stackcollapse-gdb.pl", script_gdb, no_options, 255, ANY_FILES)                              \
    X("stackcollapse-jstack.pl", script_jstack, jstack_options, 255, ANY_FILES)                    \
    X("stackcollapse-faulthandler.pl", script_faulthandler, no_options, 255, ANY_FILES)            \
    X("stackcollapse-elfutils.pl", script_elfutils, elfutils_options, 255, ANY_FILES)              \
    X("stackcollapse-bpftrace.pl", script_bpftrace, no_options, 255, ANY_FILES)                    \
    X("stackcollapse.pl", script_dtrace, dtrace_options, 255, ANY_FILES)                           \
    X("stackcollapse-stap.pl", script_stap, no_options, 255, ANY_FILES)                            \
    X("stackcollapse-go.pl", script_go, no_options, 255, ANY_FILES)                                \
    X("stackcollapse-java-exceptions.pl", script_java_exceptions, exceptions_options, 255,         \
      ANY_FILES)                                                                                   \
    X("stackcollapse-ibmjava.pl", script_ibmjava, jstack_options, 255, ANY_FILES)                  \
    X("stackcollapse-recursive.pl", script_recursive, no_options, 255, ANY_FILES)                  \
    X("stackcollapse-wcp.pl", script_wcp, no_options, 255, ANY_FILES)                              \
    X("stackcollapse-aix.pl", script_aix, no_options, 255, ANY_FILES)                              \
    X("stackcollapse-pmc.pl", script_pmc, no_options, 255, ANY_FILES)                              \
    X("stackcollapse-ljp.awk", script_ljp, no_options, 255, ASSIGNMENTS)                           \
    X("stackcollapse-vsprof.pl", script_vsprof, no_options, 0, ONE_FILE)                           \
    X("stackcollapse-vtune.pl", script_vtune, no_options, 0, ONE_FILE)                             \
    X("stackcollapse-vtune-mc.pl", script_vtune_mc, allocations_options, 255, ONE_FILE)            \
    X("stackcollapse-perf-sched.awk", script_perf_sched, sched_options, 255, ASSIGNMENTS)          \
    X("stackcollapse-instruments.pl", script_instruments, no_options, 255, ANY_FILES)              \
    X("stackcollapse-xdebug.php", script_xdebug, xdebug_options, 1, FIRST_FILE)                    \
    X("stackcollapse-sample.awk", script_sample, no_options, 255, ASSIGNMENTS)                     \
    X("stackcollapse-chrome-tracing.py", script_chrome, no_options, 2, FILES_THAT_EXIST)           \
    X("pkgsplit-perf.pl", script_pkgsplit, no_options, 255, ANY_FILES)

#define DECLARE(script_name, answer, options, status, takes) extern const struct format answer;
SCRIPTS(DECLARE)
#undef DECLARE

#define ROW(script_name, answer, options, status, takes)                                           \
    {.program = {.name = script_name,                                                              \
                 .synopsis = "[option ...] [file ...]",                                            \
                 .about = "Folds stacks into one line each, as the script of this name does.",     \
                 .table = options,                                                                 \
                 .usage_status = status,                                                           \
                 .perl_help = true},                                                               \
     .format = &answer,                                                                            \
     .files = takes},
static const struct old_script scripts[] = {SCRIPTS(ROW)};
#undef ROW

const struct old_script *
script_called(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (opt_called(scripts[i].program.name, argc, argv))
            return &scripts[i];
    return NULL;
}

static void
read_operands(const struct old_script *s, struct opt_reader *r, struct options *o,
              struct diag *diag)
{
    bool one = s->files == ONE_FILE;
    if (s->files == FIRST_FILE && r->noperands > 1)
        r->noperands = 1;
    while (s->files == ASSIGNMENTS && r->noperands > 0 && options_assign(o, span_cstr(*r->argv))) {
        r->argv++;
        r->noperands--;
    }
    if (s->files == ANY_FILES || s->files == ASSIGNMENTS)
        return;
    if (r->noperands == 0 || (one && r->noperands > 1))
        opt_usage(r->program, "which file?");
    for (int i = 0; i < r->noperands; i++) {
        if ((!one && strcmp(r->argv[i], "-") == 0) || access(r->argv[i], R_OK) == 0)
            continue;
        int error = errno;
        if (!one)
            opt_usage(r->program, "%s: %s", r->argv[i], strerror(error));
        diag_error(diag, (struct place){r->argv[i], 0}, "%s", strerror(error));
        exit(error);
    }
}

const struct format *
script_start(const struct old_script *s, struct options *o, struct opt_reader *r, struct diag *diag,
             int argc, char **argv)
{
    o->dialect = &dialect_perl;
    options_read(o, r, diag, &s->program, argc, argv);
    read_operands(s, r, o, diag);
    return s->format;
}
