#include "common/stack/model/profile.h"

#include "common/base/sort.h"
#include "common/stack/text/foldedtext.h"
#include "tests/unit/test.h"

static struct out out; /* large; what was written is read from its buffer */

static struct span
written(struct profile *p)
{
    out_open(&out, -1, "nowhere");
    profile_write(p, &out);
    return span_of(out.buf, out.len);
}

typedef void add_function(struct profile *p, const uint32_t *frames, size_t n, struct decimal count,
                          const struct decimal *second);

/* Adds a stack given as "root;leaf". */
static void
add_text(struct profile *p, add_function *function, struct span stack, uint64_t count,
         const struct decimal *second)
{
    uint32_t frames[64];
    size_t n = 0;
    for (struct span rest = stack; n < 64 && (n == 0 || rest.ptr != NULL);)
        frames[n++] = profile_name(p, folded_frame(&rest));
    function(p, frames, n, (struct decimal){count, 0}, second);
}

static void
add(struct profile *p, const char *stack, uint64_t count)
{
    add_text(p, profile_add, span_cstr(stack), count, NULL);
}

static void
append(struct profile *p, const char *stack, uint64_t count)
{
    add_text(p, profile_append, span_cstr(stack), count, NULL);
}

TEST("a profile without stacks writes nothing")
{
    FREED(profile_free) struct profile p = {0};
    CHECK_TEXT(written(&p), "");
    CHECK(p.stacks.count == 0);
}

TEST("equal names have one number, and keep their text")
{
    FREED(profile_free) struct profile p = {0};
    uint32_t a = profile_name(&p, SPAN("a")), empty = profile_name(&p, SPAN(""));
    CHECK(a != empty);
    CHECK(profile_name(&p, SPAN("a")) == a && profile_name(&p, span_of(NULL, 0)) == empty);
    CHECK(profile_name_before_semicolon(&p, span_head(SPAN("a;b"), 1)) == a);
    CHECK_TEXT(profile_name_text(&p, a), "a");
    CHECK_TEXT(profile_name_text(&p, empty), "");
    char name[1000];
    memset(name, 'n', sizeof name);
    for (size_t len = 250; len < 260; len++) {
        uint32_t id = profile_name(&p, span_of(name, len));
        CHECK(span_eq(profile_name_text(&p, id), span_of(name, len)));
    }
}

TEST("the counts of equal stacks add up, fractions too")
{
    FREED(profile_free) struct profile p = {0};
    const struct decimal half = {0, 500000000000000000};
    add(&p, "a;b", 1);
    add(&p, "a", 5);
    add(&p, "a;b", 2);
    uint32_t frames[] = {profile_name(&p, SPAN("a"))};
    profile_add(&p, frames, 1, half, NULL);
    CHECK_TEXT(written(&p), "a 5.5\na;b 3\n");
    profile_add(&p, frames, 1, half, NULL);
    add(&p, "a;b", UINT64_MAX);
    CHECK_TEXT(written(&p), "a 6\na;b 18446744073709551615\n");
}

TEST("stacks, their depths and their frames can be read")
{
    FREED(profile_free) struct profile p = {0};
    add(&p, "main;f", 1);
    add(&p, "main", 1);
    add(&p, "main;f", 1);
    CHECK(p.stacks.count == 2);
    CHECK(profile_depth(&p, 0) == 2 && profile_depth(&p, 1) == 1);
    CHECK_TEXT(profile_name_text(&p, profile_frame(&p, 0, 0)), "main");
    CHECK_TEXT(profile_name_text(&p, profile_frame(&p, 0, 1)), "f");
    CHECK(profile_frame(&p, 1, 0) == profile_frame(&p, 0, 0));
}

TEST("where one stack has a second count, the others have 0")
{
    FREED(profile_free) struct profile p = {0};
    const struct decimal seven = {7, 0};
    add(&p, "b", 1);
    for (char name[] = "c0"; name[1] <= '9'; name[1]++)
        for (char second[] = "?a"; second[1] <= 'z'; second[1]++) {
            char stack[8];
            snprintf(stack, sizeof stack, "%s%s", name, second);
            add(&p, stack, 1);
        }
    add_text(&p, profile_add, SPAN("a"), 2, &seven);
    add_text(&p, profile_add, SPAN("a"), 0, &seven);
    add(&p, "d", 3);
    add_text(&p, profile_add, SPAN("b"), 4, &seven);
    CHECK(span_starts(written(&p), SPAN("a 2 14\nb 5 7\nc0?a 1 0\n")));
    CHECK(span_ends(written(&p), SPAN("c9?z 1 0\nd 3 0\n")));
}

