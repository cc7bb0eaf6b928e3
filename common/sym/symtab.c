/* The rules are those of tools/perf/util/symbol.c in Linux 6.1, as far as perf's output shows
 * them. */
#include "common/sym/symtab.h"

#include <stdlib.h>

#include "common/base/num.h"

/* A symbol before symtab_finish(). */
struct symtab_entry {
    uint64_t start;
    uint64_t end; /* equal to start if the size is unknown */
    uint32_t name, flags;
};

/* symtab_finish() splits the symbols into pieces that do not overlap: one for each symbol, and one
 * more after each symbol that lies inside another. If several symbols have the same start, and
 * their names must be compared, each has a piece, and the last one has the length. There are many
 * pieces, so they are small. */
struct symtab_piece {
    uint64_t start;
    uint32_t len;  /* UINT32_MAX: up to the next piece */
    uint32_t name; /* offset; or KEPT | index in `kept`; or GOES_ON | index of the symbol's piece */
};

enum { KEPT = 1 << 30, GOES_ON = 1 << 29, NUMBER = GOES_ON - 1 };

enum { STEPS = 16 }; /* of patience.h, for adding, sorting or dividing a symbol */

void
symtab_add(struct symtab *t, uint64_t start, uint64_t size, uint32_t name, unsigned flags)
{
    if (t->count >= NUMBER / 2) /* there may be twice as many pieces */
        mem_exhausted();
    patience_is_over(t->patience, STEPS);
    MEM_ADD(t->entries, t->count, t->cap,
            (struct symtab_entry){start, num_add(start, size), name, flags});
}

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* Make one pass of a radix sort by the digit that begins at bit `shift` of the start. It is stable.
 * With qsort(3), perf-script would need 18 % more instructions for a recording of 7,000 samples. */
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

/* Sort by start; the sort is stable. Skip digits in which all starts are equal: a file has three
 * others. */
static void
sort_entries(struct symtab *t)
{
    uint64_t differing = 0;
    bool sorted = true;
    for (size_t i = 1; i < t->count; i++) {
        differing |= t->entries[i].start ^ t->entries[0].start;
        sorted = sorted && t->entries[i - 1].start <= t->entries[i].start;
    }
    if (sorted)
        return;
    struct symtab_entry *spare = mem_alloc(t->count * sizeof *spare);
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        if ((differing >> shift & (DIGITS - 1)) == 0)
            continue;
        sort_pass(t->entries, spare, t->count, shift);
        patience_is_over(t->patience, PATIENCE_STEPS);
        struct symtab_entry *swap = t->entries;
        t->entries = spare;
        spare = swap;
    }
    free(spare);
}

static struct span
name_at(struct symtab *t, uint32_t offset)
{
    return offset < NUMBER ? view_string(&t->names, offset) : SPAN("");
}

/* The total number of bytes of names that are compared and demangled. After that, if several names
 * are possible, the first is used, and names are printed as they are: demangling a few bytes may
 * take a millisecond. */
enum { WORK_MAX = 64 << 20 };

static struct span
printed(struct symtab *t, struct span name)
{
    if (t->demangle == NULL || t->worked >= WORK_MAX)
        return name;
    struct span made = t->demangle(t->ctx, name);
    t->worked += made.len;
    return made;
}

/* The criteria for names: fewer underscores, then more bytes. */
struct rank {
    size_t underscores, len;
};

static bool
is_underscore(char c)
{
    return c == '_';
}

/* The best of the names compared so far. */
struct best {
    struct rank rank;
    uint32_t name; /* offset */
    size_t which;
};

static void
compare_name(struct symtab *t, struct best *best, uint32_t offset, size_t which)
{
    if (which > 0 && (t->worked >= WORK_MAX || offset == best->name))
        return;
    struct span name = name_at(t, offset);
    t->worked += name.len + 1;
    name = printed(t, name);
    struct rank r = {span_run(name, 0, is_underscore), name.len};
    if (which == 0 || r.underscores < best->rank.underscores ||
        (r.underscores == best->rank.underscores && r.len > best->rank.len))
        *best = (struct best){r, offset, which};
}

