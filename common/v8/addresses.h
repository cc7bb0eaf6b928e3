/* Assigns numbers to addresses of another process: 0 to the first new address, 1 to the next one.
 * The hash has a secret key, since the process chooses the addresses. */
#ifndef V8_ADDRESSES_H
#define V8_ADDRESSES_H

#include <stdint.h>

#include "common/base/hash.h"
#include "common/base/slots.h"
#include "common/base/vec.h"

/* {0} is an empty table. */
struct addresses {
    /* private */
    struct slots slots;
    struct hash_key key;
    VEC(uint64_t) of; /* by number */
};

#define ADDRESSES_NONE UINT32_MAX

/* Return the number of the address; ADDRESSES_NONE if it has none. */
uint32_t addresses_find(const struct addresses *t, uint64_t addr);

/* Set *number to the number of the address. Return true if the address is new. */
bool addresses_put(struct addresses *t, uint64_t addr, uint32_t *number);

/* Forget all addresses. Keep memory for about the same number of new ones. */
void addresses_empty(struct addresses *t);

/* Return the table's size in memory, in bytes. */
size_t addresses_size(const struct addresses *t);

/* Free the table; it is then empty, as {0}. */
void addresses_free(struct addresses *t);

#endif
