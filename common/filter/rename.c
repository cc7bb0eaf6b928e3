/*     s/^(get|set) (.*)/\2 [\1]/      s|/home/[^/]*|~|g
 *
 * As in sed(1) with -E: "&" is the match, \1 to \9 are its groups, and a backslash before any other
 * character makes it an ordinary one. */
#include "common/filter/rename.h"

#include <stdio.h>

/* Remove the part up to the delimiter, and the delimiter, from *expression. An escaped delimiter
 * becomes the plain character; but if that is special in a regular expression, its backslash is
 * kept. Return false if the delimiter is missing. */
static bool
take_part(const char **expression, char delimiter, bool is_regex, struct text *part)
{
    const char *p = *expression;
    bool special = is_regex ? strchr(".[\\()*+?{|^$", delimiter) != NULL : true;
    part->len = 0;
    for (; *p != delimiter; p++) {
        if (*p == '\0')
            return false;
        bool escaped = *p == '\\' && p[1] != '\0';
        if (escaped && (p[1] != delimiter || special))
            text_add(part, span_of(p, 1));
        text_add(part, span_of(p + escaped, 1));
        p += escaped;
    }
    text_add(part, SPAN(""));
    *expression = p + 1;
    return true;
}

/* Return the highest group that the text refers to. */
static size_t
highest_group(struct span text)
{
    size_t highest = 0;
    for (size_t i = 0; i + 1 < text.len; i++) {
        if (text.ptr[i] != '\\')
            continue;
        char c = text.ptr[++i];
        if (is_digit(c) && (size_t)(c - '0') > highest)
            highest = (size_t)(c - '0');
    }
    return highest;
}

static bool
fail(char *error, const char *why)
{
    snprintf(error, PATTERN_ERROR, "%s", why);
    return false;
}

bool
rename_parse(struct rename *r, const char *expression, struct arena *arena, char *error)
{
    struct text regex = {0}, text = {0};
    const char *p = expression;
    char delimiter = p[0] == 's' ? p[1] : '\0';
    if (delimiter == '\0' || delimiter == '\\' || delimiter == '\n')
        return fail(error, "not of the form s/RE/TEXT/");
    p += 2;
    if (!take_part(&p, delimiter, true, &regex) || !take_part(&p, delimiter, false, &text))
        return fail(error, "not of the form s/RE/TEXT/");
    r->global = strcmp(p, "g") == 0;
    if (*p != '\0' && !r->global)
        return fail(error, "the only flag is g");
    r->text = arena_copy(arena, text_span(&text));
    if (span_has(r->text, '\n'))
        return fail(error, "a name cannot hold a newline");
    if (!pattern_compile(&r->re, arena_cstr(arena, text_span(&regex)), error))
        return false;
    if (highest_group(r->text) > r->re.re.re_nsub)
        return fail(error, "TEXT names a group that RE does not have");
    return true;
}

static struct span
group(struct span s, const regmatch_t *match, size_t i)
{
    if (match[i].rm_so < 0)
        return SPAN("");
    return span_of(s.ptr + match[i].rm_so, (size_t)(match[i].rm_eo - match[i].rm_so));
}

/* Append the replacement of one match. */
static void
substitute(struct span text, struct span s, const regmatch_t *match, struct text *to)
{
    for (size_t i = 0; i < text.len; i++) {
        bool escaped = text.ptr[i] == '\\' && i + 1 < text.len;
        i += escaped;
        char c = text.ptr[i];
        if (!escaped && c == '&')
            text_add(to, group(s, match, 0));
        else if (escaped && is_digit(c))
            text_add(to, group(s, match, (size_t)(c - '0')));
        else
            text_add(to, span_of(&c, 1));
    }
}

bool
rename_apply(const struct rename *r, struct span s, struct text *to)
{
    regmatch_t match[10];
    size_t from = 0, done = 0; /* offset from which to search; offset up to which s was copied */
    bool any = false;
    while (from <= s.len && pattern_search(&r->re, s, from, match, 10)) {
        size_t start = (size_t)match[0].rm_so, end = (size_t)match[0].rm_eo;
        from = end > start ? end : end + 1;
        if (any && start == end && start == done)
            continue; /* an empty match right after a match does not count */
        any = true;
        text_add(to, span_of(s.ptr + done, start - done));
        substitute(r->text, s, match, to);
        done = end;
        if (!r->global)
            break;
    }
    if (any)
        text_add(to, span_from(s, done));
    return any;
}
