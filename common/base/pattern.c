#include "common/base/pattern.h"

#include <limits.h>

bool
pattern_compile(struct pattern *p, const char *text, char *error)
{
    int status = regcomp(&p->re, text, REG_EXTENDED);
    if (status != 0)
        regerror(status, &p->re, error, PATTERN_ERROR);
    return status == 0;
}

bool
pattern_search(const struct pattern *p, struct span s, size_t from, regmatch_t *match, size_t n)
{
    /* REG_STARTEND takes the text's bounds from match[0]: regex(3), glibc and the BSDs. */
    regmatch_t bounds[10];
    size_t len = s.len < INT_MAX ? s.len : INT_MAX; /* regoff_t is an int in glibc */
    if (n > 10)
        n = 10;
    bounds[0].rm_so = (regoff_t)from;
    bounds[0].rm_eo = (regoff_t)len;
    int flags = REG_STARTEND | (from > 0 ? REG_NOTBOL : 0);
    if (regexec(&p->re, s.len > 0 ? s.ptr : "", n > 0 ? n : 1, bounds, flags) != 0)
        return false;
    for (size_t i = 0; i < n; i++)
        match[i] = bounds[i];
    return true;
}

bool
pattern_matches(const struct pattern *p, struct span s)
{
    regmatch_t match[1];
    return pattern_search(p, s, 0, match, 1);
}

void
pattern_free(struct pattern *p)
{
    regfree(&p->re);
}
