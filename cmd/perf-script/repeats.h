/* Counts equal stacks in a stretch of samples, so that the work for frames and stacks with the same
 * names is done only once. Two thirds of the frames of a recording of node differ from others in
 * their address alone, and one stack in five is different: this saves a third of the time of
 * --folded --node --report. */
#ifndef PERF_SCRIPT_REPEATS_H
#define PERF_SCRIPT_REPEATS_H

#include "common/base/decimal.h"
#include "common/base/text.h"
#include "common/base/vec.h"
#include "common/stack/model/frametab.h"
#include "common/stack/model/sample.h"

struct repeat {
    uint32_t command; /* numbered from 0, by first sample */
    bool taken; /* from the caller of repeats_add; equal stacks with another value are separate */
    uint64_t times;
    struct decimal weight; /* sum of the weights */
};

/* {.frames} is an empty one. */
struct repeats {
    const struct frametab *frames; /* of the samples; borrowed */
    struct repeat *rows;           /* in the order of their first samples */
    size_t count;                  /* number of rows */
    /* By frame number: number of frames with the names of this one, if it is the first of them. */
    VEC(uint32_t) variants;

    /* private from here */
    size_t cap, bytes;
    struct intern names; /* of frames: symbol and DSO, and whether the name is doubtful */
    VEC(uint32_t)
    firsts; /* by frame number: the first one of the same names, from 1; 0: not known */
    VEC(uint32_t) by_name;
    struct text name;
    struct intern stacks, commands;
    uint32_t command; /* of the last sample */
    uint32_t *key;
    size_t key_cap;
};

/* Add a sample. Commands are numbered in the order of their first samples. */
void repeats_add(struct repeats *r, const struct sample *s, bool taken, struct decimal weight);

/* Return true if the stacks should be used and forgotten now, so that they do not fill the memory
 * or the CPU's caches. */
bool repeats_are_full(const struct repeats *r);

/* Set *s to a sample with stack i: its command, frames with its names, and whether a frame is in
 * the header. Valid until the next call. */
void repeats_sample(struct repeats *r, size_t i, struct sample *s);

/* Forget the stacks, but not the commands' numbers. */
void repeats_forget(struct repeats *r);

#endif
