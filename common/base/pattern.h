/* POSIX extended regular expressions over spans. */
#ifndef BASE_PATTERN_H
#define BASE_PATTERN_H

#include <regex.h>

#include "common/base/span.h"

struct pattern {
    regex_t re;
};

/* A text is searched in its first PATTERN_TEXT bytes, where $ matches only if it ends there. A libc
 * searches from each byte on, so the time grows with the square of the text: glibc takes 1.5 ms for
 * "a.*b" in 1,024 times "a", and would take 25 ms in 4,096. Of the functions of Node.js and of LLVM
 * fewer than one in 200 have a longer name. */
enum { PATTERN_ERROR = 160, PATTERN_TEXT = 1024 };

/* Compile the expression; `text` is borrowed for the call only. Return false if it is invalid, or
 * has a back reference, which no libc matches in bounded time; then `error`, PATTERN_ERROR bytes,
 * says why. If true, pattern_free frees it. */
bool pattern_compile(struct pattern *p, const char *text, char *error);

/* Return true if it matches somewhere in s, which may hold NUL bytes. */
bool pattern_matches(const struct pattern *p, struct span s);

/* As pattern_matches, from byte `from` on; there ^ matches only if from is 0. match[0..n-1] get the
 * offsets of the match and its groups, in bytes from the start of s (rm_so is -1 for a group that
 * took no part); n is at most 10. */
bool pattern_search(const struct pattern *p, struct span s, size_t from, regmatch_t *match,
                    size_t n);

/* Free what pattern_compile made. */
void pattern_free(struct pattern *p);

#endif
