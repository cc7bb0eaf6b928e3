/* Perf script text, sample by sample. A frame line seen before costs one comparison as a rule:
 * where it follows the line that it followed last time, and where no other line begins alike. So
 * does a header that differs in digits only from an earlier one. */
#ifndef STACK_PERFTEXT_H
#define STACK_PERFTEXT_H

#include "common/base/intern.h"
#include "common/base/lines.h"
#include "common/stack/perfheaders.h"

/* How the text is understood. perf_rules is the right way; stackcollapse has another set for the
 * Perl script's. */
struct perf_rules {
    enum perf_line (*line)(struct span line, struct perf_header *h);
    /* How many source lines, blank or not, to read behind this frame line; NULL: a line that looks
     * like a source line is one, a blank line never is. */
    size_t (*srclines)(struct span frame);
    bool header_ends_sample; /* else it takes its place, and the frames stay */
    bool blank_ends_sample;  /* else the next header does, and a frame may follow the blank */
    bool end_ends_sample;    /* the end of a file; else the sample goes on in the next file */
};

extern const struct perf_rules perf_rules;

struct perf_sample {
    struct span line; /* the header as it stands */
    struct perf_header header;
    size_t number;          /* the header's line number */
    const uint32_t *frames; /* frame numbers, leaf first; perftext_frame gives their text */
    size_t nframes;
    bool frame_in_header; /* frames[0] stands in header.rest */
    bool blank;           /* a blank line came behind it, where the rules read on past one */
};

enum perf_item {
    PERF_END,     /* of the file */
    PERF_SAMPLE,  /* `sample` is filled */
    PERF_OTHER,   /* a comment or a record: `line`, `kind` and for a record `header` */
    PERF_STRAY,   /* a frame or a source line that belongs to no sample: `line` */
    PERF_UNKNOWN, /* a line that is none of these: `line` */
};

enum { PERF_STARTS = 8192 };

struct perftext {
    const struct perf_rules *rules;
    struct lines *lines;
    /* Says at its header whether a sample is wanted. One that is not is passed over, its frames
     * too; NULL: all are. */
    bool (*accept)(void *ctx, const struct perf_header *h);
    void *ctx;

    struct perf_sample sample;
    struct span line; /* without newline; good until the next call, as everything here */
    enum perf_line kind;
    struct perf_header header; /* of `line` */
    /* A sample has begun and not yet been given: an item that comes now stands inside it. */
    bool open;

    /* private from here */
    struct intern frames; /* frame lines with their newlines */
    uint32_t *next;       /* by frame: which came below it last time */
    size_t next_cap;
    uint32_t starts[PERF_STARTS]; /* by what a line begins with: the frame + 1; 0: none */
    uint32_t last;                /* the frame read last; INTERN_NONE: a header */
    uint32_t *stack;
    size_t stack_cap;
    struct perf_headers headers;
    char *text; /* of the sample's header */
    size_t text_cap;
    char *joined; /* a frame line and its source line */
    size_t joined_cap;
    bool passing; /* it was not wanted */
    bool blank;   /* a blank line came behind its frames */
    bool held;    /* `line` is read and not yet acted on */
};

/* Starts on nothing; `accept` may be set then. Both are borrowed. */
void perftext_init(struct perftext *t, const struct perf_rules *rules, struct lines *lines);

/* The next item. After PERF_END the caller may start `lines` on another file and go on. */
enum perf_item perftext_next(struct perftext *t);

/* A frame's text, as perf_frame_parse takes it: its line with white space in front, the newline,
 * and perhaps its source line and another newline. Good until perftext_free. */
static inline struct span
perftext_frame(const struct perftext *t, uint32_t frame)
{
    return intern_text(&t->frames, frame);
}

void perftext_free(struct perftext *t);

#endif
