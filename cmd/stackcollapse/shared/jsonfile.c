#include "cmd/stackcollapse/shared/jsonfile.h"

#include <stdlib.h>

#include "common/base/num.h"

static struct span
skip_space(struct span s)
{
    return span_from(s, span_run(s, 0, is_space));
}

bool
jsonfile_is(struct span head)
{
    struct span text = skip_space(head);
    if (text.len == 0 || (text.ptr[0] != '{' && text.ptr[0] != '['))
        return false;
    struct span inside = skip_space(span_from(text, 1));
    return span_starts(inside, text.ptr[0] == '{' ? SPAN("\"") : SPAN("{"));
}

/* Search "key" and a colon, after any text. */
bool
jsonfile_has(struct span head, struct span key)
{
    for (size_t at; (at = span_search(head, key)) != SPAN_NONE;
         head = span_from(head, at + key.len)) {
        struct span after = span_from(head, at + key.len);
        if (at > 0 && head.ptr[at - 1] == '"' && span_starts(after, SPAN("\"")) &&
            span_starts(skip_space(span_from(after, 1)), SPAN(":")))
            return true;
    }
    return false;
}

void
jsonfile_elements(struct json *j, void (*read)(void *ctx, struct json *j), void *ctx, bool objects)
{
    if (!json_enter(j, JSON_ARRAY))
        return;
    while (json_element(j)) {
        if (!objects || j->item == JSON_OBJECT)
            read(ctx, j);
        if (j->item != JSON_NUMBER) /* saves 5 % of the instructions for a .cpuprofile */
            json_skip(j);
    }
}

static uint32_t
add_node(struct jsontree *t, uint32_t parent)
{
    if (t->nodes.n >= JSONTREE_NONE)
        mem_exhausted();
    uint32_t unnamed = stacker_name(&t->base, SPAN("[unknown]"));
    VEC_ADD(t->nodes, (struct jsontree_node){parent, unnamed, JSONTREE_NONE, 0});
    return (uint32_t)(t->nodes.n - 1);
}

static void
read_tree(struct json *j, void (*member)(void *ctx, struct json *j), struct jsontree *t)
{
    size_t outside = j->depth;
    if (!json_enter(j, JSON_OBJECT))
        return;
    uint32_t at = add_node(t, JSONTREE_NONE);
    while (json_next(j) != JSON_ERROR && j->depth > outside) {
        t->node = &t->nodes.at[at];
        if (j->item == JSON_OBJECT)
            at = add_node(t, at);
        else if (j->item == JSON_OBJECT_END)
            at = t->node->parent;
        else if (json_is(j, SPAN("children")))
            json_enter(j, JSON_ARRAY); /* its elements come next */
        else if (j->item == JSON_KEY)
            member(t, j);
        else if (j->item == JSON_ARRAY)
            json_skip(j); /* an element of "children" that is no node */
    }
}

static void
read_scalar(struct json *j, const struct jsonfield *field, void *ctx)
{
    void *at = (char *)ctx + field->at;
    json_scalar(j);
    if (field->kind == JSONFIELD_INDEX)
        *(uint32_t *)at = jsonfile_index(j);
    else if (field->kind == JSONFIELD_SEEN)
        *(bool *)at = true;
    else if (field->kind == JSONFIELD_U64 && !json_u64(j, at))
        *(uint64_t *)at = UINT64_MAX;
    else if (field->kind == JSONFIELD_TEXT)
        text_set(at, j->item == JSON_STRING ? j->text : SPAN(""));
}

bool
jsonfile_member(struct json *j, const struct jsonfield *fields, void *ctx)
{
    const struct jsonfield *field = fields;
    while (field->key.len > 0 && !json_is(j, field->key))
        field++;
    if (field->key.len == 0)
        json_scalar(j);
    else if (field->kind == JSONFIELD_VALUE)
        field->read(ctx, j);
    else if (field->kind == JSONFIELD_OBJECTS || field->kind == JSONFIELD_ELEMENTS)
        jsonfile_elements(j, field->read, ctx, field->kind == JSONFIELD_OBJECTS);
    else if (field->kind == JSONFIELD_TREE)
        read_tree(j, field->read, ctx);
    else if (field->kind == JSONFIELD_INSIDE)
        json_enter(j, (enum json_item)field->at);
    else if (field->kind != JSONFIELD_OBJECT)
        read_scalar(j, field, ctx);
    else if (json_enter(j, JSON_OBJECT))
        field->read(ctx, j);
    return field->key.len > 0;
}

