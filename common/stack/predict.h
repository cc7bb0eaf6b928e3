/* Predicts the next frame line without scanning for its newline. Stacks repeat: the line after a
 * frame is usually that of the caller that followed last time, and a line with the same first 24
 * bytes as a known one is usually that line. One comparison then confirms the prediction. */
#ifndef STACK_PREDICT_H
#define STACK_PREDICT_H

#include <stdint.h>

#include "common/base/hash.h"
#include "common/base/mem.h"
#include "common/stack/frametab.h"

/* PREDICT_PREFIX bytes hold the address and a little of the symbol. */
enum { PREDICT_PREFIX = 24, PREDICT_SLOTS = 8192 };

struct predict {
    uint32_t *next; /* by frame number: which came after it last time, or INTERN_NONE */
    size_t count, cap;
    uint32_t slots[PREDICT_SLOTS]; /* by prefix: a frame number + 1; 0: empty */
};

/* The slot of the frame line whose text, PREDICT_PREFIX bytes and more, begins here. */
static inline uint32_t *
prefix_slot(struct predict *p, const char *text)
{
    uint64_t h = hash_mix(hash_mix(hash_load(text), hash_load(text + 8)), hash_load(text + 16));
    return &p->slots[h % PREDICT_SLOTS];
}

/* Where the prediction for the line after `frame` is kept. */
static inline uint32_t *
predict_next(struct predict *p, uint32_t frame)
{
    if (frame >= p->count) {
        p->next = mem_grow(p->next, &p->cap, (size_t)frame + 1, sizeof *p->next);
        while (p->count <= frame)
            p->next[p->count++] = INTERN_NONE;
    }
    return &p->next[frame];
}

/* Whether the text from `at` to `end` begins with the frame's line. */
static inline bool
frame_matches(const struct frametab *frames, uint32_t frame, const char *at, const char *end)
{
    if (frame == INTERN_NONE)
        return false;
    struct span text = frames->texts.texts[frame];
    return (size_t)(end - at) >= text.len && memcmp(at, text.ptr, text.len) == 0;
}

/* The frame whose line begins at `at`, or INTERN_NONE if neither prediction holds. *next is the
 * prediction by the callee, and is updated. */
static inline uint32_t
predict_frame(struct predict *p, const struct frametab *frames, uint32_t *next, const char *at,
              const char *end)
{
    if (frame_matches(frames, *next, at, end))
        return *next;
    if (end - at < PREDICT_PREFIX || *at == '\n')
        return INTERN_NONE;
    uint32_t frame = *prefix_slot(p, at) - 1;
    return frame_matches(frames, frame, at, end) ? (*next = frame) : INTERN_NONE;
}

#endif
