/* The tree that d3-flame-graph draws, as burn, node-stack-convert and FlameScope write it
 * (github.com/spiermar/d3-flame-graph). A value counts a function and all that it calls:
 *
 *     {"name": "root", "value": 10, "children": [
 *         {"name": "main", "value": 10, "children": [{"name": "work", "value": 6}]}]} */
#include "cmd/stackcollapse/shared/jsonfile.h"

static void
read_member(void *ctx, struct json *j)
{
    struct jsontree *t = ctx;
    bool is_name = json_is(j, SPAN("name")), is_value = json_is(j, SPAN("value"));
    json_scalar(j);
    if (is_name && j->item == JSON_STRING)
        t->node->name = stacker_name(&t->base, j->text);
    else if (is_value && !json_u64(j, &t->node->self))
        stacker_skip(&t->base, "a value that is not a whole number from 0 on");
}

static void
fold(struct stacker *f)
{
    jsonfile_read_tree((struct jsontree *)f, read_member);
}

static void
finish(struct stacker *f)
{
    struct jsontree *t = (struct jsontree *)f;
    stacker_note(f, jsonfile_subtract(t),
                 "of the frames count less than the frames that they call");
    jsonfile_fold_tree(f);
}

/* Require all three members, one of them first: other JSON may have them in inner objects. */
static bool
is_ours(struct span head)
{
    static const struct span keys[] = {SPAN("\"name\""), SPAN("\"value\""), SPAN("\"children\"")};
    struct span text = span_trim(head);
    return span_skip(&text, SPAN("{")) && span_starts_any(span_trim(text), keys, 3) &&
           jsonfile_has(head, SPAN("name")) && jsonfile_has(head, SPAN("value")) &&
           jsonfile_has(head, SPAN("children"));
}

const struct format format_d3 = {.is_json = is_ours,
                                 .state_size = sizeof(struct jsontree),
                                 .per_file = true,
                                 .fold = fold,
                                 .finish = finish};
