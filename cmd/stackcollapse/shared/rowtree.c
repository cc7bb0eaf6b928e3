#include "cmd/stackcollapse/shared/rowtree.h"

#include "common/base/num.h"

/* Count the part of the total that is the function's own, if only totals are given. */
static void
count_rest(struct rowtree *t, const struct rowtree_function *f)
{
    struct stacker *r = &t->base;
    if (f->total <= f->below)
        return;
    uint64_t rest = f->total - f->below;
    r->c->samples = num_add(r->c->samples, t->inverted ? 1 : rest);
    if (f->waits)
        r->left_out = num_add(r->left_out, rest);
    else
        stacktree_count(&t->tree, f->stack, (struct decimal){rest, 0});
}

void
rowtree_leave(struct rowtree *t, size_t level)
{
    if (!t->rooted || level < t->top)
        t->top = level;
    t->rooted = true;
    for (; t->path.n > 0 && t->path.at[t->path.n - 1].level >= level; t->path.n--)
        count_rest(t, &t->path.at[t->path.n - 1]);
}

void
rowtree_nest(struct rowtree *t, size_t level, struct span name)
{
    rowtree_leave(t, level);
    uint32_t caller = t->path.n > 0 ? t->path.at[t->path.n - 1].stack : STACKTREE_ROOT;
    uint32_t stack = stacktree_child(&t->tree, caller, stacker_name(&t->base, name));
    VEC_ADD(t->path, (struct rowtree_function){.level = level, .stack = stack});
}

bool
rowtree_enter(struct rowtree *t, size_t level, struct span name)
{
    rowtree_leave(t, level);
    if (level != (t->path.n > 0 ? t->path.at[t->path.n - 1].level + 1 : t->top)) {
        stacker_skip(&t->base, "the line of this function's caller is missing");
        return false;
    }
    rowtree_nest(t, level, name);
    return true;
}

void
rowtree_skip(struct rowtree *t, size_t level, const char *why)
{
    rowtree_leave(t, level);
    stacker_skip(&t->base, why);
}

void
rowtree_count(struct rowtree *t, struct decimal count)
{
    if (decimal_is_zero(count))
        return;
    stacktree_count(&t->tree, t->path.at[t->path.n - 1].stack, count);
    t->base.c->samples++;
}

void
rowtree_total(struct rowtree *t, uint64_t total)
{
    struct rowtree_function *f = &t->path.at[t->path.n - 1];
    f->total = total;
    if (t->path.n > 1 && (!t->inverted || f[-1].level + 1 == f->level))
        f[-1].below = num_add(f[-1].below, total);
}

void
rowtree_finish(struct stacker *f)
{
    struct rowtree *t = (struct rowtree *)f;
    rowtree_leave(t, 0);
    stacktree_shift(&t->tree, STACKTREE_ROOT, t->places);
    profile_add_tree(&f->c->profile, &t->tree);
    t->rooted = false;
}

/* Remove the quotation marks of the field at offset `at`, and one of each two in a row inside of
 * it. Return the offset of the field's end. */
static size_t
take_field(struct text *line, size_t at, char delimiter, struct span *field)
{
    char *text = line->ptr;
    size_t start = at, to;
    while (at < line->len && text[at] == ' ')
        at++;
    bool quoted = at < line->len && text[at] == '"';
    for (to = at, at += quoted; at < line->len && (quoted || text[at] != delimiter); at++) {
        bool quote = quoted && text[at] == '"';
        if (quote && at + 1 < line->len && text[at + 1] == '"')
            at++;
        else if (quote)
            quoted = false;
        if (!quote || quoted)
            text[to++] = text[at];
    }
    *field = span_of(text + start, to - start);
    return at;
}

void
rowtree_split(struct rowtree *t, struct span line, char delimiter)
{
    struct span field;
    t->fields.n = 0;
    line.len -= span_ends(line, SPAN("\r"));
    text_set(&t->line, line);
    for (size_t at = 0; at <= t->line.len; at++) { /* skip the delimiter */
        at = take_field(&t->line, at, delimiter, &field);
        VEC_ADD(t->fields, field);
    }
}

struct span
rowtree_field(const struct rowtree *t, size_t i)
{
    return i < t->fields.n ? t->fields.at[i] : SPAN("");
}

size_t
rowtree_column(const struct rowtree *t, struct span text)
{
    for (size_t i = 0; i < t->fields.n; i++)
        if (span_eq(t->fields.at[i], text))
            return i;
    return SPAN_NONE;
}

char
rowtree_delimiter(struct span line, struct span first)
{
    struct span after = span_starts(line, first) ? span_from(line, first.len) : SPAN("");
    return after.len > 0 && span_has(SPAN(",;\t"), after.ptr[0]) ? after.ptr[0] : '\0';
}
