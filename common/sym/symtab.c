/* The rules are those of tools/perf/util/symbol.c in Linux 6.1, as far as its output shows them. */
#include "common/sym/symtab.h"

#include <stdlib.h>

#include "common/base/num.h"

/* While symbols are added, one entry a symbol. symtab_finish() makes pieces of them that do not
 * overlap: a symbol is one piece, and one more after each symbol that lies inside it. */
struct symtab_entry {
    uint64_t start;
    uint64_t end; /* before symtab_finish(): equal to start where the size is not known */
    uint32_t name;
    union {
        uint32_t flags; /* before symtab_finish() */
        uint32_t of;    /* then: the number of the symbol's first piece */
    };
};

/* In place of the end of the first of several pieces that start together, when it has been given
 * the best name among them. Their end is the last one's. */
enum { DECIDED = 0 };

void
symtab_reserve(struct symtab *t, size_t n)
{
    t->entries = mem_grow(t->entries, &t->cap, n, sizeof *t->entries);
}

void
symtab_add(struct symtab *t, uint64_t start, uint64_t size, uint32_t name, unsigned flags)
{
    if (t->count >= UINT32_MAX / 2) /* pieces are numbered in 32 bits */
        mem_exhausted();
    t->entries = mem_grow(t->entries, &t->cap, t->count + 1, sizeof *t->entries);
    t->entries[t->count++] = (struct symtab_entry){start, num_add(start, size), name, {flags}};
}

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* One pass of a radix sort: stable, by the digit that begins at bit `shift` of the start. */
static void
sort_pass(const struct symtab_entry *from, struct symtab_entry *to, size_t n, unsigned shift)
{
    size_t at[DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++)
        at[from[i].start >> shift & (DIGITS - 1)]++;
    for (size_t i = 0; i < DIGITS; i++) {
        size_t count = at[i];
        at[i] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[at[from[i].start >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sorts by start; entries of one start stay in their order. Digits in which no two starts differ
 * are passed over: a file has three. Returns an array of t->cap entries for further use, or NULL.
 */
static struct symtab_entry *
sort_entries(struct symtab *t)
{
    uint64_t differing = 0;
    bool sorted = true;
    for (size_t i = 1; i < t->count; i++) {
        differing |= t->entries[i].start ^ t->entries[0].start;
        sorted = sorted && t->entries[i - 1].start <= t->entries[i].start;
    }
    if (sorted)
        return NULL;
    struct symtab_entry *spare = mem_alloc(t->cap * sizeof *spare);
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        if ((differing >> shift & (DIGITS - 1)) == 0)
            continue;
        sort_pass(t->entries, spare, t->count, shift);
        struct symtab_entry *swap = t->entries;
        t->entries = spare;
        spare = swap;
    }
    return spare;
}

static struct span
name_of(const struct symtab *t, const struct symtab_entry *e)
{
    struct span name = span_from(t->names, e->name < t->names.len ? e->name : t->names.len);
    size_t nul = span_find(name, '\0');
    return nul == SPAN_NONE ? name : span_head(name, nul);
}

/* What decides between names: fewer underscores, then more bytes. */
struct rank {
    size_t underscores, len;
};

static bool
is_underscore(char c)
{
    return c == '_';
}

static struct rank
rank_of(const struct symtab *t, struct span name)
{
    if (t->demangle != NULL)
        name = t->demangle(t->ctx, name);
    return (struct rank){span_run(name, 0, is_underscore), name.len};
}

/* The best of n entries that differ in nothing but their names; the first of equals. */
static const struct symtab_entry *
best_name(const struct symtab *t, const struct symtab_entry *e, size_t n)
{
    const struct symtab_entry *best = e;
    if (n == 1)
        return best;
    struct span best_text = name_of(t, e);
    struct rank best_rank = rank_of(t, best_text);
    for (size_t i = 1; i < n; i++) {
        struct span name = name_of(t, &e[i]);
        if (span_eq(name, best_text)) /* .dynsym repeats what .symtab has */
            continue;
        struct rank r = rank_of(t, name);
        if (r.underscores < best_rank.underscores ||
            (r.underscores == best_rank.underscores && r.len > best_rank.len)) {
            best = &e[i];
            best_text = name;
            best_rank = r;
        }
    }
    return best;
}

/* How good an entry is without a look at its name: the sum of what it is. */
enum { IS_SIZED = 8, IS_TYPED = 4, IS_NOT_WEAK = 2, IS_GLOBAL = 1 };

static unsigned
quality(const struct symtab_entry *e)
{
    return (e->end > e->start ? IS_SIZED : 0u) | (e->flags & SYMTAB_NOTYPE ? 0u : IS_TYPED) |
           (e->flags & SYMTAB_WEAK ? 0u : IS_NOT_WEAK) |
           (e->flags & SYMTAB_GLOBAL ? IS_GLOBAL : 0u);
}

/* Moves the best of n entries with one start to the front, in their order, and returns how many
 * they are: more than one where only their names can decide. That is left to symtab_find(), since
 * few symbols are ever asked for, and demangling all takes longer than all the rest. */
static size_t
keep_best(const struct symtab *t, struct symtab_entry *e, size_t n)
{
    unsigned best = 0;
    size_t kept = 0;
    bool one_end = true;
    if (n == 1)
        return 1;
    for (size_t i = 0; i < n; i++)
        if (quality(&e[i]) > best)
            best = quality(&e[i]);
    if (best < IS_SIZED) {
        e[0] = e[n - 1];
        return 1;
    }
    for (size_t i = 0; i < n; i++)
        if (quality(&e[i]) == best)
            e[kept++] = e[i];
    for (size_t i = 1; i < kept; i++)
        one_end = one_end && e[i].end == e[0].end;
    if (one_end)
        return kept;
    e[0] = *best_name(t, e, kept); /* where it ends must be known now */
    return 1;
}

/* Where a symbol without a size ends, given the start of the next one. */
static uint64_t
unsized_end(uint64_t start, const struct symtab_entry *next)
{
    enum { PAGE = 4096 };
    uint64_t page_end = num_add(start, PAGE - 1) & ~(uint64_t)(PAGE - 1);
    return next != NULL ? next->start : num_add(page_end, PAGE);
}

/* The pieces made so far, and the symbols that reach past the last of them, the inner ones last. */
struct pieces {
    struct symtab_entry *list;
    size_t count, cap;
    struct open_symbol {
        uint64_t end;
        uint32_t of;
    } * open;
    size_t nopen, open_cap;
};

static inline void
add_piece(struct pieces *p, struct symtab_entry piece)
{
    p->list = mem_grow(p->list, &p->cap, p->count + 1, sizeof *p->list);
    p->list[p->count++] = piece;
}

/* Ends the symbols that reach no further than the address. After one that lies inside another, the
 * outer one has a piece again. */
static void
close_symbols(struct pieces *p, uint64_t addr)
{
    while (p->nopen > 0 && p->open[p->nopen - 1].end <= addr) {
        uint64_t end = p->open[p->nopen - 1].end;
        while (p->nopen > 0 && p->open[p->nopen - 1].end <= end)
            p->nopen--;
        if (p->nopen == 0 || end == addr)
            continue;
        struct open_symbol outer = p->open[p->nopen - 1];
        add_piece(p, (struct symtab_entry){end, outer.end, 0, {outer.of}});
    }
}

/* Adds n entries of one symbol, which starts after all that were added before. */
static void
open_symbol(struct pieces *p, const struct symtab_entry *e, size_t n)
{
    close_symbols(p, e->start);
    uint32_t of = (uint32_t)p->count;
    if (p->nopen > 0) /* the last piece is the outer symbol's */
        p->list[p->count - 1].end = e->start;
    for (size_t i = 0; i < n; i++)
        add_piece(p, (struct symtab_entry){e[i].start, e[i].end, e[i].name, {of}});
    p->open = mem_grow(p->open, &p->open_cap, p->nopen + 1, sizeof *p->open);
    p->open[p->nopen++] = (struct open_symbol){e->end, of};
}

void
symtab_finish(struct symtab *t)
{
    struct pieces p = {0};
    uint64_t covered = 0; /* by symbols with a size */
    p.list = sort_entries(t);
    p.cap = p.list != NULL ? t->cap : 0;
    for (size_t i = 0, next; i < t->count; i = next) {
        struct symtab_entry *e = &t->entries[i];
        for (next = i + 1; next < t->count && t->entries[next].start == e->start;)
            next++;
        size_t n = keep_best(t, e, next - i);
        if (e->end > e->start) {
            covered = e->end > covered ? e->end : covered;
        } else {
            if (e->start < covered)
                continue;
            e->end = unsized_end(e->start, next < t->count ? &t->entries[next] : NULL);
        }
        open_symbol(&p, e, n);
    }
    close_symbols(&p, UINT64_MAX);
    free(p.open);
    free(t->entries);
    void *fitting = p.count > 0 ? realloc(p.list, p.count * sizeof *p.list) : NULL;
    t->entries = fitting != NULL ? fitting : p.list;
    t->count = p.count;
    t->cap = p.count;
}

/* The last piece that starts at or before the address, or NULL. */
static const struct symtab_entry *
piece_before(const struct symtab *t, uint64_t addr)
{
    size_t low = 0, high = t->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->entries[middle].start <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &t->entries[low - 1] : NULL;
}

/* Gives the first of n pieces that start together the best name among them, once and for all. */
static void
decide_name(const struct symtab *t, struct symtab_entry *first)
{
    size_t n = 1;
    while (first + n < t->entries + t->count && first[n].start == first->start)
        n++;
    if (n == 1 || first->end == DECIDED)
        return;
    first->name = best_name(t, first, n)->name;
    first->end = DECIDED;
}

bool
symtab_find(const void *table, uint64_t addr, struct span *name, uint64_t *start)
{
    const struct symtab *t = table;
    const struct symtab_entry *piece = piece_before(t, addr);
    if (piece == NULL || addr >= piece->end)
        return false;
    struct symtab_entry *first = &t->entries[piece->of];
    decide_name(t, first);
    *name = name_of(t, first);
    *start = first->start;
    return name->len > 0;
}

bool
symtab_range(const struct symtab *t, uint64_t *start, uint64_t *end)
{
    if (t->count == 0)
        return false;
    *start = t->entries[0].start;
    *end = t->entries[t->count - 1].end;
    return true;
}

void
symtab_free(struct symtab *t)
{
    free(t->entries);
    *t = (struct symtab){0};
}
