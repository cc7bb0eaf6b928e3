#include "tests/unit/test.h"

#include "cmd/stackcollapse/linecache.h"

/* The name of the line that is predicted for this text, or INTERN_NONE. */
static uint32_t
predicted(struct linecache *c, struct span text)
{
    const struct linepair *pair = linecache_predicted(c, text);
    return pair != NULL ? pair->name : INTERN_NONE;
}

TEST("a line is predicted by the two before it")
{
    struct linecache c = {0};
    const struct span stacks[2][3] = {
        {SPAN("a\n"), SPAN("shared\n"), SPAN("x\n")},
        {SPAN("b\n"), SPAN("shared\n"), SPAN("y\n")},
    };
    for (uint32_t i = 0; i < 2; i++) {
        linecache_begin(&c);
        for (uint32_t j = 0; j < 3; j++)
            linecache_keep(&c, span_head(stacks[i][j], stacks[i][j].len - 1), 3 * i + j);
    }
    for (uint32_t i = 0; i < 2; i++) {
        linecache_begin(&c);
        linecache_take(&c, linecache_find(&c, span_head(stacks[i][0], 1)));
        CHECK(predicted(&c, SPAN("other\n")) == INTERN_NONE);
        CHECK(predicted(&c, SPAN("shared\nx\ny\n")) == 1);
        CHECK(predicted(&c, i == 0 ? SPAN("y\n") : SPAN("x\n")) == INTERN_NONE);
        CHECK(predicted(&c, i == 0 ? SPAN("x\n") : SPAN("y\n")) == 3 * i + 2);
    }
    linecache_free(&c);
}

TEST("a cache that is full forgets its lines, and keeps new ones")
{
    enum { MANY = 200 * 1000 };
    struct linecache c = {0};
    char text[32];
    for (uint32_t i = 0; i < MANY; i++) {
        int len = snprintf(text, sizeof text, "frame %u\n", (unsigned)i);
        struct span line = span_of(text, (size_t)len - 1);
        CHECK(linecache_find(&c, line) == INTERN_NONE);
        linecache_keep(&c, line, i);
        uint32_t found = linecache_find(&c, line);
        CHECK(found == INTERN_NONE || linecache_take(&c, found) == i);
    }
    CHECK(c.lines.count < MANY / 2);
    linecache_free(&c);
}
