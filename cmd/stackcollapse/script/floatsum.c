#include "cmd/stackcollapse/script/floatsum.h"

#include <stdlib.h>

#include "common/stack/foldedtext.h"

uint32_t
floatsum_child(struct floatsum *s, uint32_t parent, struct span name)
{
    uint32_t stack = parent;
    for (struct span rest = name.len > 0 ? name : SPAN(""); rest.ptr != NULL;)
        stack = stacktree_child(&s->tree, stack, intern_add(&s->names, folded_frame(&rest)));
    return stack;
}

void
floatsum_add(struct floatsum *s, uint32_t stack, double value)
{
    if (stack == STACKTREE_ROOT) /* its text is that of one empty name */
        stack = floatsum_child(s, stack, SPAN(""));
    uint32_t i;
    bool fresh = intern_put(&s->stacks, span_of((const char *)&stack, sizeof stack), &i);
    s->sums = mem_grow(s->sums, &s->cap, (size_t)i + 1, sizeof *s->sums);
    s->sums[i] = fresh ? value : s->sums[i] + value;
}

void
floatsum_write(const struct floatsum *s, struct out *out, bool (*is_small)(double sum),
               void (*print)(struct out *out, double sum))
{
    uint32_t at, *path = NULL; /* nodes of the stack, the last first */
    size_t cap = 0;
    for (uint32_t i = 0; i < s->stacks.count; i++) {
        size_t n = 0;
        if (is_small != NULL && is_small(s->sums[i]))
            continue;
        memcpy(&at, intern_text(&s->stacks, i).ptr, sizeof at);
        for (; at != STACKTREE_ROOT; at = s->tree.nodes[at].parent) {
            path = mem_grow(path, &cap, n + 1, sizeof *path);
            path[n++] = at;
        }
        while (n-- > 0) {
            out_span(out, intern_text(&s->names, s->tree.nodes[path[n]].name));
            out_char(out, n > 0 ? ';' : ' ');
        }
        print(out, s->sums[i]);
        out_char(out, '\n');
    }
    free(path);
}

void
floatsum_free(struct floatsum *s)
{
    intern_free(&s->names);
    stacktree_free(&s->tree);
    intern_free(&s->stacks);
    free(s->sums);
    *s = (struct floatsum){0};
}
