#include "tests/unit/test.h"

#include "common/stack/foldedtext.h"

TEST("a line is a stack and a count, whole or with a fraction")
{
    struct folded f;
    CHECK(folded_parse(SPAN("a;b c 12"), 0, &f));
    CHECK_TEXT(f.stack, "a;b c");
    CHECK_TEXT(f.count, "12");
    CHECK_TEXT(f.second, "");
    CHECK(folded_parse(SPAN("a\t1.50\r"), 1, &f));
    CHECK_TEXT(f.stack, "a");
    CHECK_TEXT(f.count, "1.50");
    CHECK(folded_parse(SPAN(" 3"), 1, &f));
    CHECK_TEXT(f.stack, "");
}

TEST("how many counts a line has is told, or taken as they come")
{
    struct folded f;
    CHECK(folded_parse(SPAN("a 1 2 3"), 0, &f));
    CHECK_TEXT(f.stack, "a 1");
    CHECK_TEXT(f.count, "2");
    CHECK_TEXT(f.second, "3");
    CHECK(folded_parse(SPAN("a 1 2"), 1, &f));
    CHECK_TEXT(f.stack, "a 1");
    CHECK_TEXT(f.count, "2");
    CHECK_TEXT(f.second, "");
    CHECK(!folded_parse(SPAN("a 1"), 2, &f));
}

TEST("what has no count at its end is no folded stack")
{
    static const struct span bad[] = {
        SPAN(""),     SPAN("12"),   SPAN("a"),    SPAN("a 12x"), SPAN("a;12"),
        SPAN("a -1"), SPAN("a .5"), SPAN("a 1 "), SPAN("a 1e3"), SPAN("a 1.2.3"),
    };
    struct folded f;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!folded_parse(bad[i], 0, &f));
}

TEST("frames come root first, empty ones too, and then there is none")
{
    struct span stack = SPAN("a;;b");
    CHECK_TEXT(folded_frame(&stack), "a");
    CHECK_TEXT(folded_frame(&stack), "");
    CHECK(stack.ptr != NULL);
    CHECK_TEXT(folded_frame(&stack), "b");
    CHECK(stack.ptr == NULL);
    stack = SPAN("");
    CHECK_TEXT(folded_frame(&stack), "");
    CHECK(stack.ptr == NULL);
}

TEST("a mark goes from a name, and nothing that only looks like one")
{
    CHECK_TEXT(folded_unmarked(SPAN("vfs_read_[k]")), "vfs_read");
    CHECK_TEXT(folded_unmarked(SPAN("a_[i]")), "a");
    CHECK_TEXT(folded_unmarked(SPAN("a_[j]")), "a");
    CHECK_TEXT(folded_unmarked(SPAN("a_[w]_[w]")), "a_[w]");
    CHECK_TEXT(folded_unmarked(SPAN("_[k]")), "");
    CHECK_TEXT(folded_unmarked(SPAN("a_[x]")), "a_[x]");
    CHECK_TEXT(folded_unmarked(SPAN("a_[k] ")), "a_[k] ");
    CHECK_TEXT(folded_unmarked(SPAN("[k]")), "[k]");
    CHECK_TEXT(folded_unmarked(SPAN("")), "");
}
