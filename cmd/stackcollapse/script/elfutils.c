/* Replaces stackcollapse-elfutils.pl. */
#include "cmd/stackcollapse/shared/pstack.h"
#include "cmd/stackcollapse/script/scriptparts.h"

/* Take a line. A frame is /^#[0-9]* *0x[0-9a-f]*( (.*))?/. */
static void
take(struct stacker *f, struct span line)
{
    struct span name;
    if (!pstack_eu_take(f, line) && pstack_eu_frame(line, true, &name))
        scriptstack_prepend(f, name);
}

const struct format script_elfutils = {PSTACK_FORMAT, .take = take, .finish = pstack_eu_finish};
