#include "common/stack/model/frametab.h"

#include "common/stack/text/perfline.h"
#include "tests/unit/test.h"

static const struct frame uv_run = {
    .addr = {"7f1e", 4},
    .sym = {"uv_run", 6},
    .offset = {"+0x12", 5},
    .dso = {"/bin/node", 9},
    .srcline = {"core.c:137", 10},
    .has_sym = true,
    .has_srcline = true,
};

static void
check_equal(const struct frame *a, const struct frame *b)
{
    CHECK(span_eq(a->addr, b->addr) && span_eq(a->sym, b->sym) && span_eq(a->offset, b->offset));
    CHECK(span_eq(a->dso, b->dso) && span_eq(a->srcline, b->srcline));
    CHECK(a->sym_blanks == b->sym_blanks);
    CHECK(a->has_sym == b->has_sym && a->has_srcline == b->has_srcline);
}

TEST("a line that is added again has the number that it had, and is found")
{
    FREED(frametab_free) struct frametab t;
    frametab_init(&t, perf_frame_parse);
    CHECK(frametab_find(&t, SPAN("\t 7f1 f (/l)\n")) == INTERN_NONE);
    CHECK(frametab_line(&t, SPAN("\t 7f1 f (/l)\n")) == 0);
    CHECK(frametab_line(&t, SPAN("\t 7f2 g (/l)\n")) == 1);
    CHECK(frametab_line(&t, SPAN("\t 7f1 f (/l)\n")) == 0);
    CHECK(frametab_count(&t) == 2);
    CHECK(frametab_find(&t, SPAN("\t 7f2 g (/l)\n")) == 1);
    CHECK_TEXT(frametab_text(&t, 1), "\t 7f2 g (/l)\n");
    CHECK_TEXT(frametab_frame(&t, 0)->sym, "f");
    CHECK_TEXT(frametab_frame(&t, 1)->addr, "7f2");
}

TEST("parts that are added again have the number that they had, and are kept as they were")
{
    FREED(frametab_free) struct frametab t;
    frametab_init(&t, perf_frame_parse);
    uint32_t number = frametab_add(&t, &uv_run);
    CHECK(frametab_add(&t, &uv_run) == number);
    CHECK(frametab_count(&t) == 1);
    check_equal(frametab_frame(&t, number), &uv_run);
}

TEST("frames that differ in any one part are different frames")
{
    struct frame f[9];
    for (size_t i = 0; i < 9; i++)
        f[i] = uv_run;
    f[1].addr = SPAN("7f1f");
    f[2].sym = SPAN("");
    f[3].offset = SPAN("");
    f[4].dso = SPAN("/bin/nodejs");
    f[5].srcline = SPAN("core.c:138");
    f[6].sym_blanks = 1;
    f[7].has_sym = false;
    f[8].has_srcline = false;
    FREED(frametab_free) struct frametab t;
    frametab_init(&t, perf_frame_parse);
    for (uint32_t i = 0; i < 9; i++)
        CHECK(frametab_add(&t, &f[i]) == i);
    for (uint32_t i = 0; i < 9; i++)
        check_equal(frametab_frame(&t, i), &f[i]);
}

TEST("frames whose parts make the same bytes when joined are different frames")
{
    static const struct frame f[] = {
        {.addr = {"7f", 2}, .sym = {"ab", 2}},
        {.addr = {"7fa", 3}, .sym = {"b", 1}},
        {.addr = {"7fab", 4}},
        {.sym = {"7fab", 4}},
        {.sym = {"7f\0a", 4}, .dso = {"b", 1}},
        {.sym = {"7f", 2}, .dso = {"\0ab", 3}},
        {.sym = {"", 0}, .srcline = {"7fab", 4}},
    };
    enum { N = sizeof f / sizeof *f };
    FREED(frametab_free) struct frametab t;
    frametab_init(&t, perf_frame_parse);
    for (uint32_t i = 0; i < N; i++)
        CHECK(frametab_add(&t, &f[i]) == i);
    for (uint32_t i = 0; i < N; i++)
        check_equal(frametab_frame(&t, i), &f[i]);
}

TEST("a line and equal parts are two frames")
{
    FREED(frametab_free) struct frametab t;
    frametab_init(&t, perf_frame_parse);
    uint32_t line = frametab_line(&t, SPAN("\t 7f1e uv_run+0x12 (/bin/node)\n  core.c:137\n"));
    uint32_t parts = frametab_add(&t, &uv_run);
    CHECK(line != parts);
    check_equal(frametab_frame(&t, line), frametab_frame(&t, parts));
}

TEST("parts that were given stay as they are when many frames follow and the caller's text changes")
{
    enum { MANY = 20000 };
    FREED(frametab_free) struct frametab t;
    char text[32];
    frametab_init(&t, perf_frame_parse);
    uint32_t number = frametab_add(&t, &uv_run);
    struct frame first = *frametab_frame(&t, number);
    for (unsigned i = 0; i < MANY; i++) {
        int len = snprintf(text, sizeof text, "f%u", i);
        uint32_t added =
            frametab_add(&t, &(struct frame){.sym = span_of(text, (size_t)len), .has_sym = true});
        CHECK(added == i + 1);
    }
    check_equal(&first, &uv_run);
    check_equal(frametab_frame(&t, number), &uv_run);
    CHECK_TEXT(frametab_frame(&t, MANY)->sym, "f19999");
}

TEST("parts may be those of another frame of the table")
{
    FREED(frametab_free) struct frametab t;
    frametab_init(&t, perf_frame_parse);
    struct frame f = *frametab_frame(&t, frametab_add(&t, &uv_run));
    f.dso = SPAN("[JIT]");
    uint32_t number = frametab_add(&t, &f);
    check_equal(frametab_frame(&t, number), &f);
}

TEST("a text that is not a frame is a frame whose symbol is the text")
{
    FREED(frametab_free) struct frametab t;
    frametab_init(&t, perf_frame_parse);
    uint32_t number = frametab_line(&t, SPAN("\t what is this \n"));
    CHECK_TEXT(frametab_frame(&t, number)->sym, "what is this");
    CHECK_TEXT(frametab_frame(&t, number)->addr, "");
    CHECK(frametab_frame(&t, number)->has_sym && !frametab_frame(&t, number)->has_srcline);
}
