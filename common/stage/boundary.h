/* Finds where turns of event loops begin and end. A turn begins when a system call that waits for
 * events returns, and ends at the next such call. Calls and returns are samples of tracepoints:
 *
 *     syscalls:sys_enter_epoll_wait, epoll_pwait, epoll_pwait2     a call
 *     syscalls:sys_exit_epoll_wait etc.                            its return
 *     syscalls:sys_enter_io_uring_enter, sys_exit_io_uring_enter   the same, if the call waits
 *     syscalls:sys_exit_epoll_create1                              a new loop
 *
 * A turn may contain a whole inner loop: node's execSync() waits for its child process in a loop of
 * its own, in the same thread. A loop is an inner one if the thread created it within the turn, and
 * its descriptor is higher than that of the outer loop. Calls of an inner loop are no boundaries.
 *
 * If a thread has waited by epoll, its calls of io_uring_enter are no boundaries: libuv uses them
 * to add descriptors to epoll, and waits until they are added. */
#ifndef STAGE_BOUNDARY_H
#define STAGE_BOUNDARY_H

#include "common/event/record.h"

enum boundary {
    BOUNDARY_NONE, /* any other event */
    BOUNDARY_CALL,
    BOUNDARY_RETURN,
    BOUNDARY_RING_CALL, /* call of io_uring_enter, which may wait or not */
    BOUNDARY_RING_RETURN,
    BOUNDARY_NEW_LOOP,
};

/* Return the kind of boundary that samples of the event mark. */
enum boundary boundary_of(const struct event *e);

/* The state of a thread's calls. Before the first call it is {.loop = BOUNDARY_NO_LOOP, .made =
 * BOUNDARY_NO_LOOP}. */
struct boundary_calls {
    int32_t loop; /* descriptor of the loop whose turns are counted */
    int32_t made; /* descriptor of the loop created last */
    bool inner;   /* the thread waits in an inner loop */
    bool ring;    /* the thread waits in io_uring_enter */
    bool epoll;   /* the thread has waited in a call other than io_uring_enter */
};

enum { BOUNDARY_NO_LOOP = -1 };

/* The effect of a sample on the turn of its thread. */
enum boundary_change { TURN_STAYS, TURN_BEGINS, TURN_ENDS };

/* Process a sample of an event of kind b. `in_turn`: the thread is in a turn. */
enum boundary_change boundary_take(struct boundary_calls *c, enum boundary b,
                                   const struct record *r, bool in_turn);

#endif
