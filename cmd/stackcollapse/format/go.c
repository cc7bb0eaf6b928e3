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

#include "common/base/num.h"
#include "cmd/stackcollapse/build/lineformat.h"

enum part { BEFORE, SAMPLES, LOCATIONS, MAPPINGS };

struct state {
    struct lineformat base;
    enum part part;
    struct intern samples; /* the different lines */
    uint64_t *seen;        /* by sample: how often */
    size_t seen_cap;
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

/* The parts of "  3   30000000: 1 2"; the first of the values counts. The script knows samples with
 * two values; of a single one it takes the last digit for the second. */
static bool
parse_sample(struct span line, bool script, struct span *count, struct span *list)
{
    struct span text = span_from(line, span_run(line, 0, is_space)), rest = text;
    size_t first = span_run(text, 0, is_digit), values = 0, last = 0;
    for (size_t n; (n = span_run(rest, 0, is_digit)) > 0; values++) {
        last = n;
        rest = span_from(rest, n);
        rest = span_from(rest, span_run(rest, 0, is_space));
    }
    bool colon = values > 0 && !is_space(rest.ptr[-1]) && span_starts(rest, SPAN(": "));
    size_t locations = colon ? span_run(rest, 2, is_list) : 0;
    if (script && values == 1)
        first = last - 1;
    if (locations == 0 || first == 0 || (script && values > 2))
        return false;
    *count = span_head(text, first);
    *list = span_of(rest.ptr + 2, locations);
    return true;
}

/* Takes a line that is a sample. One seen before is not parsed again. */
static bool
sample(struct state *st, struct span line)
{
    struct span count, list;
    uint32_t id = intern_find(&st->samples, line);
    if (id == INTERN_NONE) {
        if (!parse_sample(line, st->base.script, &count, &list))
            return false;
        id = intern_add(&st->samples, line);
        st->seen = mem_grow(st->seen, &st->seen_cap, (size_t)id + 1, sizeof *st->seen);
        st->seen[id] = 0;
    }
    st->seen[id]++;
    st->base.c->samples++;
    return true;
}

/* Adds a function to a location. The script forgets those that it had. */
static void
add_name(struct state *st, struct span name)
{
    struct text *names = &st->names[st->location];
    if (st->base.script)
        names->len = 0;
    text_add(names, name);
    text_add(names, SPAN("\n"));
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

/* The first word with a blank after it; where there is no other, that is the mapping. */
static struct span
script_function(struct span text, struct span mapping)
{
    size_t blank = span_find(text, ' ');
    if (blank != SPAN_NONE && blank > 0)
        return span_head(text, blank);
    return span_head(mapping, mapping.len > 0 ? mapping.len - 1 : 0);
}

/* The function in what follows a location's address. */
static struct span
location_name(const struct state *st, struct span rest, struct span address)
{
    size_t digits = span_starts(rest, SPAN("M=")) ? span_run(rest, 2, is_digit) : 0;
    bool mapped = digits > 0 && span_starts(span_from(rest, 2 + digits), SPAN(" "));
    struct span mapping = span_head(rest, mapped ? digits + 3 : 0);
    rest = span_from(rest, mapping.len);
    if (st->base.script)
        return script_function(rest, mapping);
    if (span_starts(rest, SPAN("[F] ")))
        rest = span_from(rest, 4);
    rest = span_trim(rest);
    return rest.len > 0 ? function(rest) : address;
}

/* "     1: 0x48f1e3 M=1 main.inner /home/user/app/main.go:12:0 s=10" */
static bool
location(struct state *st, struct span line)
{
    struct span text = span_from(line, span_run(line, 0, is_space));
    size_t digits = span_run(text, 0, is_digit);
    struct span rest = span_from(text, digits);
    if (!span_starts(rest, SPAN(": 0x")))
        return false;
    rest = span_from(rest, 2);
    size_t hex = span_run(rest, 2, is_hex);
    if (hex == 0 || (!st->base.script && digits == 0))
        return false;
    struct span address = span_head(rest, 2 + hex);
    rest = span_from(rest, address.len);
    if (!span_starts(rest, SPAN(" ")))
        return false;
    struct span name = location_name(st, span_from(rest, 1), address);
    if (name.len == 0)
        return false;
    uint32_t id;
    bool fresh = intern_put(&st->locations, span_head(text, digits), &id);
    st->names = mem_grow(st->names, &st->names_cap, (size_t)id + 1, sizeof *st->names);
    if (fresh)
        st->names[id] = (struct text){0};
    st->names[id].len = 0;
    st->location = id;
    add_name(st, name);
    return true;
}

/* A further line of a location: the call that the one before is inlined in. */
static bool
inlined(struct state *st, struct span line)
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
    struct span names = id != INTERN_NONE ? text_span(&st->names[id]) : SPAN("");
    if (names.len == 0 || (st->base.script && span_eq(names, SPAN("0\n"))))
        lineformat_push_leaf_first(&st->base, number);
    while (names.len > 0 && !(st->base.script && span_eq(names, SPAN("0\n")))) {
        size_t end = span_find(names, '\n');
        lineformat_push_leaf_first(&st->base, span_head(names, end));
        names = span_from(names, end + 1);
    }
}

/* The script has empty locations between two blanks, but not at the end. */
static void
push_stack(struct state *st, struct span list)
{
    while (span_ends(list, SPAN(" ")))
        list.len--;
    while (list.len > 0) {
        size_t blank = span_find(list, ' '), end = blank != SPAN_NONE ? blank : list.len;
        if (end > 0 || st->base.script)
            push_location(st, span_head(list, end));
        list = span_from(list, blank != SPAN_NONE ? end + 1 : end);
    }
}

static uint64_t
times(uint64_t value, uint64_t n)
{
    return value > 0 && n > UINT64_MAX / value ? UINT64_MAX : value * n;
}

/* Adds the stacks to the profile, once the locations are read, and forgets them. */
static void
finish(void *state)
{
    struct state *st = state;
    struct collapse *c = st->base.c;
    uint64_t samples = c->samples; /* counted when they were read */
    for (uint32_t i = 0; i < st->samples.count; i++) {
        struct span count = {0}, list = {0};
        uint64_t value = 0;
        parse_sample(intern_text(&st->samples, i), st->base.script, &count, &list);
        num_u64(count, &value);
        push_stack(st, list);
        stackbuild_reverse(&st->base.stack, 0);
        lineformat_emit(&st->base, (struct decimal){times(value, st->seen[i]), 0});
    }
    c->samples = samples;
    for (size_t i = 0; i < st->locations.count; i++)
        free(st->names[i].ptr);
    intern_free(&st->samples);
    intern_free(&st->locations);
    st->samples = st->locations = (struct intern){0};
    st->part = BEFORE;
}

static bool
holds(struct span line, struct span text)
{
    return span_search(line, text) != SPAN_NONE;
}

static void
take_sample(struct state *st, struct span line)
{
    if (sample(st, line))
        return;
    if (holds(line, SPAN("Locations")))
        st->part = LOCATIONS;
    else if (!st->base.script && span_run(span_trim(line), 0, is_digit) > 0)
        input_skip(&st->base.c->input, "not a sample of pprof");
}

static void
take_location(struct state *st, struct span line)
{
    bool script = st->base.script;
    if (location(st, line) || (!script && inlined(st, line)))
        return;
    if (holds(line, SPAN("Mappings")))
        st->part = MAPPINGS;
    else if (!script)
        input_skip(&st->base.c->input, "not a location of pprof");
}

/* To the script a file after the mappings, be it the next one, is no input any more. */
static void
take(void *state, struct span line)
{
    struct state *st = state;
    if (line.len == 0 || line.ptr[0] == '#')
        return;
    if (st->part == SAMPLES)
        take_sample(st, line);
    else if (st->part == LOCATIONS)
        take_location(st, line);
    else if (st->part == BEFORE && holds(line, SPAN("Samples:")))
        st->part = SAMPLES;
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->seen);
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
