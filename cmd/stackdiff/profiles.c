#include "cmd/stackdiff/profiles.h"

#include <stdlib.h>

#include "common/base/sort.h"
#include "common/stack/folded.h"

static bool
is_hex_digit(char c)
{
    return is_hex(c) || (c >= 'A' && c <= 'F');
}

static struct span
strip_hex(struct profiles *p, struct span stack)
{
    /* "0x1", the shortest number, grows from 3 to 5 bytes. */
    p->text = mem_grow(p->text, &p->text_cap, stack.len * 2, 1);
    size_t len = 0;
    for (size_t i = 0, digits; i < stack.len;) {
        if (span_starts(span_from(stack, i), SPAN("0x")) &&
            (digits = span_run(stack, i + 2, is_hex_digit)) > 0) {
            memcpy(p->text + len, "0x...", 5);
            len += 5;
            i += 2 + digits;
        } else {
            p->text[len++] = stack.ptr[i++];
        }
    }
    return span_of(p->text, len);
}

static void
add(struct profiles *p, struct span stack, union number count, size_t side)
{
    const struct numbers *numbers = p->dialect->numbers;
    uint32_t id;
    bool is_new = intern_put(&p->stacks, p->strip_hex ? strip_hex(p, stack) : stack, &id);
    p->pairs = mem_grow(p->pairs, &p->pairs_cap, p->stacks.count, sizeof *p->pairs);
    if (is_new)
        p->pairs[id] = (struct pair){0};
    p->pairs[id].count[side] = numbers->add(p->pairs[id].count[side], count);
    p->total.count[side] = numbers->add(p->total.count[side], count);
}

void
profiles_read(struct profiles *p, struct input *in, size_t side)
{
    static const char why[] = "not a folded stack";
    const struct dialect *d = p->dialect;
    struct span line;
    while (lines_next(&in->lines, &line)) {
        struct folded f;
        bool bare = d->crlf || !span_ends(line, SPAN("\r"));
        if (bare && folded_parse(line, 1, &f)) {
            add(p, f.stack, d->numbers->parse(f.count), side);
            continue;
        }
        bool blank = span_trim(line).len == 0;
        if (d->bad_as_empty) /* "0.", not "0": Perl's undefined value is no whole number */
            add(p, SPAN(""), d->numbers->parse(SPAN("0.")), side);
        if (!blank && d->bad_as_empty)
            diag_warn(in->diag, "lines that are not folded stacks", input_place(in), "%s", why);
        else if (!blank)
            input_skip(in, why);
    }
}

void
profiles_normalize(struct profiles *p)
{
    const struct pair *total = &p->total;
    for (size_t i = 0; i < p->stacks.count; i++) {
        union number *before = &p->pairs[i].count[0];
        *before = p->dialect->numbers->scale(*before, total->count[0], total->count[1]);
    }
}

static void
write_stack(const struct profiles *p, uint32_t id, struct out *o)
{
    const struct pair *pair = &p->pairs[id];
    char text[NUMBER_TEXT];
    out_span(o, intern_text(&p->stacks, id));
    for (size_t side = 0; side < 2; side++) {
        out_char(o, ' ');
        out_span(o, p->dialect->numbers->text(text, pair->count[side]));
    }
    out_char(o, '\n');
}

void
profiles_write(const struct profiles *p, struct out *o)
{
    size_t n = p->stacks.count;
    uint32_t *order = mem_alloc(n * sizeof *order);
    sort_order(p->stacks.texts, n, order);
    for (size_t i = 0; i < n; i++)
        write_stack(p, order[i], o);
    free(order);
}

double
profiles_total(const struct profiles *p, size_t side)
{
    return p->dialect->numbers->real(p->total.count[side]);
}

void
profiles_free(struct profiles *p)
{
    intern_free(&p->stacks);
    free(p->pairs);
    free(p->text);
}
