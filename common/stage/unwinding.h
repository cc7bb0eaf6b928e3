/* Unwinds the stacks of samples that have registers and a copy of the stack: a sink of records that
 * passes each sample on with a whole callchain in place of these. So what follows, and a file of
 * stackrecord -o, has callchains alone, as if the kernel had found all callers.
 *
 *     callchain     kernel: tcp_sendmsg, ...   user: by frame pointers, where code has them
 *     unwound       main, start, ...           joined with those where it can be
 *     passed on     kernel: tcp_sendmsg, ...   user: all
 *
 * All functions that V8 interprets have the same return address. In place of it a callchain gets
 * the address of the bytecode that runs, by which OWN_CODE records name the function (ownrecord.h).
 *
 * The same is done with the stacks of threads that waited all the time (OWN_STACK). All other
 * records pass. */
#ifndef STAGE_UNWINDING_H
#define STAGE_UNWINDING_H

#include "common/base/text.h"
#include "common/event/ownrecord.h"
#include "common/stage/sink.h"
#include "common/stage/trampolines.h"
#include "common/unwind/walkdata.h"

/* What knows the object files of the processes: see symbolize/unwinder.h. */
struct stackwalker {
    /* Unwind the user part of the stack of a sample or an OWN_STACK record. False: it has no registers, or
     * of a machine or a program that is not known. Else *result is valid until the next call. */
    bool (*walk)(void *ctx, const struct record *r, struct walk_result *result);
    /* Return how many bytes of a sample's stack are enough for that, as far as is known. */
    size_t (*needs)(void *ctx, const struct record *r);
    void *ctx;
};

struct unwinding {
    struct recordsink sink;

    /* Set by the caller: */
    uint16_t max_depth;    /* entries that a callchain may have; 0: as many as there are */
    bool keeps_callchains; /* whole: what was unwound follows their user part, as in perf */
    bool makes_bytes;      /* of the records that are passed on, which are written to a file */

    /* private from here */
    const struct eventset *events; /* as recorded */
    struct stackwalker walker;
    struct trampolines trampolines;
    struct record passed;
    struct text chain, bytes, shortened;
};

/* Prepare to unwind samples of these events. Borrow all. */
void unwinding_init(struct unwinding *u, const struct eventset *events, struct stackwalker walker);

/* Return the sink, which passes on to `to`. */
struct recordsink *unwinding_sink(struct unwinding *u, struct recordsink *to);

/* Begin with another recording: forget the processes of the one before. */
void unwinding_restart(struct unwinding *u);

/* Take in what a record says about processes and their interpreters, without passing it on. The
 * sink and unwinding_complete do so with each record. */
void unwinding_see(struct unwinding *u, const struct record *r);

/* Return the record as the sink passes it on; valid until the next call. */
const struct record *unwinding_complete(struct unwinding *u, const struct record *r);

/* Add the events, as those of a file are to which the sink's records are written: without registers and
 * copies of stacks. */
void unwinding_describe(const struct eventset *events, struct session *to);

/* Return the record as it has to be kept until its turn: of a sample like one that was unwound before,
 * without the end of the stack, which that walk did not read. Of 20,000 waits a second, copying whole
 * stacks took half of the recorder's time. ctx: struct unwinding. Good until the next call. */
struct span unwinding_shorten(void *ctx, struct span bytes);

void unwinding_free(struct unwinding *u);

#endif
