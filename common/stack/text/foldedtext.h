/* Folded stacks: "root;caller;leaf 12", or "root;caller;leaf 12 15" where two profiles are
 * compared. See folded(5). */
#ifndef STACK_FOLDEDTEXT_H
#define STACK_FOLDEDTEXT_H

#include "common/base/lines.h"
#include "common/base/out.h"

/* The parts of a line, borrowed from it. */
struct folded {
    struct span stack;
    struct span count;  /* digits, perhaps a point and digits */
    struct span second; /* of the other profile; empty where there is one count only */
};

enum folded_item {
    FOLDED_END,     /* of the file */
    FOLDED_STACK,   /* a stack and its counts */
    FOLDED_OTHER,   /* a blank line, or a comment: it begins with "#" and has no count, or is
                     * "# key: value" */
    FOLDED_SKIPPED, /* a line that is not a folded stack: `why` */
};

/* A reader of one file. */
struct foldedtext {
    struct lines *lines;
    int columns;      /* how many counts a line has: 1, 2, or 0 for as many as it seems to have;
                       * with 0 "# key: 5" is a stack, as in the Perl scripts */
    int values;       /* how many values of each stack the first line names, as pprofutils writes
                       * it, "samples/count cpu/nanoseconds", of which the first is the count;
                       * 0 without such a line. Ignored if columns is 0 */
    struct span line; /* read last, without its newline; valid until the next call */
    const char *why;  /* "not a folded stack" */
};

/* Return how many count columns the file has that `lines` is at the start of: two if each folded
 * line of its first 64 KiB ends in two counts, else one. A frame may end in a number ("Thread 5"),
 * so one line alone cannot tell. Consumes nothing. */
int foldedtext_columns(struct lines *lines);

/* Start on a file, which is borrowed. */
void foldedtext_start(struct foldedtext *t, struct lines *lines);

/* Read the next line; for FOLDED_STACK, fill *f. */
enum folded_item foldedtext_next(struct foldedtext *t, struct folded *f);

/* Parse a line with `columns` counts: 1, 2, or 0 for as many as there are, up to two. A carriage
 * return at its end is ignored. Return false if it has fewer counts than that. */
bool folded_parse(struct span line, int columns, struct folded *f);

/* Return true for a comment, as other tools write them between stacks: "#" and a blank. A stack may
 * begin so too, but is not known by that; one of a command named "#1" is "#1;main 5". */
static inline bool
folded_is_comment(struct span line)
{
    return line.len > 0 && line.ptr[0] == '#' && (line.len == 1 || is_space(line.ptr[1]));
}

/* Return true for a comment that says something about the profile, as Austin writes them: "# key:
 * value". It may end in a number ("# duration: 23873"), which is no count. */
bool folded_is_property(struct span line);

/* The last line, and where its frames end: most lines begin as the one before, which saves half of
 * stackcollapse's instructions on sorted folded text. {0}: there was no line. Its owner frees text
 * and ends. */
struct folded_last {
    char *text;
    size_t len, cap;
    uint32_t *ends; /* of the frames, in bytes from the start; LINES_MOST fits 32 bits */
    size_t nends, ends_cap;
};

/* Return how many frames at the start of a stack are those of the last line, with which it shares
 * its first `common` bytes. *bytes becomes their length, without the ";" after them. */
size_t folded_shared(const struct folded_last *last, struct span stack, size_t common,
                     size_t *bytes);

/* Make this the last line. Its first `stack` bytes are frames, none if that is 0, and the first n
 * of them are shared with the line before. */
void folded_remember(struct folded_last *last, struct span line, size_t stack, size_t n);

/* Write the end of a line, after its stack: " 12\n", or " 12 15\n" if `second` is not empty. */
void folded_write_counts(struct out *o, struct span count, struct span second);

/* Return the frame's name without the mark that stackcollapse --all appends: "_[k]" of the kernel,
 * "_[i]" inlined, "_[j]" JIT-compiled; or async-profiler's "_[0]" interpreted and "_[1]" compiled
 * by C1; or flamesvg's "_[w]" of a waker. */
struct span folded_unmarked(struct span name);

/* Take the first frame off *stack. An empty stack gives one empty frame and then ptr NULL. */
static inline struct span
folded_frame(struct span *stack)
{
    size_t semicolon = span_find(*stack, ';');
    if (semicolon == SPAN_NONE) {
        struct span last = *stack;
        *stack = (struct span){NULL, 0};
        return last;
    }
    struct span frame = span_head(*stack, semicolon);
    *stack = span_from(*stack, semicolon + 1);
    return frame;
}

#endif
