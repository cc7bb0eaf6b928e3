/* The digest of a profile: a page of Markdown of at most DIGEST_MAX bytes, to paste into a ticket.
 * The same input gives the same bytes: they depend on no locale, time zone or file name. */
#ifndef STACKREPORT_DIGEST_H
#define STACKREPORT_DIGEST_H

#include "cmd/stackreport/countfiles.h"
#include "cmd/stackreport/stalls.h"
#include "common/base/out.h"
#include "common/stack/frames/check.h"

enum { DIGEST_MAX = 4096, DIGEST_COMMENTS = 8 };

/* The digest's counters besides that of functions. */
enum { DIGEST_TREE, DIGEST_KINDS, DIGEST_PACKAGES, DIGEST_COUNTERS };

struct digest {
    struct countfiles *reader;
    struct counter counters[DIGEST_COUNTERS];
    struct check check;
    struct stalls stalls;
    struct stalls_options stalls_options;
    struct countfiles_watch watch;
    struct text comments[DIGEST_COMMENTS]; /* "KEY : VALUE": comments about the recording */
    size_t ncomments;
    bool weighed; /* samples count their periods, or some counts are not 1 */
};

/* Set the reader's counters and its watch. Call this after countfiles_init and before the first
 * file is read. Turns of at least `least` microseconds are stalls. The struct must not move. */
void digest_start(struct digest *d, struct countfiles *reader, uint64_t least);

/* Write the digest. Call this after the last file. */
void digest_write(struct digest *d, struct out *o);

void digest_free(struct digest *d);

#endif
