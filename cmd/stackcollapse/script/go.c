/* stackcollapse-go.pl: it reads samples of two values, and the first function of each location. After
 * the mappings nothing is input any more, be it another file. See format/go.c. */
#include <stdlib.h>

#include "cmd/stackcollapse/script/scriptstack.h"
#include "common/base/num.h"

enum part { BEFORE, SAMPLES, LOCATIONS, MAPPINGS };

struct state {
    struct lineformat base;
    enum part part;
    struct intern stacks; /* the samples' lists of locations */
    uint64_t *values;     /* by stack: the sum of the samples' first values */
    size_t values_cap;
    struct intern locations; /* their numbers as printed */
    struct text *names;      /* by location: the function */
    size_t names_cap;
};

static bool
is_list(char c)
{
    return is_digit(c) || c == ' ';
}

/* Takes a line with two values before a list of locations. Of a single value the last digit is the
 * second. */
static bool
take_sample(struct state *st, struct span line)
{
    struct span text = span_from(line, span_run(line, 0, is_space));
    size_t first = span_run(text, 0, is_digit), blanks = span_run(text, first, is_space);
    size_t second = span_run(text, first + blanks, is_digit);
    struct span list = span_from(text, first + blanks + second);
    list = span_starts(list, SPAN(": ")) ? span_from(list, 2) : SPAN("");
    list = span_head(list, span_run(list, 0, is_list));
    if (second == 0 && blanks == 0 && first > 0)
        first--;
    else if (second == 0)
        return false;
    if (first == 0 || list.len == 0)
        return false;
    uint32_t id;
    uint64_t value = 0;
    bool fresh = intern_put(&st->stacks, list, &id);
    st->values = mem_grow(st->values, &st->values_cap, (size_t)id + 1, sizeof *st->values);
    num_u64(span_head(text, first), &value);
    st->values[id] = fresh ? value : num_add(st->values[id], value);
    st->base.c->samples++;
    return true;
}

/* The function is the first word with a blank after it; where there is no other, that is the
 * mapping, "M=1". */
static struct span
function(struct span rest)
{
    size_t digits = span_starts(rest, SPAN("M=")) ? span_run(rest, 2, is_digit) : 0;
    bool mapped = digits > 0 && span_starts(span_from(rest, 2 + digits), SPAN(" "));
    struct span mapping = span_head(rest, mapped ? 2 + digits : 0);
    struct span text = span_from(rest, mapped ? 3 + digits : 0);
    size_t blank = span_find(text, ' ');
    return blank != SPAN_NONE && blank > 0 ? span_head(text, blank) : mapping;
}

/* "     1: 0x48f1e3 M=1 main.inner /home/user/app/main.go:12:0 s=10" */
static bool
take_location(struct state *st, struct span line)
{
    struct span text = span_from(line, span_run(line, 0, is_space));
    size_t digits = span_run(text, 0, is_digit);
    struct span rest = span_from(text, digits);
    size_t hex = span_starts(rest, SPAN(": 0x")) ? span_run(rest, 4, is_hex) : 0;
    rest = span_from(rest, hex > 0 ? 4 + hex : 0);
    if (hex == 0 || !span_starts(rest, SPAN(" ")))
        return false;
    struct span name = function(span_from(rest, 1));
    if (name.len == 0)
        return false;
    uint32_t id;
    bool fresh = intern_put(&st->locations, span_head(text, digits), &id);
    st->names = mem_grow(st->names, &st->names_cap, (size_t)id + 1, sizeof *st->names);
    if (fresh)
        st->names[id] = (struct text){0};
    st->names[id].len = 0;
    text_add(&st->names[id], name);
    return true;
}

/* The location's number stands for one without a function, and for a function "0", which is false
 * to Perl. */
static void
push_location(struct state *st, struct span number)
{
    uint32_t id = intern_find(&st->locations, number);
    struct span name = id != INTERN_NONE ? text_span(&st->names[id]) : SPAN("0");
    scriptstack_push_leaf_first(&st->base, span_eq(name, SPAN("0")) ? number : name);
}

/* Two blanks have an empty location between them, but not at the end. */
static void
finish(void *state)
{
    struct state *st = state;
    uint64_t samples = st->base.c->samples; /* counted when they were read */
    for (uint32_t i = 0; i < st->stacks.count; i++) {
        struct span list = intern_text(&st->stacks, i);
        while (span_ends(list, SPAN(" ")))
            list.len--;
        while (list.len > 0)
            push_location(st, span_take(&list, ' '));
        stackbuild_reverse(&st->base.stack, 0);
        scriptstack_emit(&st->base, (struct decimal){st->values[i], 0});
    }
    st->base.c->samples = samples;
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    static const struct span next[] = {SPAN("Samples:"), SPAN("Locations"), SPAN("Mappings")};
    if (line.len == 0 || line.ptr[0] == '#' || st->part == MAPPINGS ||
        (st->part == SAMPLES && take_sample(st, line)) ||
        (st->part == LOCATIONS && take_location(st, line)))
        return;
    if (span_search(line, next[st->part]) != SPAN_NONE)
        st->part++;
}

static void
end(void *state)
{
    struct state *st = state;
    for (size_t i = 0; i < st->locations.count; i++)
        free(st->names[i].ptr);
    free(st->names);
    free(st->values);
    intern_free(&st->stacks);
    intern_free(&st->locations);
}

const struct format script_go = {
    .state_size = sizeof(struct state),
    .take = take,
    .finish = finish,
    .end = end,
};
