#include "cmd/stackcollapse/build/jsonfile.h"

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

/* "key" and a colon, after whatever stands in front. */
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
jsonfile_start(struct json *j, struct collapse *c)
{
    json_start(j, &c->input.lines);
}

void
jsonfile_text(struct json *j, struct text *t)
{
    t->len = 0;
    if (json_scalar(j) == JSON_STRING)
        text_add(t, j->text);
}

void
jsonfile_objects(struct json *j, void (*read)(void *ctx), void *ctx)
{
    if (!json_enter(j, JSON_ARRAY))
        return;
    while (json_element(j)) {
        if (j->item == JSON_OBJECT)
            read(ctx);
        else
            json_skip(j);
    }
}

bool
jsonfile_end(struct json *j, struct collapse *c)
{
    while (j->item != JSON_END && j->item != JSON_ERROR)
        json_next(j);
    if (j->item == JSON_ERROR)
        diag_error(c->diag, input_place(&c->input), "%s", j->why);
    return j->item == JSON_END;
}
