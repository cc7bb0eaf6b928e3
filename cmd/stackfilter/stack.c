#include "cmd/stackfilter/stack.h"

static bool
has(const struct frame *frame, enum list list)
{
    return frame->matched & 1u << list;
}

/* Whether --focus and --exclude let the sample through. */
static enum verdict
choose(const struct frames *f, const uint32_t *stack, size_t n)
{
    unsigned matched = 0;
    for (size_t i = 0; i < n; i++)
        matched |= f->list[stack[i]].matched;
    if (f->rules->counts[LIST_FOCUS] > 0 && !(matched & 1u << LIST_FOCUS))
        return VERDICT_FOCUS;
    return matched & 1u << LIST_EXCLUDE ? VERDICT_EXCLUDE : VERDICT_KEPT;
}

/* How many frames are left when what is above the root that is asked for is cut; 0: there is none.
 */
static size_t
below_root(const struct frames *f, const uint32_t *stack, size_t n)
{
    while (n > 0 && !has(&f->list[stack[n - 1]], LIST_ROOT))
        n--;
    return n;
}

static size_t
without_dropped(const struct frames *f, uint32_t *stack, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        stack[kept] = stack[i];
        kept += !f->list[stack[i]].dropped;
    }
    return kept;
}

/* Of each run of V8's own frames one stays: the first from the leaf that says more than "runtime",
 * since what it calls only serves it; else the leaf of the run. */
static size_t
summarize_runs(const struct frames *f, uint32_t *stack, size_t n)
{
    size_t kept = 0;
    enum v8work run = WORK_NONE;
    for (size_t i = 0; i < n; i++) {
        enum v8work work = f->list[stack[i]].work;
        if (work == WORK_NONE || run == WORK_NONE)
            stack[kept++] = stack[i];
        else if (run == WORK_RUNTIME && work != WORK_RUNTIME)
            stack[kept - 1] = stack[i];
        else
            work = run;
        run = work;
    }
    return kept;
}

static size_t
collapse_recursion(const struct frames *f, uint32_t *stack, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || f->list[stack[kept - 1]].name != f->list[stack[i]].name)
            stack[kept++] = stack[i];
    return kept;
}

enum verdict
stack_filter(const struct frames *f, uint32_t *stack, size_t *n, bool *cut)
{
    const struct rules *r = f->rules;
    enum verdict verdict = choose(f, stack, *n);
    *cut = false;
    if (verdict != VERDICT_KEPT)
        return verdict;
    if (r->counts[LIST_ROOT] > 0 && (*n = below_root(f, stack, *n)) == 0)
        return VERDICT_ROOT;
    *n = without_dropped(f, stack, *n);
    if (r->work == V8_WORK_SUMMARIZE)
        *n = summarize_runs(f, stack, *n);
    if (r->collapse_recursion)
        *n = collapse_recursion(f, stack, *n);
    *cut = r->limited && *n > r->max_depth;
    if (*cut) {
        memmove(stack, stack + *n - r->max_depth, r->max_depth * sizeof *stack);
        *n = r->max_depth;
    }
    return VERDICT_KEPT;
}
