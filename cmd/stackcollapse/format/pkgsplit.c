/* Perf's text without stacks, recorded without -g: each line is a sample with its function. Of
 * Java, the package's parts become frames, so that the picture shows packages in place of callers:
 *
 *     java  4567/8603 [023] 13527.38: cycles: 7fa863349895 Lcom/google/Json;::add (/tmp/a.map)
 *
 *     java;com;google;Json;::add 1 */
#include <stdlib.h>

#include "cmd/stackcollapse/build/stackbuild.h"
#include "cmd/stackcollapse/formats.h"
#include "common/stack/perftext.h"

struct state {
    struct perftext *perf;
    struct stackbuild stack;
    struct text name; /* of a frame */
};

/* "java.util.TreeMap.compare" of "int java.util.TreeMap.compare(java.lang.Object, ...)", as jcmd
 * writes methods; else an empty text. */
static struct span
java_method(struct span name)
{
    size_t paren = span_find(name, '(');
    if (paren == SPAN_NONE || !span_ends(name, SPAN(")")))
        return SPAN("");
    struct span head = span_head(name, paren);
    size_t blank = span_rfind(head, ' ');
    struct span method = span_from(head, blank != SPAN_NONE ? blank + 1 : paren);
    bool cxx = span_search(method, SPAN("::")) != SPAN_NONE;
    return span_find(method, '.') != SPAN_NONE && !cxx ? method : SPAN("");
}

/* Push "com", "google", "gson", "JsonObject", "::add", for perf-map-agent's name of the method,
 * "Lcom/google/gson/JsonObject;::add", or jcmd's. Digits become X, since Java numbers the classes
 * that it makes while it runs. */
static void
push_function(struct state *st, struct span name)
{
    struct span method = java_method(name);
    if (method.len == 0 && span_holds(name, SPAN(";::")))
        span_skip(&name, SPAN("L"));
    text_set(&st->name, method.len > 0 ? method : name);
    text_replace(&st->name, '/', ';');
    if (method.len > 0)
        text_replace(&st->name, '.', ';');
    for (const char *digit = "0123456789"; *digit != '\0'; digit++)
        text_replace(&st->name, *digit, 'X');
    stackbuild_push_folded(&st->stack, text_span(&st->name));
}

static void
add_sample(struct state *st, const struct sample *s, struct collapse *c)
{
    const struct frametab *frames = st->perf->source.frames;
    struct span name = s->frame_in_header ? frametab_frame(frames, s->frames[0])->sym : SPAN("");
    if (name.len == 0 || s->nframes != 1) {
        input_skip(&c->input, "not a sample with its function: record without -g");
        return;
    }
    text_set(&st->name, s->header.field[PERF_COMM]);
    text_replace(&st->name, ' ', '_');
    stackbuild_push(&st->stack, text_span(&st->name));
    push_function(st, name);
    c->samples += stackbuild_emit(&st->stack, (struct decimal){1, 0});
}

static void
fold(struct collapse *c, void **state)
{
    if (*state == NULL) {
        struct state *new = *state = mem_alloc(sizeof *new);
        *new = (struct state){.perf = mem_alloc(sizeof *new->perf), .stack.profile = &c->profile};
        perftext_init(new->perf, &perf_rules, &c->input.lines);
    }
    struct state *st = *state;
    struct source *source = &st->perf->source;
    for (enum source_item item; (item = source_next(source)) != ITEM_END;) {
        if (item == ITEM_SAMPLE)
            add_sample(st, &source->sample, c);
        else if (item == ITEM_SKIPPED || item == ITEM_STRAY)
            input_skip(&c->input, source->why);
    }
    input_warn_cut(&c->input);
}

static void
end(void *state)
{
    struct state *st = state;
    perftext_free(st->perf);
    free(st->perf);
    stackbuild_free(&st->stack);
    free(st->name.ptr);
    free(st);
}

/* It looks as perf's text does: only --from asks for it. */
const struct format format_pkgsplit = {.fold = fold, .end = end};
