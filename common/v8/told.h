/* What is known of a process, and what the sink was told of it. */
#ifndef V8_TOLD_H
#define V8_TOLD_H

#include "common/v8/place.h"
#include "common/v8/sink.h"

struct told {
    const struct v8layout *layout;
    const struct v8names_sink *sink;
    struct heap heap;
    struct functions functions;
    struct places places;
    uint64_t labels; /* bytes of labels that the sink may be told; whoever begins sets it */
    uint64_t recent; /* no frame that may get a name, or lose one, is older */

    /* private */
    struct text label;
};

/* Begin with nothing; all are borrowed. */
void told_init(struct told *t, const struct v8layout *l, const struct v8memory *m,
               const struct v8names_sink *sink);

/* Tell the sink the name of the place, which has a function, from this time on. False: line and column cannot
 * be read now, or too much was told. */
bool told_name(struct told *t, uint32_t place, uint64_t since);

/* It is not sure any more what is in the place: tell that it has no name since it was seen last. */
void told_unsure(struct told *t, uint32_t place);

/* The same for compiled regular expressions, which all have one name. */
void told_regexp(struct told *t, uint32_t place, uint64_t since);

/* Something else is in the place now: tell so in the same way. */
void told_gone(struct told *t, uint32_t place);

/* Return the number of the place; if it is not known, add it, and tell that what it replaces is
 * gone. */
uint32_t told_put(struct told *t, struct place *p);

/* Forget everything, and tell so. */
void told_forget(struct told *t);

/* Return how much memory it takes, in bytes. */
size_t told_size(const struct told *t);

void told_free(struct told *t);

#endif
