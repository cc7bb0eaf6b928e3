/* Stacks that DTrace aggregates, leaf first, each with its count on a line of its own (the chapter
 * "Aggregations" of the Dynamic Tracing Guide):
 *
 *     CPU     ID                    FUNCTION:NAME
 *       0  64091                        :tick-60s
 *
 *                   unix`i86_mwait+0xd
 *                   unix`cpu_idle_mwait+0xf1
 *                   unix`thread_start+0x8
 *                  1641
 *
 * Calls that Java inlined are one frame: "La/B;::run->La/C;::call+0x1a". */
#include <stdlib.h>

#include "cmd/stackcollapse/build/counted.h"
#include "common/stack/cxxname.h"
#include "common/stack/foldname.h"

struct state {
    struct lineformat base;
    size_t number; /* of the line, over all files */
};

enum { SCRIPT_HEADER = 3 }; /* lines that the script skips, whatever they are */

/* Removes from the last "::" part that has one its last bracket and what follows it, as the script
 * does. */
static struct span
script_tidy(struct span name)
{
    size_t colons = span_search(name, SPAN("::"));
    if (colons == SPAN_NONE)
        return name;
    for (size_t i = name.len; i > colons + 2; i--)
        if (name.ptr[i - 1] == '(' || name.ptr[i - 1] == '<')
            return span_head(name, i - 1);
    return name;
}

/* The name after the module, "app`", without its argument lists; in *text. */
static struct span
tidy(struct text *text, struct span name)
{
    size_t tick = span_find(name, '`'), module = tick == SPAN_NONE ? 0 : tick + 1;
    text->len = 0;
    text_add(text, name);
    text->len = module + cxxname_tidy(span_from(name, module), text->ptr + module);
    return text_span(text);
}

/* Appends to st->base.name a method of Java: "La/B;::run" is "a/B:::run". The script takes the L
 * off any name. */
static void
java_name(struct state *st, struct span part, bool inlined)
{
    bool descriptor = st->base.script || span_find(part, ';') != SPAN_NONE;
    size_t from = span_starts(part, SPAN("L")) && descriptor ? 1 : 0, start = st->base.name.len;
    text_add(&st->base.name, span_from(part, from));
    for (size_t i = start; i < st->base.name.len; i++)
        if (st->base.name.ptr[i] == ';')
            st->base.name.ptr[i] = ':';
    if (inlined)
        text_add(&st->base.name, SPAN("_[i]"));
}

/* Pushes the parts between "->", the last of which is the innermost call. */
static void
push_inlined(struct state *st, struct span name)
{
    struct lineformat *f = &st->base;
    size_t from = f->stack.n;
    for (struct span part; foldname_split_arrow(&name, &part);) {
        st->base.name.len = 0;
        java_name(st, part, f->stack.n > from);
        lineformat_push(f, text_span(&st->base.name));
    }
    stackbuild_reverse(&f->stack, from);
}

static void
push(struct state *st, struct span frame)
{
    bool offsets = st->base.c->options->offsets && st->base.stack.n > 0;
    if (!offsets)
        frame = counted_without_offset(&st->base, frame);
    if (st->base.script) {
        frame = script_tidy(frame);
        push_inlined(st, frame.len > 0 ? frame : SPAN("-"));
    } else if (span_search(frame, SPAN(";::")) != SPAN_NONE) {
        push_inlined(st, frame);
    } else {
        frame = tidy(&st->base.name, frame);
        frame = frame.len > 0 ? frame : SPAN("-");
        if (st->base.c->options->offsets)
            stackbuild_push(&st->base.stack, frame);
        else
            lineformat_push_leaf_first(&st->base, frame);
    }
}

/* What dtrace prints that is no stack: its messages, the header line, and the lines of a probe that
 * fires, "  0  64091    :tick-60s". */
static bool
is_other(struct span line)
{
    line = span_trim(line);
    if (span_starts(line, SPAN("dtrace: ")) ||
        (span_starts(line, SPAN("CPU ")) && span_ends(line, SPAN("FUNCTION:NAME"))))
        return true;
    size_t digits = span_run(line, 0, is_digit);
    struct span id = span_trim(span_from(line, digits));
    size_t id_digits = span_run(id, 0, is_digit);
    struct span probe = span_from(id, id_digits);
    return digits > 0 && id_digits > 0 && span_starts(probe, SPAN(" ")) &&
           span_find(probe, ':') != SPAN_NONE;
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    bool script = st->base.script;
    if (++st->number <= SCRIPT_HEADER && script)
        return;
    if ((!script && is_other(line)) || counted_end(&st->base, line))
        return;
    struct span frame = span_from(line, span_run(line, 0, is_space));
    push(st, script ? frame : span_trim(frame));
}

static bool
is_no_blank(char c)
{
    return !is_space(c);
}

/* A frame, "unix`idle+0x114", or the header line. The first instruction of a function has no
 * offset: "   libsystem_kernel.dylib`mach_msg_trap". Such a line is indented and has only a module
 * before the backquote; other lines with a backquote, such as those of lldb, have more. */
static bool
is_dtrace(struct span line)
{
    struct span text = span_trim(line);
    size_t tick = span_find(text, '`'), plus = span_rfind(text, '+');
    bool offset = plus != SPAN_NONE && span_starts(span_from(text, plus), SPAN("+0x")) &&
                  plus + 3 + span_run(text, plus + 3, is_hex) == text.len;
    bool alone = line.len > 0 && is_space(line.ptr[0]) && tick + 1 < text.len &&
                 span_run(text, 0, is_no_blank) > tick + 1;
    return (span_starts(text, SPAN("CPU ")) && span_ends(text, SPAN("FUNCTION:NAME"))) ||
           (tick != SPAN_NONE && tick > 0 && (offset || alone));
}

const struct format format_dtrace = {
    .is = is_dtrace,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = counted_finish,
};
