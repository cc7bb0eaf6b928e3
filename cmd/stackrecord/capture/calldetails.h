/* For --syscalls: reads what the descriptors stand for that calls use (/proc/PID/fd). A descriptor
 * is read as soon as a call that uses it has left its ring buffer, and again after a second. If the
 * process has closed it meanwhile, another file may have its number. But the call that closes it is
 * recorded, too: then nothing is read, or what was read is withdrawn.
 *
 * This is a rawsink that passes all records on. It adds our own records OWN_DESCRIPTOR
 * (ownrecord.h), so that later stages need not ask any process.
 *
 *     calldetails_init(...), then send all records to the sink that it returns
 *     calldetails_resolve(), each time after the ring buffers were emptied
 *     calldetails_free()
 */
#ifndef STACKRECORD_CALLDETAILS_H
#define STACKRECORD_CALLDETAILS_H

#include "common/base/intern.h"
#include "common/base/text.h"
#include "common/base/vec.h"
#include "common/stage/sink.h"
#include "common/tracepoint/syscallkinds.h"

/* Time between two rounds in milliseconds. What is opened and closed in between is never read. */
enum { CALLDETAILS_ROUND_MS = 20 };

struct calldetails {
    struct rawsink sink;

    /* private from here */
    struct rawsink *to;
    const struct eventset *events;
    const struct syscallkinds *kinds;
    struct intern keys;        /* a process and a descriptor; the process alone has -1 */
    VEC(struct descriptor) of; /* by number of the key */
    VEC(uint32_t) waiting;     /* numbers of those that are to be read */
    uint64_t lost;             /* time of the latest record that says that others were lost */
    bool busy;                 /* a record is being looked at, or descriptors are being read */
    struct text record;
};

/* Initialize and return the sink. All pointers are borrowed. The first two events are the entries
 * and the returns of system calls. */
struct rawsink *calldetails_init(struct calldetails *d, const struct eventset *events,
                                 const struct syscallkinds *kinds, struct rawsink *to);

/* The most descriptors that are read each time; others wait for the next. */
enum { CALLDETAILS_MOST = 64 };

/* Read the descriptors that calls have used since the last time, and pass on what they stand for.
 * Do nothing and return false if this is called while a record is being passed on; else return
 * true. */
bool calldetails_resolve(struct calldetails *d);

void calldetails_free(struct calldetails *d);

#endif
