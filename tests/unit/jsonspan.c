#include "cmd/nodeprofile/jsonspan.h"

#include "tests/unit/test.h"

#include <stdlib.h>

TEST("members and elements are found one after the other, whatever their strings hold")
{
    struct span text = SPAN(
                    " { \"a\" : [1, -2.5 ,{\"b\":\"]}\\\"\"}, \"\"] ,\"c\":\"x\\\\\",\"d\":{}}"),
                key, value, element;
    CHECK(jsonspan_member(&text, &key, &value));
    CHECK(span_eq(key, SPAN("a")));
    CHECK(jsonspan_element(&value, &element) && span_eq(element, SPAN("1")));
    CHECK(jsonspan_element(&value, &element) && span_eq(element, SPAN("-2.5")));
    CHECK(jsonspan_element(&value, &element) && span_eq(element, SPAN("{\"b\":\"]}\\\"\"}")));
    CHECK(jsonspan_element(&value, &element) && span_eq(element, SPAN("\"\"")));
    CHECK(!jsonspan_element(&value, &element));
    CHECK(jsonspan_member(&text, &key, &value));
    CHECK(span_eq(key, SPAN("c")) && span_eq(jsonspan_string(value), SPAN("x\\\\")));
    CHECK(jsonspan_member(&text, &key, &value));
    CHECK(span_eq(key, SPAN("d")) && span_eq(value, SPAN("{}")));
    CHECK(!jsonspan_member(&value, &key, &element));
    CHECK(!jsonspan_member(&text, &key, &value));
}

TEST("a member is found by its key, not by one inside of it")
{
    struct span text = SPAN("{\"a\":{\"id\":1},\"id\":2}");
    CHECK(span_eq(jsonspan_find(text, SPAN("id")), SPAN("2")));
    CHECK(jsonspan_find(text, SPAN("b")).len == 0);
    CHECK(jsonspan_string(SPAN("2")).len == 0 && jsonspan_string(SPAN("\"")).len == 0);
}

static bool
decodes(struct span string, struct span wanted)
{
    struct text to = {0};
    jsonspan_decode(&to, string);
    bool same = span_eq(text_span(&to), wanted);
    free(to.ptr);
    return same;
}

TEST("escapes are decoded, and what is no escape is left out")
{
    CHECK(decodes(SPAN(""), SPAN("")));
    CHECK(decodes(SPAN("{\\\"a\\\":\\\"\\\\n\\\"}"), SPAN("{\"a\":\"\\n\"}")));
    CHECK(decodes(SPAN("\\b\\f\\n\\r\\t\\/"), SPAN("\b\f\n\r\t/")));
    CHECK(decodes(SPAN("\\u00e9\\u20AC\\ud83d\\ude00."),
                  SPAN("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80.")));
    CHECK(decodes(SPAN("\\ud83d\\n\\ude00"), SPAN("\xef\xbf\xbd\n\xef\xbf\xbd")));
    CHECK(decodes(SPAN("\\ud83d\\u0041"), SPAN("\xef\xbf\xbd"
                                               "A")));
    CHECK(decodes(SPAN("a\\qb\\"), SPAN("ab")));
    CHECK(decodes(SPAN("\\u"), SPAN("\0")));
}
