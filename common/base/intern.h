/* String interning: equal texts get the same number, from 0 in order of first appearance. */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stdint.h>

#include "common/base/hash.h"
#include "common/base/slots.h"

/* {0} is an empty table. The fields are public so that a hot loop can read texts[id]; only the
 * functions change them. */
struct intern {
    struct span *texts; /* by number */
    size_t count, cap;
    struct slots slots;
    size_t inserted;     /* how many of the texts have a slot */
    struct hash_key key; /* of the hash table */
    struct arena arena;
};

#define INTERN_NONE UINT32_MAX

/* Return the number of the text, which is copied when it is new. More than 2^32 - 2 texts end the
 * program as a lack of memory does. */
uint32_t intern_add(struct intern *t, struct span text);

/* As intern_add, with the number in *id; true if the text is new. */
bool intern_put(struct intern *t, struct span text, uint32_t *id);

/* In two steps, for large tables: first fetch what intern_put_later needs of the table, then add the
 * text some time later, with what this returned. */
uint32_t intern_fetch(struct intern *t, struct span text);
bool intern_put_later(struct intern *t, struct span text, uint32_t fetched, uint32_t *id);

/* As intern_add, for a text that the caller knows to be new. It costs no lookup: the next
 * intern_add or intern_put inserts the appended texts into the hash table. */
uint32_t intern_append(struct intern *t, struct span text);

/* Return the number of the text, or INTERN_NONE if it was never added. Does not find texts that
 * were appended since the last intern_add or intern_put. */
uint32_t intern_find(const struct intern *t, struct span text);

/* Return the text of a number; valid until intern_free. */
static inline struct span
intern_text(const struct intern *t, uint32_t id)
{
    return t->texts[id];
}

/* Free the hash table, for work on the texts that takes memory itself. intern_find finds nothing
 * until the next intern_add or intern_put, which makes the table again. */
void intern_forget(struct intern *t);

/* Forget all texts, and keep some of the memory for others. */
void intern_empty(struct intern *t);

/* Return how much memory the table takes, in bytes. */
size_t intern_size(const struct intern *t);

/* Free the table and its texts; it is then empty, as {0}. */
void intern_free(struct intern *t);

#endif
