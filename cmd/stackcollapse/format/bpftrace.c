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

/* The reader's `open`: within a stack; text kept: the key before it, its root. */

static void
emit(struct reader *f, struct span count)
{
    struct decimal n = READER_ONCE;
    f->open = false;
    decimal_parse(count, &n);
    if (f->stack.n == 0) {
        f->c->samples++;
        f->c->without_frames++;
    }
    reader_emit_reversed(f, n);
}

/* Return what is after "@name[", or ptr NULL. */
static struct span
map_key(struct span line)
{
    bool map = span_skip(&line, SPAN("@"));
    span_take_run(&line, is_word);
    return map && span_skip(&line, SPAN("[")) ? line : (struct span){NULL, 0};
}

/* Take a line outside of stacks. A stack follows the key if nothing is after "@[", or a comma is at
 * the end. */
static void
begin(struct reader *f, struct span line)
{
    struct span key = map_key(line), text, count, root = span_trim(key);
    if (key.ptr == NULL)
        return;
    if (root.len == 0 || span_ends(root, SPAN(","))) {
        f->open = true;
        text_set(f->kept, span_head(root, root.len > 0 ? root.len - 1 : 0));
    } else if (span_skip(&key, SPAN(", ")) && counted_split(key, &text, &count)) {
        stackbuild_push(&f->stack, text); /* an empty stack */
        emit(f, count);
    }
}

/* Take a line of a stack; the last one may have a key, ", node]: 3". */
static void
add(struct reader *f, struct span line)
{
    struct stackbuild *b = &f->stack;
    struct span text, count;
    if (counted_split(line, &text, &count)) {
        span_skip(&text, SPAN(","));
        text = span_from(text, text.len > 0 && is_space(text.ptr[0]));
        if (text.len > 0)
            stackbuild_push(b, text);
        if (f->kept->len > 0)
            stackbuild_push(b, text_span(f->kept));
        emit(f, count);
        return;
    }
    line = span_trim(line);
    if (line.len > 0 && !span_eq(line, SPAN(",")))
        stackbuild_push(b, line);
}

static void
finish(struct reader *f)
{
    if (f->open)
        reader_skip(f, "the stack before this line has no count");
    f->open = false;
    stackbuild_clear(&f->stack);
}

static void
take(struct reader *f, struct span line)
{
    if (map_key(line).ptr != NULL)
        finish(f);
    (f->open ? add : begin)(f, line);
}

static bool
is_bpftrace(struct span line)
{
    return map_key(line).ptr != NULL || (span_starts(line, SPAN("Attaching ")) &&
                                         span_search(line, SPAN(" probe")) != SPAN_NONE);
}

const struct format format_bpftrace = {.is = is_bpftrace, .take = take, .finish = finish};
