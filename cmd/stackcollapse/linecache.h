/* Frame lines that were seen, so that a line seen before is not parsed again. The line that
 * followed the last two of them when they were seen before is tried first: that costs no search for
 * its end. (One line before is too little: a function has many callers.) */
#ifndef STACKCOLLAPSE_LINECACHE_H
#define STACKCOLLAPSE_LINECACHE_H

#include "common/base/hash.h"
#include "common/base/intern.h"

/* A line that followed another one. */
struct linepair {
    struct span text;      /* of the line, with its newline */
    uint32_t name;         /* of its frame, the number in the profile */
    uint32_t before, line; /* numbers of the two lines */
    uint32_t next;         /* the pair of this line and the one that followed last time; 0: none */
};

/* {0} is an empty one. Its memory is limited: it forgets all lines when it is full. */
struct linecache {
    struct intern lines; /* with their newlines */
    uint32_t *names;     /* by line: of its frame */
    size_t names_cap, bytes;
    struct linepair *pairs; /* by number; the first stands for a stack's beginning */
    size_t npairs, pairs_cap;
    uint32_t *slots;     /* of a hash table: numbers of pairs; 0: empty */
    struct hash_key key; /* of the hash table */
    bool starts[256];    /* by byte: some line begins with it */
    uint32_t last;       /* the pair that ends with the line before */
};

/* Says that the next line begins a stack. */
static inline void
linecache_begin(struct linecache *c)
{
    c->last = 0;
}

/* The number of a line, whose newline follows it, or INTERN_NONE if it is not kept. It is valid
 * until linecache_keep. */
uint32_t linecache_find(const struct linecache *c, struct span line);

/* Says that the line of this number is the next one. Returns the name of its frame. */
uint32_t linecache_take(struct linecache *c, uint32_t line);

/* Keeps the next line, whose newline follows it, with the name of its frame. */
void linecache_keep(struct linecache *c, struct span line, uint32_t name);

/* If the text begins with the line that is predicted, takes it and returns its pair, else NULL. */
static inline const struct linepair *
linecache_predicted(struct linecache *c, struct span text)
{
    uint32_t next = c->npairs > 0 ? c->pairs[c->last].next : 0;
    if (next == 0 || !span_starts(text, c->pairs[next].text))
        return NULL;
    c->last = next;
    return &c->pairs[next];
}

void linecache_free(struct linecache *c);

#endif
