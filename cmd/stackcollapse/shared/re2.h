/* Regular expressions that a profile holds, in the syntax of Go (RE2):
 *
 *     runtime\.(?:malloc|new)\w*
 *
 * https://github.com/google/re2/wiki/Syntax
 *
 * They come out of a file, so the time to match one is bounded, which that of no libc's regexec(3)
 * is: an expression of 3 KB took glibc half a second for each name. */
#ifndef STACKCOLLAPSE_RE2_H
#define STACKCOLLAPSE_RE2_H

#include <stdint.h>

#include "common/base/text.h"
#include "common/base/vec.h"

/* {0} is none. */
struct re2 {
    /* private */
    struct text sets;                 /* 32 bytes each, a bit for each byte that a set has */
    VEC(struct re2_instruction) code; /* see re2.c */
    VEC(uint32_t) states[2];          /* that are reached before a byte, and after it */
    VEC(uint32_t) marks;              /* by instruction: the number of the step that reached it */
    uint32_t step;
    uint64_t work; /* instructions that were looked at */
};

/* Compile an expression that is to match all of a text, byte by byte. Return NULL, or why it cannot
 * be used: "it has a counted repetition". Either way re2_free frees it. */
const char *re2_compile(struct re2 *re, struct span text);

/* Return true if it matches all of s. False for all texts once re2_is_exhausted. */
bool re2_matches(struct re2 *re, struct span s);

/* Return true if the texts matched so far took as much time as they may: a second or so. */
bool re2_is_exhausted(const struct re2 *re);

void re2_free(struct re2 *re);

#endif
