#include "cmd/stackreport/group.h"

#include <stdlib.h>

#include "common/stack/text/foldedtext.h"

static uint32_t
add(struct groups *g, enum frame_kind kind, struct span text)
{
    char byte = (char)kind;
    TEXT_SET(&g->key, span_of(&byte, 1), text);
    return intern_add(&g->keys, text_span(&g->key));
}

static uint32_t
classify(struct groups *g, struct span name)
{
    char text[PACKAGE_TEXT];
    if (span_eq(name, NO_FRAMES))
        return add(g, KIND_COUNT, name);
    enum frame_kind kind = frame_kind(name, SPAN(""));
    switch (g->by) {
    case BY_FUNCTION:
        return add(g, kind, folded_unmarked(name));
    case BY_KIND:
        return add(g, KIND_COUNT, span_cstr(frame_kind_name(kind)));
    case BY_PACKAGE:
        return add(g, KIND_COUNT, frame_package(name, kind, text));
    default: /* the name is already that of the DSO, command or thread */
        return add(g, KIND_COUNT, name);
    }
}

uint32_t
group_look_up(struct groups *g, uint32_t name)
{
    if (name >= g->known) {
        g->of = mem_grow(g->of, &g->cap, (size_t)name + 1, sizeof *g->of);
        while (g->known < g->cap)
            g->of[g->known++] = INTERN_NONE;
    }
    return g->of[name] = classify(g, profile_name_text(g->names, name));
}

struct span
group_text(const struct groups *g, uint32_t group)
{
    return span_from(intern_text(&g->keys, group), 1);
}

enum frame_kind
group_kind(const struct groups *g, uint32_t group)
{
    return (enum frame_kind)intern_text(&g->keys, group).ptr[0];
}

void
group_free(struct groups *g)
{
    intern_free(&g->keys);
    free(g->of);
    free(g->key.ptr);
}
