/* Stacks that SystemTap prints with print_backtrace() or print_ubacktrace(), leaf first, each
 * with its count on a line of its own (the tapset reference of SystemTap):
 *
 *      0xffffffff8163e48d : __schedule+0x2d/0x700 [kernel]
 *      0x7f14ce2d9745 : clock_nanosleep+0x35/0xa0 [/usr/lib64/libc-2.17.so]
 *      0x7f14ce2d9801 [/usr/lib64/libfoo.so+0x45/0x200000]
 *      1641 */
#include "cmd/stackcollapse/shared/counted.h"

/* Remove the address, "0x4005d4", from the frame. Return false if it has none. */
static bool
skip_address(struct span *frame)
{
    return span_skip(frame, SPAN("0x")) && span_take_run(frame, is_hex).len > 0;
}

/* Return the name of a frame. A function without a symbol is named by its module:
 * "[/usr/lib64/libfoo.so]". */
static struct span
name_of(struct stacker *f, struct span frame)
{
    frame = counted_without_offset(frame);
    struct span name = frame;
    skip_address(&name);
    if (!span_skip(&name, SPAN(" : ")))
        name = frame;
    size_t module = span_starts(name, SPAN("0x")) ? span_search(name, SPAN(" [")) : SPAN_NONE;
    if (module == SPAN_NONE)
        return name.len > 0 ? name : SPAN("-");
    text_set(&f->name, span_from(name, module + 1));
    if (!span_ends(name, SPAN("]")))
        text_add(&f->name, SPAN("]"));
    return text_span(&f->name);
}

static void
take(struct stacker *f, struct span line)
{
    if (!counted_end(f, line))
        stacker_push(f, name_of(f, span_from(line, span_run(line, 0, is_space))));
}

/* Return true for "0x4005d4 : main+0x14/0x30 [/home/user/app/a]". */
static bool
is_stap(struct span line)
{
    struct span text = span_trim(line);
    return skip_address(&text) && (span_starts(text, SPAN(" : ")) ||
                                   (span_starts(text, SPAN(" [")) && span_has(text, '+')));
}

const struct format format_stap = {.is = is_stap, .take = take, .finish = counted_finish};
