/* Reads the names of JavaScript functions from the memory of a running V8. This is the folder's
 * entry point.
 *
 * The recorder passes in the frames of each sample, with words of the copied stack (v8names_add).
 * When it has fetched all samples, it requests names (v8names_resolve), some hundredths of a second
 * after the samples were taken. By then garbage collection may have put something else at each
 * place. So a name is reported to the sink only if it was certainly right when the sample was taken
 * (accept.h); otherwise the place has no name.
 *
 * A name is reported for a range of addresses from a time on, and holds until something else is
 * reported for these addresses; so a sink need not request it again. The name is checked whenever a
 * frame is in its range. If something else is there, the name is withdrawn from just after the last
 * time that it was seen.
 *
 * Work is bounded for any contents of the memory (see the numbers in names.c). Each v8names_resolve
 * reads at most 2 MB of objects to find names, in at most half a million lookups (snapshot.h), and
 * then has the same limits again to check new names. Sources of scripts are read besides, 64 MB in
 * a second. Frames beyond these limits have no name. A name is one line; characters that could harm
 * a terminal are masked. */
#ifndef V8_NAMES_H
#define V8_NAMES_H

#include "common/v8/frame.h"
#include "common/v8/layout.h"
#include "common/v8/memory.h"
#include "common/v8/sink.h"

/* The functions of one process. */
struct v8names;

/* Create the functions of a process. All three are borrowed. `memory` is a limit in bytes; 0: none.
 * If it is exceeded, everything is forgotten, and that is reported to the sink. */
struct v8names *v8names_new(const struct v8layout *l, const struct v8memory *m,
                            const struct v8names_sink *sink, size_t memory);

/* Collect a frame for v8names_resolve. Add every frame that could get one of the reported names,
 * since a name is checked only if a frame in its range was added. Frames in native code do no harm
 * if their in_file is right. */
void v8names_add(struct v8names *n, const struct v8frame *f);

/* Forget everything, including the collected frames, and report that to the sink. */
void v8names_forget(struct v8names *n);

/* Forget the collected frames without reading anything, for want of time. Report to the sink that
 * no name holds for them. What is known is kept, so that the next v8names_resolve reports names
 * again at little cost. */
void v8names_skip(struct v8names *n);

/* Read the names for the collected frames, report them to the sink, and forget the frames. */
void v8names_resolve(struct v8names *n);

/* Counts since v8names_new, for messages and tests. */
struct v8names_counts {
    uint64_t named;     /* frames of JavaScript functions whose names the sink has */
    uint64_t doubtful;  /* frames whose function may have been another one at the sample's time */
    uint64_t unread;    /* frames whose function could not be read, or had been replaced */
    uint64_t other;     /* frames in code for which no JavaScript function was found */
    uint64_t left;      /* frames dropped because there were too many */
    uint64_t functions; /* functions read */
    uint64_t requests;  /* number of calls of `read` */
    uint64_t reads;     /* number of blocks in these calls */
    uint64_t bytes;     /* bytes in these blocks */
    uint64_t forgotten; /* times that everything was forgotten for want of memory */
};

const struct v8names_counts *v8names_counts(const struct v8names *n);

/* Return true if a new script was found, or v8names_new was called, within the last tenth of a
 * second. Then call v8names_resolve again within 10 ms, so that functions of new scripts get names
 * (accept.h). */
bool v8names_are_new(const struct v8names *n);

/* Return the size of everything in memory, in bytes. */
size_t v8names_size(const struct v8names *n);

void v8names_free(struct v8names *n);

#endif
