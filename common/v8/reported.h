/* What is known of a process, and which part of that was reported to the sink. */
#ifndef V8_REPORTED_H
#define V8_REPORTED_H

#include "common/v8/inlined.h"
#include "common/v8/sink.h"

struct reported {
    const struct v8layout *layout;
    const struct v8names_sink *sink;
    struct heap heap;
    struct functions functions;
    struct places places;
    struct inlined inlined;
    uint64_t labels; /* bytes of labels that may still be reported; the owner sets it */
    uint64_t recent; /* no frame that may still get or lose a name is older than this time */

    /* private */
    struct text label;
    uint64_t made; /* places that were made */
};

/* Begin with nothing; all are borrowed. */
void reported_init(struct reported *t, const struct v8layout *l, const struct v8memory *m,
                   const struct v8names_sink *sink);

/* Report the name of the place, whose function is known, from this time on. Return false if line
 * and column cannot be read now, or if the label is longer than `labels`. */
bool reported_name(struct reported *t, uint32_t place, uint64_t since);

/* Read which calls were inlined at a return address in the place, if the sink wants that and it is
 * not known. Set *is_new if it was read. V8_BAD: it cannot be read now. */
enum v8status reported_read_inlined(struct reported *t, uint32_t place, uint64_t pc, bool *is_new);

/* Report the calls that were inlined at a return address in the place, which has a name, from this
 * time on. Do nothing if they are not known, or there are none. */
void reported_inlined(struct reported *t, uint32_t place, uint64_t pc, uint64_t since);

/* Report that the place has no name from just after `valid` on, but not from before `recent`: it is
 * not certain any more what is there. */
void reported_unsure(struct reported *t, uint32_t place);

/* Report the name of a place whose code has a name by its kind (code_label), from this time on. */
void reported_kind(struct reported *t, uint32_t place, uint64_t since);

/* Note that code of WebAssembly, not WASM_NONE, ran at the address at this time, and report its
 * label for this address from then on, unless the sink has it. What was there before is gone. */
void reported_wasm(struct reported *t, uint64_t addr, enum wasm wasm, uint64_t time);

/* Do the same as reported_unsure, and remove the place from its addresses: something else is there
 * now. */
void reported_gone(struct reported *t, uint32_t place);

/* Return the number of the place. If it is not known, add it, and call reported_gone for the places
 * that it replaces. */
uint32_t reported_put(struct reported *t, struct place *p);

/* Report that nothing has a name from `recent` on. What is known is kept. */
void reported_nothing(struct reported *t);

/* Forget everything, and report that nothing has a name from `recent` on. */
void reported_forget(struct reported *t);

/* Return how much memory all of it takes, in bytes. */
size_t reported_size(const struct reported *t);

void reported_free(struct reported *t);

#endif
