#include "common/machine/similar.h"

enum { LONGEST = 100 }; /* longer names are not compared letter by letter */

static char
lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

static size_t
min3(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Return how many letters must be inserted, removed or replaced to turn a into b (Levenshtein's
 * distance), but at most `limit`. Case is ignored. */
static size_t
edit_distance(struct span a, struct span b, size_t limit)
{
    size_t row[LONGEST + 1]; /* row[k]: distance of the first letters of a and the first k of b */
    if (a.len > LONGEST || b.len > LONGEST)
        return limit;
    for (size_t k = 0; k <= b.len; k++)
        row[k] = k;
    for (size_t i = 0; i < a.len; i++) {
        size_t diagonal = row[0], least = row[0] = i + 1;
        for (size_t k = 0; k < b.len; k++) {
            size_t replaced = diagonal + (lower(a.ptr[i]) != lower(b.ptr[k]));
            diagonal = row[k + 1];
            row[k + 1] = min3(replaced, row[k] + 1, row[k + 1] + 1);
            least = row[k + 1] < least ? row[k + 1] : least;
        }
        if (least >= limit)
            return limit;
    }
    return row[b.len] < limit ? row[b.len] : limit;
}

static bool
contains(struct span name, struct span part)
{
    for (size_t at = 0; at + part.len <= name.len; at++) {
        size_t same = 0;
        while (same < part.len && lower(name.ptr[at + same]) == lower(part.ptr[same]))
            same++;
        if (same == part.len)
            return true;
    }
    return false;
}

void
similar_start(struct similar *n, struct span wanted, struct arena *a)
{
    *n = (struct similar){.wanted = wanted, .arena = a};
}

/* Return the distance from which on a name is not similar. */
static size_t
limit_of(const struct similar *n)
{
    return n->wanted.len / 4 + 2;
}

/* Return the distance of a name. A name that contains the wanted one is less similar than all names
 * within the limit; the shortest of such names is best. */
static size_t
distance_of(const struct similar *n, struct span name)
{
    size_t limit = limit_of(n);
    size_t apart = name.len > n->wanted.len ? name.len - n->wanted.len : n->wanted.len - name.len;
    size_t distance = apart < limit ? edit_distance(n->wanted, name, limit) : limit;
    if (distance == limit && n->wanted.len >= 3 && contains(name, n->wanted))
        return limit + name.len;
    return distance < limit ? distance : SPAN_NONE;
}

void
similar_offer(struct similar *n, struct span name)
{
    size_t distance = distance_of(n, name), at = n->count;
    if (distance == SPAN_NONE || name.len == 0 || span_eq(name, n->wanted))
        return;
    for (size_t i = 0; i < n->count; i++)
        if (span_eq(n->best[i], name))
            return;
    while (at > 0 && distance < n->distance[at - 1])
        at--;
    if (at == SIMILAR_SHOWN)
        return;
    n->count += n->count < SIMILAR_SHOWN;
    for (size_t i = n->count - 1; i > at; i--) {
        n->best[i] = n->best[i - 1];
        n->distance[i] = n->distance[i - 1];
    }
    n->best[at] = arena_copy(n->arena, name);
    n->distance[at] = distance;
}

void
similar_explain(const struct similar *n, struct text *out)
{
    for (size_t i = 0; i < n->count; i++) {
        text_add(out, i == 0              ? SPAN("; did you mean '")
                      : i + 1 == n->count ? SPAN("' or '")
                                          : SPAN("', '"));
        text_add(out, n->best[i]);
    }
    if (n->count > 0)
        text_add(out, SPAN("'?"));
}
