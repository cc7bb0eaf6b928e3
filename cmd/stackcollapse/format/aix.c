/* Stacks of AIX's procstack, one after the other, leaf first (procstack in AIX's documentation):
 *
 *     15466950: /usr/java/bin/java -jar app.jar
 *     ---------- tid# 64291089 (pthread ID:      1) ----------
 *     0x0900000000523a94  __fd_select(??, ??, ??, ??, ??) + 0x8c
 *     0x09000000005297b0  [libc.a](??) + 0x10
 *     0x0000000100000924  main(??, ??) + 0x64 */
#include "cmd/stackcollapse/build/lineformat.h"

#include <stdlib.h>

struct state {
    struct lineformat base;
    struct text process;
};

static bool
is_module(struct span name)
{
    return name.len >= 2 && span_starts(name, SPAN("[")) && span_ends(name, SPAN("]"));
}

/* The text up to the first parenthesis. */
static struct span
without_arguments(struct span text)
{
    size_t paren = span_find(text, '(');
    return paren != SPAN_NONE ? span_head(text, paren) : text;
}

/* Sets *address and *name in "0x0900000000523a94  __fd_select(??, ??) + 0x8c". The script's pattern
 * wants two blanks after the name's beginning, which may be before it. */
static bool
parse_frame(struct span line, bool script, struct span *address, struct span *name)
{
    enum { WORDS = 2 };
    if (!span_starts(line, SPAN("0x")))
        return false;
    *address = span_head(line, 2 + span_run(line, 2, is_hex));
    size_t blanks = span_run(line, address->len, is_blank);
    struct span rest = span_from(line, address->len + blanks);
    size_t after = 0;
    for (size_t i = 0; i < rest.len; i++)
        after += rest.ptr[i] == ' ';
    size_t lack = after < WORDS ? WORDS - after : 0;
    if (!script) {
        size_t offset = span_search(rest, SPAN(" + 0x"));
        *name = without_arguments(offset != SPAN_NONE ? span_head(rest, offset) : rest);
        return blanks > 0 && name->len > 0;
    }
    if (lack > blanks)
        return false;
    rest = span_from(line, address->len + blanks - lack);
    *name = without_arguments(span_head(rest, span_find(rest, ' ')));
    return true;
}

static void
emit(void *state)
{
    struct state *st = state;
    struct lineformat *f = &st->base;
    if (f->stack.n == 0)
        return;
    lineformat_push_leaf_first(f, text_span(&st->process));
    lineformat_emit_reversed(f);
}

/* "15466950: /usr/java/bin/java -jar app.jar": the process is called by its first word. */
static void
begin_process(struct state *st, struct span line, size_t digits)
{
    struct span command = span_from(line, digits + 1);
    emit(st);
    st->process.len = 0;
    if (!span_starts(command, SPAN(" ")))
        return;
    command = span_from(command, 1);
    size_t blank = span_find(command, ' ');
    text_add(&st->process, blank != SPAN_NONE ? span_head(command, blank) : command);
}

static void
push(struct lineformat *f, struct span name)
{
    if (f->script)
        lineformat_prepend(f, name);
    else
        lineformat_push_leaf_first(f, name);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    const struct span thread = SPAN("---------- tid# ");
    struct span address, name;
    size_t digits = span_run(line, 0, is_digit);
    if (digits > 0 && span_starts(span_from(line, digits), SPAN(":")))
        begin_process(st, line, digits);
    else if (span_starts(line, thread) && thread.len < line.len && is_digit(line.ptr[thread.len]))
        emit(st);
    else if (parse_frame(line, st->base.script, &address, &name))
        push(&st->base, is_module(name) ? address : name);
    else if (!st->base.script && span_starts(line, SPAN("0x")))
        input_skip(&st->base.c->input, "not a frame of procstack");
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->process.ptr);
}

/* A frame, or a thread's line. */
static bool
is_aix(struct span line)
{
    struct span address, name;
    return span_starts(line, SPAN("---------- tid# ")) ||
           (parse_frame(line, true, &address, &name) && address.len > 10 &&
            span_search(line, SPAN(") + 0x")) != SPAN_NONE);
}

const struct format format_aix = {
    .is = is_aix,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = emit,
    .end = end,
};
