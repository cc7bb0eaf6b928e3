#include "common/stack/model/profile.h"

#include <stdlib.h>

#include "common/base/sort.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/stack/text/foldedtext.h"

uint32_t
profile_name(struct profile *p, struct span name)
{
    if (p->masks)
        name = utf8_masked(&p->masked, name);
    char small[256];
    char *text = name.len < sizeof small ? small : mem_alloc(name.len + 1);
    if (name.len > 0)
        memcpy(text, name.ptr, name.len);
    text[name.len] = ';';
    uint32_t id = intern_add(&p->names, span_of(text, name.len + 1));
    if (text != small)
        free(text);
    return id;
}

/* Add the counts to those of a stack. The stack is new if it has none. */
static void
add_counts(struct profile *p, uint32_t stack, struct decimal count, const struct decimal *second)
{
    size_t had = p->counts_cap;
    p->counts = mem_grow(p->counts, &p->counts_cap, (size_t)stack + 1, sizeof *p->counts);
    if (p->counts_cap > had)
        memset(p->counts + had, 0, (p->counts_cap - had) * sizeof *p->counts);
    p->counts[stack] = decimal_add(p->counts[stack], count);
    if (second == NULL && !p->two)
        return;
    had = p->seconds_cap;
    p->seconds = mem_grow(p->seconds, &p->seconds_cap, p->counts_cap, sizeof *p->seconds);
    if (p->seconds_cap > had)
        memset(p->seconds + had, 0, (p->seconds_cap - had) * sizeof *p->seconds);
    p->two = true;
    if (second != NULL)
        p->seconds[stack] = decimal_add(p->seconds[stack], *second);
}

static struct span
as_bytes(const uint32_t *frames, size_t n)
{
    return span_of((const char *)frames, n * sizeof *frames);
}

/* Look up the stack that was added last. */
static void
add_last(struct profile *p)
{
    uint32_t id;
    struct profile_last *last = &p->last;
    if (last->n == 0)
        return;
    intern_put_later(&p->stacks, as_bytes(last->frames, last->n), last->fetched, &id);
    add_counts(p, id, last->count, last->has_second ? &last->second : NULL);
    last->n = 0;
}

void
profile_add(struct profile *p, const uint32_t *frames, size_t n, struct decimal count,
            const struct decimal *second)
{
    struct profile_last *last = &p->last;
    add_last(p);
    p->unsorted = true;
    last->fetched = intern_fetch(&p->stacks, as_bytes(frames, n));
    last->frames = mem_grow(last->frames, &last->cap, n, sizeof *frames);
    memcpy(last->frames, frames, n * sizeof *frames);
    last->n = n;
    last->count = count;
    last->has_second = second != NULL;
    if (second != NULL)
        last->second = *second;
}

void
profile_append(struct profile *p, const uint32_t *frames, size_t n, struct decimal count,
               const struct decimal *second)
{
    if (p->unsorted)
        profile_add(p, frames, n, count, second);
    else
        add_counts(p, intern_append(&p->stacks, as_bytes(frames, n)), count, second);
}

uint32_t
profile_list(struct profile *p, const uint32_t *names, size_t n)
{
    return n == 1 ? names[0] : PROFILE_LIST | intern_add(&p->lists, as_bytes(names, n));
}

void
profile_count_two(struct profile *p, uint32_t node, struct decimal count, struct decimal second)
{
    stacktree_count(&p->tree, node, count);
    p->two = true;
    VEC_REACH(p->tree_seconds, (size_t)node + 1);
    p->tree_seconds.at[node] = decimal_add(p->tree_seconds.at[node], second);
}

/* Return the second count of a stack outside of the tree. It is 0 if the stack was added before any
 * stack had two counts. */
static struct decimal
second_count(const struct profile *p, uint32_t stack)
{
    return stack < p->seconds_cap ? p->seconds[stack] : (struct decimal){0, 0};
}

/* Return the second count of a node of the tree. */
static struct decimal
second_of_node(const struct profile *p, uint32_t node)
{
    return node < p->tree_seconds.n ? p->tree_seconds.at[node] : (struct decimal){0, 0};
}

void
profile_add_tree(struct profile *p, struct stacktree *t)
{
    uint32_t *place = mem_alloc((t->n + 1) * sizeof *place);
    place[STACKTREE_ROOT] = STACKTREE_ROOT;
    for (size_t i = 1; i < t->n; i++) {
        const struct stacktree_node *node = &t->nodes[i];
        place[i] = stacktree_child(&p->tree, place[node->parent], node->name);
        if (node->counted)
            stacktree_count(&p->tree, place[i], node->count);
    }
    free(place);
    stacktree_free(t);
}

