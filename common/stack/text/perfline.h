/* The lines of perf script text, one at a time. The kind of a line is decided by its text alone.
 *
 *     V8 WorkerThread 24636/25607 [000] 4794564.109216:     104345 cycles:u:
 *                                                                 a header, and then its frames
 *             7f1e2215d058 uv_run+0x12 (/usr/bin/node)
 *       core.c:137                                                a source line (-F +srcline)
 *      ABI:2    AX:0x7f12    IP:0x7f34                            a detail (-F +uregs)
 *                                                                 a blank line
 *     # cmdline : /usr/bin/perf record -g                         a comment
 *     node 24636 4794564.10: PERF_RECORD_COMM exec: node:24636    a record
 *
 * Written by perf script (tools/perf/builtin-script.c in the Linux source; a frame by
 * sample__fprintf_sym in tools/perf/util/evsel_fprintf.c); the man page perf-script(1) names the
 * fields. Included only by perftext, by the code that guesses a file's format, and by perfwrite,
 * which ensures that its headers are parsed as intended. */
#ifndef STACK_PERFLINE_H
#define STACK_PERFLINE_H

#include "common/stack/model/frame.h"
#include "common/stack/model/sample.h"

enum perf_line {
    PERF_LINE_BLANK,
    PERF_LINE_COMMENT,
    PERF_LINE_HEADER,
    PERF_LINE_BARE, /* a header of few fields, if a frame follows; any text may look like that */
    PERF_LINE_FRAME,
    PERF_LINE_SRCLINE,
    PERF_LINE_DETAIL, /* printed by perf below the frames: registers, instructions, branches */
    PERF_LINE_RECORD, /* PERF_RECORD_..., "instruction trace error ..." */
    PERF_LINE_UNKNOWN
};

/* The column, counted from 1, in which the address of a frame ends: perf indents it with a tab, or
 * with a blank if it has neither header nor callchain. */
enum { PERF_TAB = 8, PERF_FRAME_COLUMN = 24, PERF_LONE_FRAME_COLUMN = 17 };

/* Return the kind of a line, without its newline; a carriage return at its end is ignored. For
 * PERF_LINE_HEADER, PERF_LINE_BARE and PERF_LINE_RECORD, set *h (for a record perhaps only in
 * part), which borrows from the line. */
enum perf_line perf_line_parse(struct span line, struct perf_header *h);

/* Return true if the line can only be perf script text: a header, a frame or a record. */
bool perf_line_is_perf(struct span line);

/* Return true if the line can only be a frame: it has a DSO, or its address is in the column in
 * which perf prints it, after a tab or as many blanks. */
bool perf_line_is_frame(struct span line);

/* Return true if the header has a command, a thread and an event. */
bool perf_header_is_full(const struct perf_header *h);

/* Return true if the line is a frame that proves the line before it to be a header of few fields:
 * it is aligned as by perf; or it has an address of six digits and a DSO; or, below a full header,
 * only a name, where the indentation was changed. */
bool perf_line_is_first_frame(struct span line, const struct perf_header *header);

/* Parse a line as a header of few fields (PERF_LINE_BARE), even if it could be a frame without a
 * name: "  1234 ". */
bool perf_bare_parse(struct span line, struct perf_header *h);

/* Number of bytes of a file to search for such a line: far more than perf script --header
 * prints. */
enum { PERF_GUESS_MAX = 1024 * 1024 };

/* Parse a frame line, optionally with a newline and its source line (a frame_parser; the parts
 * borrow from the text). Return false if it is not a frame. */
bool perf_frame_parse(struct span text, struct frame *f);

/* Return the frame in the header's rest, as perf prints it for data recorded without -g, in the
 * form for perf_frame_parse. Empty if there is none. */
struct span perf_header_frame(const struct perf_header *h);

/* Return true if the header's rest begins with a frame as perf prints it there: its address in 16
 * columns, after the blanks that separate it from the other fields. */
bool perf_header_is_aligned(const struct perf_header *h);

#endif
