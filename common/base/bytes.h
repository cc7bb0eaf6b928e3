/* Sixteen bytes of text at a time, in the compiler's vector type: an operator acts on each byte
 * separately, and a comparison yields 0xff or 0 for each (GCC manual, "Using Vector Instructions
 * through Built-in Functions"; also in clang). */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* On i386 without SSE, how vectors are passed depends on the compiler's options; the compiler warns
 * in each function that passes one. Here they are passed only between functions of one file. */
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

/* Return true if any byte of v is not 0. */
static inline bool
bytes_any(bytes v)
{
    uint64_t halves[2];
    memcpy(halves, &v, sizeof v);
    return (halves[0] | halves[1]) != 0;
}

#endif