bool
profile_is_empty(const struct profile *p)
{
    bool counted = p->stacks.count + p->last.n > 0;
    for (size_t i = 1; i < p->tree.n && !counted; i++)
        counted = p->tree.nodes[i].counted;
    return !counted;
}

bool
profile_is_full(const struct profile *p)
{
    bool full = false;
    for (size_t i = 0; i < p->stacks.count && !full; i++)
        full = decimal_is_full(p->counts[i]) || decimal_is_full(second_count(p, (uint32_t)i));
    for (size_t i = 1; i < p->tree.n && !full; i++)
        full = decimal_is_full(p->tree.nodes[i].count) ||
               decimal_is_full(second_of_node(p, (uint32_t)i));
    return full;
}

/* Return the ranks of the names, for sort_sequences. A name has two: one for its text with the
 * following ";" inside a stack, one for its text without it, as the leaf. No text is a prefix of
 * another, except for a complete name, so stacks compare by ranks as their lines compare by
 * bytes. */
static uint32_t *
rank_names(const struct intern *names)
{
    if (names->count > SORT_RANKS / 2)
        mem_exhausted();
    size_t n = 2 * names->count;
    struct span *forms = mem_alloc(n * sizeof *forms);
    uint32_t *places = mem_alloc(n * sizeof *places), *rank = mem_alloc(n * sizeof *rank);
    for (size_t i = 0; i < names->count; i++) {
        forms[2 * i] = names->texts[i];
        forms[2 * i + 1] = span_head(names->texts[i], names->texts[i].len - 1);
    }
    sort_spans(forms, n, places);
    for (size_t i = 0; i < n; i++)
        rank[places[i]] = (uint32_t)i;
    free(places);
    free(forms);
    return rank;
}

uint32_t *
profile_order(const struct profile *p, const struct span *stacks, size_t n)
{
    uint32_t *order = mem_alloc((n + 1) * sizeof *order);
    uint32_t *rank = rank_names(&p->names);
    sort_sequences(stacks, n, rank, order);
    free(rank);
    return order;
}