TEST("stacks that are appended in order are written in order, and later ones in between")
{
    FREED(profile_free) struct profile p = {0};
    append(&p, "a", 1);
    append(&p, "a!;b", 2);
    append(&p, "a;b", 3);
    append(&p, "a;b;c", 4);
    CHECK(!p.unsorted);
    CHECK_TEXT(written(&p), "a 1\na!;b 2\na;b 3\na;b;c 4\n");
    add(&p, "a;b", 10); /* known already */
    add(&p, "a;a", 5);
    append(&p, "z", 6);
    append(&p, "a", 10); /* out of order by now: it is looked up */
    CHECK_TEXT(written(&p), "a 11\na!;b 2\na;a 5\na;b 13\na;b;c 4\nz 6\n");
    CHECK(p.stacks.count == 6);
}

TEST("writing changes nothing: a second time gives the same, and stacks can be added after it")
{
    FREED(profile_free) struct profile p = {0};
    char once[64];
    add(&p, "b;c", 1);
    add(&p, "a", 2);
    add(&p, "b", 3);
    struct span text = written(&p);
    memcpy(once, text.ptr, text.len);
    once[text.len] = '\0';
    CHECK_TEXT(written(&p), once);
    CHECK_TEXT(profile_name_text(&p, profile_frame(&p, 0, 0)), "b");
    add(&p, "b;c", 1);
    add(&p, "0", 1);
    CHECK_TEXT(written(&p), "0 1\na 2\nb 3\nb;c 2\n");
}

TEST("stacks are in byte order, as LC_ALL=C sort puts them")
{
    /* What sort(1) gives for these. */
    static const char *const sorted[] = {
        "",     ";",    ";a",  "a",     "a b", "a!",    "a!;b",  "a0;b",    "a:",    "a:;b", "a;",
        "a; b", "a;!",  "a;a", "a;a;a", "a;b", "a;b c", "a;b!;", "a;b;",    "a;b;c", "a<",   "a<;b",
        "aa",   "aa;b", "ab",  "b",     "b;a", "b\x7f", "b\x80", "b\x80;a", "b\xff",
    };
    enum { N = sizeof sorted / sizeof *sorted };
    static char wanted[4096];
    FREED(profile_free) struct profile p = {0};
    size_t len = 0;
    for (size_t i = 0; i < N; i++) {
        add(&p, sorted[(i * 7 + 3) % N], 1);
        len += (size_t)sprintf(wanted + len, "%s 1\n", sorted[i]);
    }
    CHECK_TEXT(written(&p), wanted);
}

/* Deterministic: the generator of Marsaglia's "Xorshift RNGs" (2003). */
static uint64_t
next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

TEST("random stacks of few letters are written in the order of their texts")
{
    enum { STACKS = 2000, LONGEST = 24 };
    static const char letters[] = "ab!;;\xff";
    static char texts[STACKS][LONGEST];
    static struct span spans[STACKS];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct profile p = {0};
        uint64_t state = seed;
        uint32_t places[STACKS];
        for (size_t i = 0; i < STACKS; i++) {
            size_t len = (size_t)(next_random(&state) % LONGEST);
            for (size_t j = 0; j < len; j++)
                texts[i][j] = letters[next_random(&state) % (sizeof letters - 1)];
            spans[i] = span_of(texts[i], len);
            add_text(&p, profile_add, spans[i], 1, NULL);
        }
        sort_spans(spans, STACKS, places);
        struct span text = written(&p);
        for (size_t i = 0, n; i < STACKS; i += n) {
            for (n = 1; i + n < STACKS && span_eq(spans[i], spans[i + n]); n++)
                ;
            char count[32];
            int len = snprintf(count, sizeof count, " %zu\n", n);
            bool same = span_starts(text, spans[i]);
            text = same ? span_from(text, spans[i].len) : text;
            same = same && span_starts(text, span_of(count, (size_t)len));
            CHECK(same);
            if (!same)
                break;
            text = span_from(text, (size_t)len);
        }
        CHECK(text.len == 0);
        profile_free(&p);
    }
}

