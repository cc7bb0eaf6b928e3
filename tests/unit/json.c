#define _GNU_SOURCE /* memfd_create(2), Linux 3.17 */
#include "common/base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "tests/unit/test.h"

static struct lines lines;

static void
start_at(struct json *j, size_t blanks, struct span text)
{
    int fd = memfd_create("json", MFD_CLOEXEC);
    CHECK(fd >= 0);
    char *file = mem_alloc(blanks + text.len + 1);
    memset(file, ' ', blanks);
    memcpy(file + blanks, text.ptr, text.len);
    CHECK(write(fd, file, blanks + text.len) == (ssize_t)(blanks + text.len));
    free(file);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    if (lines.buf != NULL)
        close(lines.fd);
    lines_start(&lines, fd);
    json_start(j, &lines);
}

static void
start(struct json *j, const char *text)
{
    start_at(j, 0, span_cstr(text));
}

/* The items of the text, a letter for each: {}[] k(ey) s(tring) n(umber) t f 0 . (end) ! (error) */
static struct span
items(const char *text)
{
    static const char letters[] = ".!{}[]ksntf0";
    static char got[64];
    struct json j;
    size_t n = 0;
    start(&j, text);
    do
        got[n++] = letters[json_next(&j)];
    while (j.item != JSON_END && j.item != JSON_ERROR && n < sizeof got);
    CHECK(json_next(&j) == j.item);
    return span_of(got, n);
}

TEST("a text is given item by item")
{
    CHECK_TEXT(items(" {\"a\" : [1, -2.5e+3, \"x\"],\n\"b\":{}, \"c\":[ ]}\r\n"),
               "{k[nns]k{}k[]}.");
    CHECK_TEXT(items("[true,false,null,[[]],{\"\":0}]"), "[tf0[[]]{kn}].");
    CHECK_TEXT(items("12"), "n.");
    CHECK_TEXT(items("\"\""), "s.");
}

