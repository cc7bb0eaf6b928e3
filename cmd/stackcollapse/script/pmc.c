/* Replaces stackcollapse-pmc.pl, which prints the last function of each path with its count. */
#include "cmd/stackcollapse/shared/parts.h"
#include "cmd/stackcollapse/script/scriptparts.h"

/* Print the current path. The levels' text is the count of the last line. A level without a name
 * has an empty one. */
static void
print(struct stacker *f)
{
    struct scriptlevels *l = (struct scriptlevels *)f;
    for (size_t n = l->depth; n > 0; n--)
        stacker_push(f, intern_text(&l->names, l->list.at[n - 1]));
    scriptstack_print(f, text_span(&l->text));
}

/* Match /^( *)[0-9.]+% \[([0-9]+)\]\s*(\S+)/. */
static void
take(struct stacker *f, struct span line)
{
    struct scriptlevels *l = (struct scriptlevels *)f;
    struct span count, name;
    size_t indent;
    if (!parts_pmc_row(line, &indent, &count, &name))
        return;
    if (indent < l->depth)
        print(f);
    l->depth = indent + 1;
    scriptlevels_set(l, indent, name);
    text_set(&l->text, count);
}

const struct format script_pmc = {SCRIPTLEVELS_FORMAT, .take = take, .finish = print};
