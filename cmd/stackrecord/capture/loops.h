/* The event loops of threads, if turns cannot be found by tracepoints: reads the current state of
 * each loop.
 *
 * The kernel tells whether a thread waits for events (/proc/PID/task/TID/syscall). That misses
 * waits between two reads. But libuv counts the turns of a loop (since 1.45), and stores the time
 * of each: the first thread of node runs the default loop, which is at the symbol
 * default_loop_struct in nodejs.org's builds. A turn begins at the last update of that time before
 * it is read: when the wait returned, or later if the program has set a timer. */
#ifndef STACKRECORD_LOOPS_H
#define STACKRECORD_LOOPS_H

#include "common/base/text.h"
#include "common/event/ownrecord.h"

/* The loop of a thread. {0}: not read yet. */
struct loop {
    bool found; /* it has waited for events */
    bool exact; /* at the last read: whether it waits is known, not only that its turn is new */

    /* private from here */
    bool looked;      /* the default loop was searched for */
    int32_t fd;       /* lowest descriptor of its waits for events */
    uint64_t clock;   /* address of the time, in milliseconds; 0: unknown */
    uint64_t counter; /* address of the number of turns; 0: not known yet */
    uint64_t turn;    /* number of the turn at the last read */
};

/* Read the state of the thread's loop, and set the members of *own for OWN_LOOP. Return false if it
 * has no loop, or may not be read. *text is overwritten. The process's memory and files in /proc
 * are read by the helper process (helper.h). */
bool loops_ask(struct loop *l, uint32_t pid, uint32_t tid, struct text *text,
               struct ownrecord *own);

#endif
