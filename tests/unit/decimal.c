#include "tests/unit/test.h"

#include "common/base/decimal.h"

/* The number in the text, written again; "" if it is no number. */
static struct span
again(char text[static DECIMAL_TEXT], const char *number)
{
    struct decimal d;
    return decimal_parse(span_cstr(number), &d) ? decimal_text(text, d) : SPAN("");
}

TEST("a number is read, and written without trailing zeros")
{
    static const char *const rows[][2] = {
        {"0", "0"},
        {"31", "31"},
        {"31.", "31"},
        {"31.23", "31.23"},
        {"007.500", "7.5"},
        {"0.000000000000000001", "0.000000000000000001"},
        {"0.0000000000000000019", "0.000000000000000001"},
        {"0.0000000000000000009", "0"},
        {"1.10", "1.1"},
        {"18446744073709551615.999999999999999999", "18446744073709551615.999999999999999999"},
        {"18446744073709551616", "18446744073709551615"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[DECIMAL_TEXT];
        CHECK_TEXT(again(text, rows[i][0]), rows[i][1]);
    }
}

TEST("text that is no number leaves the value unchanged")
{
    static const char *const rows[] = {"",     ".",   ".5", "-1", "+1",   "1e5", "1,5",
                                       "1.5.", "1.x", " 1", "1 ", "0x10", "nan"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct decimal d = {7, 8};
        CHECK(!decimal_parse(span_cstr(rows[i]), &d));
        CHECK(d.whole == 7 && d.fraction == 8);
    }
}

TEST("what follows the 18th digit must be digits too")
{
    struct decimal d;
    CHECK(!decimal_parse(SPAN("1.0000000000000000001x"), &d));
}

TEST("a tenth added ten times is one")
{
    struct decimal sum = {0, 0}, tenth;
    CHECK(decimal_parse(SPAN("0.1"), &tenth));
    for (int i = 0; i < 10; i++)
        sum = decimal_add(sum, tenth);
    CHECK(sum.whole == 1 && sum.fraction == 0);
}

TEST("the order in which numbers are added does not matter")
{
    struct decimal v[3];
    CHECK(decimal_parse(SPAN("0.7"), &v[0]));
    CHECK(decimal_parse(SPAN("1000000000000000000.3"), &v[1]));
    CHECK(decimal_parse(SPAN("0.000000000000000001"), &v[2]));
    struct decimal a = decimal_add(decimal_add(v[0], v[1]), v[2]);
    struct decimal b = decimal_add(v[0], decimal_add(v[2], v[1]));
    CHECK(a.whole == b.whole && a.fraction == b.fraction);
    CHECK(a.whole == 1000000000000000001 && a.fraction == 1);
}

TEST("a sum of more than 64 bits is the largest value")
{
    struct decimal most = {UINT64_MAX, 999999999999999999}, one = {1, 0}, bit = {0, 1};
    CHECK(decimal_add(most, one).whole == UINT64_MAX);
    CHECK(decimal_add(most, bit).whole == UINT64_MAX);
    CHECK(decimal_add(most, most).whole == UINT64_MAX);
}

TEST("zero is recognized, and the double is the nearest")
{
    CHECK(decimal_is_zero((struct decimal){0, 0}));
    CHECK(!decimal_is_zero((struct decimal){0, 1}));
    CHECK(!decimal_is_zero((struct decimal){1, 0}));
    double d = decimal_double((struct decimal){2, 500000000000000000});
    CHECK(d > 2.4999 && d < 2.5001);
}

static struct span
shifted(struct decimal d, int places)
{
    static char text[DECIMAL_TEXT];
    return decimal_text(text, decimal_shift(d, places));
}

TEST("the point of a number moves to the left and to the right")
{
    struct decimal d = {12, 345000000000000000};
    CHECK_TEXT(shifted(d, 0), "12.345");
    CHECK_TEXT(shifted(d, 2), "1234.5");
    CHECK_TEXT(shifted(d, 6), "12345000");
    CHECK_TEXT(shifted(d, -3), "0.012345");
    CHECK_TEXT(shifted((struct decimal){UINT64_MAX / 2, 0}, 1), "18446744073709551615");
    CHECK_TEXT(shifted((struct decimal){0, 5}, -1), "0");
}

TEST("a difference borrows, and is not below 0")
{
    struct decimal d = {7, 7};
    CHECK(decimal_subtract((struct decimal){2, 1}, (struct decimal){0, 3}, &d));
    CHECK(d.whole == 1 && d.fraction == 999999999999999998);
    CHECK(!decimal_subtract((struct decimal){2, 1}, (struct decimal){2, 3}, &d));
    CHECK(!decimal_subtract((struct decimal){1, 9}, (struct decimal){2, 3}, &d));
    CHECK(decimal_subtract((struct decimal){UINT64_MAX, 0}, (struct decimal){5, 0}, &d));
    CHECK(decimal_is_full(d)); /* it stands for more */
    CHECK(decimal_subtract((struct decimal){2, 3}, (struct decimal){2, 3}, &d));
    CHECK(decimal_is_zero(d));
}
