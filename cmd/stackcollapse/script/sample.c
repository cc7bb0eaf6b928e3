/* Replaces stackcollapse-sample.awk. It prints the levels that a line ends, from the deepest on,
 * but none of them if a thread waits in the deepest. See format/sample.c. */
#include "cmd/stackcollapse/shared/stacker.h"
#include "cmd/stackcollapse/shared/parts.h"
#include "cmd/stackcollapse/script/scriptparts.h"
#include "common/base/num.h"

/* How to print the time of a level. */
enum shown { AS_NOTHING, AS_TEXT, AS_NUMBER };

struct sample_level {
    struct span name, time; /* interned; the time as written in the line */
    double number;          /* time without the levels below */
    enum shown shown;
};

/* A level is two columns wide; a line with an odd number of columns has half a level. The index of
 * a level is its column + 2, since the script also has the levels -1 and -0.5. */
enum { LEVEL = 2, ROOT = LEVEL };

struct sample_script {
    struct stacker base;
    bool started;      /* between "Call graph" and "Total number" */
    size_t depth;      /* level of the last line; 0: there was none */
    struct intern ids; /* names and times */
    VEC(struct sample_level) levels;
};

static struct sample_level *
level(struct sample_script *st, size_t i)
{
    VEC_REACH(st->levels, i + 1);
    return &st->levels.at[i];
}

static void
print_stack(struct sample_script *st, size_t deepest)
{
    struct out *out = st->base.c->out;
    out_span(out, level(st, ROOT)->name);
    for (size_t i = ROOT + LEVEL; i <= deepest; i += LEVEL) {
        out_char(out, ';');
        out_span(out, level(st, i)->name);
    }
    const struct sample_level *l = level(st, deepest);
    out_char(out, ' ');
    if (l->shown == AS_TEXT)
        out_span(out, l->time);
    else if (l->shown == AS_NUMBER)
        out_format(out, num_is_whole(l->number) ? "%.0f" : "%.6g", l->number);
    out_char(out, '\n');
    st->base.c->samples++;
}

/* Print the levels down to the index `to`, and forget them. */
static void
print_levels(struct sample_script *st, size_t from, size_t to)
{
    const struct span kernel = SPAN("libsystem_kernel`");
    struct span leaf = level(st, from)->name;
    bool waits = parts_is_macwait(leaf) ||
                 (span_starts(leaf, kernel) && parts_is_macwait(span_from(leaf, kernel.len)));
    for (size_t i = from; i >= to; i -= LEVEL) {
        if (!waits)
            print_stack(st, i);
        *level(st, i) = (struct sample_level){.name = SPAN("")};
    }
}

/* Append the module of "main  (in libapp.dylib) + 12": "libapp`". */
static void
add_module(struct sample_script *st, struct span text)
{
    const struct span in = SPAN("(in "), suffix = SPAN(".dylib");
    size_t at = span_search(text, in);
    struct span module = at == SPAN_NONE ? SPAN("") : span_from(text, at + in.len);
    size_t close = span_find(module, ')');
    if (close == SPAN_NONE || st->base.c->options->no_modules)
        return;
    module = span_head(module, close);
    for (size_t dot; (dot = span_search(module, suffix)) != SPAN_NONE;) {
        text_add(&st->base.name, span_head(module, dot));
        module = span_from(module, dot + suffix.len);
    }
    TEXT_ADD(&st->base.name, module, SPAN("`"));
}

/* Compose the name of "12 main (in app)" in the stacker's buffer. Return the number, "12". */
static struct span
parse(struct sample_script *st, struct span text)
{
    struct span rest = text, time = SPAN(""), first = SPAN(""), second = SPAN("");
    awk_word(&rest, &time);
    awk_word(&rest, &first);
    awk_word(&rest, &second);
    st->base.name.len = 0;
    add_module(st, text);
    text_add(&st->base.name, first);
    if (second.len > 0 && !span_eq(second, SPAN("(in")))
        TEXT_ADD(&st->base.name, SPAN("."), second);
    return time;
}

static void
take_row(struct sample_script *st, struct span line, size_t columns)
{
    struct intern *ids = &st->ids;
    size_t at = columns + LEVEL;
    struct span time = parse(st, span_from(line, 4 + columns));
    if (st->depth >= at)
        print_levels(st, st->depth, at);
    *level(st, at) =
        (struct sample_level){intern_text(ids, intern_add(ids, text_span(&st->base.name))),
                              intern_text(ids, intern_add(ids, time)), scriptnum(time), AS_TEXT};
    if (columns > 0) {
        struct sample_level *above = level(st, at - LEVEL);
        above->shown = AS_NUMBER;
        above->number -= scriptnum(time);
    }
    st->depth = at;
}

static void
take(struct stacker *f, struct span line)
{
    struct sample_script *st = (struct sample_script *)f;
    if (span_starts(line, SPAN("Call graph")))
        st->started = true;
    if (span_starts(line, SPAN("Total number"))) {
        /* If no line had a level, the script prints an empty stack. */
        print_levels(st, st->depth == 0 ? ROOT : st->depth, ROOT);
        st->started = false;
    }
    if (!st->started || !span_starts(line, SPAN("    ")))
        return;
    size_t digit = 4;
    while (digit < line.len && !is_digit(line.ptr[digit]))
        digit++;
    if (digit < line.len)
        take_row(st, line, digit - 4);
}

const struct format script_sample = {.state_size = sizeof(struct sample_script),
                                     .take = take,
                                     .buffers = MEMBERS(struct sample_script, levels),
                                     .interns = MEMBERS(struct sample_script, ids)};