/* Return the stacks' numbers in the byte order of their lines. The caller frees them. */
static uint32_t *
order_stacks(const struct profile *p)
{
    size_t n = p->stacks.count;
    if (p->unsorted)
        return profile_order(p, p->stacks.texts, n);
    uint32_t *order = mem_alloc(n * sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    return order;
}

/* The line of the last stack written. The next stack usually begins with the same frames, so only
 * the others must be composed. This saves 4 % of the instructions for the recording node-http, and
 * 18 % for folded text with many stacks. */
struct line {
    struct span stack;
    struct text text;
    size_t *ends; /* offset of the end of each frame's text, including its ";" */
    size_t n, ends_cap;
};

/* Limit of the line that is kept: long names that occur often can make a line much longer than the
 * whole input. */
enum { LINE_KEPT = 1024 * 1024 };

/* Set the line to the stack, with a ";" after each frame, and with as many frames as fit. */
static void
set_line(struct line *l, const struct profile *p, uint32_t stack)
{
    struct span frames = intern_text(&p->stacks, stack);
    size_t n = frames.len / sizeof(uint32_t);
    size_t i = span_common(l->stack, frames) / sizeof(uint32_t);
    i = i < l->n ? i : l->n;
    l->ends = mem_grow(l->ends, &l->ends_cap, n, sizeof *l->ends);
    l->text.len = i > 0 ? l->ends[i - 1] : 0;
    for (; i < n && l->text.len < LINE_KEPT; i++) {
        text_add(&l->text, intern_text(&p->names, profile_frame(p, stack, i)));
        l->ends[i] = l->text.len;
    }
    l->n = i;
    l->stack = frames;
}

static void
write_stack(struct line *l, const struct profile *p, uint32_t stack, struct out *out)
{
    size_t depth = profile_depth(p, stack);
    set_line(l, p, stack);
    if (l->n == depth) {
        out_span(out, span_head(text_span(&l->text), l->text.len - (l->text.len > 0)));
        return;
    }
    out_span(out, text_span(&l->text));
    for (size_t i = l->n; i < depth; i++) {
        struct span name = intern_text(&p->names, profile_frame(p, stack, i));
        out_span(out, i + 1 < depth ? name : span_head(name, name.len - 1));
    }
}

/* Write the stacks in this order, which is freed. The tree must be empty. */
static void
write_stacks(const struct profile *p, uint32_t *order, struct out *out)
{
    enum { FAR = 16, NEAR = 8 };
    struct line line = {.stack = SPAN("")};
    size_t n = p->stacks.count;
    for (size_t i = 0; i < n; i++) {
        char count[DECIMAL_TEXT], second[DECIMAL_TEXT];
        /* In the order of their lines, the stacks are scattered over memory. */
        __builtin_prefetch(&p->stacks.texts[order[i + FAR < n ? i + FAR : i]]);
        __builtin_prefetch(&p->counts[order[i + FAR < n ? i + FAR : i]]);
        __builtin_prefetch(p->stacks.texts[order[i + NEAR < n ? i + NEAR : i]].ptr);
        write_stack(&line, p, order[i], out);
        folded_write_counts(out, decimal_text(count, p->counts[order[i]]),
                            p->two ? decimal_text(second, second_count(p, order[i])) : SPAN(""));
    }
    free(order);
    free(line.text.ptr);
    free(line.ends);
}

/* Writing a profile with a tree, in the byte order of the lines. Different nodes of the tree may
 * begin with the same names, since a node may be a list: [a, b] followed by c, a followed by [b,
 * c], and the stack a;b;c that was added by itself have the same line. So the walk proceeds name by
 * name, with all nodes at once that have the same names so far: a group. The nodes of a group whose
 * next name is the same are the next group. */

/* The position of a name in a node, which follows all names of its callers' nodes. */
struct place {
    uint32_t key; /* for sorting: twice the rank of the name, plus 1 for the last name of a stack */
    uint32_t node; /* from walk.nodes on: a stack outside of the tree */
    uint32_t i, j; /* the j-th name of the i-th symbol */
};

/* A node whose names are in the kept line, and the offset of their end. */
struct kept {
    uint32_t node;
    size_t end;
};

/* The key of the separators between groups in walk.places. */
#define BOTTOM UINT32_MAX

struct walk {
    const struct profile *p;
    const uint32_t *rank;
    struct out *out;
    uint32_t nodes;       /* number of nodes of the tree */
    uint32_t *first;      /* by node: its first child that leads to stacks; 0: none */
    uint32_t *next;       /* by node: its next sibling that leads to stacks; 0: none */
    struct place *places; /* to be walked: each group in reverse order, the next one last */
    size_t n, cap;
    struct place *same; /* the positions with the current name */
    size_t nsame, same_cap;
    uint32_t *path; /* the nodes of the current stack, leaf first */
    size_t path_cap;
    struct text line;  /* the last stack written, with a ";" after each frame */
    struct kept *kept; /* its nodes, root first: as many as fit in LINE_KEPT */
    size_t nkept, kept_cap;
};

static uint32_t
number_at(struct span numbers, size_t i)
{
    uint32_t number; /* the bytes may be unaligned */
    memcpy(&number, numbers.ptr + i * sizeof number, sizeof number);
    return number;
}

/* Return the numbers for which a symbol stands: those in its list, or only itself. */
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

/* Add the j-th name of a node's i-th symbol to the group. If stacks end with it, add it as a last
 * name; if other names follow, add it as one of those; or both. Return false if the node does not
 * have that name. */
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

/* Add the first names of this node's children. */
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
    if (i < w->n) /* mostly, a group continues with one name, and is in order already */
        qsort(w->places + from, w->n - from, sizeof *w->places, backwards);
}

/* Move the positions with the next name from the last group to w->same. */
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

/* Add the group of the names that follow w->same. If nothing is left of the last group, add no
 * separator: a stack may have so many frames that separators for all of them would not fit into
 * memory. */
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

/* Append the names of a node to the kept line, with a ";" after each. If that makes the line too
 * long, return false and leave it unchanged. */
static bool
keep_names(struct walk *w, uint32_t node)
{
    struct span symbols = symbols_of(w, node);
    size_t before = w->line.len;
    for (size_t i = 0; i < symbols.len / sizeof(uint32_t); i++) {
        uint32_t symbol = number_at(symbols, i);
        struct span names = expand(w, &symbol);
        for (size_t j = 0; j < names.len / sizeof(uint32_t); j++) {
            if (w->line.len >= LINE_KEPT) {
                w->line.len = before;
                return false;
            }
            text_add(&w->line, intern_text(&w->p->names, number_at(names, j)));
        }
    }
    return true;
}

