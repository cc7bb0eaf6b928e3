#include "cmd/stackrecord/blocks.h"

#include <stdlib.h>

#include "common/base/num.h"

/* What a key begins with; the callchain follows. It has no padding, since keys are compared as
 * bytes. */
struct head {
    uint32_t pid, tid;
    uint32_t misc, state;
};

static struct head
head_of(struct span key)
{
    struct head head;
    memcpy(&head, key.ptr, sizeof head);
    return head;
}

/* The number of the block's key. */
static uint32_t
find(struct blocks *b, const struct block *block)
{
    struct head head = {block->pid, block->tid, block->misc, (unsigned char)block->state};
    uint32_t number;
    b->key.len = 0;
    text_add(&b->key, span_of((const char *)&head, sizeof head));
    text_add(&b->key, span_of(block->chain.ptr, block->chain.count * sizeof(uint64_t)));
    if (intern_put(&b->keys, text_span(&b->key), &number)) {
        b->sums = mem_grow(b->sums, &b->cap, (size_t)number + 1, sizeof *b->sums);
        b->sums[number] = (struct blocks_sum){0};
        b->bytes += b->key.len + sizeof *b->sums + sizeof *b->keys.texts;
    }
    return number;
}

void
blocks_add(struct blocks *b, const struct block *block, uint64_t time, uint64_t resumed)
{
    uint32_t number = find(b, block);
    struct blocks_sum *sum = &b->sums[number];
    sum->time = num_add(sum->time, time);
    sum->resumed = resumed;
    sum->ip = block->ip;
    sum->cpu = block->cpu;
}

bool
blocks_has(const struct blocks *b, uint32_t pid)
{
    bool found = false;
    for (uint32_t i = 0; i < b->keys.count && !found; i++)
        found = head_of(intern_text(&b->keys, i)).pid == pid;
    return found;
}

struct place_in_time {
    uint64_t resumed;
    uint32_t number; /* of the key */
};

static int
earlier_first(const void *a, const void *b)
{
    const struct place_in_time *x = a, *y = b;
    if (x->resumed != y->resumed)
        return (x->resumed > y->resumed) - (x->resumed < y->resumed);
    return (x->number > y->number) - (x->number < y->number);
}

/* The keys in the order of `resumed`; to be given to free(). */
static struct place_in_time *
in_order(const struct blocks *b)
{
    size_t n = b->keys.count;
    struct place_in_time *places = mem_alloc(n * sizeof *places);
    for (uint32_t i = 0; i < n; i++)
        places[i] = (struct place_in_time){b->sums[i].resumed, i};
    qsort(places, n, sizeof *places, earlier_first);
    return places;
}

void
blocks_flush(struct blocks *b,
             void (*give)(void *ctx, const struct block *block, const struct blocks_sum *sum),
             void *ctx)
{
    if (b->keys.count == 0)
        return;
    struct place_in_time *places = in_order(b);
    for (size_t i = 0; i < b->keys.count; i++) {
        const struct blocks_sum *sum = &b->sums[places[i].number];
        struct span key = intern_text(&b->keys, places[i].number);
        struct head head = head_of(key);
        struct span chain = span_from(key, sizeof head);
        give(ctx,
             &(struct block){
                 .pid = head.pid,
                 .tid = head.tid,
                 .misc = (uint16_t)head.misc,
                 .state = (char)head.state,
                 .cpu = sum->cpu,
                 .ip = sum->ip,
                 .chain = {chain.ptr, chain.len / sizeof(uint64_t)},
             },
             sum);
    }
    free(places);
    intern_free(&b->keys);
    b->bytes = 0;
}

void
blocks_free(struct blocks *b)
{
    intern_free(&b->keys);
    free(b->sums);
    free(b->key.ptr);
}
