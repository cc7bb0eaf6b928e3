/* Different nodes of the tree may begin with the same names, since a node may be a list: [a, b] and
 * then c, a and then [b, c], and the stack a;b;c that was added by itself are one line. So the walk
 * goes name by name, with all nodes at once that have the same names up to here: a group. The nodes
 * of a group whose next name is the same are the group of that name. */
#include "common/stack/stackwalk.h"

#include <stdlib.h>

#include "common/base/sort.h"
#include "common/stack/foldedtext.h"

/* A name of a node, after all names of its callers' nodes. */
struct place {
    uint32_t key;  /* sorts it: twice the rank of the name, plus 1 for the last one of a stack */
    uint32_t node; /* from walk.nodes on: a stack that is not in the tree */
    uint32_t i, j; /* the j-th name of its i-th symbol */
};

/* The key of what divides the groups in walk.places. */
#define BOTTOM UINT32_MAX

struct walk {
    const struct profile *p;
    const uint32_t *rank;
    struct out *out;
    uint32_t nodes;       /* of the tree */
    uint32_t *first;      /* by node: the first of those below it that lead to stacks; 0: none */
    uint32_t *next;       /* by node: the next one below the same node; 0: none */
    struct place *places; /* to be walked: each group in order, backwards, the next one last */
    size_t n, cap;
    struct place *same; /* those of the group of one name */
    size_t nsame, same_cap;
    uint32_t *path; /* of the stack that is written: its nodes, leaf first */
    size_t path_cap;
};

static uint32_t
number_at(struct span numbers, size_t i)
{
    uint32_t number; /* the bytes may be unaligned */
    memcpy(&number, numbers.ptr + i * sizeof number, sizeof number);
    return number;
}

/* Return the numbers that a symbol stands for: those in its list, or only itself. */
static struct span
expand(const struct walk *w, const uint32_t *symbol)
{
    if (*symbol & PROFILE_LIST)
        return intern_text(&w->p->lists, *symbol & ~PROFILE_LIST);
    return span_of((const char *)symbol, sizeof *symbol);
}

static struct span
symbols_of(const struct walk *w, uint32_t node)
{
    if (node >= w->nodes)
        return intern_text(&w->p->stacks, node - w->nodes);
    return expand(w, &w->p->tree.nodes[node].name);
}

static void
add_place(struct walk *w, struct place place)
{
    w->places = mem_grow(w->places, &w->cap, w->n + 1, sizeof *w->places);
    w->places[w->n++] = place;
}

/* Add the j-th name of a node's i-th symbol to the group, once as a stack's last one and once as
 * one that others follow, as far as it is that. Return false if the node does not have it. */
static bool
add_name(struct walk *w, uint32_t node, uint32_t i, uint32_t j)
{
    struct span symbols = symbols_of(w, node);
    size_t nsymbols = symbols.len / sizeof(uint32_t);
    if (i >= nsymbols)
        return false;
    uint32_t symbol = number_at(symbols, i);
    struct span names = expand(w, &symbol);
    size_t nnames = names.len / sizeof(uint32_t);
    if (j >= nnames)
        return false;
    const uint32_t *rank = &w->rank[2 * (size_t)number_at(names, j)];
    bool end = i + 1 == nsymbols && j + 1 == nnames, in_tree = node < w->nodes;
    if (!end || (in_tree && w->first[node] != 0))
        add_place(w, (struct place){2 * rank[0], node, i, j});
    if (end && (!in_tree || w->p->tree.nodes[node].counted))
        add_place(w, (struct place){2 * rank[1] + 1, node, i, j});
    return true;
}

/* Add the first names of the nodes below this one. */
static void
add_below(struct walk *w, uint32_t node)
{
    for (uint32_t below = w->first[node]; below != 0; below = w->next[below])
        add_name(w, below, 0, 0);
}

static int
backwards(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    return a->key != b->key ? (a->key < b->key) - (a->key > b->key)
                            : (a->node < b->node) - (a->node > b->node);
}

static void
sort_group(struct walk *w, size_t from)
{
    size_t i = from + 1;
    while (i < w->n && backwards(&w->places[i - 1], &w->places[i]) < 0)
        i++;
    if (i < w->n) /* mostly the group goes on with one name, in the order that it had */
        qsort(w->places + from, w->n - from, sizeof *w->places, backwards);
}

