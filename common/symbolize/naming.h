/* Names for perf script text: JIT frames without a name get the one that somebody has for the address
 * (jitnames.h), and names are demangled. For recordings the symbolizer does both. */
#ifndef SYMBOLIZE_NAMING_H
#define SYMBOLIZE_NAMING_H

#include "common/demangle/demangle.h"
#include "common/stack/model/frametab.h"
#include "common/stack/model/sample.h"
#include "common/symbolize/jitnames.h"

/* {.names, .frames, .demangle} has named nothing. */
struct naming {
    struct jitnames *names;  /* NULL: there are none. They do not change while text is read */
    struct frametab *frames; /* gets the frames with names */
    enum demangle_style demangle;

    /* private from here */
    uint32_t generation; /* of the frames */
    struct intern asked; /* process and frame */
    uint32_t *named;     /* by the number there: the frame with its name, or the frame itself */
    size_t named_cap;
    struct arena arena;
    struct text name;
    uint32_t *stack; /* of the current sample */
    size_t stack_cap;
};

/* Return the process that the sample is of: a thread id without a process id is taken for it; -1: it has
 * neither. */
int64_t naming_process(const struct perf_header *h);

/* Replace the sample's frames by frames with the names that they are to have, which are added to the
 * frametab. The array is valid until the next call. */
void naming_apply(struct naming *n, struct sample *s);

void naming_free(struct naming *n);

#endif
