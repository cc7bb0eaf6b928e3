/* The fields of messages, of sound ones and of others. */
#include "cmd/stackcollapse/shared/protobuf.h"

#include <stdint.h>

#include "tests/unit/test.h"

TEST("the fields of a message come one after the other")
{
    struct protobuf p = {.rest = SPAN("\x08\x96\x01\x12\x03"
                                      "foo\x1d\0\0\x80\x3f\xa1\x06"
                                      "12345678")};
    struct protobuf_field f;
    CHECK(protobuf_next(&p, &f) && f.id == 1 && f.type == PROTOBUF_NUMBER && f.number == 150);
    CHECK(span_eq(f.bytes, SPAN("\x96\x01")));
    CHECK(protobuf_next(&p, &f) && f.id == 2 && f.type == PROTOBUF_BYTES);
    CHECK(span_eq(f.bytes, SPAN("foo")));
    CHECK(protobuf_next(&p, &f) && f.id == 3 && f.type == PROTOBUF_FOUR && f.bytes.len == 4);
    CHECK(protobuf_next(&p, &f) && f.id == 100 && f.type == PROTOBUF_EIGHT && f.bytes.len == 8);
    CHECK(!protobuf_next(&p, &f) && p.why == NULL && p.rest.len == 0);
}

TEST("a number has up to 64 bits")
{
    struct span rest = SPAN("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00");
    uint64_t n = 0;
    CHECK(protobuf_number(&rest, &n) == NULL && n == UINT64_MAX && rest.len == 1);
    CHECK(protobuf_number(&rest, &n) == NULL && n == 0 && rest.len == 0);
    rest = SPAN("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02");
    CHECK_TEXT(span_cstr(protobuf_number(&rest, &n)), "a number has more than 64 bits");
    rest = SPAN("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01");
    CHECK_TEXT(span_cstr(protobuf_number(&rest, &n)), "a number has more than 64 bits");
}

TEST("what is wrong with a message is said, and where it stopped is known")
{
    static const struct {
        struct span message;
        const char *why;
        size_t left; /* bytes that are not read */
    } cases[] = {
        {SPAN("\x08\x01\x08"), "a field goes beyond the end", 1},
        {SPAN("\x08\x80"), "a field goes beyond the end", 2},
        {SPAN("\x12\x04"
              "foo"),
         "a field goes beyond the end", 5},
        {SPAN("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "a field goes beyond the end", 11},
        {SPAN("\x09"
              "1234567"),
         "a field goes beyond the end", 8},
        {SPAN("\x0d"
              "123"),
         "a field goes beyond the end", 4},
        {SPAN("\x0b"), "a field has an unknown type", 1},
        {SPAN("\x00\x01"), "a field has a number that cannot be", 2},
        {SPAN("\x80\x80\x80\x80\x80\x01\x01"), "a field has a number that cannot be", 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct protobuf p = {.rest = cases[i].message};
        struct protobuf_field f;
        while (protobuf_next(&p, &f))
            continue;
        CHECK_TEXT(span_cstr(p.why), cases[i].why);
        CHECK(p.rest.len == cases[i].left);
        CHECK_TEXT(span_cstr(protobuf_check(cases[i].message)), cases[i].why);
    }
}

TEST("the last number of a field counts, and 0 where there is none")
{
    CHECK(protobuf_get(SPAN("\x08\x01\x10\x02\x08\x03"), 1) == 3);
    CHECK(protobuf_get(SPAN("\x12\x01\x07"), 2) == 0);
    CHECK(protobuf_get(SPAN(""), 1) == 0);
}
