/* Perf script text, read sample by sample: the source for text. */
#ifndef STACK_PERFTEXT_H
#define STACK_PERFTEXT_H

#include "common/base/lines.h"
#include "common/stack/text/headercache.h"
#include "common/stack/text/perfline.h"
#include "common/stack/model/source.h"

/* How to read the text. perf_rules accepts everything that perf prints; stackcollapse has another
 * set, which reads like stackcollapse-perf.pl. */
struct perf_rules {
    enum perf_line (*line)(struct span line, struct perf_header *h);
    frame_parser *frame;
    /* Return the number of source lines, blank or not, that follow this frame line. NULL: a line
     * that looks like a source line is one, and a blank line is one if a frame line follows it. */
    size_t (*srclines)(struct span frame);
    bool header_ends_sample; /* else it replaces the sample's header, and the frames are kept */
    bool blank_ends_sample;  /* else the next header does */
    bool end_ends_sample;    /* at the end of a file; else the sample goes on in the next file */
    bool bare_headers;       /* PERF_LINE_BARE, or a blank line, is a header if a frame follows */
};

extern const struct perf_rules perf_rules;

/* A prefix of PREDICT_PREFIX bytes has the address and a little of the symbol. */
enum { PREDICT_PREFIX = 24, PREDICT_SLOTS = 8192 };

/* Predict the next frame line without scanning for its newline. Stacks repeat: a frame is usually
 * followed by the same caller as last time, and a line with the same first 24 bytes as a known one
 * is usually that line. One comparison then confirms the prediction, which saves 38 % of
 * stackcollapse's instructions on the recording node-http. */
struct predict {
    uint32_t *next; /* by frame number: the frame that followed last time, or INTERN_NONE */
    size_t count, cap;
    uint32_t slots[PREDICT_SLOTS]; /* by prefix: a frame number + 1; 0: empty */
};

struct perftext {
    struct source source; /* see there for the members that the consumer uses */

    struct frametab frames; /* the source's table; another source may add to it */

    /* private from here */
    const struct perf_rules *rules;
    struct lines *lines;
    struct span line; /* without newline */
    enum perf_line kind;
    struct perf_header header; /* of `line` */
    struct predict predict;
    struct headercache headers;
    uint32_t last; /* the last frame; INTERN_NONE: a header */
    uint32_t *stack;
    size_t stack_cap;
    char *text; /* of the sample's header */
    size_t text_cap;
    char *joined; /* a frame line and its source line */
    size_t joined_cap;
    size_t too_long; /* lines that were too long to be read, up to the last one */
    /* For the open file: fields of the last bare header, bits 1 << enum perf_field; whether there
     * was any other header; and whether one was searched for ahead. */
    unsigned bare_fields;
    bool has_headers, looked;
    bool passing; /* the current sample is not wanted */
    bool blank;   /* a blank line follows its frames */
    bool held;    /* `line` was read and is not processed yet */
    /* For tests: parse every line, without frame prediction and header templates. */
    bool no_prediction;
};

/* Initialize for reading from `lines`; then t->source.accept may be set. Both are borrowed. After
 * ITEM_END the caller may start `lines` on another file and go on. The struct is large: do not copy
 * it. */
void perftext_init(struct perftext *t, const struct perf_rules *rules, struct lines *lines);

/* Empty the frametab: frames get new numbers from now on. Call this only between samples. */
void perftext_forget_frames(struct perftext *t);

void perftext_free(struct perftext *t);

#endif
