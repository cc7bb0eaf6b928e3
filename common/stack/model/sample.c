#include "common/stack/model/sample.h"

#include "common/base/decimal.h"
#include "common/base/num.h"

static const uint64_t SECOND = 1000000000;

enum { FEW = 8 };

/* Return the value of n digits at p, of which FEW bytes can be read; n is 1 to FEW. Neighbours are added
 * up, then pairs, then fours: a third of the instructions of num_u64. */
static inline uint64_t
few_digits(const char *p, size_t n)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    v <<= 64 - 8 * n;
    v = (v & 0x0f0f0f0f0f0f0f0f) * (1 + (10 << 8)) >> 8;
    v = (v & 0x00ff00ff00ff00ff) * (1 + (100 << 16)) >> 16;
    return (v & 0x0000ffff0000ffff) * (1 + ((uint64_t)10000 << 32)) >> 32;
}

/* Return the value of digits, of which bytes up to `end` can be read. */
static inline uint64_t
parse_digits(struct span digits, const char *end)
{
    uint64_t value = 0;
    if (digits.len - 1 < FEW && digits.ptr <= end - FEW)
        return few_digits(digits.ptr, digits.len);
    num_u64(digits, &value);
    return value;
}

/* "4242" or "-1" */
static inline int64_t
parse_id(struct span text, const char *end)
{
    bool negative = text.ptr[0] == '-';
    uint64_t value = parse_digits(span_from(text, negative), end);
    int64_t id = value > INT64_MAX ? INT64_MAX : (int64_t)value;
    return negative ? -id : id;
}

bool
perf_time_parse(struct span text, uint64_t *ns)
{
    struct decimal d;
    if (!decimal_parse(text, &d))
        return false;
    uint64_t part = d.fraction / SECOND; /* the fraction counts in 10^-18 */
    *ns = d.whole > (UINT64_MAX - part) / SECOND ? UINT64_MAX : d.whole * SECOND + part;
    return true;
}

/* As perf_time_parse, fast for six decimal places. */
static inline bool
parse_time(struct span text, const char *end, uint64_t *ns)
{
    enum { PLACES = 6 };
    size_t point = text.len - PLACES - 1; /* if there are so many places */
    if (point - 1 >= FEW || text.ptr[point] != '.' || text.ptr + point + 1 > end - FEW)
        return perf_time_parse(text, ns);
    *ns = few_digits(text.ptr, point) * SECOND + few_digits(text.ptr + point + 1, PLACES) * 1000;
    return true;
}

/* Return the field's bit if it is wanted and there. */
static inline unsigned
bit_of(const struct perf_header *h, unsigned wanted, enum perf_field field)
{
    unsigned bit = wanted & 1u << field;
    return bit != 0 && h->field[field].len > 0 ? bit : 0;
}

void
perf_header_parse(struct perf_header *h, unsigned wanted, const char *end)
{
    const struct span *f = h->field;
    unsigned pid = bit_of(h, wanted, PERF_PID), tid = bit_of(h, wanted, PERF_TID);
    unsigned cpu = bit_of(h, wanted, PERF_CPU), time = bit_of(h, wanted, PERF_TIME);
    unsigned period = bit_of(h, wanted, PERF_PERIOD);
    if (pid != 0)
        h->pid = parse_id(f[PERF_PID], end);
    if (tid != 0)
        h->tid = parse_id(f[PERF_TID], end);
    if (cpu != 0)
        h->cpu = parse_id(f[PERF_CPU], end);
    if (time != 0 && !parse_time(f[PERF_TIME], end, &h->time))
        time = 0;
    if (period != 0)
        h->period = parse_digits(f[PERF_PERIOD], end);
    h->has = pid | tid | cpu | time | period;
}

/* Write the seconds, with six decimal places or nine. */
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
    int64_t id = field == PERF_PID ? h->pid : field == PERF_TID ? h->tid : h->cpu;
    struct span digits = num_decimal(text + 1, (uint64_t)(id < 0 ? -id : id));
    if (id >= 0)
        return digits;
    text[digits.ptr - text - 1] = '-';
    return span_of(digits.ptr - 1, digits.len + 1);
}
