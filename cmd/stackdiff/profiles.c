#include "cmd/stackdiff/profiles.h"

#include <stdlib.h>

#include "common/base/sort.h"
#include "common/stack/foldedtext.h"
#include "common/stack/lookslike.h"

static bool
is_hex_digit(char c)
{
    return is_hex(c) || (c >= 'A' && c <= 'F');
}

static struct span
strip_hex(struct profiles *p, struct span stack)
{
    /* The shortest number, "0x1", grows from 3 bytes to 5. */
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

static void
read_lines(struct profiles *p, struct input *in, size_t side)
{
    const struct dialect *d = p->dialect;
    struct span line;
    while (lines_next(&in->lines, &line)) {
        struct folded f;
        bool bare = d->crlf || !span_ends(line, SPAN("\r"));
        if (bare && folded_parse(line, 1, &f)) {
            add(p, f.stack, d->numbers->parse(f.count), side);
            p->lines[side]++;
            continue;
        }
        if (d->bad_as_empty) /* "0.", not "0": Perl's undefined value is not a whole number */
            add(p, SPAN(""), d->numbers->parse(SPAN("0.")), side);
        if (span_trim(line).len > 0)
            input_skip(in, "not a folded stack: it does not end in a blank and a count");
    }
}

/* Says why a file has no samples. `looks`: what looks_like() returned for the file. */
static void
report_no_samples(const struct profiles *p, struct input *in, size_t side, const char *looks)
{
    const char *why = "no folded stacks: a line is frames joined by ';', a blank and a count";
    const char *guess = "";
    if (p->lines[side] > 0) {
        why = "no samples: every count is 0";
    } else if (in->lines.number == 0) {
        why = "no folded stacks: the input is empty";
    } else if (looks != NULL) {
        why = "no folded stacks; this looks like ";
        guess = looks;
    }
    struct place file = {in->name, 0};
    if (p->dialect->check_sides)
        diag_error(in->diag, file, "%s%s", why, guess);
    else
        diag_warn(in->diag, NULL, file, "%s%s", why, guess);
}

void
profiles_read(struct profiles *p, struct input *in, size_t side)
{
    p->names[side] = in->name;
    if (p->dialect->check_sides && foldedtext_columns(&in->lines) == 2) {
        diag_error(in->diag, (struct place){in->name, 0},
                   "each line has two counts, so this is a comparison already: give the two "
                   "profiles that it was made from");
        return;
    }
    struct span head = lines_ahead(&in->lines, LOOKSLIKE_BYTES);
    const char *looks =
        looks_like(span_head(head, head.len < LOOKSLIKE_BYTES ? head.len : LOOKSLIKE_BYTES));
    read_lines(p, in, side);
    if (in->lines.error == 0 && profiles_total(p, side) <= 0)
        report_no_samples(p, in, side, looks);
}

bool
profiles_overlap(const struct profiles *p)
{
    double (*real)(union number) = p->dialect->numbers->real;
    bool found = false;
    for (size_t i = 0; i < p->stacks.count && !found; i++)
        found = real(p->pairs[i].count[0]) > 0 && real(p->pairs[i].count[1]) > 0;
    return found;
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
