/* What the replaced scripts do with stacks. They keep a stack as one text, so a ";" in a frame's
 * name makes two frames; and some print each stack at once instead of adding up equal ones. A
 * format in this folder has a state that begins with a struct lineformat, as all formats of lines
 * have. */
#ifndef STACKCOLLAPSE_SCRIPTSTACK_H
#define STACKCOLLAPSE_SCRIPTSTACK_H

#include "cmd/stackcollapse/build/lineformat.h"

/* Append a frame. */
void scriptstack_push(struct lineformat *f, struct span name);

/* Append a frame to a stack that begins with its leaf and is reversed before it is emitted. */
void scriptstack_push_leaf_first(struct lineformat *f, struct span name);

/* The same for a script that writes no ";" before its first frame: an empty name adds no frame as
 * long as the stack is empty. */
void scriptstack_prepend(struct lineformat *f, struct span name);

/* Count a sample and add the stack, root first, to the profile. An empty stack is added as one
 * frame with an empty name. */
void scriptstack_emit(struct lineformat *f, struct decimal count);

/* Count a sample and print the stack, root first, at once. */
void scriptstack_print(struct lineformat *f, struct span count);

/* For stacks, leaf first, that end with a line that is their count: return true if the line is no
 * frame. It is blank, or white space and digits, the count of the stack, which is emitted. */
bool scriptstack_count(struct lineformat *f, struct span line);

/* The names of a call tree's current functions by level: each stays until another of its level
 * comes. {0} is empty. */
struct scriptlevels {
    struct intern names;
    uint32_t *levels; /* numbers of names */
    size_t n, cap;
};

/* Set the name of this level. Levels below it that have none get an empty one. */
void scriptlevels_set(struct scriptlevels *l, size_t level, struct span name);

/* The name of a level below l->n. */
struct span scriptlevels_name(const struct scriptlevels *l, size_t level);

/* Count a sample and print the names of the first n levels, which are set, as a stack. */
void scriptlevels_print(const struct scriptlevels *l, struct collapse *c, size_t n,
                        struct span count);

void scriptlevels_free(struct scriptlevels *l);

/* Report an error at the last line, and set the exit status of a Perl script that dies there. The
 * caller reads no more lines; what was printed before stays. */
void script_die(struct collapse *c, const char *why);

#endif
