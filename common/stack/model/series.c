#include "common/stack/model/series.h"

#include "common/base/num.h"

void
series_start(struct series *s, const struct slice *slice)
{
    bool single = slice->step == 0;
    *s = (struct series){.slice = *slice,
                         .sum = single ? 1 : slice->sum,
                         .left = single ? SPAN("1") : slice->counts,
                         .time = slice->ms,
                         .step = slice->step};
    s->slice.step = s->slice.sum = 0;
    s->slice.counts = SPAN("");
}

bool
series_next(struct series *s)
{
    s->before += s->count;
    s->count = 0;
    while (s->count == 0 && s->left.len > 0) {
        uint64_t n = 0;
        s->text = span_take(&s->left, ',');
        num_u64(s->text, &n);
        s->count = (uint32_t)n;
        s->slice.ms = s->time;
        s->time += s->step;
    }
    return s->count > 0;
}

/* Return the share of n of the sum, rounded down. */
static uint64_t
share_of(const struct series *s, uint64_t count, uint32_t n)
{
    return count / s->sum * n + count % s->sum * n / s->sum;
}

struct decimal
series_share(const struct series *s, struct decimal count)
{
    uint32_t end = s->before + s->count;
    return (struct decimal){share_of(s, count.whole, end) - share_of(s, count.whole, s->before),
                            end == s->sum ? count.fraction : 0};
}
