#include "cmd/stackdiff/functions.h"

#include <stdlib.h>

#include "common/stack/foldedtext.h"

/* The number of the function of that name. */
static uint32_t
add_name(struct functions *f, struct span name, size_t nruns)
{
    uint32_t i;
    bool is_new = intern_put(&f->names, name, &i);
    f->list = mem_grow(f->list, &f->cap, f->names.count, sizeof *f->list);
    f->counts = mem_grow(f->counts, &f->counts_cap, f->names.count * nruns, sizeof *f->counts);
    if (is_new) {
        f->list[i] = (struct function){0};
        for (size_t run = 0; run < nruns; run++)
            f->counts[i * nruns + run] = 0;
    }
    return i;
}

static void
add_growth(struct function *function, uint32_t stack, double growth)
{
    if (growth > function->growth) {
        function->growth = growth;
        function->grown = stack;
    }
    if (-growth > function->loss) {
        function->loss = -growth;
        function->shrunk = stack;
    }
}

static void
count_stack(struct functions *f, const struct profiles *p, uint32_t stack)
{
    struct span frames = intern_text(&p->stacks, stack);
    double growth = profiles_growth(p, stack);
    do {
        uint32_t i = add_name(f, folded_frame(&frames), p->nruns);
        if (f->list[i].last_stack == (size_t)stack + 1)
            continue; /* recursion */
        f->list[i].last_stack = (size_t)stack + 1;
        add_growth(&f->list[i], stack, growth);
        for (size_t run = 0; run < p->nruns; run++)
            f->counts[i * p->nruns + run] +=
                p->dialect->numbers->real(profiles_count(p, stack, run));
    } while (frames.ptr != NULL);
}

void
functions_count(struct functions *f, const struct profiles *p)
{
    for (size_t stack = 0; stack < p->stacks.count; stack++)
        count_stack(f, p, (uint32_t)stack);
    intern_forget(&f->names);
}

void
functions_forget(struct functions *f)
{
    free(f->list);
    free(f->counts);
    f->list = NULL;
    f->counts = NULL;
}

void
functions_free(struct functions *f)
{
    functions_forget(f);
    intern_free(&f->names);
}
