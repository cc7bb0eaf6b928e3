/* String interning: equal texts get the same number, from 0 in order of first appearance. */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stdint.h>

#include "common/base/hash.h"
#include "common/base/slots.h"

/* {0} is empty. The members are public so that a hot loop can read texts[id]; only the functions
 * change them. */
struct intern {
    struct span *texts; /* by number */
    size_t count, cap;
    struct slots slots;
    size_t inserted;     /* number of texts with a slot */
    struct hash_key key; /* of the hash table */
    struct arena arena;
};

#define INTERN_NONE UINT32_MAX

/* Return the number of the text, which is copied if it is new. More than 2^32 - 2 texts end the
 * program like a lack of memory. */
uint32_t intern_add(struct intern *t, struct span text);

/* As intern_add, with the number in *id. Return true if the text is new. */
bool intern_put(struct intern *t, struct span text, uint32_t *id);

/* As intern_put, in two steps, for large tables: first prefetch the memory that intern_put_later
 * needs, then, some time later, add the text, with the result of the first step. */
uint32_t intern_fetch(struct intern *t, struct span text);
bool intern_put_later(struct intern *t, struct span text, uint32_t fetched, uint32_t *id);

/* As intern_add, for a text that is known to be new. There is no lookup: the next intern_add or
 * intern_put inserts the appended texts into the hash table. */
uint32_t intern_append(struct intern *t, struct span text);

/* Return the number of the text; INTERN_NONE if it was never added. Texts appended since the last
 * intern_add or intern_put are not found. */
uint32_t intern_find(const struct intern *t, struct span text);

/* Return the text of a number; valid until intern_free. */
static inline struct span
intern_text(const struct intern *t, uint32_t id)
{
    return t->texts[id];
}

/* Free the hash table, to make room for work on the texts. intern_find then finds nothing until the
 * next intern_add or intern_put, which rebuilds the table. */
void intern_forget(struct intern *t);

/* Forget all texts, and keep some of the memory for others. */
void intern_empty(struct intern *t);

/* Return the table's size in memory, in bytes. */
size_t intern_size(const struct intern *t);

/* Free the table and its texts; it is then empty, as {0}. */
void intern_free(struct intern *t);

#endif
