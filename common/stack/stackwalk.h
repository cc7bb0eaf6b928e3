/* Writes a profile that holds a tree: walks it in the byte order of the lines. */
#ifndef STACK_STACKWALK_H
#define STACK_STACKWALK_H

#include "common/stack/profile.h"

/* Write all stacks as folded text, in byte order, each once. `rank` is that of sort_sequences for
 * the profile's names. Memory is linear in the tree, whatever the length of the lines is. */
void stackwalk_write(const struct profile *p, const uint32_t *rank, struct out *out);

#endif
