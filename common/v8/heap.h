/* Objects in the memory of a V8. An object of an unexpected type is rejected.
 *
 * A tagged word is a heap object's address plus 1, or a Smi: a 32-bit number in the upper half. The
 * first word of an object is its map, which gives its type; a map's own map has the type Map. */
#ifndef V8_HEAP_H
#define V8_HEAP_H

#include "common/base/load.h"
#include "common/v8/layout.h"
#include "common/v8/snapshot.h"

struct heap {
    const struct v8layout *layout;
    struct snapshot memory;

    /* private */
    struct addresses maps;
    VEC(uint16_t) types; /* by number of the map */
};

/* Initialize. The layout and the memory are borrowed. */
void heap_init(struct heap *h, const struct v8layout *layout, const struct v8memory *memory);

/* Return true if the tagged word points to an object. */
static inline bool
heap_points(uint64_t word)
{
    return (word & 3) == 1;
}

/* Return the address of the object to which the tagged word points. */
static inline uint64_t
heap_address(uint64_t word)
{
    return word - 1;
}

/* Set *value to the number in a Smi. Return false if the word is not a Smi. */
static inline bool
heap_smi(uint64_t word, int32_t *value)
{
    *value = (int32_t)(uint32_t)(word >> 32);
    return (word & UINT32_MAX) == 0;
}

/* Copy the first len bytes (at least 8) of the object to `to`, and set *type to its type. */
enum v8status heap_object(struct heap *h, uint64_t word, size_t len, void *to, uint16_t *type);

/* Copy the first len bytes of an object that must have this type. V8_BAD: it has another type. */
enum v8status heap_typed(struct heap *h, uint64_t word, uint16_t type, size_t len, void *to);

/* Copy the word at this offset of an object. Its type is not checked. */
static inline enum v8status
heap_word(struct heap *h, uint64_t object, size_t offset, uint64_t *word)
{
    return snapshot_get(&h->memory, heap_address(object) + offset, sizeof *word, word);
}

/* Note for snapshot_fetch the first bytes of an object that will be needed soon, so that it is read
 * in the same request as others. Do nothing if the word does not point to an object. */
static inline void
heap_want(struct heap *h, uint64_t word, size_t len)
{
    if (heap_points(word))
        snapshot_want(&h->memory, heap_address(word), len);
}

/* Forget the types of maps. */
void heap_forget(struct heap *h);

/* Return its size in this program's memory, in bytes. */
size_t heap_size(const struct heap *h);

void heap_free(struct heap *h);

#endif
