/* A hash for tables in memory: fast on short text, and with another seed in each process, so that
 * nobody can prepare input whose keys all collide. No output depends on it. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

#include "common/base/span.h"

/* A number that differs from process to process (the kernel's AT_RANDOM bytes, getauxval(3)). */
uint64_t hash_seed(void);

static inline uint64_t
hash_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio, odd: Knuth, vol. 3, 6.4 */
    return h << 32 | h >> 32;
}

static inline uint64_t
hash_load(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* The hash of the bytes of s. Its low 32 bits are mixed better than the high ones. */
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
    /* The last 16 bytes may overlap those before; of a shorter text both ends are read. */
    if (s.len >= 16) {
        a = hash_mix(a, hash_load(s.ptr + s.len - 16));
        b = hash_mix(b, hash_load(s.ptr + s.len - 8));
    } else if (n >= 8) {
        a = hash_mix(a, hash_load(p));
        b = hash_mix(b, hash_load(p + n - 8));
    } else if (n >= 4) {
        uint32_t v[2];
        memcpy(&v[0], p, 4);
        memcpy(&v[1], p + n - 4, 4);
        a = hash_mix(a, (uint64_t)v[0] << 32 | v[1]);
    } else if (n > 0) {
        const unsigned char *u = (const unsigned char *)p;
        a = hash_mix(a, (uint64_t)u[0] << 16 | (uint64_t)u[n / 2] << 8 | u[n - 1]);
    }
    a = hash_mix(a, b);
    return hash_mix(a, b >> 7);
}

#endif
