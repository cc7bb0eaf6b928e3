/* Perf's text without stacks, recorded without -g: each line is a sample with its function. Of
 * Java, the package's parts become frames, so that the picture shows packages in place of callers:
 *
 *     java  4567/8603 [023] 13527.38: cycles: 7fa863349895 Lcom/google/Json;::add (/tmp/a.map)
 *
 *     java;com;google;Json;::add 1 */
#include "cmd/stackcollapse/shared/perfreader.h"

/* Return "java.util.TreeMap.compare" of "int java.util.TreeMap.compare(java.lang.Object, ...)",
 * which is how jcmd writes methods; else an empty text. */
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

/* Push "com", "google", "gson", "JsonObject", "::add" for a method as perf-map-agent,
 * "Lcom/google/gson/JsonObject;::add", or jcmd write it. Replace digits by X, since Java numbers
 * classes that it makes at run time. */
static void
push_function(struct stacker *f, struct span name)
{
    struct span method = java_method(name);
    if (method.len == 0 && span_holds(name, SPAN(";::")))
        span_skip(&name, SPAN("L"));
    text_set(&f->name, method.len > 0 ? method : name);
    text_replace(&f->name, '/', ';');
    if (method.len > 0)
        text_replace(&f->name, '.', ';');
    for (const char *digit = "0123456789"; *digit != '\0'; digit++)
        text_replace(&f->name, *digit, 'X');
    stacker_push_folded(f, text_span(&f->name));
}

static void
add_sample(struct stacker *f, const struct sample *s)
{
    const struct frametab *frames = &((struct perfreader *)f)->text->frames;
    struct span name = s->frame_in_header ? frametab_frame(frames, s->frames[0])->sym : SPAN("");
    if (name.len == 0 || s->nframes != 1) {
        stacker_skip(f, "not a sample with its function: record without -g");
        return;
    }
    text_set(&f->name, s->header.field[PERF_COMM]);
    text_replace(&f->name, ' ', '_');
    stacker_push(f, text_span(&f->name));
    push_function(f, name);
    stacker_emit(f, ROOT_FIRST, ONCE);
}

/* It looks like any perf text, so only --from selects it. */
const struct format format_pkgsplit = {.state_size = sizeof(struct perfreader),
                                       .sample = add_sample};
