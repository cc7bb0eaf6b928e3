#include "common/sym/codemap.h"

#include <stdlib.h>

enum { PIECES = 254 }; /* the number with which a block, and malloc's header, take a page */

struct codeblock {
    size_t count; /* never 0 */
    struct codepiece pieces[PIECES];
};

/* The position of a piece, or the one at which to insert it. */
struct spot {
    size_t block, at;
};

static uint64_t
end_of(const struct codepiece *p)
{
    return p->start + p->len;
}

/* Return the number of the block's pieces that begin at or before the address. */
static size_t
begun(const struct codeblock *b, uint64_t addr)
{
    size_t low = 0, high = b->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->pieces[middle].start <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Return the last block that begins at or before the address, or the first if there is none. */
static size_t
block_of(const struct codemap *m, uint64_t addr)
{
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->blocks[middle]->pieces[0].start <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? low - 1 : 0;
}

/* Set *s to the first piece that ends after the address. Return false if there is none. */
static bool
first_after(const struct codemap *m, uint64_t addr, struct spot *s)
{
    if (m->count == 0)
        return false;
    s->block = block_of(m, addr);
    const struct codeblock *b = m->blocks[s->block];
    s->at = begun(b, addr);
    if (s->at > 0 && end_of(&b->pieces[s->at - 1]) > addr)
        s->at--;
    if (s->at == b->count) {
        s->block++;
        s->at = 0;
    }
    return s->block < m->count;
}

/* Add a new block at this position of the list. */
static struct codeblock *
add_block(struct codemap *m, size_t at)
{
    struct codeblock *b = mem_alloc(sizeof *b);
    b->count = 0;
    m->blocks = mem_grow(m->blocks, &m->cap, m->count + 1, sizeof(struct codeblock *));
    memmove(m->blocks + at + 1, m->blocks + at, (m->count - at) * sizeof(struct codeblock *));
    m->blocks[at] = b;
    m->count++;
    return b;
}

static void
remove_blocks(struct codemap *m, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++)
        free(m->blocks[i]);
    memmove(m->blocks + from, m->blocks + end, (m->count - end) * sizeof(struct codeblock *));
    m->count -= end - from;
}

static void
insert_at(struct codeblock *b, size_t at, const struct codepiece *p)
{
    memmove(b->pieces + at + 1, b->pieces + at, (b->count - at) * sizeof *b->pieces);
    b->pieces[at] = *p;
    b->count++;
}

/* Move the upper half of a full block to a new one. */
static void
split(struct codemap *m, size_t at)
{
    struct codeblock *upper = add_block(m, at + 1), *b = m->blocks[at];
    upper->count = b->count / 2;
    b->count -= upper->count;
    memcpy(upper->pieces, b->pieces + b->count, upper->count * sizeof *upper->pieces);
}

/* Insert a piece into free space. Pieces in ascending or descending order fill their blocks: at the
 * end of a full block, the next block is used, or a new one. */
static void
insert(struct codemap *m, const struct codepiece *p)
{
    size_t block = block_of(m, p->start);
    struct codeblock *b = m->count > 0 ? m->blocks[block] : add_block(m, 0);
    size_t at = begun(b, p->start);
    if (b->count < PIECES) {
        insert_at(b, at, p);
    } else if (at == 0) {
        insert_at(add_block(m, 0), 0, p);
    } else if (at < PIECES) {
        split(m, block);
        insert(m, p); /* now there is room */
    } else if (block + 1 < m->count && m->blocks[block + 1]->count < PIECES) {
        insert_at(m->blocks[block + 1], 0, p);
    } else {
        insert_at(add_block(m, block + 1), 0, p);
    }
}

/* Remove the pieces, from this one on, that end at or before `end`. */
static void
remove_covered(struct codemap *m, struct spot from, uint64_t end)
{
    struct codeblock *b = m->blocks[from.block];
    size_t i = from.at, block = from.block;
    while (i < b->count && end_of(&b->pieces[i]) <= end)
        i++;
    memmove(b->pieces + from.at, b->pieces + i, (b->count - i) * sizeof *b->pieces);
    b->count -= i - from.at;
    if (b->count > 0)
        return;
    do
        block++;
    while (block < m->count &&
           end_of(&m->blocks[block]->pieces[m->blocks[block]->count - 1]) <= end);
    remove_blocks(m, from.block, block);
}

/* Remove the pieces in [start, end) with lengths below 4 GB. */
static void
clear(struct codemap *m, uint64_t start, uint64_t end)
{
    for (struct spot s; first_after(m, start, &s);) {
        struct codepiece *p = &m->blocks[s.block]->pieces[s.at];
        uint64_t p_end = end_of(p);
        if (p->start >= end)
            return;
        if (p->start < start) {
            p->len = (uint32_t)(start - p->start);
            struct codepiece rest = {end, (uint32_t)(p_end - end), p->line};
            if (p_end > end)
                insert(m, &rest);
        } else if (p_end > end) {
            p->start = end;
            p->len = (uint32_t)(p_end - end);
        } else {
            remove_covered(m, s, end);
        }
    }
}

void
codemap_clear(struct codemap *m, uint64_t start, uint64_t end)
{
    m->wide_end = 0;
    clear(m, start, end);
}

void
codemap_put(struct codemap *m, uint64_t start, uint64_t end, uint32_t line)
{
    if (end <= start)
        return;
    if (end - start >= UINT32_MAX) {
        m->wide = (struct codepiece){start, UINT32_MAX, line};
        m->wide_end = end;
        return;
    }
    clear(m, start, end);
    insert(m, &(struct codepiece){start, (uint32_t)(end - start), line});
}

const struct codepiece *
codemap_from(const struct codemap *m, uint64_t addr)
{
    struct spot s;
    return first_after(m, addr, &s) ? &m->blocks[s.block]->pieces[s.at] : NULL;
}

const struct codepiece *
codemap_find(const struct codemap *m, uint64_t addr)
{
    const struct codepiece *p = codemap_from(m, addr);
    if (p != NULL && p->start <= addr)
        return p;
    return m->wide_end > addr && m->wide.start <= addr ? &m->wide : NULL;
}

bool
codemap_overlaps(const struct codemap *m, uint64_t start, uint64_t end)
{
    const struct codepiece *p = codemap_from(m, start);
    return (p != NULL && p->start < end) || (m->wide_end > start && m->wide.start < end);
}

size_t
codemap_size(const struct codemap *m)
{
    return m->count * sizeof(struct codeblock) + m->cap * sizeof(struct codeblock *);
}

void
codemap_free(struct codemap *m)
{
    if (m->count > 0)
        remove_blocks(m, 0, m->count);
    free(m->blocks);
    *m = (struct codemap){0};
}
