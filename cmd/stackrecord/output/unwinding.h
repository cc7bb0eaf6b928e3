/* Unwinds the stacks of samples that have registers and a copy of the stack: a sink of records that
 * passes each sample on with a whole callchain in place of these. So what follows, and a file of
 * -o, has callchains alone, as if the kernel had found all callers.
 *
 *     callchain     kernel: tcp_sendmsg, ...   user: by frame pointers, where code has them
 *     unwound       main, start, ...           joined with those where it can be
 *     passed on     kernel: tcp_sendmsg, ...   user: all
 *
 * All other records pass. */
#ifndef STACKRECORD_UNWINDING_H
#define STACKRECORD_UNWINDING_H

#include "common/stage/sink.h"
#include "common/base/text.h"
#include "common/symbolize/heldfiles.h"
#include "common/symbolize/recordsource.h"

struct unwinding {
    struct recordsink sink;
    struct session session; /* as it is recorded, but for registers and stacks: for the next sink */

    uint16_t max_depth; /* entries that a callchain may have; 0: as many as there are. Set by the
                           caller, as `limit` of the unwinder */
    struct unwinder unwinder;

    /* private from here */
    struct recordsink *to;
    const struct eventset *events; /* as recorded */
    struct recordsource *source;   /* knows which files the processes have */
    struct heldfiles *held;        /* NULL: the source gets its records elsewhere */
    struct text chain, bytes, shortened;
};

/* Prepare to unwind the samples of the session; borrow all. The caller calls recordsource_begin() on
 * the source before the first sample. With `held`, the records that are not samples are given to the
 * source here, and files that cannot be opened later are held there. Where `held` is NULL, one of the
 * next sinks gives them to the source, before it returns. */
void unwinding_init(struct unwinding *u, const struct session *session, struct recordsource *source,
                    struct heldfiles *held);

/* Return the sink, which passes on to `to`. */
struct recordsink *unwinding_sink(struct unwinding *u, struct recordsink *to);

/* Return the record as it has to be kept until its turn: of a sample like one that was unwound before,
 * without the end of the stack, which that walk did not read. Of 20,000 waits a second, copying whole
 * stacks took half of the recorder's time. ctx: struct unwinding. Good until the next call. */
struct span unwinding_shorten(void *ctx, struct span bytes);

#endif
