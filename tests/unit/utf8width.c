#include "tests/unit/test.h"

#include "common/base/utf8width.h"

TEST("letters take one column, East Asian characters and emoji two, marks none")
{
    static const uint32_t one[] = {' ',   'a',    '~',    0xe9,   0x2ff,
                                   0x416, 0x2502, 0x303f, 0xff61, 0x10ffff};
    static const uint32_t two[] = {0x1100, 0x3042, 0x4e00,  0x51fd,
                                   0xac00, 0xff01, 0x1f600, 0x20000};
    static const uint32_t none[] = {0x300, 0x36f, 0x200b, 0x20d0, 0x3099, 0xfe0f, 0xe01ef};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        CHECK(utf8_width(one[i]) == 1);
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        CHECK(utf8_width(two[i]) == 2);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK(utf8_width(none[i]) == 0);
}
