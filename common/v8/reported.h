/* What is known of a process, and which part of it was reported to the sink. */
#ifndef V8_REPORTED_H
#define V8_REPORTED_H

#include "common/v8/sink.h"
#include "common/v8/site.h"

struct reported {
    const struct v8layout *layout;
    const struct v8names_sink *sink;
    struct heap heap;
    struct functions functions;
    struct places places;
    struct sites sites;
    uint64_t labels; /* bytes of labels that may still be reported; set by the owner */
    uint64_t recent; /* frames that may still get or lose a name are not older than this */

    /* private */
    struct text label;
    uint64_t made; /* number of places made so far */
};

/* Initialize. All arguments are borrowed. */
void reported_init(struct reported *t, const struct v8layout *l, const struct v8memory *m,
                   const struct v8names_sink *sink);

/* Report the name of the place, whose function is known, from `since` on. Return false if its line
 * and column cannot be read now, or if the label is longer than `labels`. */
bool reported_name(struct reported *t, uint32_t place, uint64_t since);

/* Read what is inlined at an address in the place, and its lines, if the sink wants them and they
 * are unknown. `calls`: the address is that of a call. Set *is_new if they were read. V8_BAD: they
 * cannot be read now. */
enum v8status reported_read_site(struct reported *t, uint32_t place, uint64_t addr, bool calls,
                                 bool *is_new);

/* Report what reported_read_site has read, for a place that has a name, from `since` on. Do nothing
 * if nothing is known. */
void reported_site(struct reported *t, uint32_t place, uint64_t addr, uint64_t since);

/* Report that the place has no name from just after `valid` on, but not before `recent`: its
 * contents are uncertain now. */
void reported_unsure(struct reported *t, uint32_t place);

/* Report the name of a place that is named by its kind of code (code_label), from `since` on. */
void reported_kind(struct reported *t, uint32_t place, uint64_t since);

/* Note that WebAssembly code, not WASM_NONE, ran at the address at this time. Report its label for
 * this address from then on, unless the sink has it. The previous place there is gone. */
void reported_wasm(struct reported *t, uint64_t addr, enum wasm wasm, uint64_t time);

/* As reported_unsure, and remove the place from its addresses: something else is there now. */
void reported_gone(struct reported *t, uint32_t place);

/* Return the number of the place. If it is new, add it, and call reported_gone for the places that
 * it replaces. */
uint32_t reported_put(struct reported *t, struct place *p);

/* Report that nothing has a name from `recent` on, but keep what is known. */
void reported_nothing(struct reported *t);

/* Forget everything, and report that nothing has a name from `recent` on. */
void reported_forget(struct reported *t);

/* Return the size of everything in memory, in bytes. */
size_t reported_size(const struct reported *t);

void reported_free(struct reported *t);

#endif
