/* POSIX extended regular expressions for spans. */
#ifndef BASE_PATTERN_H
#define BASE_PATTERN_H

#include <regex.h>

#include "common/base/span.h"

struct pattern {
    regex_t re;
};

/* Only the first PATTERN_TEXT bytes of a text are searched; $ matches there only if the text ends
 * there. A libc searches from each byte on, so the time grows with the square of the length: glibc
 * takes 1.5 ms for "a.*b" in 1,024 times "a", and would take 25 ms in 4,096. Of the functions of
 * Node.js and of LLVM, fewer than one in 200 have a longer name. */
enum { PATTERN_ERROR = 160, PATTERN_TEXT = 1024 };

/* Compile the expression; `text` is borrowed only during the call. Return false if it is invalid,
 * or has a back reference, which no libc matches in bounded time; then `error`, PATTERN_ERROR
 * bytes, has the reason. On success, free it with pattern_free. */
bool pattern_compile(struct pattern *p, const char *text, char *error);

/* Return true if the pattern matches anywhere in s, which may contain NUL bytes. */
bool pattern_matches(const struct pattern *p, struct span s);

/* As pattern_matches, from byte `from` on; there ^ matches only if from is 0. Set match[0..n-1] to
 * the offsets of the match and its groups, in bytes from the start of s (rm_so is -1 for a group
 * that took no part); n is at most 10. */
bool pattern_search(const struct pattern *p, struct span s, size_t from, regmatch_t *match,
                    size_t n);

/* Free a compiled pattern. */
void pattern_free(struct pattern *p);

#endif
