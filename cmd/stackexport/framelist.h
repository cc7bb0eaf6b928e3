/* The frames of exported stacks, each with a number from 0 on: equal frames have equal numbers. */
#ifndef STACKEXPORT_FRAMELIST_H
#define STACKEXPORT_FRAMELIST_H

#include "common/base/vec.h"
#include "common/stack/frames/framekind.h"
#include "common/stack/model/frame.h"
#include "common/stack/model/profile.h"

/* A frame: a name as in folded stacks, and what perf script text says beside it. */
struct named_frame {
    uint32_t name; /* its number in `names` */
    uint32_t dso;  /* its number in `texts`, or FRAMELIST_NONE */
    uint32_t file; /* likewise: of the source line */
    uint32_t line; /* 0: not known */
    uint32_t kind; /* an enum frame_kind; KIND_COUNT: the frame is no function, but the command */
    uint32_t inlined; /* 1: into the next frame towards the root */
};

#define FRAMELIST_NONE INTERN_NONE

/* {.names = {.masks = true}} is an empty one. */
struct framelist {
    struct profile names; /* the names of frames, threads and commands; it has no stacks */
    struct intern texts;  /* DSOs and source files, masked */
    struct intern frames; /* each a struct named_frame, as bytes */
    struct text masked;
};

/* Return the number of a frame. */
static inline uint32_t
framelist_add(struct framelist *l, const struct named_frame *frame)
{
    return intern_add(&l->frames, SPAN_BYTES(*frame));
}

/* Return the number of the frame with this name. `f` is the frame of perf script text that it
 * comes from; `srcline` is its source line, as in "core.c:137", or empty. */
uint32_t framelist_add_perf(struct framelist *l, uint32_t name, const struct frame *f,
                            struct span srcline);

/* Return the number of the frame with this name in folded stacks. */
uint32_t framelist_add_folded(struct framelist *l, uint32_t name);

/* Return the number of the frame that is the command with this name. */
uint32_t framelist_add_comm(struct framelist *l, uint32_t name);

static inline size_t
framelist_count(const struct framelist *l)
{
    return l->frames.count;
}

/* Return the frame of a number. */
struct named_frame framelist_get(const struct framelist *l, uint32_t number);

/* Return the name of a frame. */
static inline struct span
framelist_name(const struct framelist *l, uint32_t number)
{
    return profile_name_text(&l->names, framelist_get(l, number).name);
}

/* Return the text of a DSO or a source file; empty for FRAMELIST_NONE. */
static inline struct span
framelist_text(const struct framelist *l, uint32_t text)
{
    return text != FRAMELIST_NONE ? intern_text(&l->texts, text) : SPAN("");
}

#endif
