/* Maps of bpftrace whose keys are stacks, leaf first, each with a count (bpftrace(8), "kstack" and
 * "ustack"). Other keys may be before the stack or after it, and a "," may be between two stacks:
 *
 *     @[
 *         tcp_recvmsg+808
 *         sock_recvmsg+67
 *     ,
 *         __libc_recv+37
 *     , node]: 3
 *     @reads[bash,
 *         vfs_read+142
 *     ]: 5
 *     @[, swapper/1]: 17 */
#include "cmd/stackcollapse/build/lineformat.h"

#include <stdlib.h>

struct state {
    struct lineformat base;
    bool open;        /* within a stack */
    struct text root; /* the key before it */
};

/* Splits a line that ends a stack, "text]: 12". False if it does not. */
static bool
split_count(struct span line, struct span *text, struct span *count)
{
    for (struct span rest = line; (rest.len = span_rfind(rest, ']')) != SPAN_NONE;) {
        struct span after = span_from(line, rest.len + 1);
        size_t digits = span_starts(after, SPAN(": ")) ? span_run(after, 2, is_digit) : 0;
        if (digits > 0) {
            *text = rest;
            *count = span_of(after.ptr + 2, digits);
            return true;
        }
    }
    return false;
}

static void
emit(struct state *st, struct span count)
{
    struct lineformat *f = &st->base;
    struct decimal n = LINEFORMAT_ONCE;
    st->open = false;
    stackbuild_reverse(&f->stack, 0);
    if (f->script) {
        lineformat_print(f, count);
        return;
    }
    decimal_parse(count, &n);
    if (f->stack.n == 0) {
        f->c->samples++;
        f->c->without_frames++;
    }
    lineformat_emit(f, n);
}

/* What is after "@name[", or ptr NULL. */
static struct span
map_key(struct span line)
{
    size_t name = span_starts(line, SPAN("@")) ? 1 + span_run(line, 1, is_word) : line.len;
    bool bracket = name < line.len && line.ptr[name] == '[';
    return bracket ? span_from(line, name + 1) : (struct span){NULL, 0};
}

/* True if a stack follows the key: nothing is after "@[", or a comma is at the end. */
static bool
opens_stack(struct span key)
{
    key = span_trim(key);
    return key.len == 0 || key.ptr[key.len - 1] == ',';
}

/* A line outside of stacks. */
static void
begin(struct state *st, struct span line)
{
    struct span key = map_key(line), text, count;
    if (key.ptr == NULL)
        return;
    if (opens_stack(key)) {
        key = span_trim(key);
        st->open = true;
        st->root.len = 0;
        text_add(&st->root, span_head(key, key.len > 0 ? key.len - 1 : 0));
    } else if (span_starts(key, SPAN(", ")) && split_count(key, &text, &count)) {
        lineformat_push(&st->base, span_from(text, 2)); /* an empty stack */
        emit(st, count);
    }
}

/* The script knows maps without a name, and keys after the stack. */
static void
script_begin(struct state *st, struct span line)
{
    struct span text, count;
    if (span_eq(line, SPAN("@["))) {
        st->open = true;
    } else if (span_starts(line, SPAN("@[,")) && line.len > 3 && is_space(line.ptr[3]) &&
               split_count(span_from(line, 4), &text, &count)) {
        lineformat_push(&st->base, text);
        emit(st, count);
    }
}

/* The key after the stack in ", node]: 3". */
static struct span
last_key(struct span text)
{
    if (span_starts(text, SPAN(",")))
        text = span_from(text, 1);
    if (text.len > 0 && is_space(text.ptr[0]))
        text = span_from(text, 1);
    return text;
}

/* A line of a stack. */
static void
add(struct state *st, struct span line)
{
    struct span text, count;
    if (split_count(line, &text, &count)) {
        text = last_key(text);
        if (text.len > 0)
            lineformat_push_leaf_first(&st->base, text);
        if (!st->base.script && st->root.len > 0)
            lineformat_push_leaf_first(&st->base, text_span(&st->root));
        emit(st, count);
    } else if (st->base.script) {
        lineformat_push_leaf_first(&st->base, span_from(line, span_run(line, 0, is_space)));
    } else {
        line = span_trim(line);
        if (line.len > 0 && !span_eq(line, SPAN(",")))
            lineformat_push_leaf_first(&st->base, line);
    }
}

static void
drop(struct state *st)
{
    input_skip(&st->base.c->input, "the stack before this line has no count");
    st->open = false;
    stackbuild_clear(&st->base.stack);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    if (st->open && !st->base.script && map_key(line).ptr != NULL)
        drop(st);
    if (st->open)
        add(st, line);
    else
        (st->base.script ? script_begin : begin)(st, line);
}

static void
finish(void *state)
{
    struct state *st = state;
    if (st->open && !st->base.script)
        drop(st);
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->root.ptr);
}

static bool
is_bpftrace(struct span line)
{
    return map_key(line).ptr != NULL || (span_starts(line, SPAN("Attaching ")) &&
                                         span_search(line, SPAN(" probe")) != SPAN_NONE);
}

const struct format format_bpftrace = {
    .is = is_bpftrace,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = finish,
    .end = end,
};
