/* The tables of RFC 1951, which inflate.c and deflate.c share. */
#ifndef BASE_DEFLATETABLE_H
#define BASE_DEFLATETABLE_H

#include <stdint.h>

enum {
    DEFLATE_END = 256,          /* the symbol of a block's end */
    DEFLATE_FIRST_LENGTH = 257, /* symbols below are bytes, the others lengths of matches */
    DEFLATE_LENGTHS = 29,
    DEFLATE_DISTANCES = 30,
    DEFLATE_CODE_MAX = 15 /* bits of a code */
};

/* Lengths and distances: the smallest value of each symbol, and how many bits follow that are
 * added to it. */
struct deflate_base {
    uint16_t least;
    uint8_t extra;
};

static const struct deflate_base deflate_lengths[DEFLATE_LENGTHS] =
    {{3, 0},  {4, 0},  {5, 0},  {6, 0},   {7, 0},   {8, 0},   {9, 0},   {10, 0},  {11, 1}, {13, 1},
     {15, 1}, {17, 1}, {19, 2}, {23, 2},  {27, 2},  {31, 2},  {35, 3},  {43, 3},  {51, 3}, {59, 3},
     {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0}},
                                 deflate_distances[DEFLATE_DISTANCES] = {
                                     {1, 0},     {2, 0},     {3, 0},      {4, 0},      {5, 1},
                                     {7, 1},     {9, 2},     {13, 2},     {17, 3},     {25, 3},
                                     {33, 4},    {49, 4},    {65, 5},     {97, 5},     {129, 6},
                                     {193, 6},   {257, 7},   {385, 7},    {513, 8},    {769, 8},
                                     {1025, 9},  {1537, 9},  {2049, 10},  {3073, 10},  {4097, 11},
                                     {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13}};

/* The lengths of codes are coded, too: 0 to 15 are lengths, 16 repeats the last one, 17 and 18
 * repeat 0: `deflate_repeats` has how often. The lengths of that code are written in this order. */
enum { DEFLATE_REPEAT = 16, DEFLATE_LENGTH_CODES = 19, DEFLATE_LENGTH_MAX = 7 };

static const struct deflate_base deflate_repeats[] = {{3, 2}, {3, 3}, {11, 7}};

static const uint8_t deflate_order[DEFLATE_LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                            11, 4,  12, 3, 13, 2, 14, 1, 15};

#endif
