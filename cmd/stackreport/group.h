/* The groups that samples are counted by: functions or, with --by, modules, threads and so on. */
#ifndef STACKREPORT_GROUP_H
#define STACKREPORT_GROUP_H

#include "common/stack/frames/framekind.h"
#include "common/stack/model/profile.h"

/* In the order of --by's choices. */
enum by { BY_FUNCTION, BY_DSO, BY_KIND, BY_PACKAGE, BY_COMM, BY_THREAD };

/* The name of a stack without frames. */
#define NO_FRAMES SPAN("(no frames)")

/* Starts as {.by, .names}; `names` is borrowed. */
struct groups {
    enum by by;
    const struct profile *names; /* names of the frames */

    /* private from here */
    struct intern keys; /* one for each group: a byte, the kind, and the text */
    uint32_t *of;       /* group of each name; INTERN_NONE: not looked up yet */
    size_t known, cap;
    struct text key; /* buffer */
};

/* Return the group of a name that is not in `of` yet. Call group_of instead. */
uint32_t group_look_up(struct groups *g, uint32_t name);

/* Return the number of a frame name's group; numbers begin at 0. Functions are the same if their
 * kinds are equal, and their names without the marks of stackcollapse --all. Inline: that saves 5 %
 * of stackreport's instructions on node-http. */
static inline uint32_t
group_of(struct groups *g, uint32_t name)
{
    return name < g->known && g->of[name] != INTERN_NONE ? g->of[name] : group_look_up(g, name);
}

static inline size_t
group_count(const struct groups *g)
{
    return g->keys.count;
}

/* Return the text of a group; valid until group_free. */
struct span group_text(const struct groups *g, uint32_t group);

/* Return the kind of a function; KIND_COUNT for NO_FRAMES, and for groups that are not
 * functions. */
enum frame_kind group_kind(const struct groups *g, uint32_t group);

void group_free(struct groups *g);

#endif
