/* A hash for tables in memory: fast on short text, and seeded for each process, so that nobody can
 * prepare input whose keys all collide. Nothing that a program prints depends on it. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

#include "common/base/span.h"

/* A number that differs from process to process (the kernel's AT_RANDOM bytes, getauxval(3)). */
uint64_t hash_seed(void);

static inline uint64_t
hash_load(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t
hash_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio, odd: Knuth, vol. 3, 6.4 */
    return h << 32 | h >> 32;
}

static inline uint64_t
hash_bytes(struct span s, uint64_t seed)
{
    uint64_t a = seed ^ s.len, b = seed;
    const char *p = s.ptr;
    size_t n = s.len;
    for (; n > 16; p += 16, n -= 16) {
        a = hash_mix(a, hash_load(p));
        b = hash_mix(b, hash_load(p + 8));
    }
    /* The last 16 bytes may overlap those before; a shorter text is taken from both its ends. */
    if (s.len >= 16) {
        a = hash_mix(a, hash_load(s.ptr + s.len - 16));
        b = hash_mix(b, hash_load(s.ptr + s.len - 8));
    } else if (n >= 8) {
        a = hash_mix(a, hash_load(p));
        b = hash_mix(b, hash_load(p + n - 8));
    } else {
        uint64_t v = 0;
        for (size_t i = 0; i < n; i++)
            v = v << 8 | (unsigned char)p[i];
        a = hash_mix(a, v);
    }
    a = hash_mix(a, b);
    return hash_mix(a, b >> 7);
}

#endif
