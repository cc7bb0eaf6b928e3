/* Huffman codes whose lengths are limited, as deflate.c writes them. */
#ifndef BASE_HUFFMAN_H
#define BASE_HUFFMAN_H

#include <stdint.h>

enum { HUFFMAN_SYMBOLS_MAX = 288, HUFFMAN_LENGTH_MAX = 15 };

struct huffman_code {
    uint16_t bits[HUFFMAN_SYMBOLS_MAX];  /* the first bit lowest */
    uint8_t length[HUFFMAN_SYMBOLS_MAX]; /* 0: the symbol has no code */
};

/* Make the code of n symbols, of at most `longest` bits each, by how often each occurs. At least
 * two symbols get a code, since some readers refuse a code of one; 2 to the power of `longest` is
 * at least n. The counts sum up to less than 2^31. */
void huffman_make(struct huffman_code *code, const uint32_t *counts, unsigned n, unsigned longest);

#endif
