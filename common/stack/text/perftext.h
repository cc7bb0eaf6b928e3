/* Perf script text, read sample by sample: the source for text. */
#ifndef STACK_PERFTEXT_H
#define STACK_PERFTEXT_H

#include "common/base/lines.h"
#include "common/stack/text/headercache.h"
#include "common/stack/text/perfline.h"
#include "common/stack/model/source.h"

/* How the text is read. perf_rules reads all that perf prints; stackcollapse has another set, which
 * reads it as stackcollapse-perf.pl does. */
struct perf_rules {
    enum perf_line (*line)(struct span line, struct perf_header *h);
    frame_parser *frame;
    /* How many source lines, blank or not, follow this frame line; NULL: a line that looks
     * like a source line is one, and a blank line is one if a frame line follows it. */
    size_t (*srclines)(struct span frame);
    bool header_ends_sample; /* else it replaces the sample's header, and the frames stay */
    bool blank_ends_sample;  /* else the next header does */
    bool end_ends_sample;    /* the end of a file; else the sample goes on in the next file */
    bool bare_headers;       /* PERF_LINE_BARE, or a blank line, is a header if a frame follows */
};

extern const struct perf_rules perf_rules;

/* PREDICT_PREFIX bytes hold the address and a little of the symbol. */
enum { PREDICT_PREFIX = 24, PREDICT_SLOTS = 8192 };

/* Predicts the next frame line without scanning for its newline. Stacks repeat: the line after a
 * frame is usually that of the caller that followed last time, and a line with the same first 24
 * bytes as a known one is usually that line. One comparison then confirms the prediction, which
 * saves 38 % of stackcollapse's instructions on the recording node-http. */
struct predict {
    uint32_t *next; /* by frame number: which came after it last time, or INTERN_NONE */
    size_t count, cap;
    uint32_t slots[PREDICT_SLOTS]; /* by prefix: a frame number + 1; 0: empty */
};

struct perftext {
    struct source source; /* see there for what the consumer uses */

    struct frametab frames; /* the source's; another source may add to it */

    /* private from here */
    const struct perf_rules *rules;
    struct lines *lines;
    struct span line; /* without newline */
    enum perf_line kind;
    struct perf_header header; /* of `line` */
    struct predict predict;
    struct headercache headers;
    uint32_t last; /* the frame read last; INTERN_NONE: a header */
    uint32_t *stack;
    size_t stack_cap;
    char *text; /* of the sample's header */
    size_t text_cap;
    char *joined; /* a frame line and its source line */
    size_t joined_cap;
    size_t too_long; /* lines that were too long to be read, up to the last one */
    /* Of the open file: bits 1 << enum perf_field of the last bare header, and whether there was
     * any other header; and whether such a one was looked for ahead. */
    unsigned bare_fields;
    bool has_headers, looked;
    bool passing; /* the current sample is not wanted */
    bool blank;   /* a blank line follows its frames */
    bool held;    /* `line` is read and not yet acted on */
    /* For tests: parse every line, without predicting frames and without header templates. */
    bool no_prediction;
};

/* Prepare to read from `lines`; then t->source.accept may be set. Both are borrowed. After ITEM_END
 * the caller may start `lines` on another file and go on. The struct is large: do not copy it. */
void perftext_init(struct perftext *t, const struct perf_rules *rules, struct lines *lines);

/* Empty the frametab, so that frames get other numbers from now on. Between samples only. */
void perftext_forget_frames(struct perftext *t);

void perftext_free(struct perftext *t);

#endif
