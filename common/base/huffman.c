#include "common/base/huffman.h"

#include <stdlib.h>
#include <string.h>

struct leaf {
    uint32_t count;
    uint16_t symbol;
};

static int
by_count(const void *va, const void *vb)
{
    const struct leaf *a = va, *b = vb;
    if (a->count != b->count)
        return (a->count > b->count) - (a->count < b->count);
    return (a->symbol > b->symbol) - (a->symbol < b->symbol);
}

/* List the symbols that occur, rarest first. Add others until there are two. */
static unsigned
list_leaves(struct leaf *leaves, const uint32_t *counts, unsigned n)
{
    unsigned used = 0;
    for (unsigned i = 0; i < n; i++)
        if (counts[i] > 0)
            leaves[used++] = (struct leaf){counts[i], (uint16_t)i};
    for (unsigned i = 0; used < 2; i++)
        if (counts[i] == 0)
            leaves[used++] = (struct leaf){1, (uint16_t)i};
    qsort(leaves, used, sizeof *leaves, by_count);
    return used;
}

/* Join the two rarest nodes until one is left. Count the leaves at each depth; those deeper than
 * `longest` count as if they had that depth. Joined nodes are created in ascending order of their
 * counts, so the rarest node is either the next leaf or the next joined node. */
static void
count_depths(unsigned *ndepth, const struct leaf *leaves, unsigned n, unsigned longest)
{
    uint32_t count[HUFFMAN_SYMBOLS_MAX];            /* counts of joined nodes */
    unsigned parent[2 * HUFFMAN_SYMBOLS_MAX] = {0}; /* leaves come first */
    unsigned depth[HUFFMAN_SYMBOLS_MAX] = {0};
    unsigned leaf = 0, joined = 0;
    for (unsigned made = 0; made < n - 1; made++) {
        count[made] = 0;
        for (int i = 0; i < 2; i++) {
            if (joined == made || (leaf < n && leaves[leaf].count <= count[joined])) {
                count[made] += leaves[leaf].count;
                parent[leaf++] = made;
            } else {
                count[made] += count[joined];
                parent[n + joined++] = made;
            }
        }
    }
    depth[n - 2] = 0;
    for (unsigned i = n - 2; i-- > 0;)
        depth[i] = depth[parent[n + i]] + 1;
    for (unsigned i = 0; i < n; i++) {
        unsigned deep = depth[parent[i]] + 1;
        ndepth[deep < longest ? deep : longest]++;
    }
}

/* Codes longer than `longest` bits were shortened to that length, so the codes together need more
 * than the code space. Until they fit, split the longest of the shorter codes into two, and use one
 * of the two in place of a code of `longest` bits. */
static void
make_room(unsigned *ndepth, unsigned longest)
{
    uint32_t sum = 0; /* shares of the code space, in units of a code of length `longest` */
    for (unsigned length = 1; length <= longest; length++)
        sum += ndepth[length] << (longest - length);
    for (; sum > 1u << longest; sum--) {
        unsigned length = longest - 1;
        while (ndepth[length] == 0)
            length--;
        ndepth[length]--;
        ndepth[length + 1] += 2;
        ndepth[longest]--;
    }
}

/* Number the codes. Codes of the same length are in the order of their symbols. */
static void
number_codes(struct huffman_code *code, unsigned n, const unsigned *ndepth, unsigned longest)
{
    unsigned next[HUFFMAN_LENGTH_MAX + 1], first = 0;
    for (unsigned length = 1; length <= longest; length++) {
        next[length] = first;
        first = (first + ndepth[length]) << 1;
    }
    for (unsigned i = 0; i < n; i++) {
        unsigned bits = code->length[i] > 0 ? next[code->length[i]]++ : 0, turned = 0;
        for (unsigned length = code->length[i]; length > 0; length--, bits >>= 1)
            turned = turned << 1 | (bits & 1);
        code->bits[i] = (uint16_t)turned;
    }
}

void
huffman_make(struct huffman_code *code, const uint32_t *counts, unsigned n, unsigned longest)
{
    struct leaf leaves[HUFFMAN_SYMBOLS_MAX];
    unsigned ndepth[HUFFMAN_LENGTH_MAX + 1] = {0};
    unsigned used = list_leaves(leaves, counts, n);
    count_depths(ndepth, leaves, used, longest);
    make_room(ndepth, longest);
    memset(code->length, 0, n);
    for (unsigned i = 0, length = longest, left = ndepth[length]; i < used; i++, left--) {
        while (left == 0)
            left = ndepth[--length];
        code->length[leaves[i].symbol] = (uint8_t)length;
    }
    number_codes(code, n, ndepth, longest);
}
