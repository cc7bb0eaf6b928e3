/* Stacks that a SystemTap script prints with print_backtrace() or print_ubacktrace(), leaf first,
 * each with its count on a line of its own (the tapset reference of SystemTap):
 *
 *      0xffffffff8163e48d : __schedule+0x2d/0x700 [kernel]
 *      0x7f14ce2d9745 : clock_nanosleep+0x35/0xa0 [/usr/lib64/libc-2.17.so]
 *      0x7f14ce2d9801 [/usr/lib64/libfoo.so+0x45/0x200000]
 *      1641 */
#include <stdlib.h>

#include "cmd/stackcollapse/counted.h"

struct state {
    struct lineformat base;
    struct text name;
};

/* The address and " : " before the name; the script cuts after the last " : ". */
static struct span
without_address(const struct lineformat *f, struct span frame)
{
    const struct span colon = SPAN(" : ");
    size_t address = span_starts(frame, SPAN("0x")) ? 2 + span_run(frame, 2, is_hex) : 0;
    if (!f->script)
        return span_starts(span_from(frame, address), colon) ? span_from(frame, address + colon.len)
                                                             : frame;
    for (size_t i = frame.len + 1 - (frame.len < colon.len ? frame.len + 1 : colon.len); i > 0; i--)
        if (span_starts(span_from(frame, i - 1), colon))
            return span_from(frame, i - 1 + colon.len);
    return frame;
}

/* A function without a symbol is called by its module: "[/usr/lib64/libfoo.so]". */
static struct span
name_of(struct state *st, struct span frame)
{
    struct span name = without_address(&st->base, counted_without_offset(&st->base, frame));
    size_t module = span_starts(name, SPAN("0x")) ? span_search(name, SPAN(" [")) : SPAN_NONE;
    if (st->base.script || module == SPAN_NONE)
        return name.len > 0 ? name : SPAN("-");
    st->name.len = 0;
    text_add(&st->name, span_from(name, module + 1));
    if (!span_ends(name, SPAN("]")))
        text_add(&st->name, SPAN("]"));
    return text_span(&st->name);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct span frame = span_from(line, span_run(line, 0, is_space));
    if (frame.len > 0 && !counted_end(&st->base, line))
        lineformat_frame(&st->base, line, name_of(st, frame));
}

static void
fold(struct collapse *c, void **state)
{
    lineformat_fold(c, state, sizeof(struct state), take);
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->name.ptr);
    lineformat_end(st);
}

/* "0x4005d4 : main+0x14/0x30 [/home/user/app/a]" */
static bool
is_stap(struct span line)
{
    struct span text = span_trim(line);
    size_t address = span_starts(text, SPAN("0x")) ? 2 + span_run(text, 2, is_hex) : 0;
    struct span rest = span_from(text, address);
    return address > 2 && (span_starts(rest, SPAN(" : ")) ||
                           (span_starts(rest, SPAN(" [")) && span_find(rest, '+') != SPAN_NONE));
}

static size_t
claims(struct span head)
{
    return format_first_line(head, is_stap);
}

const struct format format_stap = {claims, fold, counted_finish, end};
