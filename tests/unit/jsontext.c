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

static struct span
embedded(struct span s, bool ascii)
{
    out_open(&out, -1, "nowhere");
    jsontext_embedded(&out, s, ascii);
    return span_of(out.buf, out.len);
}

TEST("embedded in HTML or XML a string holds no markup and nothing that XML forbids")
{
    CHECK_TEXT(embedded(SPAN("]]></script>&amp;<!--"), false),
               "\"]]\\u003e\\u003c/script\\u003e\\u0026amp;\\u003c!--\"");
    CHECK_TEXT(embedded(SPAN("\"\\\x01"), false), "\"\\\"\\\\\\u0001\"");
    CHECK_TEXT(embedded(SPAN("\xe2\x80\xa8\xe2\x80\xa9"), false), "\"\\u2028\\u2029\"");
    CHECK_TEXT(embedded(SPAN("\xef\xbf\xbe\xef\xbf\xbf"), false), "\"\\ufffe\\uffff\"");
    CHECK_TEXT(embedded(SPAN("\xed\xa0\x80"), false), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST("an embedded string is ASCII if asked, characters above U+FFFF as two surrogates")
{
    CHECK_TEXT(embedded(SPAN("\xc3\xa4\xf0\x9f\x98\x80\xff"), true),
               "\"\\u00e4\\ud83d\\ude00\\ufffd\"");
    CHECK_TEXT(embedded(SPAN("\xc3\xa4\xf0\x9f\x98\x80"), false), "\"\xc3\xa4\xf0\x9f\x98\x80\"");
}
