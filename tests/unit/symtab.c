/* Tables of symbols: which name has an address. */
#include "common/sym/symtab.h"

#include "tests/unit/test.h"

static char names[64 * 1024];
static size_t names_len = 1; /* offset 0 is the empty name, as in ELF files */

static void
add(struct symtab *t, uint64_t start, uint64_t size, const char *name, unsigned flags)
{
    size_t len = strlen(name) + 1;
    CHECK(names_len + len <= sizeof names);
    memcpy(names + names_len, name, len);
    symtab_add(t, start, size, (uint32_t)names_len, flags);
    names_len += len;
    t->names = view_of(span_of(names, names_len));
}

/* "name+offset", or "" where there is none. */
static struct span
at(struct symtab *t, uint64_t addr)
{
    static char text[64];
    struct span name;
    uint64_t start;
    if (!symtab_find(t, addr, &name, &start))
        return SPAN("");
    int len = snprintf(text, sizeof text, "%.*s+%x", SPAN_ARG(name), (unsigned)(addr - start));
    return span_of(text, (size_t)len);
}

TEST("a symbol has the addresses from its start to its end")
{
    FREED(symtab_free) struct symtab t = {0};
    add(&t, 0x2000, 0x10, "b", 0);
    add(&t, 0x1000, 0x10, "a", 0);
    symtab_finish(&t);
    CHECK_TEXT(at(&t, 0xfff), "");
    CHECK_TEXT(at(&t, 0x1000), "a+0");
    CHECK_TEXT(at(&t, 0x100f), "a+f");
    CHECK_TEXT(at(&t, 0x1010), "");
    CHECK_TEXT(at(&t, 0x2001), "b+1");
}

TEST("an empty table knows nothing")
{
    FREED(symtab_free) struct symtab t = {0};
    uint64_t start, end;
    symtab_finish(&t);
    CHECK_TEXT(at(&t, 0), "");
    CHECK(!symtab_range(&t, &start, &end));
}

TEST("a symbol without a size ends at the next one, the last one 4096 bytes after its page")
{
    FREED(symtab_free) struct symtab t = {0};
    uint64_t start = 0, end = 0;
    add(&t, 0x1000, 0, "a", 0);
    add(&t, 0x1800, 0, "b", 0);
    add(&t, 0x5001, 0, "last", 0);
    symtab_finish(&t);
    CHECK_TEXT(at(&t, 0x17ff), "a+7ff");
    CHECK_TEXT(at(&t, 0x1800), "b+0");
    CHECK_TEXT(at(&t, 0x5000), "b+3800");
    CHECK_TEXT(at(&t, 0x6fff), "last+1ffe");
    CHECK_TEXT(at(&t, 0x7000), "");
    CHECK(symtab_range(&t, &start, &end) && start == 0x1000 && end == 0x7000);
}

TEST("a symbol without a size is dropped inside one with a size")
{
    FREED(symtab_free) struct symtab t = {0};
    add(&t, 0x1000, 0x100, "function", 0);
    add(&t, 0x1020, 0, "label", 0);
    add(&t, 0x1100, 0, "next", 0);
    symtab_finish(&t);
    CHECK_TEXT(at(&t, 0x1030), "function+30");
    CHECK_TEXT(at(&t, 0x1100), "next+0");
}

/* The name that wins among the two or three given for one address, in the order of the rows. */
static struct span
winner(size_t n, const char *const *name, const uint64_t *size, const unsigned *flags)
{
    struct symtab t = {0};
    struct span found = SPAN("");
    uint64_t start;
    for (size_t i = 0; i < n; i++)
        add(&t, 0x1000, size[i], name[i], flags[i]);
    symtab_finish(&t);
    CHECK(symtab_find(&t, 0x1000, &found, &start) && start == 0x1000);
    symtab_free(&t);
    return found;
}

/* Whatever the order, `best` wins against `other`. */
static void
check_better(const char *best, uint64_t best_size, unsigned best_flags, const char *other,
             uint64_t other_size, unsigned other_flags)
{
    CHECK_TEXT(winner(2, (const char *[]){best, other}, (uint64_t[]){best_size, other_size},
                      (unsigned[]){best_flags, other_flags}),
               best);
    CHECK_TEXT(winner(2, (const char *[]){other, best}, (uint64_t[]){other_size, best_size},
                      (unsigned[]){other_flags, best_flags}),
               best);
}