/* The quality of an entry, apart from its name, is the sum of these. */
enum { IS_SIZED = 8, IS_TYPED = 4, IS_NOT_WEAK = 2, IS_GLOBAL = 1 };

static unsigned
quality(const struct symtab_entry *e)
{
    return (e->end > e->start ? IS_SIZED : 0u) | (e->flags & SYMTAB_NOTYPE ? 0u : IS_TYPED) |
           (e->flags & SYMTAB_WEAK ? 0u : IS_NOT_WEAK) |
           (e->flags & SYMTAB_GLOBAL ? IS_GLOBAL : 0u);
}

/* Move the best of n entries with the same start to the front, in their order, and return their
 * number. If only their names can decide, there are several. symtab_find() makes that decision,
 * since few symbols are ever looked up, and demangling all takes longer than everything else. */
static size_t
keep_best(struct symtab *t, struct symtab_entry *e, size_t n)
{
    unsigned best = 0;
    size_t kept = 0;
    bool one_end = true;
    if (n == 1)
        return 1;
    for (size_t i = 0; i < n; i++)
        if (quality(&e[i]) > best)
            best = quality(&e[i]);
    for (size_t i = 0; i < n; i++)
        if (quality(&e[i]) == best)
            e[kept++] = e[i];
    for (size_t i = 1; i < kept; i++)
        one_end = one_end && e[i].end == e[0].end;
    if (one_end)
        return kept;
    struct best name = {0}; /* the names decide about the end, which must be known now */
    for (size_t i = 0; i < kept; i++)
        compare_name(t, &name, e[i].name, i);
    e[0] = e[name.which];
    return 1;
}

/* Return the end of a symbol without a size. `next` is the following symbol, or NULL. */
static uint64_t
unsized_end(uint64_t start, const struct symtab_entry *next)
{
    enum { PAGE = 4096 };
    uint64_t page_end = num_add(start, PAGE - 1) & ~(uint64_t)(PAGE - 1);
    return next != NULL ? next->start : num_add(page_end, PAGE);
}

/* The pieces made so far, and the symbols that extend beyond the last piece, outer ones first. */
struct pieces {
    struct symtab_piece *list;
    size_t count, cap;
    struct open_symbol {
        uint64_t end;
        uint32_t of;
    } * open;
    size_t nopen, open_cap;
};

static uint32_t
length(uint64_t start, uint64_t end)
{
    return end - start < UINT32_MAX ? (uint32_t)(end - start) : UINT32_MAX;
}

static inline void
add_piece(struct pieces *p, uint64_t start, uint64_t end, uint32_t name)
{
    MEM_ADD(p->list, p->count, p->cap, (struct symtab_piece){start, length(start, end), name});
}

/* End the symbols that extend no further than the address. After a symbol that lies inside another,
 * add another piece of the outer one. */
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
        add_piece(p, end, outer.end, GOES_ON | outer.of);
    }
}

/* Add n entries of one symbol. It starts after all symbols added before. */
static void
open_symbol(struct pieces *p, const struct symtab_entry *e, size_t n)
{
    close_symbols(p, e->start);
    if (p->nopen > 0) { /* the last piece belongs to the outer symbol */
        struct symtab_piece *outer = &p->list[p->count - 1];
        outer->len = length(outer->start, e->start);
    }
    MEM_ADD(p->open, p->nopen, p->open_cap, (struct open_symbol){e->end, (uint32_t)p->count});
    for (size_t i = 0; i < n; i++)
        add_piece(p, e[i].start, e[i].end, e[i].name < NUMBER ? e[i].name : NUMBER);
}

