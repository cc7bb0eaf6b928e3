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

/* For folded stacks of an archive: which times are written, and to what the names of threads and
 * hosts are cut (slice.h). */
struct archive_rules {
    struct timerange range;
    bool merge_threads, merge_processes, merge_hosts;
    bool merge_times; /* do not write the times of stacks */
};

struct stream {
    /* The caller may set these. */
    bool no_comm; /* folded stacks do not begin with a command name */
    struct archive_rules archive;
    struct idlewaits *idle; /* leaves out waits for work; borrowed; NULL: leave out none */

    struct input input; /* the caller starts this */
    struct out out;     /* and this */
    struct perftext perftext;

    /* private from here */
    struct diag *diag;
    struct filter filter;
    struct perfwrite writer;
    struct text masked;
    struct decimal in_range,
        timeless;          /* sums of the counts of stacks in the range, and without a time */
    size_t usable, passed; /* in the current file: samples and records; lines not understood */
};

/* Set up a stream, which is large: do not copy it. Borrow all arguments, as filter_init does. */
void stream_init(struct stream *t, const struct rules *rules, struct sourcemaps *maps,
                 struct diag *diag);

/* Read the open file to its end, and write it filtered. Report an error if no line could be
 * used. */
void stream_file(struct stream *t, enum input_format format);

/* Print how much was dropped and cut, and advice. */
void stream_report(const struct stream *t);

#endif
