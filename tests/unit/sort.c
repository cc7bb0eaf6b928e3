#include "tests/unit/test.h"

#include <stdint.h>

#include "common/base/mem.h"
#include "common/base/sort.h"
#include "tests/unit/child.h"

/* Deterministic: the generator of Marsaglia's "Xorshift RNGs" (2003). */
static uint64_t
next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int
compare(const void *a, const void *b)
{
    return span_cmp(*(const struct span *)a, *(const struct span *)b);
}

/* True where sort_spans puts the spans as qsort does and says where each one was. */
static bool
sorts_as_qsort(const struct span *spans, size_t n)
{
    struct span *a = mem_alloc(n * sizeof *a), *b = mem_alloc(n * sizeof *b);
    memcpy(a, spans, n * sizeof *a);
    memcpy(b, spans, n * sizeof *b);
    uint32_t *places = mem_alloc(n * sizeof *places);
    sort_spans(a, n, places);
    qsort(b, n, sizeof *b, compare);
    bool same = true;
    for (size_t i = 0; i < n; i++)
        same &= span_eq(a[i], b[i]) && a[i].ptr == spans[places[i]].ptr;
    free(places);
    free(a);
    free(b);
    return same;
}

enum { MOST = 3000, LONGEST = 64 };

/* Texts of up to LONGEST bytes, each one of the first `letters`, after `shared` bytes that all
 * share. */
static bool
random_texts_sort(uint64_t seed, size_t n, unsigned letters, size_t shared)
{
    static char text[MOST][LONGEST * 2];
    static struct span spans[MOST];
    for (size_t i = 0; i < n; i++) {
        size_t len = shared + next_random(&seed) % LONGEST;
        memset(text[i], 's', shared);
        for (size_t j = shared; j < len; j++)
            text[i][j] = (char)(next_random(&seed) % letters);
        spans[i] = span_of(text[i], len);
    }
    return sorts_as_qsort(spans, n);
}

TEST("nothing, one and two texts are sorted")
{
    struct span v[] = {SPAN("b"), SPAN("a")};
    uint32_t places[2];
    sort_spans(v, 0, places);
    sort_spans(NULL, 0, NULL);
    sort_spans(v, 1, places);
    CHECK_TEXT(v[0], "b");
    CHECK(places[0] == 0);
    sort_spans(v, 2, places);
    CHECK_TEXT(v[0], "a");
    CHECK_TEXT(v[1], "b");
    CHECK(places[0] == 1 && places[1] == 0);
}

TEST("a prefix goes before longer texts, around every multiple of the step")
{
    static const char zeros[40];
    struct span v[40];
    for (size_t i = 0; i < 40; i++)
        v[i] = span_of(zeros, (i * 7) % 40);
    CHECK(sorts_as_qsort(v, 40));
}

TEST("any bytes sort as qsort sorts them")
{
    for (uint64_t seed = 1; seed <= 20; seed++)
        CHECK(random_texts_sort(seed, MOST, 256, 0));
}

TEST("texts of few letters, NUL among them, sort as qsort sorts them")
{
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (unsigned letters = 1; letters <= 3; letters++)
            CHECK(random_texts_sort(seed, MOST, letters, 0));
}

TEST("texts with a long common prefix sort as qsort sorts them")
{
    for (size_t shared = 1; shared < LONGEST; shared += 3)
        CHECK(random_texts_sort(shared + 1, 500, 2, shared));
}

TEST("every number of texts around insertion sort's limit is sorted")
{
    for (size_t n = 0; n < 60; n++)
        CHECK(random_texts_sort(n + 1, n, 4, 9));
}

TEST("texts in order, in reverse and all equal stay as they should")
{
    static char text[MOST][8];
    static struct span up[MOST], down[MOST], same[MOST];
    for (size_t i = 0; i < MOST; i++) {
        snprintf(text[i], sizeof text[i], "%06zu", i);
        up[i] = down[MOST - 1 - i] = span_cstr(text[i]);
        same[i] = SPAN("main;uv_run;uv__io_poll 12");
    }
    CHECK(sorts_as_qsort(up, MOST));
    CHECK(sorts_as_qsort(down, MOST));
    CHECK(sorts_as_qsort(same, MOST));
}

TEST("texts with deeply nested prefixes are sorted without a deep stack")
{
    enum { DEEP = 4000 };
    static char text[DEEP];
    static struct span v[DEEP];
    memset(text, 'a', DEEP);
    for (size_t i = 0; i < DEEP; i++)
        v[i] = span_of(text, (i * 1237) % DEEP);
    CHECK(sorts_as_qsort(v, DEEP));
}

enum { NAMES = 60, DEPTH = 12, LINE = DEPTH * 8 };

