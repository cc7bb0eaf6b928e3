/* stackcollapse-elfutils.pl */
#include "cmd/stackcollapse/build/pstack.h"
#include "cmd/stackcollapse/script/scriptstack.h"

/* /^#[0-9]* *0x[0-9a-f]*( (.*))?/; the 0 of "0x" may be the number's last digit. */
static bool
parse_frame(struct span line, struct span *name)
{
    if (!span_skip(&line, SPAN("#")))
        return false;
    struct span digits = span_take_run(&line, is_digit);
    if (span_ends(digits, SPAN("0")) && span_starts(line, SPAN("x")))
        line = span_of(line.ptr - 1, line.len + 1);
    span_take_run(&line, is_blank);
    if (!span_skip(&line, SPAN("0x")))
        return false;
    span_take_run(&line, is_hex);
    *name = span_skip(&line, SPAN(" ")) ? line : SPAN("[unknown]");
    return true;
}

static void
take(struct reader *f, struct span line)
{
    struct span name;
    if (!pstack_eu_take(f, line) && parse_frame(line, &name))
        scriptstack_prepend(f, name);
}

const struct format script_elfutils = {.take = take, .finish = pstack_eu_finish};
