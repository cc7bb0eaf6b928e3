/* The rows of the report: functions, or what --by groups them by, such as their modules. */
#ifndef STACKREPORT_GROUP_H
#define STACKREPORT_GROUP_H

#include "common/stack/frames/framekind.h"
#include "common/stack/model/profile.h"

/* In the order of --by's choices. */
enum by { BY_FUNCTION, BY_DSO, BY_KIND, BY_PACKAGE, BY_COMM, BY_THREAD };

/* The name of a stack without frames. */
#define NO_FRAMES SPAN("(no frames)")

/* Starts as {.by, .names}, borrowed. */
struct groups {
    enum by by;
    const struct profile *names; /* of the frames */

    /* private from here */
    struct intern keys; /* a byte, the kind, and the text */
    uint32_t *of;       /* by name number: the group; INTERN_NONE: not looked up yet */
    size_t known, cap;
    struct text key; /* the one made last */
};

/* Do what group_of does for a new name; not to be called directly. */
uint32_t group_look_up(struct groups *g, uint32_t name);

/* Return the number, from 0, of the group that a frame's name belongs to. A function is known by
 * its name without the marks of stackcollapse --all, and by its kind. Inline, which saves 5 % of
 * stackreport's instructions on node-http. */
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

/* Return the kind of a function; KIND_COUNT of NO_FRAMES, and where groups are not functions. */
enum frame_kind group_kind(const struct groups *g, uint32_t group);

void group_free(struct groups *g);

#endif
