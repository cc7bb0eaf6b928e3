/* Read the names of JavaScript functions from the memory of a running V8. This is the entry point
 * of the folder.
 *
 * The recorder passes in the frames of each sample, with words of the copied stack (v8names_add).
 * When no more samples can be fetched, it asks for names (v8names_resolve), some hundredths of a
 * second after the samples were taken. By then garbage collection may have put something else in
 * each place. So a name is reported to the sink only if it is certain that it was right when the
 * sample was taken (accept.h); otherwise the place has no name.
 *
 * A name is reported for a range of addresses from a time on, and holds until something else is
 * reported for these addresses; so a sink need not ask for it again. The name is checked whenever a
 * frame lies in its range. If something else is there, the name is withdrawn from just after the
 * last time that it was seen.
 *
 * Work is bounded for any content of the memory (see the numbers in names.c). Each v8names_resolve
 * reads at most 2 MB of objects to find names, in at most half a million lookups (snapshot.h), and
 * then has the same limits again to check new names. Sources of scripts are read beside that, 64 MB
 * in a second. Frames that exceed these limits have no name. A name is one line, and characters
 * that could harm a terminal are masked. */
#ifndef V8_NAMES_H
#define V8_NAMES_H

#include "common/v8/frame.h"
#include "common/v8/layout.h"
#include "common/v8/memory.h"
#include "common/v8/sink.h"

/* The functions of one process. */
struct v8names;

/* Begin. Borrow all three. `memory`: a limit in bytes, above which everything is forgotten, and
 * that is reported to the sink; 0: no limit. */
struct v8names *v8names_new(const struct v8layout *l, const struct v8memory *m,
                            const struct v8names_sink *sink, size_t memory);

/* Collect a frame for v8names_resolve. Add every frame that could get one of the reported names,
 * since a name is checked only where a frame was added. Frames in native code do no harm if their
 * in_file is right. */
void v8names_add(struct v8names *n, const struct v8frame *f);

/* Forget everything, also the frames that were collected, and report that to the sink. */
void v8names_forget(struct v8names *n);

/* Forget the collected frames, without reading anything: there is no time for it. No name holds for
 * them, which is reported to the sink. What is known is kept, so that the next v8names_resolve
 * reports names again at little cost. */
void v8names_skip(struct v8names *n);

/* Read the names for the collected frames, report them to the sink, and forget the frames. */
void v8names_resolve(struct v8names *n);

/* Counts since v8names_new, for messages and tests. */
struct v8names_counts {
    uint64_t named;     /* frames of JavaScript functions whose names the sink has */
    uint64_t doubtful;  /* frames whose function was read, but may have been another one then */
    uint64_t unread;    /* frames whose function could not be read, or had been replaced */
    uint64_t other;     /* frames in code for which no JavaScript function was found */
    uint64_t left;      /* frames that were not looked at, since there were too many */
    uint64_t functions; /* functions read */
    uint64_t requests;  /* calls of `read` */
    uint64_t reads;     /* blocks that these calls asked for */
    uint64_t bytes;     /* size of these blocks */
    uint64_t forgotten; /* times that everything was forgotten for want of memory */
};

const struct v8names_counts *v8names_counts(const struct v8names *n);

/* Return true if a new script was found in the last tenth of a second, or v8names_new was called in
 * it. Then call v8names_resolve again within 10 ms, so that functions of new scripts get names
 * (accept.h). */
bool v8names_are_new(const struct v8names *n);

/* Return how much memory all of it takes, in bytes. */
size_t v8names_size(const struct v8names *n);

void v8names_free(struct v8names *n);

#endif