/* Write the names of a node, with a ";" after each; but none after the last name of a leaf. */
static void
write_names(struct walk *w, uint32_t node, bool leaf)
{
    struct span symbols = symbols_of(w, node);
    size_t n = symbols.len / sizeof(uint32_t);
    for (size_t i = 0; i < n; i++) {
        uint32_t symbol = number_at(symbols, i);
        struct span names = expand(w, &symbol);
        size_t nnames = names.len / sizeof(uint32_t);
        for (size_t j = 0; j < nnames; j++) {
            struct span name = intern_text(&w->p->names, number_at(names, j));
            bool last = leaf && i + 1 == n && j + 1 == nnames;
            out_span(w->out, last ? span_head(name, name.len - 1) : name);
        }
    }
}

/* Write the frames of a stack. It usually begins with the same nodes as the line before, so only
 * the other nodes' names must be composed. This saves a sixth of the time for a .cpuprofile with
 * many stacks. */
static void
write_frames(struct walk *w, uint32_t node)
{
    size_t n = 0, i = 0;
    for (; node != STACKTREE_ROOT; node = node < w->nodes ? w->p->tree.nodes[node].parent : 0) {
        w->path = mem_grow(w->path, &w->path_cap, n + 1, sizeof *w->path);
        w->path[n++] = node;
    }
    w->kept = mem_grow(w->kept, &w->kept_cap, n, sizeof *w->kept);
    while (i < n && i < w->nkept && w->kept[i].node == w->path[n - 1 - i])
        i++;
    w->line.len = i > 0 ? w->kept[i - 1].end : 0;
    for (; i < n && keep_names(w, w->path[n - 1 - i]); i++)
        w->kept[i] = (struct kept){w->path[n - 1 - i], w->line.len};
    w->nkept = i;
    out_span(w->out, span_head(text_span(&w->line), w->line.len - (i == n)));
    for (; i < n; i++)
        write_names(w, w->path[n - 1 - i], i + 1 == n);
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
        bool in_tree = node < w->nodes;
        uint32_t stack = in_tree ? 0 : node - w->nodes;
        count = decimal_add(count, in_tree ? p->tree.nodes[node].count : p->counts[stack]);
        second = decimal_add(second, in_tree ? second_of_node(p, node) : second_count(p, stack));
    }
    write_frames(w, w->same[0].node);
    folded_write_counts(w->out, decimal_text(text, count),
                        p->two ? decimal_text(second_text, second) : SPAN(""));
}

/* Link the nodes that lead to stacks to their parents. */
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

/* Write all stacks if some are in the tree. The memory used is linear in the size of the tree, and
 * independent of the length of the lines. */
static void
write_tree(const struct profile *p, struct out *out)
{
    uint32_t *rank = rank_names(&p->names);
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
    free(w.line.ptr);
    free(w.kept);
    free(rank);
}

size_t
profile_size(const struct profile *p)
{
    enum {
        ITEM = 32, /* bytes for each text during sorting: see sort.c */
        NAME = 2 * (sizeof(struct span) + 2 * sizeof(uint32_t) + ITEM), /* see rank_names() */
        STACK = sizeof(uint32_t) + ITEM
    };
    return intern_size(&p->names) + intern_size(&p->stacks) +
           (p->counts_cap + p->seconds_cap) * sizeof *p->counts + p->names.count * NAME +
           p->stacks.count * STACK;
}

void
profile_write(struct profile *p, struct out *out)
{
    add_last(p);
    intern_forget(&p->names); /* sorting takes the same amount of memory */
    intern_forget(&p->stacks);
    if (p->tree.n == 0)
        write_stacks(p, order_stacks(p), out);
    else
        write_tree(p, out);
}

uint32_t *
profile_order_rests(struct profile *p)
{
    add_last(p);
    size_t n = p->stacks.count;
    struct span *rests = mem_alloc((n + 1) * sizeof *rests);
    for (size_t i = 0; i < n; i++)
        rests[i] = span_from(p->stacks.texts[i], sizeof(uint32_t));
    uint32_t *order = profile_order(p, rests, n);
    free(rests);
    return order;
}

void
profile_free(struct profile *p)
{
    intern_free(&p->names);
    free(p->masked.ptr);
    intern_free(&p->stacks);
    intern_free(&p->lists);
    stacktree_free(&p->tree);
    free(p->last.frames);
    free(p->counts);
    free(p->seconds);
    free(p->tree_seconds.at);
    *p = (struct profile){0};
}
