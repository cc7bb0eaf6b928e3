/* Stacks of AIX's procstack, one after the other, leaf first (procstack in AIX's documentation):
 *
 *     15466950: /usr/java/bin/java -jar app.jar
 *     ---------- tid# 64291089 (pthread ID:      1) ----------
 *     0x0900000000523a94  __fd_select(??, ??, ??, ??, ??) + 0x8c
 *     0x09000000005297b0  [libc.a](??) + 0x10
 *     0x0000000100000924  main(??, ??) + 0x64 */
#include "cmd/stackcollapse/shared/pstack.h"

/* Parse "0x0900000000523a94 __fd_select(??, ??) + 0x8c". A name in brackets is that of the
 * module. */
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

static void
take(struct stacker *f, struct span line)
{
    struct span address, name;
    if (pstack_aix_take(f, line))
        return;
    if (parse_frame(line, &address, &name)) {
        bool module = name.len > 1 && span_starts(name, SPAN("[")) && span_ends(name, SPAN("]"));
        stacker_push(f, module ? address : name);
    } else if (span_starts(line, SPAN("0x"))) {
        stacker_skip(f, "not a frame of procstack");
    }
}

/* Return true for a frame, or for the line of a thread. */
static bool
is_aix(struct span line)
{
    struct span address, name;
    return span_starts(line, SPAN("---------- tid# ")) ||
           (parse_frame(line, &address, &name) && address.len > 10 &&
            span_search(line, SPAN(") + 0x")) != SPAN_NONE);
}

const struct format format_aix = {PSTACK_FORMAT, .is = is_aix, .take = take,
                                  .finish = pstack_aix_finish};
