#include "tests/unit/test.h"

#include "common/base/span.h"

TEST("equal spans have the same length and the same bytes, NUL among them")
{
    CHECK(span_eq(SPAN("a\0b"), SPAN("a\0b")));
    CHECK(!span_eq(SPAN("a\0b"), SPAN("a\0c")));
    CHECK(!span_eq(SPAN("a\0b"), SPAN("a")));
    CHECK(span_eq(SPAN(""), span_of(NULL, 0)));
}

TEST("a span is cut at its head and its front")
{
    CHECK_TEXT(span_head(SPAN("node:events"), 4), "node");
    CHECK_TEXT(span_from(SPAN("node:events"), 5), "events");
    CHECK_TEXT(span_from(SPAN("node"), 4), "");
    CHECK_TEXT(span_cstr("text"), "text");
}

TEST("prefixes and suffixes are recognized")
{
    CHECK(span_starts(SPAN("LazyCompile:"), SPAN("Lazy")));
    CHECK(span_starts(SPAN("x"), SPAN("")));
    CHECK(!span_starts(SPAN("La"), SPAN("Lazy")));
    CHECK(span_ends(SPAN("perf-1.map"), SPAN(".map")));
    CHECK(span_ends(SPAN("x"), SPAN("")));
    CHECK(!span_ends(SPAN("map"), SPAN(".map")));
}

TEST("a byte is found from either end, NUL too")
{
    CHECK(span_find(SPAN("a;b;c"), ';') == 1);
    CHECK(span_rfind(SPAN("a;b;c"), ';') == 3);
    CHECK(span_find(SPAN("ab\0c"), '\0') == 2);
    CHECK(span_rfind(SPAN("\0abc"), '\0') == 0);
    CHECK(span_find(SPAN("abc"), ';') == SPAN_NONE);
    CHECK(span_rfind(SPAN("abc"), ';') == SPAN_NONE);
    CHECK(span_find(span_of(NULL, 0), 'a') == SPAN_NONE);
    CHECK(span_rfind(span_of(NULL, 0), 'a') == SPAN_NONE);
}

TEST("a text is found at its first occurrence, the empty one at 0")
{
    CHECK(span_search(SPAN("a v8::internal::v8"), SPAN("v8")) == 2);
    CHECK(span_search(SPAN("ab\0cd"), SPAN("\0c")) == 2);
    CHECK(span_search(SPAN("abc"), SPAN("abcd")) == SPAN_NONE);
    CHECK(span_search(SPAN("abc"), SPAN("")) == 0);
    CHECK(span_search(span_of(NULL, 0), SPAN("")) == 0);
    CHECK(span_search(span_of(NULL, 0), SPAN("a")) == SPAN_NONE);
}

TEST("a text is found at its last occurrence")
{
    CHECK(span_rsearch(SPAN("pid=1 pid=22 prio=120"), SPAN("pid=")) == 6);
    CHECK(span_rsearch(SPAN("pid=1 pid="), SPAN("pid=")) == 6);
    CHECK(span_rsearch(SPAN("pid=1 id=2"), SPAN("pid=")) == 0);
    CHECK(span_rsearch(SPAN("aaa"), SPAN("aa")) == 1);
    CHECK(span_rsearch(SPAN("abc"), SPAN("abcd")) == SPAN_NONE);
    CHECK(span_rsearch(SPAN("=id="), SPAN("pid=")) == SPAN_NONE);
    CHECK(span_rsearch(span_of(NULL, 0), SPAN("a")) == SPAN_NONE);
}

TEST("the order is that of unsigned bytes, a prefix first")
{
    CHECK(span_cmp(SPAN("a"), SPAN("b")) < 0);
    CHECK(span_cmp(SPAN("a"), SPAN("ab")) < 0);
    CHECK(span_cmp(SPAN("a\0"), SPAN("a")) > 0);
    CHECK(span_cmp(SPAN("\xff"), SPAN("a")) > 0);
    CHECK(span_cmp(SPAN("same"), SPAN("same")) == 0);
    CHECK(span_cmp(span_of(NULL, 0), SPAN("")) == 0);
    CHECK(span_cmp(span_of(NULL, 0), SPAN("a")) < 0);
}

TEST("white space is trimmed from both ends, not inside")
{
    CHECK_TEXT(span_trim(SPAN(" \t\r\n\v\fV8 Worker \r\n")), "V8 Worker");
    CHECK_TEXT(span_trim(SPAN(" \t ")), "");
    CHECK_TEXT(span_trim(SPAN("")), "");
    CHECK(span_trim(SPAN(" \0 ")).len == 1);
    CHECK(!is_space('\x85') && !is_space('\xa0') && !is_space('\0'));
}

TEST("a run is the number of bytes in a row that satisfy the predicate")
{
    CHECK(span_run(SPAN("123ab"), 0, is_digit) == 3);
    CHECK(span_run(SPAN("123ab"), 1, is_hex) == 4);
    CHECK(span_run(SPAN("123ab"), 5, is_hex) == 0);
    CHECK(span_run(SPAN("xyZ1"), 0, is_alpha) == 3);
    CHECK(span_run(SPAN("AF"), 0, is_hex) == 0);
    CHECK(span_run(SPAN("Az_09-"), 0, is_word) == 5);
}