/* Adds a stack to the profile as it is, or else to the tree, cut into names, lists of names, and
 * lists of those at random. */
static void
add_somehow(struct profile *p, struct span stack, uint64_t *state)
{
    static const struct decimal once = {1, 0};
    uint32_t frames[64], at = STACKTREE_ROOT;
    size_t n = 0, taken;
    for (struct span rest = stack; n < 64 && (n == 0 || rest.ptr != NULL);)
        frames[n++] = profile_name(p, folded_frame(&rest));
    if (next_random(state) % 4 == 0) {
        profile_add(p, frames, n, once, NULL);
        return;
    }
    for (size_t i = 0; i < n; i += taken) {
        uint32_t list[2];
        taken = (size_t)(next_random(state) % (n - i)) + 1;
        size_t half = (size_t)(next_random(state) % taken);
        list[0] = half > 0 ? profile_list(p, frames + i, half) : 0;
        list[1] = profile_list(p, frames + i + half, taken - half);
        at = stacktree_child(&p->tree, at, profile_list(p, list + (half == 0), 1 + (half > 0)));
    }
    stacktree_count(&p->tree, at, once);
}

TEST("whether stacks are in the tree or not, and made of which lists, the same is written")
{
    static char wanted[OUT_SIZE];
    static const char letters[] = "ab;;";
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct profile plain = {0}, tree = {0};
        uint64_t state = seed, how = seed;
        for (size_t i = 0; i < 1000; i++) {
            char text[16];
            size_t len = (size_t)(next_random(&state) % sizeof text);
            for (size_t j = 0; j < len; j++)
                text[j] = letters[next_random(&state) % (sizeof letters - 1)];
            add_text(&plain, profile_add, span_of(text, len), 1, NULL);
            add_somehow(&tree, span_of(text, len), &how);
        }
        struct span text = written(&plain);
        memcpy(wanted, text.ptr, text.len);
        text = span_of(wanted, text.len);
        CHECK(text.len > 100 && span_eq(written(&tree), text));
        profile_free(&plain);
        profile_free(&tree);
    }
}

TEST("a stack that is not in the tree has its second count, and those of the tree have 0")
{
    FREED(profile_free) struct profile p = {0};
    struct decimal seven = {7, 0};
    uint32_t a = profile_name(&p, SPAN("a")), b = profile_name(&p, SPAN("b"));
    add_text(&p, profile_add, SPAN("a"), 2, &seven);
    stacktree_count(&p.tree, stacktree_child(&p.tree, STACKTREE_ROOT, a), seven);
    stacktree_count(&p.tree, stacktree_child(&p.tree, STACKTREE_ROOT, b), seven);
    CHECK_TEXT(written(&p), "a 9 7\nb 7 0\n");
}

TEST("a stack of the tree may have two counts, beside stacks that have one")
{
    FREED(profile_free) struct profile p = {0};
    add(&p, "a;b", 3);
    uint32_t a = profile_name(&p, SPAN("a")), b = profile_name(&p, SPAN("b"));
    uint32_t ab = stacktree_child(&p.tree, stacktree_child(&p.tree, STACKTREE_ROOT, a), b);
    stacktree_count(&p.tree, ab, (struct decimal){1, 0});
    uint32_t once = stacktree_child(&p.tree, STACKTREE_ROOT, b);
    profile_count_two(&p, once, (struct decimal){0, 0}, (struct decimal){7, 0});
    profile_count_two(&p, once, (struct decimal){2, 0}, (struct decimal){1, 0});
    stacktree_count(&p.tree, stacktree_child(&p.tree, once, a), (struct decimal){5, 0});
    CHECK(!profile_is_full(&p));
    CHECK_TEXT(written(&p), "a;b 4 0\nb 2 8\nb;a 5 0\n");
    profile_count_two(&p, once, (struct decimal){0, 0}, (struct decimal){UINT64_MAX, 0});
    CHECK(profile_is_full(&p));
}
