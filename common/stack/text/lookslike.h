/* Guesses what a file is: which of the two formats, or, if it has no usable line or few, what else,
 * for the message about it. */
#ifndef STACK_LOOKSLIKE_H
#define STACK_LOOKSLIKE_H

#include "common/stack/text/input.h"

enum { LOOKSLIKE_BYTES = 4096 }; /* looks_like needs no more of a file */

/* Return what the file that begins with `head` looks like, and what to do, as the end of a sentence
 * "this looks like ...": "perf script text: fold it with stackcollapse". The text is static, and
 * empty if it is folded stacks or unknown. `head` may end in the middle of a line. */
struct span looks_like(struct span head);

/* In the order of --from=perf|folded|guess. */
enum input_format { INPUT_PERF, INPUT_FOLDED, INPUT_GUESS };

/* Return the format of the first line that can be in one of the two only. If there is none near the
 * beginning it is INPUT_PERF. Consumes nothing. */
enum input_format looks_format(struct lines *l);

/* What looks_like and looks_binary need of a file that begins here. Consumes nothing; valid until
 * more is read. */
struct span looks_head(struct lines *l);

/* Copy that to `copy`, which has LOOKSLIKE_BYTES bytes, for when the file is read: looks_like takes as
 * long as folding 30 samples, and is rarely needed. */
struct span looks_copy_head(struct lines *l, char *copy);

/* looks_head for a program that passes samples on while they come: a file whose first line, after
 * comments, is a sample's header is not waited for, and gives "". Either way the answer does not
 * depend on how much each read gives. */
struct span looks_head_unless_perf(struct lines *l);

/* Return the first lines of a file that begins here, 64 KiB at most, the last of them whole.
 * Consumes nothing; valid until more is read. */
struct span looks_first_lines(struct lines *l);

/* How many of those lines are perf script text, frames only within a sample, and how many others
 * are neither blank nor comments. If the first LOOKS_ENOUGH are perf script text, the rest is not
 * looked at: all 64 KiB take as many instructions as folding 150 samples. */
enum { LOOKS_ENOUGH = 8 };
struct looks_share {
    size_t perf, other;
};
struct looks_share looks_perf_share(struct lines *l);

/* Return false for a line that ends in a number as folded stacks do, but is most likely another
 * text: "timeout = 30", "INFO: listening on port 8080", "cpu0 3 5 0 12". */
bool looks_folded(struct span line);

/* Return whether the file that begins with `head` is binary data, and not text with some odd
 * bytes. */
bool looks_binary(struct span head);

/* Report the open file, read to its end, if more of its lines were skipped than `used`: as an error
 * with `is_error` or if `looks`, which is what looks_like() returned, says what it is, else as a
 * warning. For a Perl script (in->as_is) it does nothing. */
void looks_report_skipped(const struct input *in, struct span looks, size_t used, bool is_error);

/* Report that no line of the open file could be used as perf script text or folded stacks. */
void looks_report_unusable(const struct input *in, struct span looks);

#endif
