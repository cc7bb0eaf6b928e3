#include "cmd/stackcollapse/linecache.h"

#include <stdlib.h>

#include "common/base/hash.h"

/* Memory for lines that differ in addresses or numbers must not grow with the input. */
enum {
    MAX_LINES = 64 * 1024,
    MAX_PAIRS = 64 * 1024,
    MAX_BYTES = 8 * 1024 * 1024,
    SLOTS = 2 * MAX_PAIRS,
};

static bool
is_full(const struct linecache *c)
{
    return c->lines.count >= MAX_LINES || c->npairs >= MAX_PAIRS || c->bytes > MAX_BYTES;
}

static uint32_t
add_pair(struct linecache *c, struct linepair pair)
{
    c->pairs = mem_grow(c->pairs, &c->pairs_cap, c->npairs + 1, sizeof *c->pairs);
    c->pairs[c->npairs] = pair;
    return (uint32_t)c->npairs++;
}

/* Makes sure that there is room for a line and a pair: empties the cache if it is full. */
static void
make_room(struct linecache *c)
{
    if (c->npairs > 0 && !is_full(c))
        return;
    intern_free(&c->lines);
    memset(c->starts, 0, sizeof c->starts);
    c->bytes = c->npairs = c->last = 0;
    c->key = hash_key();
    free(c->slots);
    c->slots = calloc(SLOTS, sizeof *c->slots);
    if (c->slots == NULL)
        mem_exhausted();
    add_pair(c, (struct linepair){.before = INTERN_NONE, .line = INTERN_NONE});
}

/* The number of the pair of the two lines, which is added if it is new. */
static uint32_t
find_pair(struct linecache *c, uint32_t before, uint32_t line)
{
    size_t i = (size_t)hash_number((uint64_t)before << 32 | line, c->key) % SLOTS;
    for (uint32_t pair; (pair = c->slots[i]) != 0; i = (i + 1) % SLOTS)
        if (c->pairs[pair].before == before && c->pairs[pair].line == line)
            return pair;
    struct linepair new = {intern_text(&c->lines, line), c->names[line], before, line, 0};
    return c->slots[i] = add_pair(c, new);
}

uint32_t
linecache_find(const struct linecache *c, struct span line)
{
    bool possible = c->starts[(unsigned char)line.ptr[0]] && !is_full(c);
    return possible ? intern_find(&c->lines, span_of(line.ptr, line.len + 1)) : INTERN_NONE;
}

uint32_t
linecache_take(struct linecache *c, uint32_t line)
{
    uint32_t pair = find_pair(c, c->pairs[c->last].line, line);
    c->pairs[c->last].next = pair;
    c->last = pair;
    return c->names[line];
}

void
linecache_keep(struct linecache *c, struct span line, uint32_t name)
{
    uint32_t id;
    make_room(c);
    if (intern_put(&c->lines, span_of(line.ptr, line.len + 1), &id)) {
        c->names = mem_grow(c->names, &c->names_cap, c->lines.count, sizeof *c->names);
        c->names[id] = name;
        c->bytes += line.len;
        c->starts[(unsigned char)line.ptr[0]] = true;
    }
    linecache_take(c, id);
}

void
linecache_free(struct linecache *c)
{
    intern_free(&c->lines);
    free(c->names);
    free(c->pairs);
    free(c->slots);
    *c = (struct linecache){0};
}
