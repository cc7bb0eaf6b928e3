/* Sampled profiles whose stacks are nodes of a tree, each with an id and its parent's: V8's CPU
 * profiles, and those in a trace. A file may have several profiles, each in several parts. */
#ifndef STACKCOLLAPSE_SAMPLETREE_H
#define STACKCOLLAPSE_SAMPLETREE_H

#include "cmd/stackcollapse/shared/jsname.h"

struct sampletree_node {
    uint32_t parent; /* index of the parent; SAMPLETREE_NONE: unknown */
    uint32_t name;   /* number of its name in the profile; SAMPLETREE_NONE: the node is mentioned by
                      other nodes or samples, but not described */
    uint32_t stack;  /* its stack in the profile's tree; STACKTREE_ROOT: not looked up */
    bool entered;    /* the lookup of its stack has begun */
    uint64_t hits;   /* its hitCount */
    uint64_t samples, us;
};

struct tree_sample {
    uint32_t node;   /* until it is added, the id of its node */
    uint32_t series; /* number of its series of samples, which follow each other in time */
    int64_t us; /* since the previous sample of its part; in sampletree_fold, since the start */
};

/* Samples that were added by one call of sampletree_add. */
struct tree_part {
    uint32_t series;
    double time;     /* of the part, in microseconds: sampletree_add */
    size_t first, n; /* samples */
};

/* A node as it was read; or only the id of a node, with the parent that lists it as a child. */
struct described {
    uint32_t id, parent; /* ids */
    uint32_t name;       /* SAMPLETREE_NONE: not described */
    uint64_t hits;
};

/* {.r = r} is empty; r->name is used as a buffer. */
struct sampletree {
    struct stacker *r;
    struct intern ids;    /* texts of the nodes' ids, except for small numbers */
    struct u32vec by_id;  /* nodes of profile 0 whose ids are small numbers: index plus 1 */
    struct intern keys;   /* for other nodes: a profile and an id */
    struct u32vec by_key; /* nodes by the number of their key */
    VEC(struct sampletree_node) nodes;
    VEC(struct tree_sample) samples;
    VEC(struct tree_part) parts;
    bool timed;    /* samples have times */
    bool absolute; /* the times are of a clock, not relative to the profile's start */

    /* Data that was read but not added yet, with the samples from `added` on. */
    size_t added;
    VEC(struct described) described;
    size_t ndeltas;      /* number of time deltas that were read */
    VEC(int64_t) deltas; /* the time deltas, if they came before the samples */
    struct jsname frame; /* frame of the node read last */
    struct u32vec path;  /* nodes whose stack is being looked up, callees first */
};

#define SAMPLETREE_NONE UINT32_MAX

/* Read the next value into a struct sampletree: an object with the members "nodes", "samples" and
 * "timeDeltas". These may also be in a member "cpuProfile" or "profile" of the object or of its
 * "result". */
void sampletree_read(void *tree, struct json *j);

/* Add the data read since the last call as a part of the profile with this number. The parts of a
 * profile are sorted by their times, in microseconds; equal times keep the order of addition. */
void sampletree_add(struct sampletree *t, uint32_t profile, double time);

/* Discard the data read since the last sampletree_add. */
void sampletree_drop(struct sampletree *t);

/* Return the number of a node's id, which is the item read last from j; SAMPLETREE_NONE if it
 * cannot be an id. */
uint32_t sampletree_id(struct sampletree *t, const struct json *j);

/* Add a node to the profile with this number. The parent SAMPLETREE_NONE means unknown. */
void sampletree_add_node(struct sampletree *t, uint32_t profile, const struct described *node);

/* Add a sample of a node of profile 0. It counts the time since the previous sample of its
 * series. */
void sampletree_add_sample(struct sampletree *t, uint32_t id, uint32_t series, int64_t us);

/* Add the stacks of all profiles to c->profile, and report what is wrong with them. Discard data
 * that was read but not added. */
void sampletree_fold(struct sampletree *t);

void sampletree_free(struct sampletree *t);

#endif
