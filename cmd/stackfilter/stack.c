#include "cmd/stackfilter/stack.h"

static bool
has(const struct decision *frame, enum list list)
{
    return frame->matched & 1u << list;
}

/* Whether --focus and --exclude keep the sample. */
static enum verdict
select_sample(const struct decisions *d, const uint32_t *stack, size_t n)
{
    unsigned matched = 0;
    for (size_t i = 0; i < n; i++)
        matched |= d->list[stack[i]].matched;
    if (d->rules->counts[LIST_FOCUS] > 0 && !(matched & 1u << LIST_FOCUS))
        return VERDICT_FOCUS;
    return matched & 1u << LIST_EXCLUDE ? VERDICT_EXCLUDE : VERDICT_KEPT;
}

/* How many frames are left once the callers of the frame that --root-at matches are cut; 0: it
 * matches none. */
static size_t
cut_callers(const struct decisions *d, const uint32_t *stack, size_t n)
{
    while (n > 0 && !has(&d->list[stack[n - 1]], LIST_ROOT))
        n--;
    return n;
}

static size_t
without_dropped(const struct decisions *d, uint32_t *stack, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        stack[kept] = stack[i];
        kept += !d->list[stack[i]].dropped;
    }
    return kept;
}

/* Keeps one of each run of V8's own frames: the first from the leaf that is not just "(runtime)",
 * since what it calls only serves it; else the leaf of the run. */
static size_t
summarize_runs(const struct decisions *d, uint32_t *stack, size_t n)
{
    size_t kept = 0;
    enum v8work run = WORK_NONE;
    for (size_t i = 0; i < n; i++) {
        enum v8work work = d->list[stack[i]].work;
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
collapse_recursion(const struct decisions *d, uint32_t *stack, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || d->list[stack[kept - 1]].name != d->list[stack[i]].name)
            stack[kept++] = stack[i];
    return kept;
}

enum verdict
stack_filter(const struct decisions *d, uint32_t *stack, size_t *n, bool *cut)
{
    const struct rules *r = d->rules;
    enum verdict verdict = select_sample(d, stack, *n);
    *cut = false;
    if (verdict != VERDICT_KEPT)
        return verdict;
    if (r->counts[LIST_ROOT] > 0 && (*n = cut_callers(d, stack, *n)) == 0)
        return VERDICT_ROOT;
    *n = without_dropped(d, stack, *n);
    if (r->work == V8_WORK_SUMMARIZE)
        *n = summarize_runs(d, stack, *n);
    if (r->collapse_recursion)
        *n = collapse_recursion(d, stack, *n);
    *cut = r->limited && *n > r->max_depth;
    if (*cut) {
        memmove(stack, stack + *n - r->max_depth, r->max_depth * sizeof *stack);
        *n = r->max_depth;
    }
    return VERDICT_KEPT;
}
