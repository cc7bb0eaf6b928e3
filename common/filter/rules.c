#include "common/filter/rules.h"

#include <stdio.h>

/* Remove "dso:" from the front. Return true if it was there. */
static bool
take_dso(struct rules *r, const char **text)
{
    bool dso = strncmp(*text, "dso:", 4) == 0;
    *text += dso ? 4 : 0;
    r->any_dso = r->any_dso || dso;
    return dso;
}

bool
rules_add(struct rules *r, enum list list, const char *pattern, char *error)
{
    struct matcher m = {.dso = take_dso(r, &pattern)};
    if (!pattern_compile(&m.re, pattern, error))
        return false;
    size_t n = r->counts[list]++;
    r->lists[list] = mem_grow(r->lists[list], &r->caps[list], n + 1, sizeof m);
    r->lists[list][n] = m;
    return true;
}

bool
rules_add_rename(struct rules *r, const char *expression, char *error)
{
    struct renamer n = {.dso = take_dso(r, &expression)};
    if (!rename_parse(&n.rename, expression, &r->arena, error))
        return false;
    r->renames = mem_grow(r->renames, &r->renames_cap, r->nrenames + 1, sizeof n);
    r->renames[r->nrenames++] = n;
    return true;
}

bool
rules_kinds(const char *list, unsigned *kinds, char *error)
{
    for (const char *at = list;; at++) {
        struct span name = span_of(at, strcspn(at, ","));
        enum frame_kind kind = frame_kind_find(name);
        if (kind == KIND_COUNT) {
            int n = snprintf(error, PATTERN_ERROR, "'%.*s' is not one of", SPAN_ARG(name));
            for (kind = KIND_APP; n < PATTERN_ERROR && kind < KIND_COUNT; kind++)
                n += snprintf(error + n, (size_t)(PATTERN_ERROR - n), " %s", frame_kind_name(kind));
            return false;
        }
        *kinds |= 1u << kind;
        at += name.len;
        if (*at == '\0')
            return true;
    }
}

void
rules_finish(struct rules *r, int names, int work)
{
    r->names = names >= 0 ? (enum v8_names)names : r->node ? V8_NAMES_MERGE : V8_NAMES_RAW;
    r->work = work >= 0 ? (enum v8_work)work : r->node ? V8_WORK_SUMMARIZE : V8_WORK_KEEP;
}

unsigned
rules_match(const struct rules *r, struct span sym, struct span name, struct span dso)
{
    unsigned matched = 0;
    bool renamed = !span_eq(sym, name);
    for (size_t list = 0; list < LISTS; list++) {
        for (size_t i = 0; i < r->counts[list] && !(matched & 1u << list); i++) {
            const struct matcher *m = &r->lists[list][i];
            if (pattern_matches(&m->re, m->dso ? dso : sym) ||
                (!m->dso && renamed && pattern_matches(&m->re, name)))
                matched |= 1u << list;
        }
    }
    return matched;
}
