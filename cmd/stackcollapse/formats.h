/* The table of input formats.
 *
 * A new one is a file in format/ with a struct format (collapse.h), and a row here. What helps:
 *
 *     lines of text                    shared/stacker.h, parts.h; the neighbours in format/
 *     ... a stack, leaf first, then    shared/counted.h
 *         its count
 *     ... a function and its level     shared/rowtree.h
 *     ... text of perf script          shared/perfreader.h
 *     JSON                             shared/jsonfile.h: tables of members
 *     ... nodes that hold nodes        its FIELD_TREE and struct jsontree
 *     ... nodes with their parent's id shared/sampletree.h
 *     Protocol Buffers                 shared/protobuf.h */
#ifndef STACKCOLLAPSE_FORMATS_H
#define STACKCOLLAPSE_FORMATS_H

#include "cmd/stackcollapse/collapse.h"

/* A row for each: ID of the struct format_ID, and the name that --from takes. Of several formats
 * that recognize lines of a file, that of the earliest line reads it; of the same line, or the same
 * head of a JSON file, that whose row comes first: "25.8 ( 0.1 ms): app/7 close(fd: 4) = 0" is of
 * perf trace, and looks folded. */
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

/* What --from takes: the names in the table's order, then "guess". */
#define FORMAT_CHOICE(id, name) name "|"
#define FORMAT_NAMES            FORMATS(FORMAT_CHOICE) "guess"

/* The formats, and what --from calls them. */
extern const struct format *const formats[FORMAT_COUNT];
extern const char *const format_names[FORMAT_COUNT];

/* Return the index in the table of the format of the file that `l` is at the start of; FORMAT_COUNT
 * if none takes it for its own. It is not folded stacks if few of its lines are,
 * and perf's text with few such lines only if no other format has any. Consume nothing. */
size_t format_guess(struct lines *l);

/* Return true if the file's head has a line that is neither blank nor a comment. */
bool format_has_text(struct span head);

/* Fold the file that is open in c->input. *state is kept from file to file, unless the format is
 * per_file; it is NULL at first. */
void format_fold(const struct format *f, struct collapse *c, void **state);

/* Call finish(), and end the state if it is of one file. *state NULL: the format read nothing. */
void format_finish(const struct format *f, void **state);

/* Report what was odd about the input, and free the state. */
void format_end(const struct format *f, void **state);

/* Report, once all is read and written, how many warnings were not printed (diag_finish), counts that
 * reached decimal.h's limit, samples without frames, and skipped lines. Then, unless there was an error:
 * an error if there was text but no stack came of it, else a note if there was no sample. */
void format_report(const struct collapse *c);

#endif
