/* Regular expressions from profiles, in the syntax of Go (RE2):
 *
 *     runtime\.(?:malloc|new)\w*
 *
 * https://github.com/google/re2/wiki/Syntax
 *
 * They come from a file, so the time to match one must be bounded. That of libc's regexec(3) is
 * not: glibc took half a second for each name with an expression of 3 KB. */
#ifndef STACKCOLLAPSE_RE2_H
#define STACKCOLLAPSE_RE2_H

#include <stdint.h>

#include "common/base/text.h"
#include "common/base/vec.h"

/* {0} has no expression. */
struct re2 {
    /* private */
    struct text sets;                 /* sets of bytes, 32 bytes each, with a bit for each member */
    VEC(struct re2_instruction) code; /* see re2.c */
    VEC(uint32_t) states[2];          /* states reached before a byte, and after it */
    VEC(uint32_t) marks;              /* indexed by instruction: last step that reached it */
    uint32_t step;
    uint64_t work; /* number of instructions executed */
};

/* Compile an expression, which must match a whole text, byte by byte. Return NULL, or why it cannot
 * be used: "it has a counted repetition". Call re2_free in either case. */
const char *re2_compile(struct re2 *re, struct span text);

/* Return true if the expression matches all of s; false for any text once re2_is_exhausted. */
bool re2_matches(struct re2 *re, struct span s);

/* Return true if matching has used up its time, about a second. */
bool re2_is_exhausted(const struct re2 *re);

void re2_free(struct re2 *re);

#endif
