#include "cmd/stackrecord/archivetext.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/stack/model/slice.h"
#include "common/stack/model/slicefile.h"
#include "common/stack/text/foldedtext.h"

/* A stack, and the start of its slice in milliseconds. */
struct seen {
    uint64_t ms;
    uint32_t stack;
};

static int
by_time(const void *left, const void *right)
{
    const struct seen *a = left, *b = right;
    return (a->ms > b->ms) - (a->ms < b->ms);
}

static struct seen
seen_when(const struct profile *p, uint32_t stack)
{
    struct slice slice = {0};
    struct span frame = intern_text(&p->names, profile_frame(p, stack, 0)); /* with a ";" */
    slice_take(&frame, &slice);
    return (struct seen){slice.ms, stack};
}

/* Return true if two stacks differ in their first frames at most. */
static bool
same_rest(const struct profile *p, uint32_t a, uint32_t b)
{
    return span_eq(span_from(intern_text(&p->stacks, a), sizeof(uint32_t)),
                   span_from(intern_text(&p->stacks, b), sizeof(uint32_t)));
}

/* Return how many stacks at the start of the list can be one line. */
static size_t
joined(const struct profile *p, const struct seen *list, size_t n, uint32_t step)
{
    uint64_t sum = 0;
    size_t i = 0;
    for (; i < n; i++) {
        const struct decimal count = p->counts[list[i].stack];
        const uint64_t after = list[i].ms - list[0].ms;
        if (count.fraction > 0 || count.whole > UINT32_MAX - sum || after % step != 0 ||
            after > UINT64_C(1000) * SLICEFILE_HOUR)
            break;
        sum += count.whole;
    }
    return sum > 0 && i > 0 ? i : 1;
}

/* Write n stacks as one line. */
static void
write_line(const struct profile *p, const struct seen *list, size_t n, uint32_t step,
           struct out *out)
{
    char frame[SLICE_TEXT], digits[NUM_DIGITS], text[DECIMAL_TEXT];
    struct decimal sum = {0, 0};
    uint64_t ms = list[0].ms;
    const struct slice slice = {.ms = ms, .step = n > 1 ? step : 0};
    out_span(out, slice_frame(frame, slice));
    for (size_t i = 0; i < n; i++) {
        const struct decimal count = p->counts[list[i].stack];
        sum = decimal_add(sum, count);
        for (; ms < list[i].ms; ms += step)
            out_char(out, ',');
        if (n > 1)
            out_span(out, num_decimal(digits, count.whole));
    }
    for (size_t i = 1; i < profile_depth(p, list[0].stack); i++) {
        out_char(out, ';');
        out_span(out, profile_name_text(p, profile_frame(p, list[0].stack, i)));
    }
    folded_write_counts(out, decimal_text(text, sum), SPAN(""));
}

void
archivetext_write(struct profile *p, uint32_t step, struct out *out)
{
    uint32_t *order = profile_order_rests(p);
    struct seen *list = NULL;
    size_t n = 0, cap = 0;
    for (size_t i = 0; i < p->stacks.count; i += n) {
        for (n = 0; i + n < p->stacks.count && same_rest(p, order[i], order[i + n]);)
            MEM_ADD(list, n, cap, seen_when(p, order[i + n]));
        qsort(list, n, sizeof *list, by_time);
        for (size_t at = 0, some; at < n; at += some) {
            some = joined(p, list + at, n - at, step);
            write_line(p, list + at, some, step, out);
        }
    }
    free(list);
    free(order);
}