void
symtab_finish(struct symtab *t)
{
    struct pieces p = {0};
    uint64_t covered = 0; /* end of the symbols so far */
    sort_entries(t);
    for (size_t i = 0, next; i < t->count; i = next) {
        struct symtab_entry *e = &t->entries[i];
        for (next = i + 1; next < t->count && t->entries[next].start == e->start;)
            next++;
        patience_is_over(t->patience, STEPS);
        /* If several symbols have the same start, the last one gets the end. */
        struct symtab_entry *last = &t->entries[next - 1];
        if (last->end == last->start && last->start >= covered)
            last->end = unsized_end(last->start, next < t->count ? &t->entries[next] : NULL);
        size_t n = keep_best(t, e, next - i);
        if (e->end == e->start)
            continue;
        covered = e->end > covered ? e->end : covered;
        open_symbol(&p, e, n);
    }
    close_symbols(&p, UINT64_MAX);
    free(p.open);
    free(t->entries);
    t->entries = NULL;
    t->cap = 0;
    t->pieces = p.count > 0 ? realloc(p.list, p.count * sizeof *p.list) : NULL;
    t->pieces = t->pieces != NULL ? t->pieces : p.list;
    t->count = p.count;
}

/* Return the last piece that starts at or before the address, or NULL. */
static struct symtab_piece *
piece_before(const struct symtab *t, uint64_t addr)
{
    size_t low = 0, high = t->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->pieces[middle].start <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &t->pieces[low - 1] : NULL;
}

static uint64_t
piece_end(const struct symtab *t, const struct symtab_piece *p)
{
    if (p->len != UINT32_MAX)
        return p->start + p->len;
    return p + 1 < t->pieces + t->count ? p[1].start : UINT64_MAX;
}

/* Return the first of the pieces with the same start as this one. */
static struct symtab_piece *
first_of(const struct symtab *t, struct symtab_piece *p)
{
    size_t low = 0, high = (size_t)(p - t->pieces);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->pieces[middle].start < p->start)
            low = middle + 1;
        else
            high = middle;
    }
    return &t->pieces[low];
}

/* Give the first of the pieces with the same start the best of their names. Do so once: mark the
 * second piece. */
static void
choose_name(struct symtab *t, struct symtab_piece *first)
{
    struct symtab_piece *end = first + 1, *last = t->pieces + t->count;
    if (end == last || end->start != first->start || end->name == KEPT)
        return;
    struct best best = {0};
    for (end = first; end < last && end->start == first->start; end++)
        compare_name(t, &best, end->name, (size_t)(end - first));
    first->name = best.name;
    first[1].name = KEPT;
}

/* Cache the name of a piece, unless the cache has become so large that the file may be hostile. */
static struct span
keep_name(struct symtab *t, struct symtab_piece *p, struct span name)
{
    enum { KEPT_LEAST = 1 << 16, KEPT_MAX = 16 << 20 };
    uint64_t most = t->names.size < KEPT_MAX ? t->names.size + KEPT_LEAST : KEPT_MAX;
    bool in_memory = t->names.content == NULL && t->demangle == NULL;
    if (name.len == 0 || (!in_memory && name.len > most - t->kept_bytes))
        return name;
    if (!in_memory) {
        t->kept_bytes += name.len;
        name = arena_copy(&t->arena, name);
    }
    t->kept = mem_grow(t->kept, &t->kept_cap, t->nkept + 1, sizeof *t->kept);
    t->kept[t->nkept] = name;
    p->name = KEPT | (uint32_t)t->nkept++;
    return name;
}

bool
symtab_find(struct symtab *t, uint64_t addr, struct span *name, uint64_t *start)
{
    struct symtab_piece *p = piece_before(t, addr);
    if (p == NULL || addr >= piece_end(t, p))
        return false;
    p = p->name & GOES_ON ? &t->pieces[p->name & NUMBER] : first_of(t, p);
    if (p->name & KEPT) {
        *name = t->kept[p->name & NUMBER];
    } else {
        choose_name(t, p);
        *name = keep_name(t, p, printed(t, name_at(t, p->name)));
    }
    *start = p->start;
    return name->len > 0;
}

bool
symtab_range(const struct symtab *t, uint64_t *start, uint64_t *end)
{
    if (t->count == 0)
        return false;
    *start = t->pieces[0].start;
    *end = piece_end(t, &t->pieces[t->count - 1]);
    return true;
}

void
symtab_free(struct symtab *t)
{
    free(t->entries);
    free(t->pieces);
    free(t->kept);
    view_free(&t->names);
    arena_free(&t->arena);
    *t = (struct symtab){0};
}