TEST("of several symbols at one address the best one is kept, by rules in this order")
{
    check_better("__typed", 8, SYMTAB_WEAK, "untyped", 8, SYMTAB_NOTYPE | SYMTAB_GLOBAL);
    check_better("__local", 8, 0, "weak", 8, SYMTAB_WEAK);
    check_better("__global", 8, SYMTAB_GLOBAL, "local", 8, 0);
    check_better("f", 8, 0, "_longer", 8, 0);
    check_better("longer", 8, 0, "long", 8, 0);
    check_better("longer", 8, 0, "long", 9, 0);
}

TEST("of several symbols at one address without a size only the last has an end, and can win "
     "against one with a size")
{
    const char *const names2[] = {"_sized", "unsized"}, *const turned[] = {"unsized", "_sized"};
    const unsigned none[] = {0, 0};
    CHECK_TEXT(winner(2, names2, (const uint64_t[]){8, 0}, none), "unsized");
    CHECK_TEXT(winner(2, turned, (const uint64_t[]){0, 8}, none), "_sized");
}

TEST("of symbols equal in everything the first one is kept; without a size, the last one")
{
    const uint64_t sized[] = {8, 8, 8}, unsized[] = {0, 0, 0};
    const unsigned flags[] = {0, 0, 0}, weak[] = {SYMTAB_GLOBAL, 0, SYMTAB_WEAK};
    const char *const same[] = {"a1", "a2", "a3"}, *const names3[] = {"longest", "b", "c"};
    CHECK_TEXT(winner(3, same, sized, flags), "a1");
    CHECK_TEXT(winner(3, names3, unsized, weak), "c");
}

/* Stands for a demangler that makes a short name of a long one, and counts its calls. */
static struct span
demangled(void *ctx, struct span name)
{
    *(int *)ctx += 1;
    return span_starts(name, SPAN("_Zlong")) ? SPAN("s") : name;
}

TEST("names are demangled where they are found or compared, once, and compared where nothing else "
     "decides")
{
    FREED(symtab_free) struct symtab t = {.demangle = demangled};
    int calls = 0;
    t.ctx = &calls;
    add(&t, 0x1000, 8, "_Zlong_but_printed_short", 0);
    add(&t, 0x1000, 8, "middle", 0);
    add(&t, 0x2000, 8, "global", SYMTAB_GLOBAL);
    add(&t, 0x2000, 8, "a_longer_local", 0);
    add(&t, 0x3000, 8, "alone", 0);
    symtab_finish(&t);
    CHECK_TEXT(at(&t, 0x2000), "global+0");
    CHECK_TEXT(at(&t, 0x3000), "alone+0");
    CHECK(calls == 2);
    CHECK_TEXT(at(&t, 0x1000), "middle+0");
    CHECK(calls == 5);
    CHECK_TEXT(at(&t, 0x1001), "middle+1");
    CHECK(calls == 5 && t.nkept == 3);
}

TEST("where symbols overlap, the one with the nearest start has the address")
{
    FREED(symtab_free) struct symtab t = {0};
    add(&t, 0x1000, 0x100, "outer", 0);
    add(&t, 0x1010, 0x40, "middle", 0);
    add(&t, 0x1020, 0x10, "inner", 0);
    add(&t, 0x10f0, 0x20, "edge", 0);
    symtab_finish(&t);
    CHECK_TEXT(at(&t, 0x100f), "outer+f");
    CHECK_TEXT(at(&t, 0x101f), "middle+f");
    CHECK_TEXT(at(&t, 0x1020), "inner+0");
    CHECK_TEXT(at(&t, 0x1030), "middle+20");
    CHECK_TEXT(at(&t, 0x1050), "outer+50");
    CHECK_TEXT(at(&t, 0x10f0), "edge+0");
    CHECK_TEXT(at(&t, 0x110f), "edge+1f");
    CHECK_TEXT(at(&t, 0x1110), "");
}

TEST("a symbol with aliases can have others inside it")
{
    FREED(symtab_free) struct symtab t = {0};
    add(&t, 0x1000, 0x100, "outer", 0);
    add(&t, 0x1000, 0x100, "outer_alias", 0);
    add(&t, 0x1010, 0x10, "inner", 0);
    symtab_finish(&t);
    CHECK_TEXT(at(&t, 0x1001), "outer_alias+1");
    CHECK_TEXT(at(&t, 0x1010), "inner+0");
    CHECK_TEXT(at(&t, 0x1020), "outer_alias+20");
}