/* Names of up to five letters of an alphabet that lies on both sides of ";", some of them twice,
 * and their ranks as sort_sequences takes them: of the text with ";" and of the text alone. */
static void
random_names(uint64_t *seed, unsigned letters, char names[NAMES][8], uint32_t rank[2 * NAMES])
{
    static const char alphabet[] = "ab! :<\xff\t";
    static char text[2 * NAMES][8];
    struct span forms[2 * NAMES];
    uint32_t places[2 * NAMES];
    for (size_t i = 0; i < NAMES; i++) {
        size_t len = (size_t)(next_random(seed) % 6);
        for (size_t j = 0; j < len; j++)
            names[i][j] = alphabet[next_random(seed) % letters];
        names[i][len] = '\0';
        snprintf(text[2 * i], sizeof text[0], "%.6s;", names[i]);
        snprintf(text[2 * i + 1], sizeof text[0], "%.6s", names[i]);
    }
    for (size_t i = 0; i < 2 * NAMES; i++)
        forms[i] = span_cstr(text[i]);
    sort_spans(forms, 2 * NAMES, places);
    for (uint32_t i = 0; i < 2 * NAMES; i++)
        rank[places[i]] = i;
}

/* The number of a random name: of equal names always the first. */
static uint32_t
random_name(uint64_t *seed, char names[NAMES][8])
{
    const char *wanted = names[next_random(seed) % NAMES];
    uint32_t number = 0;
    while (strcmp(names[number], wanted) != 0)
        number++;
    return number;
}

/* True where sort_sequences puts n random stacks as qsort puts their lines. */
static bool
sequences_sort(uint64_t seed, size_t n, unsigned letters)
{
    static uint32_t stacks[MOST][DEPTH], rank[2 * NAMES], order[MOST];
    static char names[NAMES][8], lines[MOST][LINE];
    static struct span sequences[MOST], wanted[MOST];
    random_names(&seed, letters, names, rank);
    for (size_t i = 0; i < n; i++) {
        size_t depth = 1 + (size_t)(next_random(&seed) % DEPTH), len = 0;
        size_t shared = (size_t)(next_random(&seed) % DEPTH);
        for (size_t j = 0; j < depth; j++) {
            /* Most stacks begin as the one before, so that they compare deep inside. */
            bool same = i > 0 && j < shared && j * sizeof **stacks < sequences[i - 1].len;
            stacks[i][j] = same ? stacks[i - 1][j] : random_name(&seed, names);
            len += (size_t)snprintf(lines[i] + len, LINE - len, "%s%s", j > 0 ? ";" : "",
                                    names[stacks[i][j]]);
        }
        sequences[i] = span_of((const char *)stacks[i], depth * sizeof **stacks);
        wanted[i] = span_of(lines[i], len);
    }
    sort_sequences(sequences, n, rank, order);
    qsort(wanted, n, sizeof *wanted, compare);
    bool same = true;
    for (size_t i = 0; i < n; i++)
        same &= span_eq(span_cstr(lines[order[i]]), wanted[i]);
    return same;
}

TEST("sequences sort as qsort sorts the lines that their names make")
{
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (unsigned letters = 1; letters <= 8; letters++)
            CHECK(sequences_sort(seed, MOST, letters));
    for (size_t n = 0; n < 60; n++)
        CHECK(sequences_sort(n + 1, n, 2));
}

TEST("ranks up to the largest are told apart, wherever they stand in a sequence")
{
    static const uint32_t sequences[][4] = {{0, 0, 0, 1}, {0, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}};
    const uint32_t rank[] = {SORT_RANKS - 4, SORT_RANKS - 3, SORT_RANKS - 2, SORT_RANKS - 1};
    struct span v[5];
    uint32_t order[5];
    for (size_t i = 0; i < 4; i++)
        v[i] = span_of((const char *)sequences[i], sizeof sequences[i]);
    v[4] = span_of((const char *)sequences[0], 2 * sizeof **sequences); /* 0 and, as the last, 0 */
    sort_sequences(v, 5, rank, order);
    static const uint32_t wanted[] = {1, 0, 4, 2, 3};
    CHECK(memcmp(order, wanted, sizeof wanted) == 0);
}

#if SIZE_MAX > UINT32_MAX
static void
sort_too_many(void *arg)
{
    (void)arg;
    sort_order(NULL, (size_t)UINT32_MAX + 1, NULL);
}

TEST("more spans than 32 bits can number end the program as a lack of memory")
{
    struct child c;
    child_run(&c, sort_too_many, NULL);
    CHECK(c.status == 1);
    CHECK(span_search(c.err, SPAN("out of memory\n")) != SPAN_NONE);
}
#endif
