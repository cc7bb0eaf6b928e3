#include "cmd/stackcollapse/script/floatsum.h"

#include <stdlib.h>

#include "common/stack/foldedtext.h"

struct floatsum_row {
    uint32_t stack;
    double sum;
};

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
    s->places = mem_grow(s->places, &s->places_cap, s->tree.n, sizeof *s->places);
    while (s->nplaces < s->tree.n)
        s->places[s->nplaces++] = 0;
    if (s->places[stack] == 0) {
        s->rows = mem_grow(s->rows, &s->cap, s->n + 1, sizeof *s->rows);
        s->rows[s->n++] = (struct floatsum_row){stack, value};
        s->places[stack] = (uint32_t)s->n;
    } else {
        s->rows[s->places[stack] - 1].sum += value;
    }
}

void
floatsum_write(const struct floatsum *s, struct out *out, bool (*is_small)(double sum),
               void (*print)(struct out *out, double sum))
{
    uint32_t *path = NULL; /* nodes of the stack, the last first */
    size_t cap = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t n = 0;
        if (is_small != NULL && is_small(s->rows[i].sum))
            continue;
        for (uint32_t at = s->rows[i].stack; at != STACKTREE_ROOT; at = s->tree.nodes[at].parent) {
            path = mem_grow(path, &cap, n + 1, sizeof *path);
            path[n++] = at;
        }
        while (n-- > 0) {
            out_span(out, intern_text(&s->names, s->tree.nodes[path[n]].name));
            out_char(out, n > 0 ? ';' : ' ');
        }
        print(out, s->rows[i].sum);
        out_char(out, '\n');
    }
    free(path);
}

void
floatsum_free(struct floatsum *s)
{
    intern_free(&s->names);
    stacktree_free(&s->tree);
    free(s->rows);
    free(s->places);
    *s = (struct floatsum){0};
}
