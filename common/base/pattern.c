#include "common/base/pattern.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "common/base/mem.h"
#include "common/base/text.h"

enum { GROUPS = 10 };

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

/* glibc and the BSDs take the text's bounds from match[0], even if n is 0: regex(3). */
static bool
search(const struct pattern *p, struct span s, size_t from, regmatch_t match[GROUPS], size_t n)
{
    int flags = REG_STARTEND | (from > 0 ? REG_NOTBOL : 0);
    match[0].rm_so = (regoff_t)from;
    match[0].rm_eo = (regoff_t)s.len;
    return run(&p->re, s.ptr, n, match, flags);
}

static struct pattern_copy *
new_copy(void)
{
    return NULL;
}

static void
free_copy(struct pattern_copy *copy)
{
    (void)copy;
}

#else

/* musl searches C strings. */
struct pattern_copy {
    struct span of; /* the text that was copied last */
    struct text text;
};

/* The text with a NUL at its end, and \1 for each NUL inside: only "." and bracket expressions
 * can match a NUL, and they match \1 as well. A text is copied once for all the searches in it,
 * so that replacing every match takes linear time. */
static const char *
c_string(struct pattern_copy *c, struct span s, size_t from)
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
search(const struct pattern *p, struct span s, size_t from, regmatch_t match[GROUPS], size_t n)
{
    const char *text = c_string(p->copy, s, from);
    if (!run(&p->re, text + from, n, match, from > 0 ? REG_NOTBOL : 0))
        return false;
    for (size_t i = 0; i < n; i++)
        if (match[i].rm_so >= 0) {
            match[i].rm_so += (regoff_t)from;
            match[i].rm_eo += (regoff_t)from;
        }
    return true;
}

static struct pattern_copy *
new_copy(void)
{
    struct pattern_copy *copy = mem_alloc(sizeof *copy);
    *copy = (struct pattern_copy){0};
    return copy;
}

static void
free_copy(struct pattern_copy *copy)
{
    free(copy->text.ptr);
    free(copy);
}

#endif

bool
pattern_compile(struct pattern *p, const char *text, char *error)
{
    int status = regcomp(&p->re, text, REG_EXTENDED);
    if (status != 0) {
        regerror(status, &p->re, error, PATTERN_ERROR);
        return false;
    }
    p->copy = new_copy();
    return true;
}

bool
pattern_search(const struct pattern *p, struct span s, size_t from, regmatch_t *match, size_t n)
{
    regmatch_t found[GROUPS];
    s = s.len > 0 ? s : SPAN("");
    s.len = s.len < INT_MAX ? s.len : INT_MAX; /* regoff_t is an int in glibc */
    n = n < GROUPS ? n : GROUPS;
    if (from > s.len || !search(p, s, from, found, n))
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
    free_copy(p->copy);
}
