/* Guesses the format of a file: perf script text or folded text. If few or no lines are usable,
 * guesses what else the file is, for the message about it. */
#ifndef STACK_LOOKSLIKE_H
#define STACK_LOOKSLIKE_H

#include "common/stack/text/input.h"

enum { LOOKSLIKE_BYTES = 4096 }; /* number of bytes at the start of a file that looks_like needs */

/* Return what the file that begins with `head` looks like, and what to do, as the end of a sentence
 * "this looks like ...": "perf script text: fold it with stackcollapse". The text is static; it is
 * empty for folded stacks and for unknown files. `head` may end in the middle of a line. */
struct span looks_like(struct span head);

/* In the order of --from=perf|folded|guess. */
enum input_format { INPUT_PERF, INPUT_FOLDED, INPUT_GUESS };

/* Return the format of the first line that can be in only one of the two. If there is none near the
 * beginning, return INPUT_PERF. Consume nothing. */
enum input_format looks_format(struct lines *l);

/* Return the head of the file, as needed by looks_like and looks_binary. Consume nothing. Valid
 * until more is read. */
struct span looks_head(struct lines *l);

/* Copy looks_head() to `copy`, which has LOOKSLIKE_BYTES bytes, for use after the file was read:
 * looks_like takes as long as folding 30 samples, and is rarely needed. */
struct span looks_copy_head(struct lines *l, char *copy);

/* As looks_head, for a program that passes samples on immediately: if the first line after comments
 * is a sample's header, do not wait for more of the file, and return "". The result does not depend
 * on how much each read returns. */
struct span looks_head_unless_perf(struct lines *l);

/* Return the first lines of the file, at most 64 KiB, the last one whole. Consume nothing. Valid
 * until more is read. */
struct span looks_first_lines(struct lines *l);

/* Return how many of these lines are perf script text, counting frames only within a sample, and
 * how many others are neither blank nor comments. If the first LOOKS_ENOUGH are perf script text,
 * ignore the rest: all 64 KiB take as many instructions as folding 150 samples. */
enum { LOOKS_ENOUGH = 8 };
struct looks_share {
    size_t perf, other;
};
struct looks_share looks_perf_share(struct lines *l);

/* Return false for a line that ends with a number like folded stacks, but is most likely another
 * text: "timeout = 30", "INFO: listening on port 8080", "cpu0 3 5 0 12". */
bool looks_folded(struct span line);

/* Return true if the file that begins with `head` is binary data, not text with some odd bytes. */
bool looks_binary(struct span head);

/* Report the open file, which was read to its end, if more of its lines were skipped than `used`:
 * as an error with `is_error`, or if `looks`, the result of looks_like(), is not empty; else as a
 * warning. Do nothing for a Perl script (in->as_is). */
void looks_report_skipped(const struct input *in, struct span looks, size_t used, bool is_error);

/* Report that no line of the open file could be used as perf script text or folded stacks. */
void looks_report_unusable(const struct input *in, struct span looks);

#endif