TEST("what is not JSON is an error")
{
    static const char *const bad[][2] = {
        {"", "!"},
        {"  ", "!"},
        {"[1,]", "[n!"},
        {"[1 2]", "[n!"},
        {"{\"a\"}", "{k!"},
        {"{\"a\":1,}", "{kn!"},
        {"{1:2}", "{!"},
        {"[1}", "[n!"},
        {"01", "!"},
        {"1.", "!"},
        {".5", "!"},
        {"-", "!"},
        {"1e", "!"},
        {"+1", "!"},
        {"tru", "!"},
        {"nulL", "!"},
        {"[\"a", "[!"},
        {"[\"\\x\"]", "[!"},
        {"[\"\\u12g4\"]", "[!"},
        {"[\"\t\"]", "[!"},
        {"1 2", "n!"},
        {"{}}", "{}!"},
        {"['a']", "[!"},
        {"[NaN]", "[!"},
        {"{,}", "{!"},
        {"[,1]", "[!"},
        {"{\"a\":}", "{k!"},
        {"]", "!"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_TEXT(items(bad[i][0]), bad[i][1]);
}

TEST("an error says where it is and what should be there instead")
{
    struct json j;
    start(&j, "{\"a\":\n [1,\n 2 x]}");
    while (json_next(&j) != JSON_ERROR)
        ;
    CHECK_TEXT(span_cstr(j.why), "byte 15: 'x' where a comma or ] should follow");
    CHECK(j.lines->number == 3 && !j.cut);
    start(&j, "[\"ab");
    json_next(&j);
    CHECK(json_next(&j) == JSON_ERROR && j.cut);
    CHECK_TEXT(span_cstr(j.why),
               "byte 5: the JSON text ends where the rest of a string should follow");
    start(&j, "\"\\u00");
    CHECK(json_next(&j) == JSON_ERROR && j.cut);
    CHECK_TEXT(span_cstr(j.why),
               "byte 6: the JSON text ends where the rest of an escape should follow");
    start(&j, "\"\\u0x\"");
    CHECK(json_next(&j) == JSON_ERROR && !j.cut);
    CHECK_TEXT(span_cstr(j.why), "byte 5: 'x' where the rest of an escape should follow");
    start(&j, "[\x01");
    json_next(&j);
    CHECK(json_next(&j) == JSON_ERROR && !j.cut);
    CHECK_TEXT(span_cstr(j.why), "byte 2: the byte 0x01 where a value should follow");
}

static struct span
string(const char *text)
{
    static struct json j;
    start(&j, text);
    CHECK(json_next(&j) == JSON_STRING);
    return j.text;
}

TEST("escapes are decoded, surrogate pairs too")
{
    CHECK_TEXT(string("\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\""), "a\"\\/\b\f\n\r\tz");
    CHECK_TEXT(string("\"\\u0041\\u00e9\\u20AC\\uFFFD\""), "A\xc3\xa9\xe2\x82\xac\xef\xbf\xbd");
    CHECK_TEXT(string("\"<\\ud83d\\ude00>\""), "<\xf0\x9f\x98\x80>");
    CHECK_TEXT(string("\"\\udbff\\udfff\""), "\xf4\x8f\xbf\xbf");
    CHECK(string("\"a\\u0000b\"").len == 3);
    CHECK_TEXT(string("\"gr\xc3\xb6\xc3\x9f\x65\""), "gr\xc3\xb6\xc3\x9f\x65");
}

TEST("a surrogate without its partner becomes U+FFFD")
{
    CHECK_TEXT(string("\"\\ud83d\""), "\xef\xbf\xbd");
    CHECK_TEXT(string("\"\\ude00\\ud83d\""), "\xef\xbf\xbd\xef\xbf\xbd");
    CHECK_TEXT(string("\"\\ud83dx\""), "\xef\xbf\xbdx");
    CHECK_TEXT(string("\"\\ud83d\\n\""), "\xef\xbf\xbd\n");
    CHECK_TEXT(string("\"\\ud83d\\ud83d\\ude00\""), "\xef\xbf\xbd\xf0\x9f\x98\x80");
}

TEST("items may lie across the end of a block that was read")
{
    enum { BLOCK = 256 * 1024 };
    const struct span text = SPAN("{\"k\\u00e9y\":[\"\\ud83d\\ude00\",-12.5e3,true,\"plain\"]}");
    for (size_t i = 0; i <= text.len; i++) {
        struct json j;
        start_at(&j, BLOCK - i, text);
        CHECK(json_next(&j) == JSON_OBJECT);
        CHECK(json_next(&j) == JSON_KEY);
        CHECK_TEXT(j.text, "k\xc3\xa9y");
        CHECK(json_next(&j) == JSON_ARRAY);
        CHECK(json_next(&j) == JSON_STRING);
        CHECK_TEXT(j.text, "\xf0\x9f\x98\x80");
        CHECK(json_next(&j) == JSON_NUMBER);
        CHECK_TEXT(j.text, "-12.5e3");
        CHECK(json_next(&j) == JSON_TRUE);
        CHECK(json_next(&j) == JSON_STRING);
        CHECK_TEXT(j.text, "plain");
        CHECK(json_next(&j) == JSON_ARRAY_END);
        CHECK(json_next(&j) == JSON_OBJECT_END);
        CHECK(json_next(&j) == JSON_END);
    }
}

TEST("a string may be longer than a block, and an error after it has its place in the text")
{
    struct text t = {0};
    struct json j;
    text_add(&t, SPAN("[\""));
    for (size_t i = 0; i < 300000; i++)
        text_add(&t, SPAN("ab\\n"));
    text_add(&t, SPAN("\" x"));
    start_at(&j, 0, text_span(&t));
    CHECK(json_next(&j) == JSON_ARRAY);
    CHECK(json_next(&j) == JSON_STRING);
    CHECK(j.text.len == 900000 && span_ends(j.text, SPAN("ab\nab\n")));
    CHECK(json_next(&j) == JSON_ERROR);
    CHECK_TEXT(span_cstr(j.why), "byte 1200005: 'x' where a comma or ] should follow");
    free(t.ptr);
}

TEST("nesting is limited")
{
    struct text t = {0};
    struct json j;
    for (size_t i = 0; i < JSON_DEPTH + 1; i++)
        text_add(&t, i % 2 == 0 ? SPAN("[") : SPAN("{\"\":"));
    start_at(&j, 0, text_span(&t));
    while (json_next(&j) != JSON_ERROR)
        ;
    CHECK(j.depth == JSON_DEPTH);
    CHECK(strstr(j.why, "nested deeper than 10000 levels") != NULL);
    free(t.ptr);
}

TEST("objects, arrays and single values can be walked through and skipped")
{
    struct json j;
    start(&j, "{\"a\":{\"x\":[1,{}]},\"b\":[[1],2],\"c\":3}");
    CHECK(json_next(&j) == JSON_OBJECT && json_member(&j) && json_is(&j, SPAN("a")));
    CHECK(json_scalar(&j) == JSON_OBJECT && j.depth == 1);
    CHECK(json_member(&j) && json_is(&j, SPAN("b")) && json_next(&j) == JSON_ARRAY);
    CHECK(json_element(&j) && j.item == JSON_ARRAY && json_skip(&j));
    CHECK(json_element(&j) && j.item == JSON_NUMBER && json_skip(&j));
    CHECK(!json_element(&j));
    CHECK(json_member(&j) && json_is(&j, SPAN("c")));
    CHECK(json_scalar(&j) == JSON_NUMBER);
    CHECK_TEXT(j.text, "3");
    CHECK(!json_member(&j) && json_next(&j) == JSON_END);
    start(&j, "[{\"a\":1},[2]]");
    CHECK(json_next(&j) == JSON_ARRAY && !json_enter(&j, JSON_ARRAY) && j.depth == 1);
    CHECK(json_enter(&j, JSON_ARRAY) && json_element(&j) && j.item == JSON_NUMBER);
    for (int strict = 0; strict < 2; strict++) {
        start(&j, "[[1 2, tru, \"]\\\"\"]]");
        j.strict = strict != 0;
        CHECK(json_next(&j) == JSON_ARRAY);
        CHECK(json_next(&j) == JSON_ARRAY);
        CHECK(json_skip(&j) == !j.strict);
    }
    start(&j, "[[{]]");
    CHECK(json_next(&j) == JSON_ARRAY);
    CHECK(json_next(&j) == JSON_ARRAY);
    CHECK(!json_skip(&j));
    CHECK_TEXT(span_cstr(j.why), "byte 4: ']' where the rest of an object or array should follow");
    start(&j, "[[1,");
    CHECK(json_next(&j) == JSON_ARRAY);
    CHECK(json_next(&j) == JSON_ARRAY);
    CHECK(!json_skip(&j));
}

TEST("values of text in memory are found as they are written, whatever their strings hold")
{
    struct span text =
        SPAN(" { \"a\" : [1, -2.5 ,{\"b\":\"]}\\\"\"}, \"\", 7,true] ,\"c\":\"x\\\\\",\"d\":{}}");
    static const char *const elements[] = {"1", "-2.5", "{\"b\":\"]}\\\"\"}", "\"\"", "7", "true"};
    struct json j;
    size_t n = 0;
    json_start_text(&j, json_find(text, SPAN("a")));
    CHECK(json_enter(&j, JSON_ARRAY));
    for (; json_element(&j); n++)
        CHECK_TEXT(json_raw(&j), elements[n]);
    CHECK(n == 6 && json_next(&j) == JSON_END);
    CHECK_TEXT(json_find(text, SPAN("c")), "\"x\\\\\"");
    CHECK_TEXT(json_unquoted(json_find(text, SPAN("c"))), "x\\\\");
    CHECK_TEXT(json_find(text, SPAN("d")), "{}");
    json_start_text(&j, text);
    CHECK(json_next(&j) == JSON_OBJECT && json_member(&j) && json_is(&j, SPAN("a")));
    json_next(&j);
    CHECK(json_raw(&j).len > 0 && json_member(&j) && json_is(&j, SPAN("c")));
}

TEST("a member is found by its key, not by one inside of it, and not in what is cut")
{
    struct span text = SPAN("{\"a\":{\"id\":1},\"id\":2}");
    CHECK_TEXT(json_find(text, SPAN("id")), "2");
    CHECK(json_find(text, SPAN("b")).len == 0);
    CHECK(json_find(SPAN("{\"a\":[1,2"), SPAN("a")).len == 0);
    CHECK(json_find(SPAN("[1]"), SPAN("a")).len == 0 && json_find(SPAN(""), SPAN("a")).len == 0);
    CHECK(json_unquoted(SPAN("2")).len == 0 && json_unquoted(SPAN("\"")).len == 0);
}

TEST("a string in memory is decoded whole, and what is no valid string is refused")
{
    struct text to = {0};
    CHECK(json_decode(&to, SPAN("\"\"")) && to.len == 0);
    CHECK(json_decode(&to, SPAN("\"{\\\"a\\\":\\\"\\\\n\\ud83d\\ude00\\\"}\"")));
    CHECK_TEXT(text_span(&to), "{\"a\":\"\\n\xf0\x9f\x98\x80\"}");
    CHECK(!json_decode(&to, SPAN("12")) && to.len == 0);
    CHECK(!json_decode(&to, SPAN("\"a\\qb\"")) && !json_decode(&to, SPAN("\"\\u\"")));
    CHECK(!json_decode(&to, SPAN("\"a")) && !json_decode(&to, SPAN("\"a\"b")));
    CHECK(!json_decode(&to, SPAN("")));
    free(to.ptr);
}

TEST("a string in memory may be longer than one that is read from a file")
{
    struct text t = {0}, to = {0};
    text_add(&t, SPAN("\""));
    t.ptr = mem_grow(t.ptr, &t.cap, LINES_MAX + 16, 1);
    memset(t.ptr + 1, 'a', LINES_MAX + 2);
    t.len = LINES_MAX + 3;
    text_add(&t, SPAN("\""));
    CHECK(json_decode(&to, text_span(&t)) && to.len == LINES_MAX + 2);
    free(t.ptr);
    free(to.ptr);
}

static struct span
decimal(const char *number, int shift)
{
    static char text[DECIMAL_TEXT];
    struct json j;
    struct decimal d;
    start(&j, number);
    json_next(&j);
    return json_decimal(&j, shift, &d) ? decimal_text(text, d) : SPAN("none");
}

TEST("decimals are exact, with an exponent and another unit too")
{
    CHECK_TEXT(decimal("12", 0), "12");
    CHECK_TEXT(decimal("12.345", 0), "12.345");
    CHECK_TEXT(decimal("12.345", 3), "12345");
    CHECK_TEXT(decimal("12.345", 6), "12345000");
    CHECK_TEXT(decimal("12.345", -3), "0.012345");
    CHECK_TEXT(decimal("1.5e-05", 0), "0.000015");
    CHECK_TEXT(decimal("1.5E+3", 0), "1500");
    CHECK_TEXT(decimal("1e-18", 0), "0.000000000000000001");
    CHECK_TEXT(decimal("1e-19", 0), "0");
    CHECK_TEXT(decimal("0.1234567890123456789", 0), "0.123456789012345678");
    CHECK_TEXT(decimal("0e99999999999999999999", 0), "0");
    CHECK_TEXT(decimal("1e30", 0), "18446744073709551615");
    CHECK_TEXT(decimal("99999999999999999999999", 0), "18446744073709551615");
    CHECK_TEXT(decimal("-1", 0), "none");
    CHECK_TEXT(decimal("\"1\"", 0), "none");
}

TEST("doubles are the nearest ones")
{
    static const char *const numbers[] = {
        "0",
        "0.1",
        "123456789.123456",
        "-2.5",
        "1e300",
        "5e-324",
        "1.7976931348623157e308",
        "9007199254740993",
        "0.30000000000000004",
        "99999999999999.9",
        "1e999",
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct json j;
        double d;
        start(&j, numbers[i]);
        json_next(&j);
        CHECK(json_double(&j, &d) && d == strtod(numbers[i], NULL));
    }
    struct json j;
    double d;
    start(&j, "null");
    json_next(&j);
    CHECK(!json_double(&j, &d));
}

/* The sum of the whole numbers in an array, times 1000, and how many other numbers there are. */
static uint64_t
sum_whole(const char *text)
{
    struct json j;
    uint64_t sum = 0, others = 0, whole;
    start(&j, text);
    for (json_next(&j); json_element(&j);)
        if (json_u64(&j, &whole))
            sum += whole;
        else
            others++;
    CHECK(j.item == JSON_ARRAY_END);
    return sum * 1000 + others;
}

TEST("whole numbers in arrays have their values, whatever their length and what is around them")
{
    CHECK(sum_whole("[1,2,3]                                ") == 6000);
    CHECK(sum_whole("[1, 2 ,3\n,4]") == 10000);
    CHECK(sum_whole("[1,0,-0,2.0,20e-1,-7,7]                  ") == 8004);
    CHECK(sum_whole("[0,99999999999999,999999999999999,1]") == 1099999999999999000);
    CHECK(sum_whole("[0,1000000000000000,18446744073709551615,1]") == 1000000000000000000);
    CHECK_TEXT(items("[1,02,3]                             "), "[n!");
    CHECK_TEXT(items("[1,23a,3]                            "), "[nn!");
    CHECK_TEXT(items("[1,23}                               "), "[nn!");
    CHECK_TEXT(items("{\"a\":1,2:3}                        "), "{kn!");
}

TEST("a number that is the end of the text has no digits of older text after it")
{
    struct json j;
    double d;
    start(&j, "[123456789123456789123456789]");
    while (json_next(&j) != JSON_END)
        ;
    start(&j, "10000000000000000000");
    json_next(&j);
    CHECK(json_double(&j, &d) && d == 1e19);
}
