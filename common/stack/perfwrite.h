/* Writes samples as perf script text, the way perf 6.1 prints them, from their parts alone. */
#ifndef STACK_PERFWRITE_H
#define STACK_PERFWRITE_H

#include "common/base/out.h"
#include "common/stack/frametab.h"
#include "common/stack/sample.h"

/* A writer for samples whose frames are in one frametab. A frame's text is composed once. */
struct perfwrite {
    struct out *out;
    const struct frametab *frames;

    /* private from here */
    struct span *lines; /* by frame number; ptr NULL: not composed yet */
    size_t count, cap;
    struct arena arena;
    char *header;
    size_t header_cap;
};

/* Borrows both. */
void perfwrite_init(struct perfwrite *w, struct out *out, const struct frametab *frames);

/* Writes the header, the frames and, after a stack or where the sample says so, a blank line. */
void perfwrite_sample(struct perfwrite *w, const struct sample *s);

void perfwrite_free(struct perfwrite *w);

#endif
