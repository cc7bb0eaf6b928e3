/* What the replaced scripts do with stacks; some print each stack at once instead of adding up
 * equal ones. */
#ifndef STACKCOLLAPSE_SCRIPTSTACK_H
#define STACKCOLLAPSE_SCRIPTSTACK_H

#include "cmd/stackcollapse/build/reader.h"

/* As reader_push_leaf_first, for a script that writes no ";" before its first frame: an empty name
 * adds no frame as long as the stack is empty. */
void scriptstack_prepend(struct reader *f, struct span name);

/* Count a sample and print the stack, root first, at once. */
void scriptstack_print(struct reader *f, struct span count);

/* Set the name of a level of a call tree, which stays until another of this level comes; the names
 * are in f->ids, and their numbers by level in f->list. Levels above it that have none get an empty
 * one. */
void scriptlevels_set(struct reader *f, size_t level, struct span name);

/* Count a sample and print the names of the first n levels, which are set, as a stack. */
void scriptlevels_print(struct reader *f, size_t n, struct span count);

/* Report an error at the last line, end the reading, and set the exit status of a Perl script that
 * dies there. What was printed before stays. */
void script_die(struct reader *f, const char *why);

#endif
