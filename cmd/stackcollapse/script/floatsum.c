#include "cmd/stackcollapse/script/floatsum.h"

#include <stdlib.h>

#include "common/stack/text/foldedtext.h"

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
    if (stack == STACKTREE_ROOT) /* it is written as one empty name */
        stack = floatsum_child(s, stack, SPAN(""));
    uint32_t i;
    bool fresh = intern_put(&s->stacks, SPAN_BYTES(stack), &i);
    VEC_REACH(s->sums, s->stacks.count);
    s->sums.at[i] = fresh ? value : s->sums.at[i] + value;
}

void
floatsum_write(const struct floatsum *s, struct out *out, double least,
               void (*print)(struct out *out, double sum))
{
    VEC(uint32_t) path = {0}; /* nodes of the stack, leaf first */
    uint32_t at;
    for (uint32_t i = 0; i < s->stacks.count; i++) {
        path.n = 0;
        if (s->sums.at[i] < least)
            continue;
        memcpy(&at, intern_text(&s->stacks, i).ptr, sizeof at);
        for (; at != STACKTREE_ROOT; at = s->tree.nodes[at].parent)
            VEC_ADD(path, at);
        while (path.n-- > 0) {
            out_span(out, intern_text(&s->names, s->tree.nodes[path.at[path.n]].name));
            out_char(out, path.n > 0 ? ';' : ' ');
        }
        print(out, s->sums.at[i]);
        out_char(out, '\n');
    }
    free(path.at);
}

void
floatsum_free(struct floatsum *s)
{
    intern_free(&s->names);
    stacktree_free(&s->tree);
    intern_free(&s->stacks);
    free(s->sums.at);
    *s = (struct floatsum){0};
}