/* Move the places of the next name from the last group to w->same. */
static void
take_same(struct walk *w)
{
    size_t from = w->n - 1;
    while (from > 0 && w->places[from - 1].key == w->places[w->n - 1].key)
        from--;
    w->nsame = w->n - from;
    w->same = mem_grow(w->same, &w->same_cap, w->nsame, sizeof *w->same);
    memcpy(w->same, w->places + from, w->nsame * sizeof *w->same);
    w->n = from;
}

/* Make the group of what follows w->same. Where nothing is left of the last group, there is no
 * division: a stack may be longer than memory could hold one for each frame. */
static void
follow(struct walk *w)
{
    if (w->n > 0 && w->places[w->n - 1].key != BOTTOM)
        add_place(w, (struct place){.key = BOTTOM});
    size_t from = w->n;
    for (size_t k = 0; k < w->nsame; k++) {
        const struct place *s = &w->same[k];
        if (!add_name(w, s->node, s->i, s->j + 1) && !add_name(w, s->node, s->i + 1, 0))
            add_below(w, s->node);
    }
    sort_group(w, from);
}

static void
write_frames(struct walk *w, uint32_t node)
{
    size_t n = 0;
    bool first = true;
    for (; node != STACKTREE_ROOT; node = node < w->nodes ? w->p->tree.nodes[node].parent : 0) {
        w->path = mem_grow(w->path, &w->path_cap, n + 1, sizeof *w->path);
        w->path[n++] = node;
    }
    while (n-- > 0) {
        struct span symbols = symbols_of(w, w->path[n]);
        for (size_t i = 0; i < symbols.len / sizeof(uint32_t); i++) {
            uint32_t symbol = number_at(symbols, i);
            struct span names = expand(w, &symbol);
            for (size_t j = 0; j < names.len / sizeof(uint32_t); j++, first = false) {
                if (!first)
                    out_char(w->out, ';');
                out_span(w->out, profile_name_text(w->p, number_at(names, j)));
            }
        }
    }
}

/* Write the line of the stacks that end in w->same. */
static void
write_line(struct walk *w)
{
    struct decimal count = {0, 0}, second = {0, 0};
    char text[DECIMAL_TEXT], second_text[DECIMAL_TEXT];
    const struct profile *p = w->p;
    for (size_t k = 0; k < w->nsame; k++) {
        uint32_t node = w->same[k].node;
        if (node < w->nodes) {
            count = decimal_add(count, p->tree.nodes[node].count);
            continue;
        }
        count = decimal_add(count, p->counts[node - w->nodes]);
        if (p->two)
            second = decimal_add(second, p->seconds[node - w->nodes]);
    }
    write_frames(w, w->same[0].node);
    folded_write_counts(w->out, decimal_text(text, count),
                        p->two ? decimal_text(second_text, second) : SPAN(""));
}

/* Link the nodes that lead to stacks. */
static void
link_nodes(struct walk *w)
{
    const struct stacktree_node *nodes = w->p->tree.nodes;
    w->first = calloc(w->nodes, sizeof *w->first);
    w->next = mem_alloc(w->nodes * sizeof *w->next);
    if (w->first == NULL)
        mem_exhausted();
    for (uint32_t i = w->nodes - 1; i > STACKTREE_ROOT; i--)
        if (nodes[i].counted || w->first[i] != 0) {
            w->next[i] = w->first[nodes[i].parent];
            w->first[nodes[i].parent] = i;
        }
}

void
stackwalk_write(const struct profile *p, const uint32_t *rank, struct out *out)
{
    struct walk w = {.p = p, .rank = rank, .out = out, .nodes = (uint32_t)p->tree.n};
    if (p->stacks.count > UINT32_MAX - w.nodes)
        mem_exhausted();
    link_nodes(&w);
    add_below(&w, STACKTREE_ROOT);
    for (uint32_t stack = 0; stack < p->stacks.count; stack++)
        add_name(&w, w.nodes + stack, 0, 0);
    sort_group(&w, 0);
    while (w.n > 0) {
        uint32_t key = w.places[w.n - 1].key;
        if (key == BOTTOM) {
            w.n--;
            continue;
        }
        take_same(&w);
        (key % 2 == 1 ? write_line : follow)(&w);
    }
    free(w.first);
    free(w.next);
    free(w.places);
    free(w.same);
    free(w.path);
}
