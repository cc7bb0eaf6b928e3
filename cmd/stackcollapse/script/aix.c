/* Replaces stackcollapse-aix.pl. */
#include "cmd/stackcollapse/shared/pstack.h"
#include "cmd/stackcollapse/script/scriptparts.h"

/* Match /^(0x[0-9abcdef]*) *([^ ]*) ([^ ]*) ([^ ]*)/. The name is the second word up to a
 * parenthesis or, if that is in brackets, the first word. */
static bool
parse_frame(struct span line, struct span *name)
{
    struct span rest = line, word[2];
    if (!span_skip(&rest, SPAN("0x")))
        return false;
    span_take_run(&rest, is_hex);
    if (!script_words(rest, word, 2))
        return false;
    *name = span_before(word[0], '(');
    if (name->len >= 2 && span_starts(*name, SPAN("[")) && span_ends(*name, SPAN("]")))
        *name = span_head(line, line.len - rest.len);
    return true;
}

static void
take(struct stacker *f, struct span line)
{
    struct span name;
    if (!pstack_aix_take(f, line) && parse_frame(line, &name))
        scriptstack_prepend(f, name);
}

const struct format script_aix = {PSTACK_FORMAT, .take = take, .finish = pstack_aix_finish};
