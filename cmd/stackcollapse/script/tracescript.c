/* What stackcollapse-chrome-tracing.py computes from the events: in double precision, and stacks in
 * the order in which they first end. */
#include "cmd/stackcollapse/build/tracefold.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/stackcollapse/script/floatsum.h"

struct event {
    double end, total;
    uint32_t stack; /* with the events outside of it */
};

struct script {
    const struct intern *names;
    struct event *open;
    size_t n, cap;
    struct floatsum totals;
};

static void
pop(struct script *s)
{
    const struct event *e = &s->open[--s->n];
    floatsum_add(&s->totals, e->stack, e->total);
}

static void
push(struct script *s, const struct trace_event *e)
{
    while (s->n > 0 && s->open[s->n - 1].end <= e->start)
        pop(s);
    uint32_t stack = s->n > 0 ? s->open[s->n - 1].stack : STACKTREE_ROOT;
    if (s->n > 0)
        s->open[s->n - 1].total -= e->duration;
    stack = floatsum_child(&s->totals, stack, intern_text(s->names, e->name));
    s->open = mem_grow(s->open, &s->cap, s->n + 1, sizeof *s->open);
    s->open[s->n++] = (struct event){e->start + e->duration, e->duration, stack};
}

/* Prints a number as Python's str() does: the fewest digits that give the same number, and an
 * exponent from 10^16 on and below 10^-4. */
static void
print_float(struct out *out, double value)
{
    char text[32];
    int precision = 0;
    do
        snprintf(text, sizeof text, "%.*e", precision, value);
    while (strtod(text, NULL) != value && ++precision < 17);
    char *e = strchr(text, 'e');
    int exponent = e != NULL ? (int)strtol(e + 1, NULL, 10) : 0;
    if (e == NULL || exponent >= 16 || exponent < -4)
        out_cstr(out, text); /* "1e+16", "1.5e-05"; "inf" */
    else
        out_format(out, "%.*f", precision > exponent ? precision - exponent : 1, value);
}

void
tracefold_script(const struct traceevents *events, const struct intern *names, struct out *out)
{
    struct script s = {.names = names};
    uint32_t thread = UINT32_MAX;
    for (size_t i = 0; i < events->n; i++) {
        const struct trace_event *e = &events->events[i];
        while (e->thread != thread && s.n > 0)
            pop(&s);
        thread = e->thread;
        push(&s, e);
    }
    while (s.n > 0)
        pop(&s);
    floatsum_write(&s.totals, out, NULL, print_float);
    floatsum_free(&s.totals);
    free(s.open);
}
