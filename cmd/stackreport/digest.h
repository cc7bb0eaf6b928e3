/* The digest of a profile: a page of Markdown of at most DIGEST_MAX bytes, to be pasted into a
 * ticket. The same input gives the same bytes: it depends on no locale, time zone or file name. */
#ifndef STACKREPORT_DIGEST_H
#define STACKREPORT_DIGEST_H

#include "cmd/stackreport/countfiles.h"
#include "cmd/stackreport/stalls.h"
#include "common/base/out.h"
#include "common/stack/frames/check.h"

enum { DIGEST_MAX = 4096, DIGEST_COMMENTS = 8 };

/* What the digest counts beside the table of functions. */
enum { DIGEST_TREE, DIGEST_KINDS, DIGEST_PACKAGES, DIGEST_COUNTERS };

struct digest {
    struct countfiles *reader;
    struct counter counters[DIGEST_COUNTERS];
    struct check check;
    struct stalls stalls;
    struct stalls_options stalls_options;
    struct countfiles_watch watch;
    struct text comments[DIGEST_COMMENTS]; /* those that say what was recorded, "KEY : VALUE" */
    size_t ncomments;
    bool weighed; /* samples count their periods, or some did not count 1 */
};

/* Start, after countfiles_init and before the first file: sets what the reader counts and who
 * watches. Turns of `least` microseconds and more are stalls. The struct must not move. */
void digest_start(struct digest *d, struct countfiles *reader, uint64_t least);

/* Write the digest, when all was read. */
void digest_write(struct digest *d, struct out *o);

void digest_free(struct digest *d);

#endif
