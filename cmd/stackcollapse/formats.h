/* The table of input formats.
 *
 * To add one, write a file in format/ with a struct format (collapse.h), and add a row here. Parts
 * to build on:
 *
 *     lines of text                    shared/stacker.h, parts.h; the neighbours in format/
 *     ... a stack, leaf first, then    shared/counted.h
 *         its count
 *     ... a function and its level     shared/rowtree.h
 *     ... text of perf script          shared/perfreader.h
 *     JSON                             shared/jsonfile.h: tables of members
 *     ... nodes that hold nodes        its FIELD_TREE and struct jsontree
 *     ... nodes with their parent's id shared/sampletree.h
 *     Protocol Buffers                 shared/protobuf.h
 *
 * --help and the completions take the names from this table. If the format always counts
 * microseconds or bytes, add it to take_file() in cmd/flamepipe/main.sh, too. */
#ifndef STACKCOLLAPSE_FORMATS_H
#define STACKCOLLAPSE_FORMATS_H

#include "cmd/stackcollapse/collapse.h"

/* Each row is the ID of a struct format_ID, and the name for --from. If several formats match, use
 * the one that matches the earliest line; on a tie, or for JSON, the earlier row. For example "25.8
 * ( 0.1 ms): app/7 close(fd: 4) = 0" is from perf trace, but looks folded too. */
#define FORMATS(X)                                                                                 \
    X(perf, "perf")                                                                                \
    X(perf_trace, "perf-trace")                                                                    \
    X(folded, "folded")                                                                            \
    X(gdb, "gdb")                                                                                  \
    X(jstack, "jstack")                                                                            \
    X(jstackjson, "jstack-json")                                                                   \
    X(faulthandler, "faulthandler")                                                                \
    X(elfutils, "elfutils")                                                                        \
    X(bpftrace, "bpftrace")                                                                        \
    X(dtrace, "dtrace")                                                                            \
    X(stap, "stap")                                                                                \
    X(bcc, "bcc")                                                                                  \
    X(go, "go")                                                                                    \
    X(java_exceptions, "java-exceptions")                                                          \
    X(ibmjava, "ibmjava")                                                                          \
    X(recursive, "recursive")                                                                      \
    X(async_profiler, "async-profiler")                                                            \
    X(wcp, "wcp")                                                                                  \
    X(aix, "aix")                                                                                  \
    X(pmc, "pmc")                                                                                  \
    X(ljp, "ljp")                                                                                  \
    X(vsprof, "vsprof")                                                                            \
    X(vtune, "vtune")                                                                              \
    X(vtune_mc, "vtune-mc")                                                                        \
    X(ghcprof, "ghcprof")                                                                          \
    X(xctrace, "xctrace")                                                                          \
    X(perf_sched, "perf-sched")                                                                    \
    X(sample, "sample")                                                                            \
    X(instruments, "instruments")                                                                  \
    X(xdebug, "xdebug")                                                                            \
    X(cpuprofile, "cpuprofile")                                                                    \
    X(v8_head, "v8-head")                                                                          \
    X(heapprofile, "heapprofile")                                                                  \
    X(firefox, "firefox")                                                                          \
    X(stackprof, "stackprof")                                                                      \
    X(ghcjson, "ghcprof-json")                                                                     \
    X(v8prof, "v8-prof")                                                                           \
    X(pyinstrument, "pyinstrument")                                                                \
    X(sentry, "sentry")                                                                            \
    X(chrome, "chrome-tracing")                                                                    \
    X(speedscope, "speedscope")                                                                    \
    X(pprof, "pprof")                                                                              \
    X(gperftools, "gperftools")                                                                    \
    X(simpleperf, "simpleperf")                                                                    \
    X(d3, "d3-flame-graph")                                                                        \
    X(pkgsplit, "pkgsplit")

#define FORMAT_DECLARE(id, name) extern const struct format format_##id;
FORMATS(FORMAT_DECLARE)
#undef FORMAT_DECLARE

#define FORMAT_NUMBER(id, name) FORMAT_##id,
enum { FORMATS(FORMAT_NUMBER) FORMAT_COUNT };
#undef FORMAT_NUMBER

/* The values of --from: the names in the table's order, then "guess". */
#define FORMAT_CHOICE(id, name) name "|"
#define FORMAT_NAMES            FORMATS(FORMAT_CHOICE) "guess"

/* The formats, and their names for --from. */
extern const struct format *const formats[FORMAT_COUNT];
extern const char *const format_names[FORMAT_COUNT];

/* Return the index of the format that the file at the start of `l` has; FORMAT_COUNT if none
 * matches. Do not guess "folded" if few lines look folded. Guess "perf" from few lines only if no
 * other format matches. Consume nothing. */
size_t format_guess(struct lines *l);

/* Return true if the head of the file has a line that is neither blank nor a comment. */
bool format_has_text(struct span head);

/* Fold the file that is open in c->input. *state is NULL at first; it is kept from one file to the
 * next, unless the format is per_file. */
void format_fold(const struct format *f, struct collapse *c, void **state);

/* Call finish() at the end of a file, and free the state unless it is kept for the next file.
 * *state is NULL if the format read nothing. */
void format_finish(const struct format *f, void **state);

/* Report oddities of the input, and free the state. */
void format_end(const struct format *f, void **state);

/* Call once everything is read and written. Report the number of warnings that were not printed
 * (diag_finish), of counts that reached decimal.h's limit, of samples without frames, and of
 * skipped lines. Then, unless there was an error, report an error if there was text but no stack,
 * or a note if there was no sample. */
void format_report(const struct collapse *c);

#endif
