/* Event loops of threads, where turns cannot be found by tracepoints: asks what each loop does just now.
 *
 * The kernel says whether a thread waits for events (/proc/PID/task/TID/syscall). That does not show
 * waits between two looks. But libuv counts the turns of a loop (since 1.45), and keeps the time of
 * each: the first thread of node runs the default loop, which is at the symbol default_loop_struct in
 * nodejs.org's builds. A turn then begins when that time is set for the last time before it is looked
 * at: when the wait returned, or later if the program has set a timer. */
#ifndef STACKRECORD_LOOPS_H
#define STACKRECORD_LOOPS_H

#include "common/base/text.h"
#include "common/event/ownrecord.h"

/* Of a thread. {0} is one that was not looked at. */
struct loop {
    bool found; /* it has waited for events */
    bool exact; /* at the last look: whether it waits is known, and not only that its turn is new */

    /* private from here */
    bool looked;      /* for the default loop */
    int32_t fd;       /* the lowest descriptor that it waits for events with */
    uint64_t clock;   /* address of the time, in milliseconds; 0: not known */
    uint64_t counter; /* the same of the number of turns; 0: not yet */
    uint64_t turn;    /* at the last look */
};

/* Ask what the thread's loop does, and set the members for OWN_LOOP of *own. Return false if it has no
 * loop, or that may not be read. *text is overwritten. The process's memory and files in /proc are read
 * by the helper process (helper.h). */
bool loops_ask(struct loop *l, uint32_t pid, uint32_t tid, struct text *text,
               struct ownrecord *own);

#endif
