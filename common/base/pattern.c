#include "common/base/pattern.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/text.h"

enum { GROUPS = 10 };

/* Where the bracket expression that begins at p ends. */
static const char *
skip_bracket(const char *p)
{
    p += p[1] == '^' ? 2 : 1;
    p += *p == ']' ? 1 : 0;
    for (; *p != '\0' && *p != ']'; p++)
        if (*p == '[' && p[1] != '\0' && strchr(".:=", p[1]) != NULL) {
            const char end[] = {p[1], ']', '\0'};
            const char *found = strstr(p + 2, end);
            p = found != NULL ? found + 1 : p;
        }
    return *p != '\0' ? p : p - 1;
}

/* What decides how long an expression may take. */
struct shape {
    bool refers; /* has a back reference, \1 */
    bool counts; /* has an interval, {2,5} */
    bool closes; /* has a ")" without a "(", which glibc takes for an ordinary character */
};

static struct shape
shape_of(const char *text)
{
    struct shape shape = {false, false, false};
    size_t depth = 0;
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '\\' && p[1] != '\0')
            shape.refers |= is_digit(*++p);
        else if (*p == '[')
            p = skip_bracket(p);
        else if (*p == '{')
            shape.counts = true;
        else if (*p == '(')
            depth++;
        else if (*p == ')' && depth-- == 0)
            shape.closes = true;
    }
    return shape;
}

/* As regexec(3), but true for a match. Where memory runs out, the search was given up, which glibc
 * calls no match. */
static bool
run(const regex_t *re, const char *text, size_t n, regmatch_t match[GROUPS], int flags)
{
    errno = 0;
    int status = regexec(re, text, n, match, flags);
    if (status == REG_ESPACE || (status != 0 && errno == ENOMEM))
        mem_exhausted();
    return status == 0;
}

/* AddressSanitizer reads the text up to a NUL all the same, so copies are searched there too. */
#if defined REG_STARTEND && !defined __SANITIZE_ADDRESS__

/* glibc searches from each byte of the text on, which takes 25 ms for "a.*b" in 4,096 times "a".
 * "^([^a]|a)*(a.*b)" matches in the same texts (but not in the same part of them), and is searched
 * from the first byte on alone, in a time that grows with the text; "." would not match a NUL. For
 * that glibc makes a state of its automaton for each set of places where matches may have begun. It
 * keeps them all, in a table that does not grow, so the expression is compiled again from time to
 * time. There are too many sets for "a.{20}b", so expressions with intervals are searched as they
 * are, and so are short texts. */
struct pattern_state {
    char *text; /* of the expression from the first byte on; NULL: there is none */
    regex_t anchored;
    bool compiled;
    size_t searched; /* bytes since it was compiled */
};

enum { SHORT_TEXT = 256, SEARCHED_MOST = 4096 };

/* glibc and the BSDs take the text's bounds from match[0], even if n is 0: regex(3). */
static bool
execute(const regex_t *re, struct span s, size_t from, regmatch_t match[GROUPS], size_t n,
        int flags)
{
    match[0].rm_so = (regoff_t)from;
    match[0].rm_eo = (regoff_t)s.len;
    return run(re, s.ptr, n, match, flags | REG_STARTEND);
}

static void
free_anchored(struct pattern_state *state)
{
    if (state->compiled)
        regfree(&state->anchored);
    state->compiled = false;
    state->searched = 0;
}

/* Whether the text matches. */
static bool
matches_anchored(struct pattern_state *state, struct span s, int flags)
{
    regmatch_t match[GROUPS];
    if (state->searched > SEARCHED_MOST)
        free_anchored(state);
    if (!state->compiled && regcomp(&state->anchored, state->text, REG_EXTENDED | REG_NOSUB) != 0)
        mem_exhausted(); /* the expression itself is valid */
    state->compiled = true;
    state->searched += s.len;
    return execute(&state->anchored, s, 0, match, 0, flags);
}

