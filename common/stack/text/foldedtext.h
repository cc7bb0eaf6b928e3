/* Folded stacks: "root;caller;leaf 12", or "root;caller;leaf 12 15" for two compared profiles. See
 * folded(5). */
#ifndef STACK_FOLDEDTEXT_H
#define STACK_FOLDEDTEXT_H

#include "common/base/lines.h"
#include "common/base/out.h"

/* The parts of a line, borrowed from it. */
struct folded {
    struct span stack;
    struct span count;  /* digits, optionally with a point and more digits */
    struct span second; /* count in the other profile; empty if there is one count only */
};

enum folded_item {
    FOLDED_END,   /* end of the file */
    FOLDED_STACK, /* a stack and its counts */
    /* A blank line; or a comment, which begins with "#" and has no count, or is "# key: value". */
    FOLDED_OTHER,
    FOLDED_SKIPPED, /* a line that is not a folded stack: `why` */
};

/* A reader of one file. */
struct foldedtext {
    struct lines *lines;
    /* Number of counts in a line: 1, 2, or 0 for as many as there seem to be; with 0 "# key: 5" is
     * a stack, as in the Perl scripts. */
    int columns;
    /* Number of values of each stack, as named by a first line that pprofutils writes,
     * "samples/count cpu/nanoseconds"; the first value is the count. 0 without such a line. Ignored
     * if columns is 0. */
    int values;
    struct span line; /* the last line, without its newline; valid until the next call */
    const char *why;  /* such as "not a folded stack" */
};

/* Return the number of counts in the lines of the file at whose start `lines` is: two if each
 * folded line of its first 64 KiB ends with two counts, else one. A frame may end with a number
 * ("Thread 5"), so one line is not enough. Consume nothing. */
int foldedtext_columns(struct lines *lines);

/* Start reading a file, which is borrowed. */
void foldedtext_start(struct foldedtext *t, struct lines *lines);

/* Read the next line; for FOLDED_STACK, set *f. */
enum folded_item foldedtext_next(struct foldedtext *t, struct folded *f);

/* Parse a line with `columns` counts: 1, 2, or 0 for as many as there are, up to two. Ignore a
 * carriage return at its end. Return false if there are fewer counts. */
bool folded_parse(struct span line, int columns, struct folded *f);

/* Return true for a comment as other tools write them between stacks: "#" and a blank. A stack may
 * begin like this, too, and is then not recognized; one of a command "#1" is "#1;main 5". */
static inline bool
folded_is_comment(struct span line)
{
    return line.len > 0 && line.ptr[0] == '#' && (line.len == 1 || is_space(line.ptr[1]));
}

/* Return true for a comment with a property of the profile, as Austin writes them: "# key: value".
 * It may end with a number ("# duration: 23873"), which is not a count. */
bool folded_is_property(struct span line);

/* The last line, and the offsets where its frames end: most lines begin like the previous one,
 * which saves half of stackcollapse's instructions on sorted folded text. {0}: no line yet. The
 * owner frees text and ends. */
struct folded_last {
    char *text;
    size_t len, cap;
    uint32_t *ends; /* offsets of the frames' ends; LINES_MAX fits 32 bits */
    size_t nends, ends_cap;
};

/* Return the number of frames that a stack shares with the last line; `common` is the length of the
 * prefix that both share. Set *bytes to the frames' length, without the ";" after them. */
size_t folded_shared(const struct folded_last *last, struct span stack, size_t common,
                     size_t *bytes);

/* Make this the last line. Its first `stack` bytes are frames, none if that is 0, and the first n
 * frames are shared with the previous line. */
void folded_remember(struct folded_last *last, struct span line, size_t stack, size_t n);

/* Write the end of a line, after its stack: " 12\n", or " 12 15\n" if `second` is not empty. */
void folded_write_counts(struct out *o, struct span count, struct span second);

/* Return the frame's name without the mark that stackcollapse --all appends: "_[k]" for the kernel,
 * "_[i]" inlined, "_[j]" JIT-compiled; or without those of async-profiler, "_[0]" interpreted and
 * "_[1]" compiled by C1; or that of flamesvg, "_[w]" for a waker. */
struct span folded_unmarked(struct span name);

/* Remove the first frame from *stack and return it. For an empty stack return an empty frame, and
 * set the stack's ptr to NULL. */
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
