/* Sampled profiles whose stacks are nodes of a tree, each with an id and its parent's: V8's CPU
 * profiles, and those in a trace. A file may have several profiles, each in several parts. */
#ifndef STACKCOLLAPSE_SAMPLETREE_H
#define STACKCOLLAPSE_SAMPLETREE_H

#include "cmd/stackcollapse/build/jsname.h"
#include "cmd/stackcollapse/build/jsonfile.h"
#include "cmd/stackcollapse/build/stackbuild.h"

/* {.c = c, .names = {.profile = &c->profile}} is an empty one. */
struct sampletree {
    struct collapse *c;
    struct stackbuild names;
    struct intern ids;  /* of nodes, as they are written */
    struct intern keys; /* a profile and an id's number: a node's number is its key's */
    struct sampletree_node *nodes;
    size_t nodes_cap;
    struct tree_sample *samples;
    size_t nsamples, samples_cap;
    struct part *parts; /* samples that were added together */
    size_t nparts, parts_cap;
    bool timed;    /* samples have times */
    bool absolute; /* the times are a clock's, not since the profile's start */

    /* What was read and not yet added; the samples from `added` on, too. */
    size_t added;
    struct described *described; /* nodes */
    size_t ndescribed, described_cap;
    struct link *links; /* from nodes to their children */
    size_t nlinks, links_cap;
    int64_t *deltas;
    size_t ndeltas, deltas_cap;
    struct jsname frame; /* of the node read last */
    struct text name;    /* of it */

    uint32_t *path; /* nodes whose stack is looked up, each after those that it calls */
    size_t path_cap;
};

#define SAMPLETREE_NONE UINT32_MAX

/* Reads the next value: an object with the members "nodes", "samples" and "timeDeltas", which may
 * also be those of a member "cpuProfile". */
void sampletree_read(struct sampletree *t, struct json *j);

/* Adds what was read since the last call to the profile of this number. The parts of a profile are
 * ordered by their times, and those of the same time as they are added. */
void sampletree_add(struct sampletree *t, uint32_t profile, double time);

/* Discards what was read since the last call. */
void sampletree_drop(struct sampletree *t);

/* The number of the node's id that is the item given last; SAMPLETREE_NONE if it cannot be one. */
uint32_t sampletree_id(struct sampletree *t, const struct json *j);

/* Adds a node to profile 0. A parent that is SAMPLETREE_NONE is not known. */
void sampletree_add_node(struct sampletree *t, uint32_t id, uint32_t parent, struct span name);

/* Adds a sample of a node of profile 0. It counts the time since the sample before it of the same
 * series. */
void sampletree_add_sample(struct sampletree *t, uint32_t id, uint32_t series, int64_t us);

/* Adds the stacks of all profiles to c->profile, and reports what is wrong with them. What was read
 * and not added is discarded. */
void sampletree_fold(struct sampletree *t);

void sampletree_free(struct sampletree *t);

#endif
