/* Names the frames of perf script text: looks up JIT frames that have no name by their address
 * (jitnames.h), and demangles names. In recordings, the symbolizer does both. */
#ifndef SYMBOLIZE_NAMING_H
#define SYMBOLIZE_NAMING_H

#include "common/demangle/demangle.h"
#include "common/stack/model/frametab.h"
#include "common/stack/model/sample.h"
#include "common/symbolize/jitnames.h"

/* Begin with {.names = ..., .frames = ..., .demangle = ...}. */
struct naming {
    struct jitnames *names;  /* its names must not change while text is read; NULL: none */
    struct frametab *frames; /* frames with names are added to it */
    enum demangle_style demangle;

    /* private from here */
    uint32_t generation; /* of the frames */
    struct intern asked; /* process and frame */
    uint32_t *named;     /* indexed by number in `asked`: the named frame, or the frame itself */
    size_t named_cap;
    struct arena arena;
    struct text name;
    uint32_t *stack; /* of the current sample */
    size_t stack_cap;
};

/* Return the process id of the sample, or else its thread id; -1 if it has neither. */
int64_t naming_process(const struct perf_header *h);

/* Replace the sample's frames by named ones, which are added to the frametab. The sample's array of
 * frames is valid until the next call. */
void naming_apply(struct naming *n, struct sample *s);

void naming_free(struct naming *n);

#endif
