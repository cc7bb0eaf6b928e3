/* Reads perf script text or folded stacks, and writes them filtered in the same format. */
#ifndef STACKFILTER_STREAM_H
#define STACKFILTER_STREAM_H

#include "cmd/stackfilter/idlewaits.h"
#include "cmd/stackfilter/timerange.h"
#include "common/stack/text/input.h"
#include "common/base/out.h"
#include "common/filter/filter.h"
#include "common/stack/text/lookslike.h"
#include "common/stack/text/perftext.h"
#include "common/stack/text/perfwrite.h"

/* Of folded stacks: the times of those that are wanted, and what the names of threads and hosts are
 * cut to (slice.h). */
struct archive_rules {
    struct timerange range;
    bool merge_threads, merge_processes, merge_hosts;
    bool merge_times; /* the slices of stacks are not written */
};

struct stream {
    /* The caller may set these. */
    bool no_comm; /* folded stacks do not begin with a command name */
    struct archive_rules archive;
    struct idlewaits *idle; /* whose waits for work are left out; borrowed; NULL: none are */

    struct input input; /* the caller starts it, and the output */
    struct out out;
    struct perftext perftext;

    /* private from here */
    struct diag *diag;
    struct filter filter;
    struct perfwrite writer;
    struct text masked;
    struct last_stack {
        struct text stack, shown; /* as it was read without its time, and what is written for it */
        bool any, has_host;
    } last;
    struct {
        struct text stack;
        struct count count;
        bool any, two; /* two: with second counts */
    } sum;             /* of --merge times: of lines with the same stack that follow each other */
    struct decimal in_range,
        timeless;          /* counts of stacks of the range, and of those without a time */
    size_t usable, passed; /* of the current file: samples and records; lines not understood */
};

/* Set up a stream, which is large: do not copy it. Borrow all; see filter_init. */
void stream_init(struct stream *t, const struct rules *rules, struct sourcemaps *maps,
                 struct diag *diag);

/* Read the open file to its end and write it filtered. Report a file without a usable line as an
 * error. */
void stream_file(struct stream *t, enum input_format format);

/* Print the counts of what was dropped and cut, and advice. */
void stream_report(const struct stream *t);

#endif
