/* The call graph that pmcstat -G prints, which begins with the leaves; the callers of a function
 * are indented by one more blank (pmcstat(8)):
 *
 *     @ CPU_CLK_UNHALTED_CORE [17 samples]
 *
 *     03.07%  [17]       witness_unlock @ /boot/kernel/kernel
 *      70.59%  [12]        __mtx_unlock_flags
 *       16.67%  [2]          selfdfree
 *      29.41%  [5]         pmap_ts_referenced */
#include "cmd/stackcollapse/shared/rowtree.h"
#include "cmd/stackcollapse/shared/parts.h"
#include "common/base/num.h"

static void
take(struct stacker *f, struct span line)
{
    struct rowtree *t = (struct rowtree *)f;
    struct span digits, name;
    size_t indent;
    uint64_t count = 0;
    t->inverted = true;
    if (parts_pmc_row(line, &indent, &digits, &name)) {
        num_u64(digits, &count);
        rowtree_nest(t, indent, name);
        rowtree_total(t, count);
    } else if (span_trim(line).len > 0 && line.ptr[0] != '@') {
        stacker_skip(f, "not a line of pmcstat -G");
    }
}

/* Add the stacks to the profile. The frames nearest the root of the tree are the leaves. */
static void
finish(struct stacker *f)
{
    struct rowtree *t = (struct rowtree *)f;
    const struct stacktree *tree = &t->tree;
    rowtree_leave(t, 0);
    for (size_t i = 1; i < tree->n; i++) {
        if (!tree->nodes[i].counted)
            continue;
        for (size_t at = i; at != STACKTREE_ROOT; at = tree->nodes[at].parent)
            stacker_push_name(f, tree->nodes[at].name);
        stacker_add(f, ROOT_FIRST, tree->nodes[i].count);
    }
}

static bool
is_pmc(struct span line)
{
    struct span count, name;
    size_t indent;
    return parts_pmc_row(line, &indent, &count, &name);
}

const struct format format_pmc = {ROWTREE_FORMAT(struct rowtree), .is = is_pmc, .per_file = true,
                                  .take = take, .finish = finish};
