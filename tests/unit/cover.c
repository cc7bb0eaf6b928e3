/* Ranges of addresses that overlap. */
#include "common/dwarf/cover.h"
#include "tests/unit/test.h"

/* The numbers at the addresses 1 to 9, of ranges given as low, high, number. */
static struct span
covered(const uint64_t (*of)[3], size_t n)
{
    static char text[10];
    struct ranges r = {0};
    struct cover c = {0};
    for (size_t i = 0; i < n; i++)
        ranges_add(&r, of[i][0], of[i][1], (uint32_t)of[i][2]);
    cover_make(&c, &r, NULL);
    for (uint64_t at = 1; at < 10; at++) {
        uint32_t number = cover_find(&c, at);
        text[at - 1] = (char)(number == COVER_NONE ? '.' : 'a' + (char)number);
    }
    cover_free(&c);
    ranges_free(&r);
    return span_of(text, 9);
}

#define COVERED(...)                                                                               \
    covered((const uint64_t[][3]){__VA_ARGS__},                                                    \
            sizeof((const uint64_t[][3]){__VA_ARGS__}) / sizeof(uint64_t[3]))

TEST("of ranges inside of each other the one with the largest number counts")
{
    CHECK_TEXT(COVERED({2, 9, 0}, {3, 7, 1}, {4, 5, 2}), ".abcbbaa.");
    CHECK_TEXT(COVERED({4, 5, 2}, {3, 7, 1}, {2, 9, 0}), ".abcbbaa.");
    CHECK_TEXT(COVERED({2, 9, 2}, {3, 7, 1}, {4, 5, 0}), ".ccccccc.");
}

TEST("ranges that overlap partly, touch each other or are equal have the larger number in common")
{
    CHECK_TEXT(COVERED({1, 5, 0}, {3, 8, 1}), "aabbbbb..");
    CHECK_TEXT(COVERED({1, 5, 1}, {3, 8, 0}), "bbbbaaa..");
    CHECK_TEXT(COVERED({1, 5, 1}, {5, 8, 0}), "bbbbaaa..");
    CHECK_TEXT(COVERED({2, 4, 0}, {2, 4, 1}, {6, 8, 1}, {6, 8, 0}), ".bb..bb..");
}

TEST("empty ranges, and those that begin at 0, are left out; the end may be 2^64 - 1")
{
    CHECK_TEXT(COVERED({5, 5, 0}, {7, 3, 1}, {0, 9, 2}), ".........");
    CHECK_TEXT(COVERED({5, UINT64_MAX, 0}, {6, 8, 1}), "....abbaa");
}
