#include "cmd/flamesvg/shade.h"

#include "common/base/utf8.h"

enum { EDGE = 3 }; /* characters at each end that go into the hash */

/* srand48 and drand48 as POSIX defines them: 48 bits, X' = (0x5deece66d X + 0xb) mod 2^48. */
static uint64_t
rand_start(uint32_t seed)
{
    return (uint64_t)seed << 16 | 0x330e;
}

static double
rand_next(uint64_t *x)
{
    *x = (*x * 0x5deece66du + 0xb) & 0xffffffffffffu;
    return (double)*x * 0x1p-48;
}

void
shade_init(struct shade *s, enum shade_rule rule, uint32_t seed)
{
    *s = (struct shade){rule, rand_start(seed)};
}

static uint32_t
next_char(struct span *s)
{
    size_t len = 1;
    uint32_t c = (unsigned char)s->ptr[0];
    if (c >= 0x80)
        c = utf8_decode(*s, &len);
    *s = span_from(*s, len);
    return c == UTF8_BAD ? 0xfffd : c;
}

static uint32_t
sum_of_chars(struct span name)
{
    uint32_t sum = 0;
    unsigned char all = 0;
    for (size_t i = 0; i < name.len; i++) {
        all |= (unsigned char)name.ptr[i];
        sum += (unsigned char)name.ptr[i];
    }
    if (all < 0x80) /* each byte a character */
        return sum;
    sum = 0;
    while (name.len > 0)
        sum += next_char(&name);
    return sum;
}

/* Earlier characters weigh more. The constants are flamegraph.pl's. */
static double
vector(const uint32_t *chars, size_t n)
{
    double sum = 0, max = 1, weight = 1;
    for (size_t i = 0; i < n; i++, weight *= 0.7) {
        sum += (double)(chars[i] % (10 + i)) / (double)(9 + i) * weight;
        max += weight;
    }
    return 1 - sum / max;
}

/* Of the first characters, after the module as in "libc`malloc". */
static double
hash_front(struct span name)
{
    uint32_t chars[EDGE] = {0};
    size_t first = utf8_offset(name, 1), n = 0;
    size_t tick = span_find(span_from(name, first), '`');
    if (tick != SPAN_NONE)
        name = span_from(name, first + tick + 1);
    while (n < EDGE && name.len > 0)
        chars[n++] = next_char(&name);
    return vector(chars, n);
}

/* Of the last characters, from the last one on. flamegraph.pl reverses the name and then removes
 * the part before a "`" as a module: here that is the part after the last one. */
static double
hash_back(struct span name)
{
    uint32_t chars[EDGE] = {0};
    size_t n = 0;
    size_t tick = name.len > 0 ? span_rfind(span_head(name, name.len - 1), '`') : SPAN_NONE;
    if (tick != SPAN_NONE)
        name = span_head(name, tick);
    while (name.len > 0) {
        chars[2] = chars[1];
        chars[1] = chars[0];
        chars[0] = next_char(&name);
        n += n < EDGE;
    }
    return vector(chars, n);
}

void
shade_of(struct shade *s, struct span name, double v[static 3])
{
    uint64_t x;
    switch (s->rule) {
    case SHADE_SUM:
        x = rand_start(sum_of_chars(name));
        v[0] = v[1] = v[2] = rand_next(&x);
        break;
    case SHADE_HASH:
        v[0] = hash_front(name);
        v[1] = v[2] = hash_back(name);
        break;
    case SHADE_RANDOM:
        for (int i = 0; i < 3; i++)
            v[i] = rand_next(&s->random);
    }
}
