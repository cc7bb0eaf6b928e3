/* Hashes for tables in memory: fast on short text, with a secret key that is random in each
 * process, so that nobody can prepare input whose names all collide. No output depends on it.
 *
 * The key is used on both sides of each multiplication, and the halves of the product are combined
 * by XOR. No two texts are known that have the same hash under every key. Somebody who finds out
 * the key, for example by measuring a program's time again and again, can make some. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

#include "common/base/span.h"

struct hash_key {
    uint64_t a, b;
};

/* Return the key of this process, from the kernel's AT_RANDOM bytes: getauxval(3). */
struct hash_key hash_key(void);

/* Multiply, and return the two halves of the 128-bit product, combined by XOR. */
static inline uint64_t
hash_fold(uint64_t x, uint64_t y)
{
#ifdef __SIZEOF_INT128__
    unsigned __int128 product = (unsigned __int128)x * y;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    uint64_t low = (x & UINT32_MAX) * (y & UINT32_MAX), high = (x >> 32) * (y >> 32);
    uint64_t left = (x >> 32) * (y & UINT32_MAX), right = (x & UINT32_MAX) * (y >> 32);
    uint64_t middle = (left & UINT32_MAX) + (right & UINT32_MAX) + (low >> 32);
    high += (left >> 32) + (right >> 32) + (middle >> 32);
    return (middle << 32 | (low & UINT32_MAX)) ^ high;
#endif
}

/* Return the eight bytes at p as a number. */
static inline uint64_t
hash_load(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Return the hash of a number. It is multiplied twice: after one multiplication, numbers at equal
 * distances could share a few slots. */
static inline uint64_t
hash_number(uint64_t v, struct hash_key key)
{
    return hash_fold(hash_fold(v ^ key.a, key.b) ^ key.b, key.a);
}

/* Return the hash of the bytes of s. */
static inline uint64_t
hash_bytes(struct span s, struct hash_key key)
{
    const char *p = s.ptr;
    size_t n = s.len;
    uint64_t h = key.a, first = 0, last = 0;
    for (; n > 16; p += 16, n -= 16)
        h = hash_fold(hash_load(p) ^ key.b, hash_load(p + 8) ^ h);
    /* The last 16 bytes may overlap those before; of a shorter text both ends are read. */
    if (s.len >= 16) {
        first = hash_load(s.ptr + s.len - 16);
        last = hash_load(s.ptr + s.len - 8);
    } else if (n >= 8) {
        first = hash_load(p);
        last = hash_load(p + n - 8);
    } else if (n >= 4) {
        uint32_t v[2];
        memcpy(&v[0], p, 4);
        memcpy(&v[1], p + n - 4, 4);
        first = v[0];
        last = v[1];
    } else if (n > 0) {
        const unsigned char *u = (const unsigned char *)p;
        first = (uint64_t)u[0] << 16 | (uint64_t)u[n / 2] << 8 | u[n - 1];
    }
    h = hash_fold(first ^ key.b, last ^ h);
    return hash_fold(h ^ key.b, s.len ^ key.a);
}

/* Return a hash without a key, for caches: there a collision costs no more than a miss. Its low 32
 * bits are mixed better than the high ones. */
static inline uint64_t
hash_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio, odd: Knuth, vol. 3, 6.4 */
    return h << 32 | h >> 32;
}

#endif