void
jsonfile_object(struct json *j, const struct jsonfield *fields, void *ctx)
{
    size_t outside = j->depth - 1;
    while (json_next(j) != JSON_ERROR && j->depth > outside)
        if (j->item == JSON_KEY) /* not an end, nor a start in an array, of what was entered */
            jsonfile_member(j, fields, ctx);
}

uint32_t
jsonfile_index(const struct json *j)
{
    uint64_t i;
    return json_u64(j, &i) && i < JSONFILE_NONE ? (uint32_t)i : JSONFILE_NONE;
}

struct decimal
jsonfile_weight(struct stacker *s, const struct json *j)
{
    struct decimal weight = {0, 0};
    if (!json_decimal(j, 0, &weight))
        stacker_skip(s, "a weight is not a number from 0 on");
    return weight;
}

void
jsonfile_add_place(struct text *name, struct span file, uint64_t line)
{
    char digits[NUM_DIGITS];
    if (file.len == 0)
        return;
    TEXT_ADD(name, SPAN(" ("), file);
    if (line > 0 && line < UINT64_MAX)
        TEXT_ADD(name, SPAN(":"), num_decimal(digits, line));
    text_add(name, SPAN(")"));
}

bool
jsonfile_end(struct stacker *s, struct json *j)
{
    while (j->item != JSON_END && j->item != JSON_ERROR)
        json_next(j);
    if (j->item == JSON_ERROR)
        diag_error(s->c->diag, input_place(&s->c->input), "%s", j->why);
    s->damaged = j->item == JSON_ERROR;
    return !s->damaged;
}

void
jsonfile_fold(struct stacker *f, const struct jsonfield *members)
{
    struct json j;
    json_start(&j, &f->c->input.lines);
    if (json_next(&j) == JSON_OBJECT)
        jsonfile_object(&j, members, f);
    jsonfile_end(f, &j);
}

uint32_t
jsonfile_string(struct intern *strings, const struct json *j)
{
    return j->item == JSON_STRING ? 1 + intern_add(strings, j->text) : 0;
}

struct span
jsonfile_text(const struct intern *strings, uint32_t string)
{
    return string > 0 ? intern_text(strings, string - 1) : SPAN("");
}

void
jsonfile_read_tree(struct jsontree *t, void (*read)(void *ctx, struct json *j))
{
    struct json j;
    json_start(&j, &t->base.c->input.lines);
    read_tree(&j, read, t);
    jsonfile_end(&t->base, &j);
}

uint64_t
jsonfile_subtract(struct jsontree *t)
{
    struct jsontree_node *nodes = t->nodes.at;
    uint64_t smaller = 0, *below = calloc(t->nodes.n + 1, sizeof *below);
    if (below == NULL)
        mem_exhausted();
    for (size_t i = t->nodes.n; i-- > 0;) { /* callees come after their callers */
        if (nodes[i].parent != JSONTREE_NONE)
            below[nodes[i].parent] = num_add(below[nodes[i].parent], nodes[i].self);
        smaller += nodes[i].self < below[i];
        nodes[i].self = nodes[i].self > below[i] ? nodes[i].self - below[i] : 0;
    }
    free(below);
    return smaller;
}

void
jsonfile_fold_tree(struct stacker *tree)
{
    struct jsontree *t = (struct jsontree *)tree;
    struct stacktree *to = &t->base.c->profile.tree;
    uint32_t *stacks = mem_alloc(t->nodes.n * sizeof *stacks);
    for (size_t i = 0; i < t->nodes.n; i++) {
        const struct jsontree_node *node = &t->nodes.at[i];
        uint32_t caller = node->parent != JSONTREE_NONE ? stacks[node->parent] : STACKTREE_ROOT;
        stacks[i] = stacktree_child(to, caller, node->name);
        if (node->self > 0)
            stacktree_count(to, stacks[i], (struct decimal){node->self, 0});
        t->base.c->samples += node->self > 0;
    }
    free(stacks);
    free(t->nodes.at);
    t->nodes.at = NULL;
}
