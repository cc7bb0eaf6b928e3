#include "tests/unit/test.h"

#include "common/base/utf8.h"

/* Characters and their forms, from RFC 3629, sections 3 and 4: the first and the last of each
 * length. */
TEST("each length's first and last character is read")
{
    static const struct {
        struct span text;
        uint32_t c;
    } rows[] = {
        {SPAN("\0"), 0},
        {SPAN("\x7f"), 0x7f},
        {SPAN("\xc2\x80"), 0x80},
        {SPAN("\xdf\xbf"), 0x7ff},
        {SPAN("\xe0\xa0\x80"), 0x800},
        {SPAN("\xed\x9f\xbf"), 0xd7ff},
        {SPAN("\xee\x80\x80"), 0xe000},
        {SPAN("\xef\xbf\xbf"), 0xffff},
        {SPAN("\xf0\x90\x80\x80"), 0x10000},
        {SPAN("\xf4\x8f\xbf\xbf"), 0x10ffff},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t len = 0;
        CHECK(utf8_decode(rows[i].text, &len) == rows[i].c);
        CHECK(len == rows[i].text.len);
    }
}

TEST("invalid bytes are decoded one by one")
{
    static const struct span rows[] = {
        SPAN("\x80"), /* a continuation alone */
        SPAN("\xbf\x80"),
        SPAN("\xc0\x80"), /* overlong */
        SPAN("\xc1\xbf"),
        SPAN("\xe0\x9f\xbf"),
        SPAN("\xf0\x8f\xbf\xbf"),
        SPAN("\xed\xa0\x80"), /* surrogates */
        SPAN("\xed\xbf\xbf"),
        SPAN("\xf4\x90\x80\x80"), /* past U+10FFFF */
        SPAN("\xf8\x88\x80\x80\x80"),
        SPAN("\xfe"),
        SPAN("\xff"),
        SPAN("\xc3"), /* cut */
        SPAN("\xe2\x82"),
        SPAN("\xf0\x9f\x98"),
        SPAN("\xc3x"), /* a continuation is missing */
        SPAN("\xe2\x82x"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t len = 0;
        CHECK(utf8_decode(rows[i], &len) == UTF8_BAD);
        CHECK(len == 1);
    }
}

/* Every pair of bytes against the table of RFC 3629, section 4. */
TEST("of two bytes exactly C2..DF and 80..BF are one character")
{
    for (unsigned a = 0x80; a < 0x100; a++)
        for (unsigned b = 0; b < 0x100; b++) {
            const char text[2] = {(char)a, (char)b};
            size_t len;
            uint32_t c = utf8_decode(span_of(text, 2), &len);
            bool good = a >= 0xc2 && a <= 0xdf && b >= 0x80 && b <= 0xbf;
            uint32_t wanted = good ? (a & 0x1f) << 6 | (b & 0x3f) : UTF8_BAD;
            if (c != wanted || len != (good ? 2 : 1))
                CHECK(false && "a pair of bytes is read wrongly");
        }
}

TEST("characters are counted, invalid bytes as one each")
{
    CHECK(utf8_count(SPAN("")) == 0);
    CHECK(utf8_count(SPAN("na\xc3\xafve")) == 5);
    CHECK(utf8_count(SPAN("\xff\xfe"
                          "a")) == 3);
    CHECK(utf8_count(SPAN("\xe2\x82")) == 2);
}

TEST("the first characters end at a character's end")
{
    struct span s = SPAN("a\xc3\xaf\xe2\x82\xac"
                         "b");
    CHECK(utf8_offset(s, 0) == 0);
    CHECK(utf8_offset(s, 1) == 1);
    CHECK(utf8_offset(s, 2) == 3);
    CHECK(utf8_offset(s, 3) == 6);
    CHECK(utf8_offset(s, 4) == 7);
    CHECK(utf8_offset(s, 99) == 7);
}

TEST("a mask replaces control characters but tabs, and invalid bytes, and nothing else")
{
    char text[] = "a\033\t\x7f~ \xc2\x9b\xc2\xa0\x9b\xe2\x82\xac\xe2\x82";
    utf8_mask(text, sizeof text - 1);
    CHECK_TEXT(span_cstr(text), "a?\t?~ ??\xc2\xa0?\xe2\x82\xac??");
}

TEST("a mask replaces characters that change the direction of text, or end a line")
{
    static const char bidi[] = {'\xe2', '\x80', '\xae', '\0'}; /* lint refuses it in a literal */
    char text[64];
    snprintf(text, sizeof text, "a%sb%sc%sd%se%sf\u200dg\u2070h\u0627", bidi, "\xe2\x81\xa9",
             "\xe2\x80\x8f", "\xd8\x9c", "\xe2\x80\xa8");
    utf8_mask(text, strlen(text));
    CHECK_TEXT(span_cstr(text), "a???b???c???d??e???f\u200dg\u2070h\u0627");
}

TEST("wherever in a text something is, it is masked, and a text without it is not copied")
{
    struct text copy = {0};
    for (size_t len = 1; len < 40; len++)
        for (size_t at = 0; at < len; at++) {
            char text[40], wanted[40];
            memset(text, 'a', sizeof text);
            struct span s = span_of(text, len);
            CHECK(utf8_masked(&copy, s).ptr == text);
            text[at] = '\n';
            memcpy(wanted, text, sizeof text);
            wanted[at] = '?';
            CHECK(span_eq(utf8_masked(&copy, s), span_of(wanted, len)));
            CHECK(text[at] == '\n');
        }
    free(copy.ptr);
}

TEST("a character is encoded as it is decoded")
{
    static const uint32_t some[] = {0, 'a', 0x7f, 0x80, 0x7ff, 0x800, 0xfffd, 0x10000, 0x10ffff};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char text[4];
        size_t len, n = utf8_encode(text, some[i]);
        CHECK(utf8_decode(span_of(text, n), &len) == some[i] && len == n);
    }
}
