#include "cmd/stackcollapse/tidy.h"

#include <stdbool.h>

static const struct span anonymous = SPAN("(anonymous namespace)");

static size_t
keep(char *to, size_t len, struct span s)
{
    memmove(to + len, s.ptr, s.len);
    return len + s.len;
}

/* /\.\(.*\)\./ */
static bool
is_go_method(struct span name)
{
    size_t open = span_search(name, SPAN(".("));
    return open != SPAN_NONE && span_search(span_from(name, open + 2), SPAN(").")) != SPAN_NONE;
}

size_t
tidy_perl(struct span name, char *to)
{
    size_t end = 0;
    if (is_go_method(name))
        end = name.len;
    while (end < name.len && (name.ptr[end] != '(' || span_starts(span_from(name, end), anonymous)))
        end++;
    return keep(to, 0, span_head(name, end));
}

static bool
is_open(char c)
{
    return c == '(' || c == '<' || c == '[' || c == '{';
}

static bool
is_close(char c)
{
    return c == ')' || c == '>' || c == ']' || c == '}';
}

/* How long the operator's name at `at` is: "operator()", "operator<=>", "operator new[]"; 0: none
 * there. */
static size_t
operator_length(struct span name, size_t at)
{
    /* C++17 [over.oper] and C++20's spaceship, longer ones first where one begins another. */
    static const struct span signs[] = {
        SPAN("()"),  SPAN("[]"),   SPAN("->*"),    SPAN("->"),        SPAN("<=>"), SPAN("<<="),
        SPAN(">>="), SPAN("<<"),   SPAN(">>"),     SPAN("<="),        SPAN(">="),  SPAN("<"),
        SPAN(">"),   SPAN("\"\""), SPAN(" new[]"), SPAN(" delete[]"),
    };
    const struct span word = SPAN("operator");
    struct span s = span_from(name, at);
    if (!span_starts(s, word) || (at > 0 && is_word(name.ptr[at - 1])))
        return 0;
    s = span_from(s, word.len);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (span_starts(s, signs[i]))
            return word.len + signs[i].len;
    return 0;
}

/* Behind the bracket at `at`'s partner; the end of the name where it has none. */
static size_t
skip_brackets(struct span name, size_t at)
{
    size_t depth = 0;
    while (at < name.len) {
        size_t sign = operator_length(name, at);
        if (sign > 0) {
            at += sign;
            continue;
        }
        char c = name.ptr[at++];
        if (is_open(c))
            depth++;
        else if (is_close(c) && !(c == '>' && name.ptr[at - 2] == '-') && --depth == 0)
            break;
    }
    return at;
}

/* True where a parenthesis there begins a part of the name: "(anonymous namespace)", Go's
 * "(*Client)". */
static bool
begins_part(struct span name, size_t at)
{
    return at == 0 || name.ptr[at - 1] == ':' || name.ptr[at - 1] == '.' ||
           span_starts(span_from(name, at), anonymous);
}

/* Behind an argument list: where "::" goes on, past "const" and such; else the end of the name. */
static size_t
skip_qualifiers(struct span name, size_t at)
{
    static const struct span words[] = {SPAN(" const"), SPAN(" volatile"), SPAN(" &&"), SPAN(" &"),
                                        SPAN(" noexcept")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_starts(span_from(name, at), words[i]))
            at += words[i].len;
    return span_starts(span_from(name, at), SPAN("::")) ? at : name.len;
}

size_t
tidy_brackets(struct span name, char *to)
{
    size_t at = 0, len = 0;
    while (at < name.len) {
        size_t end = at + operator_length(name, at);
        if (end == at && name.ptr[at] == '(' && !begins_part(name, at)) {
            at = skip_qualifiers(name, skip_brackets(name, at));
            continue;
        }
        if (end == at)
            end = is_open(name.ptr[at]) ? skip_brackets(name, at) : at + 1;
        len = keep(to, len, span_of(name.ptr + at, end - at));
        at = end;
    }
    return len;
}
