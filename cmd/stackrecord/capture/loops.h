/* Reads the current state of the event loops of threads, if the kernel has no tracepoints by which
 * to find the turns of the loops.
 *
 * The kernel tells whether a thread waits for events now (/proc/PID/task/TID/syscall), but a wait
 * between two reads is missed. libuv's own loop has more: the number of its turns (since libuv
 * 1.45), and a time that it updates in each turn. Node's first thread runs libuv's default loop,
 * which is at the symbol default_loop_struct in the builds of nodejs.org. The time that is read
 * counts as the beginning of the turn. libuv sets it when the wait for events returns, and again if
 * the program sets a timer: then the turn has begun earlier. */
#ifndef STACKRECORD_LOOPS_H
#define STACKRECORD_LOOPS_H

#include "common/base/text.h"
#include "common/event/ownrecord.h"

/* The loop of a thread. {0}: not read yet. */
struct loop {
    bool found; /* the thread is known to have a loop */
    bool exact; /* the last read has shown whether the loop waits, not only that its turn is new */

    /* private from here */
    bool looked;      /* the default loop was searched for */
    int32_t fd;       /* lowest descriptor with which the thread has waited for events */
    uint64_t clock;   /* address of the default loop's time, in milliseconds; 0: unknown */
    uint64_t counter; /* address of the default loop's number of turns; 0: not known yet */
    uint64_t turn;    /* number of the turn at the last read */
};

/* Read the state of the thread's loop, and set own->loop for an OWN_LOOP record. Return false if
 * the thread has no known loop, or may not be read. *text is overwritten. The helper process
 * (helper.h) reads the memory of the process and its files in /proc. */
bool loops_ask(struct loop *l, uint32_t pid, uint32_t tid, struct text *text,
               struct ownrecord *own);

#endif
