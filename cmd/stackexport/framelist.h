/* The frames of exported stacks, numbered from 0. Equal frames have the same number. */
#ifndef STACKEXPORT_FRAMELIST_H
#define STACKEXPORT_FRAMELIST_H

#include "common/base/vec.h"
#include "common/stack/frames/framekind.h"
#include "common/stack/model/frame.h"
#include "common/stack/model/profile.h"

/* A frame: its name as in folded stacks, and what perf script text also tells about it. */
struct named_frame {
    uint32_t name;    /* number in `names` */
    uint32_t dso;     /* number in `texts`; FRAMELIST_NONE: not known */
    uint32_t file;    /* source file: number in `texts`; FRAMELIST_NONE: not known */
    uint32_t line;    /* source line; 0: not known */
    uint32_t kind;    /* an enum frame_kind; KIND_COUNT: the command, not a function */
    uint32_t inlined; /* 1: inlined into the next frame towards the root; else 0 */
};

#define FRAMELIST_NONE INTERN_NONE

/* {.names = {.masks = true}} is empty. */
struct framelist {
    struct profile names; /* names of frames, threads and commands; without stacks */
    struct intern texts;  /* DSOs and source files, masked */
    struct intern frames; /* the bytes of each struct named_frame */
    struct text masked;   /* buffer */
};

/* Add a frame if it is new. Return its number. */
static inline uint32_t
framelist_add(struct framelist *l, const struct named_frame *frame)
{
    return intern_add(&l->frames, SPAN_BYTES(*frame));
}

/* Add the frame of this name if it is new. Return its number. `f` is the frame in perf script text;
 * `srcline` is its source line, such as "core.c:137", or empty. */
uint32_t framelist_add_perf(struct framelist *l, uint32_t name, const struct frame *f,
                            struct span srcline);

/* The same for the frame of this name in folded stacks. */
uint32_t framelist_add_folded(struct framelist *l, uint32_t name);

/* The same for the command of this name. */
uint32_t framelist_add_comm(struct framelist *l, uint32_t name);

static inline size_t
framelist_count(const struct framelist *l)
{
    return l->frames.count;
}

/* Return the frame with this number. */
struct named_frame framelist_get(const struct framelist *l, uint32_t number);

/* Return the name of a frame. */
static inline struct span
framelist_name(const struct framelist *l, uint32_t number)
{
    return profile_name_text(&l->names, framelist_get(l, number).name);
}

/* Return the name of a DSO or source file; empty for FRAMELIST_NONE. */
static inline struct span
framelist_text(const struct framelist *l, uint32_t text)
{
    return text != FRAMELIST_NONE ? intern_text(&l->texts, text) : SPAN("");
}

#endif
