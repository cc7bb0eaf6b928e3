#include "common/v8/heap.h"

#include <stdlib.h>

void
heap_init(struct heap *h, const struct v8layout *layout, const struct v8memory *memory)
{
    *h = (struct heap){.layout = layout};
    snapshot_init(&h->memory, memory);
}

static enum v8status
read_type(struct heap *h, uint64_t map, uint16_t *type)
{
    return snapshot_get(&h->memory, heap_address(map) + h->layout->map_type, sizeof *type, type);
}

/* Set *type to the type in a map. */
static enum v8status
type_of(struct heap *h, uint64_t map, uint16_t *type)
{
    uint64_t meta;
    uint16_t meta_type;
    uint32_t number = addresses_find(&h->maps, map);
    if (number != ADDRESSES_NONE) {
        *type = h->types.at[number];
        return V8_OK;
    }
    if (!heap_points(map))
        return V8_BAD;
    enum v8status status = heap_word(h, map, 0, &meta), type_status = read_type(h, map, type);
    if (status == V8_OK && !heap_points(meta))
        return V8_BAD;
    if (status == V8_OK)
        status = type_status == V8_OK ? read_type(h, meta, &meta_type) : type_status;
    if (status == V8_OK && meta_type != h->layout->type_map)
        return V8_BAD;
    if (status == V8_OK) {
        addresses_put(&h->maps, map, &number);
        VEC_ADD(h->types, *type);
    }
    return status;
}

enum v8status
heap_object(struct heap *h, uint64_t word, size_t len, void *to, uint16_t *type)
{
    if (!heap_points(word))
        return V8_BAD;
    enum v8status status = snapshot_get(&h->memory, heap_address(word), len, to);
    return status == V8_OK ? type_of(h, load_u64(to), type) : status;
}

enum v8status
heap_typed(struct heap *h, uint64_t word, uint16_t type, size_t len, void *to)
{
    uint16_t found;
    enum v8status status = heap_object(h, word, len, to, &found);
    return status == V8_OK && found != type ? V8_BAD : status;
}

void
heap_forget(struct heap *h)
{
    addresses_free(&h->maps);
    free(h->types.at);
    h->types.at = NULL;
    h->types.n = h->types.cap = 0;
}

size_t
heap_size(const struct heap *h)
{
    return snapshot_size(&h->memory) + addresses_size(&h->maps) +
           h->types.cap * sizeof *h->types.at;
}

void
heap_free(struct heap *h)
{
    heap_forget(h);
    snapshot_free(&h->memory);
}
