/* --strings: reads the texts at the addresses that are arguments of system calls, such as the path
 * in open(2), from the memory of the processes. A text is read as soon as the record of the call's
 * beginning has left its ring buffer. The call may have returned by then, and the program may have
 * changed the text; if it has executed another program, nothing is read.
 *
 * This is a rawsink that passes all records on. It adds our own records OWN_STRING (ownrecord.h),
 * so that later stages need not read any memory.
 *
 *     callstrings_init(...), then send all records to the sink that it returns
 *     callstrings_resolve(), each time after the ring buffers were emptied
 *     callstrings_free()
 */
#ifndef STACKRECORD_CALLSTRINGS_H
#define STACKRECORD_CALLSTRINGS_H

#include "common/base/text.h"
#include "common/base/vec.h"
#include "common/stage/sink.h"
#include "common/stage/threadtable.h"
#include "common/tracepoint/syscallkinds.h"

/* The most texts that are read each time. */
enum { CALLSTRINGS_MOST = 1000 };

/* Time between two rounds in milliseconds: programs keep many a path in memory that they use for
 * other things soon after the call. */
enum { CALLSTRINGS_ROUND_MS = 1 };

struct callstrings {
    struct rawsink sink;
    uint64_t unread; /* texts that were not read, since there were too many at once */

    /* private from here */
    struct rawsink *to;
    const struct eventset *events;
    const struct syscallkinds *kinds;
    VEC(struct string_place) waiting;
    struct threadtable execs; /* by pid: when it executed another program, since the last time */
    bool busy;                /* texts are being read */
    struct text record;
};

/* Initialize and return the sink. All pointers are borrowed. The first event is the entry of system
 * calls. */
struct rawsink *callstrings_init(struct callstrings *c, const struct eventset *events,
                                 const struct syscallkinds *kinds, struct rawsink *to);

/* Read the texts of the calls that have left the ring buffers, and pass them on as records. Texts
 * that cannot be read are left out. Do nothing and return false if this is called while such a
 * record is being passed on; else return true. */
bool callstrings_resolve(struct callstrings *c);

void callstrings_free(struct callstrings *c);

#endif
