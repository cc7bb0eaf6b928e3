/* A source of samples. perftext (perf script text) and recordsource (records of the kernel) begin
 * with a struct source; consumers use nothing else of them:
 *
 *     while ((item = source_next(s)) != ITEM_END)
 *         if (item == ITEM_SAMPLE)
 *             use(&s->sample, s->frames);
 */
#ifndef STACK_SOURCE_H
#define STACK_SOURCE_H

#include "common/stack/model/frametab.h"
#include "common/stack/model/sample.h"

enum source_item {
    ITEM_END,     /* end of the file; the source may go on with another file */
    ITEM_SAMPLE,  /* `sample` is set */
    ITEM_COMMENT, /* `text` */
    ITEM_RECORD,  /* a record that is not a sample: `text`, `header` as far as it has one, `lost` */
    ITEM_STRAY,   /* a frame that belongs to no sample: `text` and `why` */
    ITEM_SKIPPED, /* an unusable line: `text` and `why` */
};

struct source {
    enum source_item (*next)(struct source *s);

    /* Set by the consumer: called at each header; return true if the sample is wanted. Other
     * samples are skipped, and their frames are not looked up. NULL: all samples are wanted. */
    bool (*accept)(void *ctx, const struct perf_header *h);
    void *ctx;

    /* Set by the consumer: the numbers to parse from text, bits 1 << enum perf_field. Parsing all
     * takes 3 % of perf-script's instructions. */
    unsigned numbers;

    struct frametab *frames; /* the table of the samples' frame numbers; borrowed */

    /* The members below are valid until the next call of next(). */
    struct sample sample;
    struct perf_header header;
    struct span text; /* to be written unchanged, without its newline */
    uint64_t lost;    /* number of samples that a PERF_RECORD_LOST reports */
    const char *why;  /* such as "not a line of perf script text" */
    /* A sample has begun and was not returned yet: an item returned now is inside it, and a header
     * may add to it (see header_ends_sample in perftext.h). */
    bool open;
};

static inline enum source_item
source_next(struct source *s)
{
    return s->next(s);
}

#endif