TEST("symbols may reach to the highest address")
{
    FREED(symtab_free) struct symtab t = {0};
    add(&t, UINT64_MAX - 16, UINT64_MAX, "wraps", 0);
    add(&t, UINT64_MAX - 32, 0, "unsized", 0);
    add(&t, 0, 1, "bottom", 0);
    symtab_finish(&t);
    CHECK_TEXT(at(&t, UINT64_MAX - 1), "wraps+f");
    CHECK_TEXT(at(&t, UINT64_MAX - 17), "unsized+f");
    CHECK_TEXT(at(&t, 0), "bottom+0");
}

TEST("a name outside of the text, or an empty one, is no name")
{
    FREED(symtab_free) struct symtab t = {.names = view_of(SPAN("\0cut"))};
    symtab_add(&t, 0x1000, 8, 0, 0);
    symtab_add(&t, 0x2000, 8, 1, 0);
    symtab_add(&t, 0x3000, 8, 4, 0);
    symtab_add(&t, 0x4000, 8, UINT32_MAX, 0);
    symtab_finish(&t);
    CHECK_TEXT(at(&t, 0x1000), "");
    CHECK_TEXT(at(&t, 0x2000), "cut+0");
    CHECK_TEXT(at(&t, 0x3000), "");
    CHECK_TEXT(at(&t, 0x4000), "");
}

enum { RANDOM = 400, SPACE = 4096 };

/* The start of the symbol that has the address, by a search through all; -1 without one. */
static int
searched(const unsigned (*symbols)[2], unsigned addr)
{
    int best = -1;
    for (size_t i = 0; i < RANDOM; i++) {
        unsigned start = symbols[i][0], size = symbols[i][1];
        /* Of several with one start there is only the longest: its name is. */
        for (size_t k = 0; k < RANDOM; k++)
            if (symbols[k][0] == start && symbols[k][1] > size)
                size = symbols[k][1];
        if (size == symbols[i][1] && addr >= start && addr - start < size && (int)start > best)
            best = (int)start;
    }
    return best;
}

TEST("random symbols answer as a search through all of them does")
{
    static unsigned symbols[RANDOM][2];
    FREED(symtab_free) struct symtab t = {0};
    unsigned seed = 1;
    for (size_t i = 0; i < RANDOM; i++) {
        char name[128];
        seed = seed * 1103515245u + 12345u;
        symbols[i][0] = seed >> 8 & (SPACE - 1);
        symbols[i][1] = 1 + (seed >> 20 & 63);
        memset(name, 'x', sizeof name);
        name[symbols[i][1]] = '\0';
        add(&t, symbols[i][0], symbols[i][1], name, 0);
    }
    symtab_finish(&t);
    for (unsigned addr = 0; addr < SPACE + 64; addr++) {
        struct span name;
        uint64_t start;
        int wanted = searched((const unsigned(*)[2])symbols, addr);
        bool found = symtab_find(&t, addr, &name, &start);
        CHECK(found == (wanted >= 0));
        CHECK(!found || start == (uint64_t)wanted);
    }
}

TEST("a hostile table of names without an end costs no more than comparing some of them")
{
    enum { TEXT = 70000, SYMBOLS = 50000, WORK_MAX = 64 << 20 };
    char *text = mem_alloc(TEXT);
    int calls = 0;
    struct span name;
    uint64_t start;
    for (size_t i = 0; i < TEXT; i++)
        text[i] = (char)('a' + i % 26);
    struct symtab t = {.names = view_of(span_of(text, TEXT)), .demangle = demangled, .ctx = &calls};
    for (uint32_t i = 0; i < SYMBOLS; i++)
        symtab_add(&t, 0x1000, 8, i, 0);
    symtab_finish(&t);
    CHECK(symtab_find(&t, 0x1000, &name, &start));
    CHECK(name.len == VIEW_STRING_MAX && calls <= WORK_MAX / VIEW_STRING_MAX + 1);
    symtab_free(&t);
    free(text);
}

static bool
count_asked(void *ctx)
{
    (*(size_t *)ctx)++;
    return false; /* a table is made whole all the same */
}

TEST("a recording that waits for a table of symbols may go on many times while it is made")
{
    enum { SYMBOLS = 100000 };
    size_t asked = 0;
    struct patience patience = {.ask = count_asked, .ctx = &asked};
    FREED(symtab_free) struct symtab t = {.patience = &patience};
    for (uint64_t i = SYMBOLS; i-- > 0;) {
        symtab_add(&t, i * 16, 16, 0, 0);
        patience.over = false;
    }
    CHECK(asked >= SYMBOLS / PATIENCE_STEPS);
    asked = 0;
    symtab_finish(&t);
    CHECK(asked > 0);
    CHECK(t.count == SYMBOLS);
}
