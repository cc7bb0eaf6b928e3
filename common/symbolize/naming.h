/* Names for perf script text: JIT frames without a name get the one that somebody has for the address
 * (jitnames.h). Recordings need none of this, since the symbolizer asks. */
#ifndef SYMBOLIZE_NAMING_H
#define SYMBOLIZE_NAMING_H

#include "common/stack/model/frametab.h"
#include "common/stack/model/sample.h"
#include "common/symbolize/jitnames.h"

/* {.names, .frames} has named nothing. */
struct naming {
    struct jitnames *names;  /* nothing of it changes while text is read */
    struct frametab *frames; /* gets the frames with names */

    /* private from here */
    uint32_t generation;  /* of the frames */
    unsigned char *kinds; /* by a frame's number; 0: not looked at yet */
    size_t kinds_cap;
    struct intern asked; /* process and frame */
    uint32_t *named;     /* by the number there: the frame with its name, or the frame itself */
    size_t named_cap;
    uint32_t *stack; /* of the current sample */
    size_t stack_cap;
};

/* Return the process that the sample is of: a thread id without a process id is taken for it; -1: it has
 * neither. */
int64_t naming_process(const struct perf_header *h);

/* Replace the sample's JIT frames without a name by frames with the name that the code has, which are
 * added to the frametab. The array is valid until the next call. */
void naming_apply(struct naming *n, struct sample *s);

void naming_free(struct naming *n);

#endif
