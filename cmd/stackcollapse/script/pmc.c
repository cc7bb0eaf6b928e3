/* stackcollapse-pmc.pl: it prints the last function of each path with its count. */
#include "cmd/stackcollapse/shared/parts.h"
#include "cmd/stackcollapse/script/scriptparts.h"

/* Text kept: the count of the last line's function. A level that has no name is an empty one. */
static void
print(struct stacker *f)
{
    for (size_t n = f->depth; n > 0; n--)
        stacker_push(f, intern_text(&f->ids, f->list.at[n - 1]));
    scriptstack_print(f, text_span(f->kept));
}

/* /^( *)[0-9.]+%  \[([0-9]+)\]\s*(\S+)/ */
static void
take(struct stacker *f, struct span line)
{
    struct span count, name;
    size_t indent;
    if (!parts_pmc_row(line, &indent, &count, &name))
        return;
    if (indent < f->depth)
        print(f);
    f->depth = indent + 1;
    scriptlevels_set(f, indent, name);
    text_set(f->kept, count);
}

const struct format script_pmc = {.take = take, .finish = print};
