/* Demangles the names in perf script text (--demangle). Those of perf.data are demangled when they
 * are looked up. */
#ifndef PERF_SCRIPT_PLAINNAMES_H
#define PERF_SCRIPT_PLAINNAMES_H

#include "common/stack/frametab.h"
#include "common/stack/sample.h"
#include "common/demangle/demangle.h"

struct plainnames {
    enum demangle_style style; /* DEMANGLE_NONE: names stay */
    struct frametab *frames;

    /* private */
    uint32_t *plain; /* frame numbers, by that of the frame with a mangled name; INTERN_NONE: not
                      * looked at yet */
    size_t cap;
    uint32_t generation; /* of the frames */
    uint32_t *stack;
    size_t stack_cap;
    struct arena arena;
    struct text name;
};

/* Replace the sample's frames with mangled names by frames with demangled ones, which are added to
 * the frametab. The array is valid until the next call. */
void plainnames_apply(struct plainnames *p, struct sample *s);

#endif
