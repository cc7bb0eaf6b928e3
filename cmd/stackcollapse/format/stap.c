/* Stacks that a SystemTap script prints with print_backtrace() or print_ubacktrace(), leaf first,
 * each with its count on a line of its own (the tapset reference of SystemTap):
 *
 *      0xffffffff8163e48d : __schedule+0x2d/0x700 [kernel]
 *      0x7f14ce2d9745 : clock_nanosleep+0x35/0xa0 [/usr/lib64/libc-2.17.so]
 *      0x7f14ce2d9801 [/usr/lib64/libfoo.so+0x45/0x200000]
 *      1641 */
#include <stdlib.h>

#include "cmd/stackcollapse/build/counted.h"

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
name_of(struct lineformat *f, struct span frame)
{
    struct span name = without_address(f, counted_without_offset(f, frame));
    size_t module = span_starts(name, SPAN("0x")) ? span_search(name, SPAN(" [")) : SPAN_NONE;
    if (f->script || module == SPAN_NONE)
        return name.len > 0 ? name : SPAN("-");
    f->name.len = 0;
    text_add(&f->name, span_from(name, module + 1));
    if (!span_ends(name, SPAN("]")))
        text_add(&f->name, SPAN("]"));
    return text_span(&f->name);
}

static void
take(void *state, struct span line)
{
    struct lineformat *f = state;
    if (!counted_end(f, line))
        lineformat_push_leaf_first(f, name_of(f, span_from(line, span_run(line, 0, is_space))));
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

const struct format format_stap = {
    .is = is_stap,
    .state_size = sizeof(struct lineformat),
    .take = take,
    .finish = counted_finish,
};
