#include "cmd/stackreport/turn.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/filter/v8work.h"
#include "common/stack/frames/framekind.h"
#include "common/stack/frames/roots.h"
#include "common/stack/frames/v8name.h"
#include "common/stack/text/foldedtext.h"

void
turn_names_init(struct turn_names *t, const struct frametab *frames)
{
    *t = (struct turn_names){
        .options = {.names = {.dialect = &foldname_native,
                              .tidy = TIDY_BRACKETS,
                              .kernel = true,
                              .jit = true},
                    .no_comm = true},
    };
    fold_init(&t->fold, &t->options, frames, &t->profile);
}

void
turn_names_free(struct turn_names *t)
{
    fold_free(&t->fold);
    profile_free(&t->profile);
    intern_free(&t->texts);
    free(t->of.at);
    free(t->sums.at);
}

/* Return true for a function of a Python program, named as by python -X perf, outside Python's own
 * library. */
static bool
is_python_app(struct span name)
{
    return span_starts(name, SPAN("py::")) && !span_holds(name, SPAN("/lib/python")) &&
           !span_holds(name, SPAN("<frozen "));
}

static enum turn_layer
layer_of(struct span name, enum frame_kind kind)
{
    switch (kind) {
    case KIND_APP:
    case KIND_DEP:
    case KIND_WASM:
        return LAYER_APP;
    case KIND_CORE:
    case KIND_REGEXP:
        return LAYER_SCRIPT;
    case KIND_MARK:
        return LAYER_NONE;
    case KIND_GC:
        return LAYER_GC;
    case KIND_KERNEL:
    case KIND_WAIT:
        return LAYER_ANY;
    default:
        return v8work_of(name) == WORK_GC ? LAYER_GC
               : is_python_app(name)      ? LAYER_APP
               : roots_is_known(name)     ? LAYER_NONE
                                          : LAYER_ANY;
    }
}

/* Return the number of a function's text. For JavaScript it is "parse /srv/app.js:12", without the
 * tier of the code and the column. */
static uint32_t
add_text(struct turn_names *t, struct span name)
{
    struct v8name js;
    struct text text = {0};
    if (!v8name_parse(name, &js) && !v8name_parse_clean(name, &js))
        return intern_add(&t->texts, folded_unmarked(name));
    text_add(&text, js.function.len > 0 ? js.function : SPAN("(anonymous)"));
    if (js.file.len > 0)
        TEXT_ADD(&text, SPAN(" "), js.file);
    if (js.position.len > 0)
        TEXT_ADD(&text, SPAN(":"), span_before(js.position, ':'));
    uint32_t number = intern_add(&t->texts, text_span(&text));
    free(text.ptr);
    return number;
}

/* Return the properties of a function, by the number of its name in folded stacks. */
static const struct turn_name *
look_up(struct turn_names *t, uint32_t number)
{
    while (t->of.n <= number)
        VEC_ADD(t->of, (struct turn_name){.shown = INTERN_NONE});
    struct turn_name *n = &t->of.at[number];
    if (n->shown == INTERN_NONE) {
        struct span name = profile_name_text(&t->profile, number);
        enum frame_kind kind = frame_kind(name, SPAN(""));
        *n = (struct turn_name){
            .shown = add_text(t, name),
            .layer = layer_of(folded_unmarked(name), kind),
            .wait = kind == KIND_WAIT,
        };
    }
    return n;
}

void
turn_add(struct turn *t, struct turn_names *names, const struct sample *s, enum turn_state state)
{
    fold_stack(&names->fold, s);
    const struct fold *f = &names->fold;
    struct turn_stack stack = {.start = t->frames.n, .us = s->header.period, .bare = true};
    bool gc = false;
    for (size_t i = 0; i < f->nstack; i++) {
        const struct turn_name *n = look_up(names, f->stack[i]);
        gc |= n->layer == LAYER_GC;
        stack.bare &= n->wait;
        VEC_ADD(t->frames, f->stack[i]);
    }
    stack.n = f->nstack;
    VEC_ADD(t->stacks, stack);
    t->state[state] = num_add(t->state[state], stack.us);
    t->gc = num_add(t->gc, gc ? stack.us : 0);
}

void
turn_empty(struct turn *t)
{
    t->frames.n = t->stacks.n = 0;
    t->gc = 0;
    memset(t->state, 0, sizeof t->state);
}

void
turn_free(struct turn *t)
{
    free(t->frames.at);
    free(t->stacks.at);
    *t = (struct turn){0};
}

/* A stack through which the path leads: its frames before `at` are on the path. */
struct cursor {
    size_t at, next, end; /* indexes in the turn's `frames` */
    uint64_t us;
};

struct walk {
    const struct turn *turn;
    struct turn_names *names;
    uint64_t all;               /* microseconds of all stacks at the start of the walk */
    VEC(struct cursor) cursors; /* one for each stack through which the path leads */
};

