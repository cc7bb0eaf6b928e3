#include "common/base/pattern.h"

#include <errno.h>
#include <stdio.h>

#include "common/base/mem.h"

enum { GROUPS = 10 };

/* Return the end of the bracket expression that begins at p. */
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

/* Return true if the expression has a back reference such as \1. */
static bool
has_reference(const char *p)
{
    for (; *p != '\0'; p++)
        if (*p == '[')
            p = skip_bracket(p);
        else if (*p == '\\' && p[1] != '\0' && is_digit(*++p))
            return true;
    return false;
}

bool
pattern_compile(struct pattern *p, const char *text, char *error)
{
    if (has_reference(text)) {
        snprintf(error, PATTERN_ERROR, "back references are not supported: they may take any time");
        return false;
    }
    int status = regcomp(&p->re, text, REG_EXTENDED);
    if (status != 0)
        regerror(status, &p->re, error, PATTERN_ERROR);
    return status == 0;
}

/* Do the same as regexec(3), but return true for a match. If memory runs out, end the program: the
 * search was given up, which glibc reports as no match. */
static bool
run(const struct pattern *p, const char *text, size_t n, regmatch_t match[GROUPS], int flags)
{
    errno = 0;
    int status = regexec(&p->re, text, n, match, flags);
    if (status == REG_ESPACE || (status != 0 && errno == ENOMEM))
        mem_exhausted();
    return status == 0;
}

/* AddressSanitizer reads the text up to a NUL nevertheless, so with it, too, search a copy. */
#if defined REG_STARTEND && !defined __SANITIZE_ADDRESS__

/* glibc and the BSDs take the bounds of the text from match[0], even if n is 0: regex(3). */
static bool
search(const struct pattern *p, struct span s, size_t from, regmatch_t match[GROUPS], size_t n,
       int flags)
{
    match[0].rm_so = (regoff_t)from;
    match[0].rm_eo = (regoff_t)s.len;
    return run(p, s.ptr, n, match, flags | REG_STARTEND);
}

#else

/* musl searches C strings. Search a copy of the text with \1 in place of each NUL: only "." and
 * bracket expressions can match a NUL, and they match \1 as well. */
static bool
search(const struct pattern *p, struct span s, size_t from, regmatch_t match[GROUPS], size_t n,
       int flags)
{
    char text[PATTERN_TEXT + 1];
    for (size_t i = from; i < s.len; i++)
        text[i] = s.ptr[i] != '\0' ? s.ptr[i] : '\1';
    text[s.len] = '\0';
    if (!run(p, text + from, n, match, flags))
        return false;
    for (size_t i = 0; i < n; i++)
        if (match[i].rm_so >= 0) {
            match[i].rm_so += (regoff_t)from;
            match[i].rm_eo += (regoff_t)from;
        }
    return true;
}

#endif

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
    if (n > 0)
        memcpy(match, found, n * sizeof *match);
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
}
