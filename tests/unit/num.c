#include "tests/unit/test.h"

#include <inttypes.h>

#include "common/base/num.h"

TEST("a number is written as printf writes it")
{
    static const uint64_t values[] = {0,    1,          9,         10,         999,
                                      1000, 4294967295, 123456789, UINT64_MAX, INT64_MAX};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char digits[NUM_DIGITS], wanted[32];
        snprintf(wanted, sizeof wanted, "%" PRIu64, values[i]);
        CHECK_TEXT(num_decimal(digits, values[i]), wanted);
    }
}

TEST("commas go before every three digits and nowhere else")
{
    char digits[NUM_COMMAS];
    CHECK_TEXT(num_commas(digits, 0), "0");
    CHECK_TEXT(num_commas(digits, 999), "999");
    CHECK_TEXT(num_commas(digits, 1000), "1,000");
    CHECK_TEXT(num_commas(digits, 12345), "12,345");
    CHECK_TEXT(num_commas(digits, 123456), "123,456");
    CHECK_TEXT(num_commas(digits, 1000000), "1,000,000");
    CHECK_TEXT(num_commas(digits, UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST("commas group the whole part alone, whatever stands around it")
{
    char text[32];
    CHECK_TEXT(num_group(text, SPAN("1234.5678")), "1,234.5678");
    CHECK_TEXT(num_group(text, SPAN("-123456")), "-123,456");
    CHECK_TEXT(num_group(text, SPAN("1234e+20")), "1,234e+20");
    CHECK_TEXT(num_group(text, SPAN("Inf")), "Inf");
    CHECK_TEXT(num_group(text, SPAN("")), "");
}

TEST("a decimal number is read whole or not at all")
{
    uint64_t v = 7;
    CHECK(num_u64(SPAN("0"), &v) && v == 0);
    CHECK(num_u64(SPAN("00031"), &v) && v == 31);
    CHECK(num_u64(SPAN("18446744073709551615"), &v) && v == UINT64_MAX);
    v = 7;
    CHECK(!num_u64(SPAN(""), &v) && v == 7);
    CHECK(!num_u64(SPAN("+1"), &v) && v == 7);
    CHECK(!num_u64(SPAN("-1"), &v) && v == 7);
    CHECK(!num_u64(SPAN(" 1"), &v) && v == 7);
    CHECK(!num_u64(SPAN("1x"), &v) && v == 7);
    CHECK(!num_u64(SPAN("1\0"), &v) && v == 7);
}

TEST("a decimal number of more than 64 bits saturates, at every length")
{
    uint64_t v = 7;
    CHECK(num_u64(SPAN("18446744073709551616"), &v) && v == UINT64_MAX);
    CHECK(num_u64(SPAN("36893488147419103232"), &v) && v == UINT64_MAX);
    CHECK(num_u64(SPAN("184467440737095516150"), &v) && v == UINT64_MAX);
    CHECK(num_u64(SPAN("9999999999999999999999999999999999999999"), &v) && v == UINT64_MAX);
    v = 7;
    CHECK(!num_u64(SPAN("99999999999999999999999999x"), &v) && v == 7);
}

TEST("a hexadecimal number has either case, perhaps 0x, and at most 16 digits")
{
    uint64_t v = 7;
    CHECK(num_hex(SPAN("7f1e2215D058"), &v) && v == 0x7f1e2215d058);
    CHECK(num_hex(SPAN("0xff"), &v) && v == 255);
    CHECK(num_hex(SPAN("0XFF"), &v) && v == 255);
    CHECK(num_hex(SPAN("ffffffffffffffff"), &v) && v == UINT64_MAX);
    v = 7;
    CHECK(!num_hex(SPAN(""), &v) && v == 7);
    CHECK(!num_hex(SPAN("0x"), &v) && v == 7);
    CHECK(!num_hex(SPAN("10000000000000000"), &v) && v == 7);
    CHECK(!num_hex(SPAN("12g4"), &v) && v == 7);
    CHECK(!num_hex(SPAN("-1"), &v) && v == 7);
}

TEST("a sum that overflows is the largest value")
{
    CHECK(num_add(1, 2) == 3);
    CHECK(num_add(UINT64_MAX - 1, 1) == UINT64_MAX);
    CHECK(num_add(UINT64_MAX, 1) == UINT64_MAX);
    CHECK(num_add(UINT64_MAX, UINT64_MAX) == UINT64_MAX);
}
