/* What "go tool pprof -raw" prints (its String() in github.com/google/pprof/profile): samples with
 * their values and the numbers of their locations, leaf first, then the locations. A location with
 * several lines has inlined calls, the innermost first:
 *
 *     Samples:
 *     samples/count cpu/nanoseconds
 *               3   30000000: 1 2
 *                     thread:[worker]
 *     Locations
 *          1: 0x48f1e3 M=1 main.inner /home/user/app/main.go:12:0 s=10
 *                  main.outer /home/user/app/main.go:20:0 s=18
 *          2: 0x7f14ce2d9745 M=2
 *     Mappings
 *     1: 0x400000/0x4a9000/0x0 /home/user/app/app  [FN] */
#include <stdlib.h>

#include "cmd/stackcollapse/build/lineformat.h"
#include "common/base/num.h"

enum part { BEFORE, SAMPLES, LOCATIONS, MAPPINGS };

struct state {
    struct lineformat base;
    enum part part;
    struct intern stacks; /* the samples' lists of locations */
    uint64_t *values;     /* by stack: the sum of the samples' first values */
    size_t values_cap;
    struct intern locations; /* their numbers as printed */
    struct text *names;      /* by location: the functions, each with a newline after it */
    size_t names_cap;
    uint32_t location; /* printed last */
};

static bool
is_list(char c)
{
    return is_digit(c) || c == ' ';
}

static bool
is_values(char c)
{
    return is_digit(c) || is_space(c);
}

/* Takes a line that is a sample, "  3   30000000: 1 2". The first of the values counts. */
static bool
take_sample(struct state *st, struct span line)
{
    struct span text = span_from(line, span_run(line, 0, is_space));
    size_t digits = span_run(text, 0, is_digit), end = span_run(text, 0, is_values);
    struct span list = span_from(text, end);
    if (digits == 0 || is_space(text.ptr[end - 1]) || !span_starts(list, SPAN(": ")))
        return false;
    list = span_from(list, 2);
    list = span_head(list, span_run(list, 0, is_list));
    if (list.len == 0)
        return false;
    uint32_t id;
    uint64_t value = 0;
    bool fresh = intern_put(&st->stacks, list, &id);
    st->values = mem_grow(st->values, &st->values_cap, (size_t)id + 1, sizeof *st->values);
    num_u64(span_head(text, digits), &value);
    st->values[id] = fresh ? value : num_add(st->values[id], value);
    st->base.c->samples++;
    return true;
}

/* Adds a function to the location. */
static void
add_name(struct state *st, struct span name)
{
    text_add(&st->names[st->location], name);
    text_add(&st->names[st->location], SPAN("\n"));
}

/* The name in "main.inner /home/user/app/main.go:12:0 s=10". */
static struct span
function(struct span text)
{
    for (size_t i = text.len; i > 3; i--)
        if (span_starts(span_from(text, i - 3), SPAN(" s=")) && span_run(text, i, is_digit) > 0) {
            text = span_head(text, i - 3);
            break;
        }
    size_t file = span_search(text, SPAN(" /"));
    if (file == SPAN_NONE)
        file = span_rfind(text, ' ');
    return file != SPAN_NONE && file > 0 ? span_head(text, file) : text;
}

/* Takes a line that is a location, "     1: 0x48f1e3 M=1 main.inner /home/user/app/main.go:12:0". */
static bool
take_location(struct state *st, struct span line)
{
    struct span text = span_from(line, span_run(line, 0, is_space));
    size_t digits = span_run(text, 0, is_digit);
    struct span rest = span_from(text, digits);
    if (digits == 0 || !span_starts(rest, SPAN(": 0x")))
        return false;
    rest = span_from(rest, 2);
    size_t hex = span_run(rest, 2, is_hex);
    struct span address = span_head(rest, 2 + hex);
    rest = span_from(rest, address.len);
    if (hex == 0 || !span_starts(rest, SPAN(" ")))
        return false;
    rest = span_from(rest, 1);
    size_t mapping = span_starts(rest, SPAN("M=")) ? span_run(rest, 2, is_digit) : 0;
    if (mapping > 0 && span_starts(span_from(rest, 2 + mapping), SPAN(" ")))
        rest = span_from(rest, 3 + mapping);
    if (span_starts(rest, SPAN("[F] ")))
        rest = span_from(rest, 4);
    rest = span_trim(rest);
    bool fresh = intern_put(&st->locations, span_head(text, digits), &st->location);
    st->names = mem_grow(st->names, &st->names_cap, st->locations.count, sizeof *st->names);
    if (fresh)
        st->names[st->location] = (struct text){0};
    st->names[st->location].len = 0;
    add_name(st, rest.len > 0 ? function(rest) : address);
    return true;
}

/* Takes a further line of a location: the call that the one before is inlined in. */
static bool
take_inlined(struct state *st, struct span line)
{
    bool follows = st->locations.count > 0 && span_starts(line, SPAN("             "));
    struct span text = span_trim(line);
    if (follows && text.len > 0)
        add_name(st, function(text));
    return follows;
}

/* Pushes the names of a location, the innermost call first; its number where it has none. */
static void
push_location(struct state *st, struct span number)
{
    uint32_t id = intern_find(&st->locations, number);
    if (id == INTERN_NONE)
        stackbuild_push(&st->base.stack, number);
    struct span names = id != INTERN_NONE ? text_span(&st->names[id]) : SPAN("");
    while (names.len > 0)
        stackbuild_push(&st->base.stack, span_take(&names, '\n'));
}

/* Adds the stacks to the profile, once the locations are read, and forgets them. */
static void
finish(void *state)
{
    struct state *st = state;
    for (uint32_t i = 0; i < st->stacks.count; i++) {
        struct span list = intern_text(&st->stacks, i);
        while (list.len > 0) {
            struct span number = span_take(&list, ' ');
            if (number.len > 0)
                push_location(st, number);
        }
        stackbuild_reverse(&st->base.stack, 0);
        stackbuild_emit(&st->base.stack, (struct decimal){st->values[i], 0});
    }
    for (size_t i = 0; i < st->locations.count; i++)
        free(st->names[i].ptr);
    intern_free(&st->stacks);
    intern_free(&st->locations);
    st->stacks = st->locations = (struct intern){0};
    st->part = BEFORE;
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct input *in = &st->base.c->input;
    if (line.len == 0 || line.ptr[0] == '#' || st->part == MAPPINGS)
        return;
    if (st->part == BEFORE) {
        st->part = span_holds(line, SPAN("Samples:")) ? SAMPLES : BEFORE;
    } else if (st->part == SAMPLES && !take_sample(st, line)) {
        if (span_holds(line, SPAN("Locations")))
            st->part = LOCATIONS;
        else if (span_run(span_trim(line), 0, is_digit) > 0)
            input_skip(in, "not a sample of pprof");
    } else if (st->part == LOCATIONS && !take_location(st, line) && !take_inlined(st, line)) {
        if (span_holds(line, SPAN("Mappings")))
            st->part = MAPPINGS;
        else
            input_skip(in, "not a location of pprof");
    }
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->values);
    free(st->names);
}

static bool
is_go(struct span line)
{
    return span_eq(line, SPAN("Samples:")) ||
           (span_starts(line, SPAN("PeriodType: ")) && span_rfind(line, ' ') > 11);
}

const struct format format_go = {
    .is = is_go,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = finish,
    .end = end,
};
