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
#include "cmd/stackcollapse/build/counted.h"

struct state {
    struct lineformat base;
    bool open; /* within a stack; text kept: the key before it, its root */
};

static void
emit(struct state *st, struct span count)
{
    struct lineformat *f = &st->base;
    struct decimal n = LINEFORMAT_ONCE;
    st->open = false;
    decimal_parse(count, &n);
    if (f->stack.n == 0) {
        f->c->samples++;
        f->c->without_frames++;
    }
    lineformat_emit_reversed(f, n);
}

/* What is after "@name[", or ptr NULL. */
static struct span
map_key(struct span line)
{
    bool map = span_skip(&line, SPAN("@"));
    span_take_run(&line, is_word);
    return map && span_skip(&line, SPAN("[")) ? line : (struct span){NULL, 0};
}

/* A line outside of stacks. A stack follows the key if nothing is after "@[", or a comma is at the
 * end. */
static void
begin(struct state *st, struct span line)
{
    struct span key = map_key(line), text, count, root = span_trim(key);
    if (key.ptr == NULL)
        return;
    if (root.len == 0 || span_ends(root, SPAN(","))) {
        st->open = true;
        text_set(st->base.kept, span_head(root, root.len > 0 ? root.len - 1 : 0));
    } else if (span_skip(&key, SPAN(", ")) && counted_split(key, &text, &count)) {
        stackbuild_push(&st->base.stack, text); /* an empty stack */
        emit(st, count);
    }
}

/* A line of a stack; the last one may have a key, ", node]: 3". */
static void
add(struct state *st, struct span line)
{
    struct stackbuild *b = &st->base.stack;
    struct span text, count;
    if (counted_split(line, &text, &count)) {
        span_skip(&text, SPAN(","));
        text = span_from(text, text.len > 0 && is_space(text.ptr[0]));
        if (text.len > 0)
            stackbuild_push(b, text);
        if (st->base.kept->len > 0)
            stackbuild_push(b, text_span(st->base.kept));
        emit(st, count);
        return;
    }
    line = span_trim(line);
    if (line.len > 0 && !span_eq(line, SPAN(",")))
        stackbuild_push(b, line);
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
    if (st->open && map_key(line).ptr != NULL)
        drop(st);
    (st->open ? add : begin)(st, line);
}

static void
finish(void *state)
{
    struct state *st = state;
    if (st->open)
        drop(st);
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
};
