/* The table of input formats. */
#ifndef STACKCOLLAPSE_FORMATS_H
#define STACKCOLLAPSE_FORMATS_H

#include "cmd/stackcollapse/collapse.h"

/* A row for each: ID of the struct format_ID, and the name that --from takes. */
#define FORMATS(X)                                                                                 \
    X(perf, "perf")                                                                                \
    X(folded, "folded")                                                                            \
    X(gdb, "gdb")                                                                                  \
    X(jstack, "jstack")                                                                            \
    X(faulthandler, "faulthandler")                                                                \
    X(elfutils, "elfutils")                                                                        \
    X(bpftrace, "bpftrace")                                                                        \
    X(dtrace, "dtrace")                                                                            \
    X(stap, "stap")                                                                                \
    X(go, "go")                                                                                    \
    X(java_exceptions, "java-exceptions")                                                          \
    X(ibmjava, "ibmjava")                                                                          \
    X(recursive, "recursive")                                                                      \
    X(wcp, "wcp")                                                                                  \
    X(aix, "aix")                                                                                  \
    X(pmc, "pmc")                                                                                  \
    X(ljp, "ljp")                                                                                  \
    JSON_FORMATS(X)

#define JSON_FORMATS(X)                                                                            \
    X(cpuprofile, "cpuprofile")                                                                    \
    X(v8prof, "v8-prof")                                                                           \
    X(chrome, "chrome-tracing")                                                                    \
    X(speedscope, "speedscope")

#define FORMAT_DECLARE(id, name) extern const struct format format_##id;
FORMATS(FORMAT_DECLARE)
#undef FORMAT_DECLARE

#define FORMAT_NUMBER(id, name) FORMAT_##id,
enum { FORMATS(FORMAT_NUMBER) FORMAT_COUNT, FORMAT_FIRST_JSON = FORMAT_cpuprofile };
#undef FORMAT_NUMBER

/* What --from takes: the names in the table's order, then "guess". */
#define FORMAT_CHOICE(id, name) name "|"
#define FORMAT_NAMES            FORMATS(FORMAT_CHOICE) "guess"

const struct format *format_at(size_t i);

/* What --from calls it. */
const char *format_name(size_t i);

/* The index in the table of the format of the file that `lines` is at the start of; FORMAT_COUNT
 * if none claims it. Consumes nothing. */
size_t format_guess(struct lines *l);

/* For a format that is recognized by its lines: where the first line begins for which `is` is true
 * (blank lines and comments aside), or SPAN_NONE. */
size_t format_first_line(struct span head, bool (*is)(struct span line));

/* The same where "#" does not begin a comment. */
size_t format_first_of_all(struct span head, bool (*is)(struct span line));

#endif
