/* What is printed: a recordsink that looks up the names of samples' functions and prints samples as
 * perf script text, or with --folded adds them up in memory and prints folded stacks at the end.
 *
 * Folded stacks have the names that stackcollapse makes without options, and a sample counts what
 * it counts there: one, or its period for the events of common/stack/model/measure.h. Where the stacks
 * take more memory than they may, they are printed earlier, in parts: the counts of equal lines can
 * be added up. */
#ifndef STACKRECORD_TEXTOUT_H
#define STACKRECORD_TEXTOUT_H

#include "cmd/stackrecord/archive.h"
#include "common/stage/sink.h"
#include "common/stack/model/fold.h"
#include "common/stack/text/perfwrite.h"
#include "common/symbolize/recordsource.h"

struct textout {
    struct recordsink sink;
    struct archive *archive; /* gets the samples; NULL: they are printed. Set by the caller */
    bool folded;             /* set by the caller, as the next two: bytes of memory; 0: no limit */
    size_t frames_limit;     /* of the frames of all samples, which are forgotten then */
    size_t stacks_limit;     /* of folded stacks */
    size_t parts;            /* of the folded stacks, printed before the end */

    /* private from here */
    struct recordsource source;
    struct perfdata facts;
    struct frametab frames;
    struct out *out;
    struct perfwrite writer;
    struct fold fold;
    struct profile profile;
};

/* Prepare to print the samples of a session to `out`. Borrow all but the options, whose texts are
 * borrowed too. Folded samples of all events are added up: record one. */
void textout_init(struct textout *t, const struct session *session,
                  const struct recordsource_options *options, struct out *out, struct diag *diag);

#endif
