/* The lines of perf script text, one at a time. What a line is follows from its text alone.
 *
 *     V8 WorkerThread 24636/25607 [000] 4794564.109216:     104345 cycles:u:
 *                                                                 a header, and then its frames
 *             7f1e2215d058 uv_run+0x12 (/usr/bin/node)
 *       core.c:137                                                a source line (-F +srcline)
 *                                                                 a blank line
 *     # cmdline : /usr/bin/perf record -g                         a comment
 *     node 24636 4794564.10: PERF_RECORD_COMM exec: node:24636    a record
 *
 * Written by perf script (tools/perf/builtin-script.c in the Linux source); the man page
 * perf-script(1) names the fields. */
#ifndef STACK_PERFLINE_H
#define STACK_PERFLINE_H

#include "common/base/span.h"

enum perf_line {
    PERF_LINE_BLANK,
    PERF_LINE_COMMENT,
    PERF_LINE_HEADER,
    PERF_LINE_FRAME,
    PERF_LINE_SRCLINE,
    PERF_LINE_RECORD, /* PERF_RECORD_..., "instruction trace error ..." */
    PERF_LINE_UNKNOWN
};

/* A sample's header, taken apart. Every field borrows from the line and is empty where it is
 * absent. */
struct perf_header {
    struct span comm;
    struct span pid, tid; /* "24636/25607"; a lone number is the tid, and pid is empty */
    struct span cpu;      /* the digits of "[000]" */
    struct span time;     /* "4794564.109216", seconds */
    struct span period;   /* as printed, without unit */
    struct span event;    /* "cycles:u" */
    struct span rest;     /* what follows the event: a tracepoint's text, a cgroup, a frame */
};

/* A frame, taken apart. As above. */
struct perf_frame {
    struct span addr;   /* the hexadecimal address */
    struct span sym;    /* without offset; "[unknown]" as perf prints it; empty: not printed */
    struct span offset; /* "+0x12" */
    struct span dso; /* without parentheses; "inlined" for an inlined frame; empty: not printed */
    struct span srcline; /* of the line below it, trimmed */
};

/* The line's kind; a line is without its newline, and a carriage return at its end does not count.
 * For PERF_LINE_HEADER and PERF_LINE_RECORD *h is filled (of a record perhaps only in part). */
enum perf_line perf_line_parse(struct span line, struct perf_header *h);

/* True where the line can be nothing but perf script text: a header, a frame or a record. */
bool perf_line_is_perf(struct span line);

/* How much of a file to look at for such a line: far more than perf script --header prints. */
enum { PERF_GUESS_MOST = 1024 * 1024 };

/* The text of a frame: its line, perhaps a newline and its source line. False where it is none. */
bool perf_frame_parse(struct span text, struct perf_frame *f);

/* True where the header's rest is a frame, as perf prints it for data recorded without -g. */
bool perf_header_has_frame(const struct perf_header *h);

#endif
