/* Where turns of event loops begin and end: at the returns and calls of the system calls that wait
 * for events. They are samples of tracepoints:
 *
 *     syscalls:sys_enter_epoll_wait, epoll_pwait, epoll_pwait2     a call
 *     syscalls:sys_exit_epoll_wait and so on                       its return
 *     syscalls:sys_enter_io_uring_enter, sys_exit_io_uring_enter   the same, where it waits
 *     syscalls:sys_exit_epoll_create1                              a new loop
 *
 * A turn of a loop may contain a whole other loop: node's execSync() waits for the process in a
 * loop of its own, in the same thread. So calls of a loop that the thread has made within the turn,
 * and whose descriptor is a higher number, belong to the turn. In a thread that waits by epoll,
 * io_uring_enter is no boundary: libuv calls it to add descriptors to epoll, and waits for that. */
#ifndef STAGE_BOUNDARY_H
#define STAGE_BOUNDARY_H

#include "common/event/record.h"

enum boundary {
    BOUNDARY_NONE, /* the event is another one */
    BOUNDARY_CALL,
    BOUNDARY_RETURN,
    BOUNDARY_RING_CALL, /* of io_uring_enter, which may wait or not */
    BOUNDARY_RING_RETURN,
    BOUNDARY_NEW_LOOP,
};

/* Return what samples of the event say. */
enum boundary boundary_of(const struct event *e);

/* What the thread has called. {.loop = BOUNDARY_NO_LOOP, .made = BOUNDARY_NO_LOOP} is one without a
 * call. */
struct boundary_calls {
    int32_t loop; /* descriptor of the loop whose turns are counted */
    int32_t made; /* of the loop that was made last */
    bool inner;   /* it waits in that one */
    bool ring;    /* it waits in io_uring_enter */
    bool epoll;   /* it has waited in another call */
};

enum { BOUNDARY_NO_LOOP = -1 };

/* What a sample does to the turn of its thread. */
enum boundary_change { TURN_STAYS, TURN_BEGINS, TURN_ENDS };

/* Take a sample of such an event. `in_turn`: the thread is in a turn. */
enum boundary_change boundary_take(struct boundary_calls *c, enum boundary b,
                                   const struct record *r, bool in_turn);

#endif
