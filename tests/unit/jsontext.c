#include "tests/unit/test.h"

#include "common/base/jsontext.h"

static struct out out;

static struct span
written(struct span s)
{
    out_open(&out, -1, "nowhere");
    jsontext_string(&out, s);
    return span_of(out.buf, out.len);
}

TEST("a string is quoted, and what JSON does not allow in it is escaped")
{
    CHECK_TEXT(written(SPAN("")), "\"\"");
    CHECK_TEXT(written(SPAN("a\"b\\c/d")), "\"a\\\"b\\\\c/d\"");
    CHECK_TEXT(written(SPAN("\t\n\x1f\x7f")), "\"\\u0009\\u000a\\u001f\\u007f\"");
    CHECK(span_eq(written(SPAN("a\0b")), SPAN("\"a\\u0000b\"")));
}

TEST("UTF-8 stays, and a byte that is not UTF-8 becomes U+FFFD")
{
    CHECK_TEXT(written(SPAN("\xc3\xa4")), "\"\xc3\xa4\"");
    CHECK_TEXT(written(SPAN("\xff\xc3")), "\"\xef\xbf\xbd\xef\xbf\xbd\"");
}