/* Start at the roots of the stacks; with `bare`, also of waits without a stack. */
static void
start(struct walk *w, bool bare)
{
    w->cursors.n = 0;
    w->all = 0;
    for (size_t i = 0; i < w->turn->stacks.n; i++) {
        const struct turn_stack *s = &w->turn->stacks.at[i];
        if (s->bare && !bare)
            continue;
        VEC_ADD(w->cursors, (struct cursor){.at = s->start, .end = s->start + s->n, .us = s->us});
        w->all = num_add(w->all, s->us);
    }
}

/* Set c->next to the next frame of the layer or a higher one. Return the number of its text, or
 * INTERN_NONE. */
static uint32_t
look_ahead(struct walk *w, struct cursor *c, enum turn_layer layer)
{
    for (c->next = c->at; c->next < c->end; c->next++) {
        const struct turn_name *n = look_up(w->names, w->turn->frames.at[c->next]);
        if (n->layer >= layer)
            return n->shown;
    }
    return INTERN_NONE;
}

static uint32_t
text_at(const struct walk *w, size_t frame)
{
    return w->names->of.at[w->turn->frames.at[frame]].shown;
}

/* Return the next function with the most time, and set *us to that time. */
static uint32_t
most_frequent(struct walk *w, enum turn_layer layer, uint64_t *us)
{
    uint32_t best = INTERN_NONE;
    *us = 0;
    for (size_t i = 0; i < w->cursors.n; i++) {
        uint32_t text = look_ahead(w, &w->cursors.at[i], layer);
        if (text == INTERN_NONE)
            continue;
        VEC_REACH(w->names->sums, (size_t)text + 1);
        uint64_t *sum = &w->names->sums.at[text];
        *sum = num_add(*sum, w->cursors.at[i].us);
        if (*sum > *us) {
            *us = *sum;
            best = text;
        }
    }
    for (size_t i = 0; i < w->cursors.n; i++)
        if (w->cursors.at[i].next < w->cursors.at[i].end)
            w->names->sums.at[text_at(w, w->cursors.at[i].next)] = 0;
    return best;
}

/* Step to the next function of the layer or a higher one, if it has at least half of the time. */
static bool
step(struct walk *w, enum turn_layer layer, struct turn_step *s)
{
    uint64_t us;
    *s = (struct turn_step){.text = most_frequent(w, layer, &us)};
    if (s->text == INTERN_NONE || us < w->all - us)
        return false;
    size_t kept = 0;
    for (size_t i = 0; i < w->cursors.n; i++) {
        struct cursor c = w->cursors.at[i];
        if (c.next == c.end || text_at(w, c.next) != s->text)
            continue;
        s->gap |= c.next > c.at;
        c.at = c.next + 1;
        w->cursors.at[kept++] = c;
    }
    w->cursors.n = kept;
    return true;
}

/* Append a step, unless it repeats the last one, since a function calls itself. */
static void
add_step(struct turn_path *p, struct turn_step s)
{
    if (p->steps.n == 0 || p->steps.at[p->steps.n - 1].text != s.text)
        VEC_ADD(p->steps, s);
}

/* Append the callee of the application's innermost function, and the deepest frame. */
static void
add_callee(struct walk *w, struct turn_path *p)
{
    struct turn_step s, deepest;
    size_t n = 0;
    if (step(w, LAYER_SCRIPT, &s))
        add_step(p, s);
    for (; step(w, LAYER_ANY, &s); n++)
        deepest = s;
    if (n > 0) {
        deepest.gap |= n > 1;
        add_step(p, deepest);
    }
}

/* Return true if waits without a stack have at least half of the time. */
static bool
is_bare(const struct turn *t)
{
    uint64_t all = 0, bare = 0;
    for (size_t i = 0; i < t->stacks.n; i++) {
        all = num_add(all, t->stacks.at[i].us);
        bare = num_add(bare, t->stacks.at[i].bare ? t->stacks.at[i].us : 0);
    }
    return bare > 0 && bare >= all - bare;
}

/* Leave out the middle of a long path. */
static void
shorten(struct turn_path *p)
{
    enum { MOST = 8, FIRST = 2 };
    size_t n = p->steps.n, dropped = n > MOST ? n - MOST : 0;
    if (dropped == 0)
        return;
    memmove(p->steps.at + FIRST, p->steps.at + FIRST + dropped,
            (MOST - FIRST) * sizeof *p->steps.at);
    p->steps.at[FIRST].gap = true;
    p->steps.n = MOST;
}

struct turn_path
turn_explain(const struct turn *t, struct turn_names *names)
{
    struct turn_path path = {.no_waiting = is_bare(t)};
    struct walk w = {.turn = t, .names = names};
    enum turn_layer layer = LAYER_APP;
    struct turn_step s;
    for (; layer > LAYER_NONE && path.steps.n == 0; layer--) {
        start(&w, !path.no_waiting);
        while ((layer != LAYER_GC || path.steps.n == 0) && step(&w, layer, &s))
            add_step(&path, s);
        if (layer == LAYER_ANY)
            shorten(&path);
    }
    if (path.steps.n > 0) {
        path.last = path.steps.n - 1;
        add_callee(&w, &path);
    }
    free(w.cursors.at);
    return path;
}
