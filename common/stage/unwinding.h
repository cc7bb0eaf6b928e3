/* Unwinds the stacks of samples that have registers and a copy of the stack. This sink passes each
 * such sample on with a whole callchain, and without the registers and the copy. So later stages,
 * and files written by stackrecord -o, see only callchains, as if the kernel had found all callers.
 *
 *     recorded callchain   kernel: tcp_sendmsg, ...   user: the callers found by frame pointers
 *     copy of the stack                               user: all callers, when unwound
 *     passed on            kernel: tcp_sendmsg, ...   user: all callers
 *
 * If the copy ends before the stack does, the rest of the callers is taken from the recorded
 * callchain, if possible.
 *
 * All functions that V8 interprets share one return address. The callchain gets the address of the
 * running bytecode instead, by which OWN_CODE records name the function (ownrecord.h).
 *
 * OWN_STACK records, the stacks of threads that waited all the time, are unwound too. All other
 * records pass unchanged. */
#ifndef STAGE_UNWINDING_H
#define STAGE_UNWINDING_H

#include "common/base/text.h"
#include "common/event/ownrecord.h"
#include "common/stage/sink.h"
#include "common/stage/trampolines.h"
#include "common/unwind/walkdata.h"

/* The unwinder, which knows the object files of the processes: see symbolize/unwinder.h. */
struct stackwalker {
    /* Unwind the user part of the stack of a sample or an OWN_STACK record. Return false if it has
     * no registers, or its machine or program is unknown. *result is valid until the next call. */
    bool (*walk)(void *ctx, const struct record *r, struct walk_result *result);
    /* Return the number of bytes of a sample's stack that walk() needs, as far as is known. */
    size_t (*needs)(void *ctx, const struct record *r);
    void *ctx;
};

struct unwinding {
    struct recordsink sink;

    /* Set by the caller: */
    uint16_t max_depth; /* maximum entries of a callchain; 0: no limit */
    bool
        keeps_callchains; /* append the unwound addresses to the recorded callchain, as perf does */
    bool makes_bytes;     /* also make the bytes of the records passed on, to write to a file */

    /* private from here */
    const struct eventset *events; /* events of the recording */
    struct stackwalker walker;
    struct trampolines trampolines;
    struct record passed;
    struct text chain, bytes, shortened;
};

/* Prepare to unwind samples of these events. Borrow all. */
void unwinding_init(struct unwinding *u, const struct eventset *events, struct stackwalker walker);

/* Return the sink, which passes records on to `to`. */
struct recordsink *unwinding_sink(struct unwinding *u, struct recordsink *to);

/* Begin another recording: forget the processes of the previous one. */
void unwinding_restart(struct unwinding *u);

/* Process what a record says about processes and their interpreters, without passing it on. The
 * sink and unwinding_complete() do this with each record. */
void unwinding_see(struct unwinding *u, const struct record *r);

/* Return the record as the sink passes it on; valid until the next call. */
const struct record *unwinding_complete(struct unwinding *u, const struct record *r);

/* Add the events to `to`, for a file with the records that the sink passes on. Their sample types
 * lose the registers and copies of stacks, since these records have none. */
void unwinding_describe(const struct eventset *events, struct session *to);

/* Shorten a record that is to be buffered, and return its bytes, which are valid until the next
 * call. ctx: struct unwinding. If the record is a sample, and a similar one was unwound before,
 * leave out the end of the copied stack, which the earlier walk did not read. Without this, at
 * 20,000 waits a second, copying whole stacks took half of the recorder's time. */
struct span unwinding_shorten(void *ctx, struct span bytes);

void unwinding_free(struct unwinding *u);

#endif
