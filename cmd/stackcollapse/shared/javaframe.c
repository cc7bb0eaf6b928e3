#include "cmd/stackcollapse/shared/javaframe.h"

bool
javaframe_method(struct span line, struct span *method)
{
    line = span_from(line, span_run(line, 0, is_space));
    if (!span_starts(line, SPAN("at ")))
        return false;
    line = span_from(line, 3);
    size_t end = span_find(line, '(');
    *method = end != SPAN_NONE ? span_head(line, end) : line;
    return true;
}

/* Return the length of the packages in "org.a.B.run", including the last dot. Class and method are
 * the last two parts, and neither is empty. Return SPAN_NONE if there are no packages. */
static size_t
packages(struct span method)
{
    size_t last = span_rfind(method, '.');
    if (last == SPAN_NONE || last == 0 || last + 1 == method.len)
        return SPAN_NONE;
    size_t before = span_rfind(span_head(method, last), '.');
    return before == SPAN_NONE || before + 1 == last ? SPAN_NONE : before + 1;
}

/* Do the same for "java/lang/Object.wait", as in IBM's dumps. A digit after the slash begins the
 * address of a hidden class, "a/W$$Lambda$1/0x00007f.run". */
static size_t
slash_packages(struct span method)
{
    size_t last = span_rfind(method, '/');
    if (last != SPAN_NONE && last + 1 < method.len && is_digit(method.ptr[last + 1]))
        last = span_rfind(span_head(method, last), '/');
    return last == SPAN_NONE ? SPAN_NONE : last + 1;
}

struct span
javaframe_name(struct stacker *f, struct span method)
{
    const struct options *o = f->c->options;
    bool dots_only = o->dialect == &dialect_perl;
    if (!o->shorten_pkgs && !o->no_pkgs)
        return method;
    size_t n = packages(method);
    if (n == SPAN_NONE && !dots_only)
        n = slash_packages(method);
    if (n == SPAN_NONE)
        return dots_only ? SPAN("") : method;
    if (o->no_pkgs)
        return span_from(method, n);
    f->name.len = 0;
    for (size_t i = 0; i < n; i++) /* the first letter of each word */
        if (!is_word(method.ptr[i]) || i == 0 || !is_word(method.ptr[i - 1]))
            text_add(&f->name, span_of(method.ptr + i, 1));
    text_add(&f->name, span_from(method, n));
    return text_span(&f->name);
}
