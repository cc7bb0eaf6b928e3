#include "common/stack/model/sample.h"

#include "common/base/decimal.h"
#include "common/base/num.h"

static const uint64_t SECOND = 1000000000;

bool
perf_time_parse(struct span text, uint64_t *ns)
{
    struct decimal d;
    if (!decimal_parse(text, &d))
        return false;
    uint64_t part = d.fraction / SECOND; /* the fraction is in units of 10^-18 */
    *ns = d.whole > (UINT64_MAX - part) / SECOND ? UINT64_MAX : d.whole * SECOND + part;
    return true;
}

bool
perf_id_parse(struct span text, int64_t *id)
{
    uint64_t value;
    bool negative = span_skip(&text, SPAN("-"));
    if (!num_u64(text, &value))
        return false;
    *id = value > INT64_MAX ? INT64_MAX : (int64_t)value;
    *id = negative ? -*id : *id;
    return true;
}

void
perf_header_parse_wanted(struct perf_header *h, unsigned wanted)
{
    const struct span *f = h->field;
    if (wanted >> PERF_PERIOD & 1 && num_u64(f[PERF_PERIOD], &h->period))
        h->has |= 1u << PERF_PERIOD;
    if (wanted >> PERF_TIME & 1 && perf_time_parse(f[PERF_TIME], &h->time))
        h->has |= 1u << PERF_TIME;
    if (wanted >> PERF_PID & 1 && perf_id_parse(f[PERF_PID], &h->pid))
        h->has |= 1u << PERF_PID;
    if (wanted >> PERF_TID & 1 && perf_id_parse(f[PERF_TID], &h->tid))
        h->has |= 1u << PERF_TID;
    if (wanted >> PERF_CPU & 1 && perf_id_parse(f[PERF_CPU], &h->cpu))
        h->has |= 1u << PERF_CPU;
}

/* Write seconds with six or nine decimal places. */
static struct span
print_time(char text[static PERF_NUMBER], uint64_t ns, bool nanoseconds)
{
    char digits[NUM_DIGITS];
    struct span seconds = num_decimal(digits, ns / SECOND);
    uint64_t part = nanoseconds ? ns % SECOND : ns % SECOND / 1000;
    size_t places = nanoseconds ? 9 : 6, len = seconds.len + 1 + places;
    memcpy(text, seconds.ptr, seconds.len);
    text[seconds.len] = '.';
    for (size_t i = len; i-- > seconds.len + 1; part /= 10)
        text[i] = (char)('0' + part % 10);
    return span_of(text, len);
}

struct span
perf_header_text(const struct perf_header *h, enum perf_field field, char text[static PERF_NUMBER])
{
    if (h->is_text || !perf_header_has(h, field))
        return h->field[field];
    if (field == PERF_TIME)
        return print_time(text, h->time, h->nanoseconds);
    if (field == PERF_PERIOD)
        return num_decimal(text, h->period);
    return perf_id_text(field == PERF_PID ? h->pid : field == PERF_TID ? h->tid : h->cpu, text);
}

struct span
perf_id_text(int64_t id, char text[static PERF_NUMBER])
{
    struct span digits = num_decimal(text + 1, (uint64_t)(id < 0 ? -id : id));
    if (id >= 0)
        return digits;
    text[digits.ptr - text - 1] = '-';
    return span_of(digits.ptr - 1, digits.len + 1);
}
