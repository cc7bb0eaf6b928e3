/* Sixteen bytes of text at a time, in the compiler's vector type: an operator acts on each byte
 * separately, and a comparison gives 0xff or 0 for each (GCC manual, "Using Vector Instructions
 * through Built-in Functions"; clang has them too). */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* On i386 without SSE, how vectors are passed depends on the options of the compiler, which warns
 * of it in each function that passes one. Here only functions of one file pass them. */
#if defined(__i386__) && !defined(__SSE__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

typedef uint8_t bytes __attribute__((vector_size(16)));

/* Return the 16 bytes at p, which need not be aligned. */
static inline bytes
bytes_load(const char *p)
{
    bytes v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* For the result of a comparison, in which each byte is 0xff or 0. With SSE2 one instruction
 * collects a bit of each. */
#ifdef __SSE2__
typedef char bytes_signed __attribute__((vector_size(16)));

/* Return true if any byte of v is not 0. */
static inline bool
bytes_any(bytes v)
{
    return __builtin_ia32_pmovmskb128((bytes_signed)v) != 0;
}

/* Return the index of the first byte of v that is not 0; there is one. */
static inline size_t
bytes_first(bytes v)
{
    return (size_t)__builtin_ctz((unsigned)__builtin_ia32_pmovmskb128((bytes_signed)v));
}

/* Return a bit for each byte of v: the lowest for the first. */
static inline uint64_t
bytes_bits(bytes v)
{
    return (unsigned)__builtin_ia32_pmovmskb128((bytes_signed)v);
}
#else
static inline bool
bytes_any(bytes v)
{
    uint64_t halves[2];
    memcpy(halves, &v, sizeof v);
    return (halves[0] | halves[1]) != 0;
}

static inline size_t
bytes_first(bytes v)
{
    uint64_t halves[2];
    memcpy(halves, &v, sizeof v);
    size_t at = halves[0] != 0 ? 0 : 8;
    uint64_t half = halves[0] != 0 ? halves[0] : halves[1];
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return at + (size_t)__builtin_ctzll(half) / 8;
#else
    return at + (size_t)__builtin_clzll(half) / 8;
#endif
}

static inline uint64_t
bytes_bits(bytes v)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof v; i++)
        bits |= (uint64_t)(v[i] & 1) << i;
    return bits;
}
#endif

/* Return the first byte from p on for which `stops`, a comparison of 16 bytes, is true. The
 * functions below are the calls of it. Up to 15 bytes after it are read. */
static inline const char *
bytes_find(const char *p, bytes (*stops)(bytes v))
{
    for (;; p += sizeof(bytes)) {
        bytes found = stops(bytes_load(p));
        if (bytes_any(found))
            return p + bytes_first(found);
    }
}

static inline bytes
bytes_not_blank(bytes v)
{
    return (bytes)(v != ' ');
}

static inline bytes
bytes_not_number(bytes v)
{
    return (bytes)((v - '0' >= 10) & (v != '.'));
}

static inline bytes
bytes_control(bytes v)
{
    return (bytes)(v < ' ');
}

/* Return 0xff for each byte that is_space is true for. */
static inline bytes
bytes_space(bytes v)
{
    return (bytes)((v == ' ') | (v - '\t' < 5));
}

static inline bytes
bytes_not_space(bytes v)
{
    return ~bytes_space(v) | (bytes)(v == '\n');
}

/* Return the first byte from p on that is no blank. */
static inline const char *
bytes_skip_blanks(const char *p)
{
    return bytes_find(p, bytes_not_blank);
}

/* Return the first byte from p on that is neither a digit nor a point. */
static inline const char *
bytes_skip_number(const char *p)
{
    return bytes_find(p, bytes_not_number);
}

/* Return the first byte from p on that is a control character. */
static inline const char *
bytes_skip_text(const char *p)
{
    return bytes_find(p, bytes_control);
}

/* Return the first byte from p on that is no white space, or the newline after the line. */
static inline const char *
bytes_skip_space(const char *p)
{
    return bytes_find(p, bytes_not_space);
}

/* Return the first byte from p on that is white space. */
static inline const char *
bytes_skip_word(const char *p)
{
    return bytes_find(p, bytes_space);
}

#endif
