/* A profile: the different stacks and how often each was seen. A stack is an array of name
 * numbers, root first; names are interned once. Some formats give a
 * stack as one frame and the number of its caller's stack, or as the number of a list of frames. Lest a
 * small file fill the memory, such stacks stay nodes of a tree, and each list is in memory once. What
 * is written is the same. */
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
    /* The stack that was added last, which is looked up when the next one is, since the hash table is
     * rarely in a cache: saves 10 % of the time for 400,000 different stacks. */
    struct profile_last {
        uint32_t *frames;
        size_t n, cap; /* n 0: there is none */
        uint32_t fetched;
        struct decimal count, second;
        bool has_second;
    } last;
    bool masks; /* set by the caller: names are masked by utf8_mask */
    /* Set by the caller: appends the demangled name of a frame to *out; false if it is not mangled.
     * NULL: names stay as they are. Called by readers that make the names of frames, and not for
     * folded text. */
    bool (*demangle)(struct span frame, struct text *out);
    bool two;                         /* some stack has a second count */
    bool unsorted;                    /* some stack was not added by profile_append */
    struct stacktree tree;            /* more stacks, of names and lists; the caller adds to it */
    VEC(struct decimal) tree_seconds; /* by node of the tree, as far as there are any */
    struct intern lists; /* name numbers as bytes; PROFILE_LIST and their number stands for them */
};

/* Return the number of a frame's name, which holds no ";". Copies it when it is new. */
uint32_t profile_name(struct profile *p, struct span name);

/* The same where the byte after the name is known to be ";", and the name to need no mask. */
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

/* The same for a stack that sorts after all that were added before. It costs no lookup as long as
 * every stack is added so, which saves 22 % of the instructions on sorted folded text. */
void profile_append(struct profile *p, const uint32_t *frames, size_t n, struct decimal count,
                    const struct decimal *second);

#define PROFILE_LIST 0x80000000u

/* Return the number that stands for n names, at least one, root first, in the tree. Some of them
 * may stand for lists of names, but not for lists of lists. */
uint32_t profile_list(struct profile *p, const uint32_t *names, size_t n);

/* Add the counts that a stack of the tree has in two profiles; one of them may be 0. For one
 * profile there is stacktree_count. */
void profile_count_two(struct profile *p, uint32_t node, struct decimal count,
                       struct decimal second);

/* Add the stacks of a tree of names to the profile's, and empty the tree. */
void profile_add_tree(struct profile *p, struct stacktree *t);

/* Stacks that are not in the tree are numbered from 0. Return how many frames one has, and the name
 * number of its i-th frame, root first. */
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

/* Return the order of n stacks by the bytes of their lines, as indices that are to be given to
 * free(). The stacks are arrays of the profile's name numbers, as bytes. */
uint32_t *profile_order(const struct profile *p, const struct span *stacks, size_t n);

/* Return true if it has no stack: nothing would be written. */
bool profile_is_empty(const struct profile *p);

/* Return true if some count is full (decimal_is_full), which is to be reported. */
bool profile_is_full(const struct profile *p);

/* Write all stacks as folded text, in byte order. */
void profile_write(struct profile *p, struct out *out);

/* Return the stacks' numbers in the byte order of what follows each stack's first frame: those that
 * differ in their slice of time alone come together. To be given to free(). No stack may be in the
 * tree. */
uint32_t *profile_order_rests(struct profile *p);

/* Return how much memory the profile takes, in bytes, with what profile_write needs to sort it. */
size_t profile_size(const struct profile *p);

void profile_free(struct profile *p);

#endif