static bool
search(const struct pattern *p, struct span s, size_t from, regmatch_t match[GROUPS], size_t n,
       int flags)
{
    if (from == 0 && s.len > SHORT_TEXT && p->state->text != NULL) {
        bool found = matches_anchored(p->state, s, flags);
        if (!found || n == 0)
            return found;
    }
    return execute(&p->re, s, from, match, n, flags);
}

static struct pattern_state *
new_state(const char *text, struct shape shape)
{
    struct pattern_state *state = mem_alloc(sizeof *state);
    struct text anchored = {0};
    if (!shape.counts && !shape.closes) {
        text_add(&anchored, SPAN("^([^a]|a)*("));
        text_add(&anchored, span_cstr(text));
        text_add(&anchored, SPAN(")\0"));
    }
    *state = (struct pattern_state){.text = anchored.ptr};
    return state;
}

static void
free_state(struct pattern_state *state)
{
    free_anchored(state);
    free(state->text);
    free(state);
}

#else

/* musl searches C strings. */
struct pattern_state {
    struct span of; /* the text that was copied last */
    struct text text;
};

/* The text with a NUL at its end, and \1 for each NUL inside: only "." and bracket expressions
 * can match a NUL, and they match \1 as well. A text is copied once for all the searches in it,
 * so that replacing every match takes linear time. */
static const char *
c_string(struct pattern_state *c, struct span s, size_t from)
{
    if (from == 0 || c->of.ptr != s.ptr || c->of.len != s.len) {
        c->of = s;
        c->text.len = 0;
        text_add(&c->text, s);
        text_add(&c->text, SPAN("\0"));
        for (char *p = c->text.ptr; (p = memchr(p, '\0', s.len - (size_t)(p - c->text.ptr)));)
            *p = '\1';
    }
    return c->text.ptr;
}

static bool
search(const struct pattern *p, struct span s, size_t from, regmatch_t match[GROUPS], size_t n,
       int flags)
{
    const char *text = c_string(p->state, s, from);
    if (!run(&p->re, text + from, n, match, flags))
        return false;
    for (size_t i = 0; i < n; i++)
        if (match[i].rm_so >= 0) {
            match[i].rm_so += (regoff_t)from;
            match[i].rm_eo += (regoff_t)from;
        }
    return true;
}

static struct pattern_state *
new_state(const char *text, struct shape shape)
{
    (void)text;
    (void)shape;
    struct pattern_state *state = mem_alloc(sizeof *state);
    *state = (struct pattern_state){0};
    return state;
}

static void
free_state(struct pattern_state *state)
{
    free(state->text.ptr);
    free(state);
}

#endif

bool
pattern_compile(struct pattern *p, const char *text, char *error)
{
    struct shape shape = shape_of(text);
    if (shape.refers) {
        snprintf(error, PATTERN_ERROR, "back references are not supported: they may take any time");
        return false;
    }
    int status = regcomp(&p->re, text, REG_EXTENDED);
    if (status != 0) {
        regerror(status, &p->re, error, PATTERN_ERROR);
        return false;
    }
    p->state = new_state(text, shape);
    return true;
}

bool
pattern_search(const struct pattern *p, struct span s, size_t from, regmatch_t *match, size_t n)
{
    regmatch_t found[GROUPS];
    s = s.len > 0 ? s : SPAN("");
    int flags = (from > 0 ? REG_NOTBOL : 0) | (s.len > PATTERN_TEXT ? REG_NOTEOL : 0);
    s.len = s.len < PATTERN_TEXT ? s.len : PATTERN_TEXT;
    n = n < GROUPS ? n : GROUPS;
    if (from > s.len || !search(p, s, from, found, n, flags))
        return false;
    for (size_t i = 0; i < n; i++)
        match[i] = found[i];
    return true;
}

bool
pattern_matches(const struct pattern *p, struct span s)
{
    return pattern_search(p, s, 0, NULL, 0);
}

void
pattern_free(struct pattern *p)
{
    regfree(&p->re);
    free_state(p->state);
}
