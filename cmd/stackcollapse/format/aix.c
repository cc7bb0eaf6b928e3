/* Stacks of AIX's procstack, one after the other, leaf first (procstack in AIX's documentation):
 *
 *     15466950: /usr/java/bin/java -jar app.jar
 *     ---------- tid# 64291089 (pthread ID:      1) ----------
 *     0x0900000000523a94  __fd_select(??, ??, ??, ??, ??) + 0x8c
 *     0x09000000005297b0  [libc.a](??) + 0x10
 *     0x0000000100000924  main(??, ??) + 0x64 */
#include "cmd/stackcollapse/build/reader.h"

static bool
is_module(struct span name)
{
    return name.len >= 2 && span_starts(name, SPAN("[")) && span_ends(name, SPAN("]"));
}

/* "0x0900000000523a94  __fd_select(??, ??) + 0x8c": a name in brackets is the module's. */
static bool
parse_frame(struct span line, struct span *address, struct span *name)
{
    struct span rest = line;
    if (!span_skip(&rest, SPAN("0x")))
        return false;
    size_t digits = span_take_run(&rest, is_hex).len;
    size_t blanks = span_take_run(&rest, is_blank).len;
    size_t offset = span_search(rest, SPAN(" + 0x"));
    *address = span_head(line, 2 + digits);
    *name = span_before(span_head(rest, offset != SPAN_NONE ? offset : rest.len), '(');
    return blanks > 0 && name->len > 0;
}

/* Text kept: the process, the outermost frame. */
static void
finish(struct reader *f)
{
    if (f->stack.n > 0)
        stackbuild_push(&f->stack, text_span(f->kept));
    reader_finish(f);
}

static void
take(struct reader *f, struct span line)
{
    struct span address, name, rest = line, thread = line;
    if (span_take_run(&rest, is_digit).len > 0 && span_skip(&rest, SPAN(":"))) {
        finish(f); /* the process is called by the first word of its command */
        text_set(f->kept, span_skip(&rest, SPAN(" ")) ? span_before(rest, ' ') : SPAN(""));
    } else if (span_skip(&thread, SPAN("---------- tid# ")) && span_run(thread, 0, is_digit) > 0) {
        finish(f);
    } else if (parse_frame(line, &address, &name)) {
        stackbuild_push(&f->stack, is_module(name) ? address : name);
    } else if (span_starts(line, SPAN("0x"))) {
        input_skip(&f->c->input, "not a frame of procstack");
    }
}

/* A frame, or a thread's line. */
static bool
is_aix(struct span line)
{
    struct span address, name;
    return span_starts(line, SPAN("---------- tid# ")) ||
           (parse_frame(line, &address, &name) && address.len > 10 &&
            span_search(line, SPAN(") + 0x")) != SPAN_NONE);
}

const struct format format_aix = {
    .is = is_aix,
    .take = take,
    .finish = finish,
};
