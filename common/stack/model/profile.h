/* A profile: the different stacks, and how often each was seen. A stack is an array of numbers of
 * names, root first; each name is interned once.
 *
 * Some formats give a stack as one frame and the number of its caller's stack, or as the number of
 * a list of frames. A small file could then fill the memory with arrays. So these stacks are nodes
 * of a tree, and each list is in memory once. The output is the same. */
#ifndef STACK_PROFILE_H
#define STACK_PROFILE_H

#include "common/base/decimal.h"
#include "common/base/intern.h"
#include "common/base/out.h"
#include "common/base/text.h"
#include "common/base/vec.h"
#include "common/stack/model/stacktree.h"

/* {0} is an empty one. Change it through the functions. */
struct profile {
    struct text masked;
    struct intern names;    /* each with ";" appended, as it is written before another frame */
    struct intern stacks;   /* name numbers as bytes; profile_frame reads them */
    struct decimal *counts; /* by stack number */
    size_t counts_cap;
    struct decimal *seconds; /* in the other profile, if there is one */
    size_t seconds_cap;
    /* The stack that was added last. Its memory in the hash table, which is rarely in a CPU cache,
     * is prefetched, and it is looked up when the next stack is added: this saves 10 % of the time
     * for 400,000 different stacks. */
    struct profile_last {
        uint32_t *frames;
        size_t n, cap; /* n 0: there is none */
        uint32_t fetched;
        struct decimal count, second;
        bool has_second;
    } last;
    bool masks; /* set by the caller: names are masked by utf8_mask */
    /* Set by the caller: append the demangled name of a frame to *out; return false if it is not
     * mangled. NULL: do not demangle. Called by readers that compose names; never for folded
     * text. */
    bool (*demangle)(struct span frame, struct text *out);
    bool two;                         /* some stack has a second count */
    bool unsorted;                    /* some stack was not added by profile_append */
    struct stacktree tree;            /* more stacks, of names and lists; the caller adds to it */
    VEC(struct decimal) tree_seconds; /* second counts, by node of the tree; may be shorter */
    struct intern lists; /* of name numbers, as bytes; list n is written PROFILE_LIST + n */
};

/* Return the number of a frame's name, which has no ";" in it. Copy the name if it is new. */
uint32_t profile_name(struct profile *p, struct span name);

/* As profile_name, for a name that is followed by ";" in memory and needs no masking. */
static inline uint32_t
profile_name_before_semicolon(struct profile *p, struct span name)
{
    return intern_add(&p->names, span_of(name.ptr, name.len + 1));
}

/* Return the text of a name. */
static inline struct span
profile_name_text(const struct profile *p, uint32_t name)
{
    struct span text = intern_text(&p->names, name);
    return span_head(text, text.len - 1);
}

/* Add a stack of n frames, at least one, root first, seen `count` times, and `second` times in the
 * other profile (NULL: there is no other). */
void profile_add(struct profile *p, const uint32_t *frames, size_t n, struct decimal count,
                 const struct decimal *second);

/* As profile_add, for a stack that sorts after all stacks added before. If every stack is added by
 * this function, there are no lookups: on sorted folded text this saves 22 % of the
 * instructions. */
void profile_append(struct profile *p, const uint32_t *frames, size_t n, struct decimal count,
                    const struct decimal *second);

#define PROFILE_LIST 0x80000000u

/* Return the number that stands for n names, at least one, root first, in the tree. Some of them
 * may stand for lists of names, but not for lists of lists. */
uint32_t profile_list(struct profile *p, const uint32_t *names, size_t n);

/* Add to the counts of a stack of the tree in two profiles; one of them may be 0. For a single
 * profile use stacktree_count(). */
void profile_count_two(struct profile *p, uint32_t node, struct decimal count,
                       struct decimal second);

/* Add the stacks of a tree of names to the profile's, and empty the tree. */
void profile_add_tree(struct profile *p, struct stacktree *t);

/* Stacks that are not in the tree have numbers from 0 on. Return the number of frames of one; and
 * the name number of its i-th frame, root first. */
static inline size_t
profile_depth(const struct profile *p, uint32_t stack)
{
    return intern_text(&p->stacks, stack).len / sizeof(uint32_t);
}

static inline uint32_t
profile_frame(const struct profile *p, uint32_t stack, size_t i)
{
    uint32_t name; /* the bytes may be unaligned */
    memcpy(&name, intern_text(&p->stacks, stack).ptr + i * sizeof name, sizeof name);
    return name;
}

/* Return the order of n stacks by the bytes of their lines, as an array of indices. The caller
 * frees it. The stacks are arrays of the profile's name numbers, as bytes. */
uint32_t *profile_order(const struct profile *p, const struct span *stacks, size_t n);

/* Return true if the profile has no stack, so that nothing would be written. */
bool profile_is_empty(const struct profile *p);

/* Return true if some count is full (decimal_is_full); the caller then reports DECIMAL_FULL. */
bool profile_is_full(const struct profile *p);

/* Write all stacks as folded text, in byte order. */
void profile_write(struct profile *p, struct out *out);

/* Return the numbers of all stacks, sorted by the bytes after each stack's first frame: stacks that
 * differ only in their slice of time are then neighbours. The caller frees the array. No stack may
 * be in the tree. */
uint32_t *profile_order_rests(struct profile *p);

/* Return the size in memory, in bytes, including what profile_write() needs to sort the stacks. */
size_t profile_size(const struct profile *p);

void profile_free(struct profile *p);

#endif
