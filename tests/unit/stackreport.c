#include "tests/unit/test.h"

#include "cmd/stackreport/count.h"
#include "cmd/stackreport/rows.h"

/* Random stacks of a few functions, so that they share beginnings and have recursion. */
enum { FUNCTIONS = 5, DEPTH = 7, STACKS = 2000 };

struct stacks {
    uint32_t frames[STACKS][DEPTH];
    size_t depth[STACKS];
};

static struct stacks stacks;

static unsigned
next_random(void)
{
    static uint64_t state = 88172645463325252u; /* xorshift64 */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 32);
}

static void
make_stacks(void)
{
    for (size_t i = 0; i < STACKS; i++) {
        stacks.depth[i] = 1 + next_random() % DEPTH;
        for (size_t k = 0; k < stacks.depth[i]; k++)
            stacks.frames[i][k] = next_random() % FUNCTIONS;
    }
}

/* Functions "f0", "f1", ... are names 0, 1, ... */
static void
start(struct counter *c, struct profile *names, enum shape shape, const struct pattern *function)
{
    *c = (struct counter){.shape = shape, .function = function, .groups = {.names = names}};
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        char name[8];
        snprintf(name, sizeof name, "f%u", i);
        CHECK(profile_name(names, span_cstr(name)) == i);
    }
}

static void
add_all(struct counter *c)
{
    for (size_t i = 0; i < STACKS; i++)
        counter_add(c, stacks.frames[i], stacks.depth[i], (struct decimal){i, 0});
    counter_sum(c);
}

static uint64_t
count_self(uint32_t function)
{
    uint64_t n = 0;
    for (size_t i = 0; i < STACKS; i++)
        n += stacks.frames[i][stacks.depth[i] - 1] == function ? i : 0;
    return n;
}

static uint64_t
count_total(uint32_t function)
{
    uint64_t n = 0;
    for (size_t i = 0; i < STACKS; i++) {
        size_t k = 0;
        while (k < stacks.depth[i] && stacks.frames[i][k] != function)
            k++;
        n += k < stacks.depth[i] ? i : 0;
    }
    return n;
}

TEST("self and total of random stacks are what a count of each stack by itself gives")
{
    FREED(profile_free) struct profile names = {0};
    FREED(counter_free) struct counter c;
    make_stacks();
    start(&c, &names, SHAPE_TABLE, NULL);
    add_all(&c);
    CHECK(c.nnodes == FUNCTIONS);
    for (uint32_t f = 0; f < FUNCTIONS; f++) {
        const struct count_node *n = &c.nodes[group_of(&c.groups, f)];
        CHECK(n->self.whole == count_self(f));
        CHECK(n->total.whole == count_total(f));
    }
}

/* Walks the tree: a node's total is its self and the totals below it. */
static void
check_sums(const struct counter *c)
{
    for (size_t i = 0; i < c->nnodes; i++) {
        const struct count_node *n = &c->nodes[i];
        uint64_t sum = n->self.whole;
        for (uint32_t k = n->first; k != INTERN_NONE; k = c->nodes[k].next) {
            CHECK(c->tree.nodes[k + 1].parent == i + 1);
            sum += c->nodes[k].total.whole;
        }
        CHECK(n->total.whole == sum);
    }
}

TEST("a tree has a function's total at its root, and of callees each row is the sum of those below "
     "it")
{
    static const enum shape shapes[] = {SHAPE_CALLERS, SHAPE_CALLEES};
    FREED(pattern_free) struct pattern f1;
    char error[PATTERN_ERROR];
    CHECK(pattern_compile(&f1, "^f1$", error));
    make_stacks();
    for (size_t i = 0; i < 2; i++) {
        struct profile names = {0};
        struct counter c;
        start(&c, &names, shapes[i], &f1);
        add_all(&c);
        CHECK(c.nodes[c.first_root].next == INTERN_NONE);
        CHECK(c.nodes[c.first_root].total.whole == count_total(1));
        if (shapes[i] == SHAPE_CALLERS)
            CHECK(c.nodes[c.first_root].self.whole == count_self(1));
        else
            check_sums(&c);
        counter_free(&c);
        profile_free(&names);
    }
}

TEST("a function that calls itself counts once in its total")
{
    FREED(profile_free) struct profile names = {0};
    FREED(counter_free) struct counter c;
    const uint32_t stack[] = {0, 1, 0};
    start(&c, &names, SHAPE_TABLE, NULL);
    for (int i = 0; i < 3; i++)
        counter_add(&c, stack, 3, (struct decimal){1, 0});
    CHECK(c.nodes[0].total.whole == 3);
    CHECK(c.nodes[0].self.whole == 3);
    CHECK(c.nodes[1].total.whole == 3);
    CHECK(c.nodes[1].self.whole == 0);
}

TEST("rows come in order, each before those below it, and only the first few of each level")
{
    FREED(profile_free) struct profile names = {0};
    FREED(counter_free) struct counter c;
    FREED(pattern_free) struct pattern f0;
    struct rows rows;
    struct row row;
    char error[PATTERN_ERROR], text[64] = "";
    static const uint32_t lists[][3] = {{0, 1, 2}, {0, 1, 3}, {0, 1, 3}, {0, 2, 0}, {0, 3, 0}};
    CHECK(pattern_compile(&f0, "^f0$", error));
    start(&c, &names, SHAPE_CALLEES, &f0);
    for (size_t i = 0; i < 5; i++)
        counter_add(&c, lists[i], 3, (struct decimal){1, 0});
    counter_sum(&c);
    rows_start(&rows, &c, SORT_TOTAL, 2);
    while (rows_next(&rows, &row))
        snprintf(text + strlen(text), sizeof text - strlen(text), "%u%.*s ", (unsigned)row.depth,
                 SPAN_ARG(row.name));
    CHECK_TEXT(span_cstr(text), "0f0 1f1 2f3 2f2 1f2 2f0 ");
    CHECK(!rows_next(&rows, &row));
}

TEST("a function is one group whatever stackcollapse marked it with, but the kernel's is another")
{
    static const struct {
        struct span name, text;
        enum frame_kind kind;
    } rows[] = {
        {SPAN("f"), SPAN("f"), KIND_NATIVE},
        {SPAN("f_[i]"), SPAN("f"), KIND_NATIVE},
        {SPAN("f_[k]"), SPAN("f"), KIND_KERNEL},
        {SPAN("JS:*g /a.js:1:2_[j]"), SPAN("JS:*g /a.js:1:2"), KIND_APP},
        {NO_FRAMES, NO_FRAMES, KIND_COUNT},
    };
    FREED(profile_free) struct profile names = {0};
    FREED(group_free) struct groups g = {.names = &names};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t group = group_of(&g, profile_name(&names, rows[i].name));
        CHECK(span_eq(group_text(&g, group), rows[i].text));
        CHECK(group_kind(&g, group) == rows[i].kind);
    }
    CHECK(group_count(&g) == 4);
}
