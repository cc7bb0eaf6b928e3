/* Text by number: equal texts get the same number, counted from 0 in the order of first sight. */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stdint.h>

#include "common/base/mem.h"

/* {0} is an empty one. Open, so that a hot loop can look at texts[id]; change it through the
 * functions only. */
struct intern {
    struct span *texts; /* by number */
    size_t count, cap;
    struct intern_slot *slots;
    size_t mask;
    size_t placed; /* so many of the texts have a slot */
    uint64_t seed;
    struct arena arena;
};

#define INTERN_NONE UINT32_MAX

/* The number of the text, which is copied when it is new. More than 2^32 - 2 texts end the program
 * as a lack of memory. */
uint32_t intern_add(struct intern *t, struct span text);

/* As intern_add, with the number in *id; true where the text is new. */
bool intern_put(struct intern *t, struct span text, uint32_t *id);

/* As intern_add of a text that the caller knows to be new. A row of such costs no look-up: they get
 * their places in the table when one is needed. */
uint32_t intern_append(struct intern *t, struct span text);

/* The number of the text, or INTERN_NONE where it was never added. For tables without
 * intern_append. */
uint32_t intern_find(const struct intern *t, struct span text);

/* The text of a number; good until intern_free. */
static inline struct span
intern_text(const struct intern *t, uint32_t id)
{
    return t->texts[id];
}

void intern_free(struct intern *t);

#endif
