/* Sampled profiles whose stacks are nodes of a tree, each with an id and its parent's: V8's CPU
 * profiles, and those in a trace. A file may have several profiles, each in several parts. */
#ifndef STACKCOLLAPSE_SAMPLETREE_H
#define STACKCOLLAPSE_SAMPLETREE_H

#include "cmd/stackcollapse/shared/jsname.h"

struct sampletree_node {
    uint32_t parent; /* SAMPLETREE_NONE: none is known */
    uint32_t name;   /* its number in the profile; SAMPLETREE_NONE: the node is not described, but
                      other nodes or samples mention it */
    uint32_t stack;  /* in the profile's tree; STACKTREE_ROOT: it was not looked up */
    bool entered;    /* its stack was looked up, or begun to be */
    uint64_t hits;   /* its hitCount */
    uint64_t samples, us;
};

struct tree_sample {
    uint32_t node;   /* its id, until it is added */
    uint32_t series; /* samples that follow each other in time */
    int64_t us; /* since the sample before it in its part; in sampletree_fold, since the start */
};

/* Samples that were added together. */
struct tree_part {
    uint32_t series;
    double time;     /* of the part, in microseconds: sampletree_add */
    size_t first, n; /* samples */
};

/* A node as it was read; or only an id, and the parent that lists it among its children. */
struct described {
    uint32_t id, parent; /* ids */
    uint32_t name;       /* SAMPLETREE_NONE: it is not described */
    uint64_t hits;
};

/* {.r = r} is an empty one; the name of r is used, too. */
struct sampletree {
    struct stacker *r;
    struct intern ids;    /* of nodes, as they are written, except for small numbers */
    struct u32vec by_id;  /* the nodes of profile 0 whose ids are small numbers, plus 1 */
    struct intern keys;   /* for other nodes: a profile and an id */
    struct u32vec by_key; /* the nodes, by the number of their key */
    VEC(struct sampletree_node) nodes;
    VEC(struct tree_sample) samples;
    VEC(struct tree_part) parts;
    bool timed;    /* samples have times */
    bool absolute; /* the times are a clock's, not since the profile's start */

    /* What was read and not yet added, as are the samples from `added` on. */
    size_t added;
    VEC(struct described) described;
    size_t ndeltas;      /* time deltas that were read */
    VEC(int64_t) deltas; /* all of them, if they came before the samples */
    struct jsname frame; /* of the node read last */
    struct u32vec path;  /* nodes whose stack is looked up, each after those that it calls */
};

#define SAMPLETREE_NONE UINT32_MAX

/* Read the next value into a struct sampletree: an object with the members "nodes", "samples" and
 * "timeDeltas", which may also be in a member "cpuProfile" or "profile" of it, or of its
 * "result". */
void sampletree_read(void *tree, struct json *j);

/* Add what was read since the last call, as a part of the profile of this number. The parts of a
 * profile are put in the order of their times, which are in microseconds; those of the same time
 * stay in the order in which they are added. */
void sampletree_add(struct sampletree *t, uint32_t profile, double time);

/* Discard what was read since the last call. */
void sampletree_drop(struct sampletree *t);

/* Return the number of a node's id, which is the item that j has read last; SAMPLETREE_NONE if that
 * cannot be an id. */
uint32_t sampletree_id(struct sampletree *t, const struct json *j);

/* Add a node to the profile of this number. A parent that is SAMPLETREE_NONE is not known. */
void sampletree_add_node(struct sampletree *t, uint32_t profile, const struct described *node);

/* Add a sample of a node of profile 0. It counts the time since the sample before it of the same
 * series. */
void sampletree_add_sample(struct sampletree *t, uint32_t id, uint32_t series, int64_t us);

/* Add the stacks of all profiles to c->profile, and report what is wrong with them. What was read
 * and not added is discarded. */
void sampletree_fold(struct sampletree *t);

void sampletree_free(struct sampletree *t);

#endif
