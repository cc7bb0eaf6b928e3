/* The parts of flamesvg that can be tested without drawing. */
#define _XOPEN_SOURCE 700 /* srand48 */
#include "tests/unit/test.h"

#include <math.h>

#include "cmd/flamesvg/contrast.h"
#include "cmd/flamesvg/palette.h"
#include "cmd/flamesvg/xmltext.h"
#include "common/base/number.h"

static uint64_t state = 1;

/* From 0 to 2^64 - 1, the same in every run: Knuth's MMIX generator, its high half twice. */
static uint64_t
next_random(void)
{
    uint64_t high = (state = state * 6364136223846793005u + 1442695040888963407u) >> 32;
    return high << 32 | (state = state * 6364136223846793005u + 1442695040888963407u) >> 32;
}

static void
check_fixed(double value)
{
    char text[NUMBER_TEXT], wanted[NUMBER_TEXT];
    for (int places = 1; places <= 2; places++) {
        snprintf(wanted, sizeof wanted, "%.*f", places, value);
        CHECK_TEXT(number_fixed(text, value, places), wanted);
    }
}

TEST("fixed decimals are printf's for numbers of every size")
{
    for (int i = 0; i < 200000; i++) {
        double mantissa = ldexp((double)next_random(), -64);
        check_fixed(ldexp(mantissa, (int)(next_random() % 60) - 12));
    }
}

TEST("fixed decimals are printf's at ties and next to them")
{
    for (int i = 0; i < 100000; i++) {
        double tie = (double)(next_random() % 2000000) / 200;
        check_fixed(tie);
        check_fixed(nextafter(tie, 0));
        check_fixed(nextafter(tie, 1e9));
        check_fixed((double)(next_random() % 100000) / 8); /* exact ties: x.125, x.375 */
    }
}

TEST("fixed decimals are printf's below zero and for numbers too large for the fast way")
{
    const double values[] = {0, -0.0, -0.04, -0.06, -12.25, 1e13, 9.9999999999995e12, 1e15, 1e300};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        check_fixed(values[i]);
}

TEST("number_tenths is the number that number_fixed writes")
{
    char text[64];
    for (int i = 0; i < 100000; i++) {
        double value = (double)(next_random() % 100000000) / 7919;
        snprintf(text, sizeof text, "%.1f", value);
        CHECK(number_tenths(value) == strtod(text, NULL));
    }
}

TEST("a plain number is short, and whole numbers have no exponent")
{
    char text[NUMBER_TEXT];
    CHECK_TEXT(number_plain(text, 0), "0");
    CHECK_TEXT(number_plain(text, 1200), "1200");
    CHECK_TEXT(number_plain(text, 264.5), "264.5");
    CHECK_TEXT(number_plain(text, 0.1 + 0.2), "0.3");
    CHECK_TEXT(number_plain(text, 36.9), "36.9");
    CHECK_TEXT(number_plain(text, -12.5), "-12.5");
    CHECK_TEXT(number_plain(text, 1e18), "1000000000000000000");
}

TEST("counts have commas, whatever their sign and size")
{
    char text[NUMBER_TEXT];
    CHECK_TEXT(number_commas(text, 0), "0");
    CHECK_TEXT(number_commas(text, 999.5), "1,000");
    CHECK_TEXT(number_commas(text, 2.5), "2");
    CHECK_TEXT(number_commas(text, 1234567), "1,234,567");
    CHECK_TEXT(number_commas(text, -123), "-123");
    CHECK_TEXT(number_commas(text, -1234.4), "-1,234");
    CHECK_TEXT(number_commas(text, 1e21), "1,000,000,000,000,000,000,000");
}

/* The name at that index of PALETTE_NAMES; empty after the last. */
static struct span
name_at(int place)
{
    struct span names = SPAN(PALETTE_NAMES "|");
    for (; place > 0 && names.len > 0; place--)
        names = span_from(names, span_find(names, '|') + 1);
    return span_head(names, names.len > 0 ? span_find(names, '|') : 0);
}

TEST("the option's names are those of the table, in the same order")
{
    for (int i = 0; name_at(i).len > 0; i++)
        CHECK_TEXT(name_at(i), palettes[i].name);
    CHECK(name_at(17).len > 0 && name_at(18).len == 0);
}

TEST("each kind of frame has a label and a colour of its own")
{
    for (int a = 0; a < KIND_COUNT; a++) {
        CHECK(strlen(palette_kind_label((enum frame_kind)a)) > 0);
        struct colour x = palette_kind_colour((enum frame_kind)a);
        for (int b = 0; b < a; b++) {
            struct colour y = palette_kind_colour((enum frame_kind)b);
            CHECK(abs(x.r - y.r) + abs(x.g - y.g) + abs(x.b - y.b) >= 30);
        }
    }
}

TEST("a channel is always between 0 and 255")
{
    const double ends[][3] = {{0, 0, 0}, {1, 1, 1}};
    for (int p = 0; name_at(p).len > 0; p++)
        for (size_t i = 0; i < 2; i++) {
            struct colour c = palette_colour(&palettes[p], SPAN("main"), ends[i]);
            CHECK(c.r >= 0 && c.r <= 255 && c.g >= 0 && c.g <= 255 && c.b >= 0 && c.b <= 255);
        }
}

TEST("the shade of a name is drand48's first number after srand48 of its characters' sum")
{
    struct shade s;
    double v[3];
    shade_init(&s, SHADE_SUM, 0);
    shade_of(&s, SPAN("a"), v);                 /* srand48(97) */
    CHECK(v[0] == (double)0.63865197666837403); /* i387: literals have 80 bits */
    CHECK(v[0] == v[1] && v[1] == v[2]);
    const char name[] = "v8::Call<\xc3\xa9t\xc3\xa9, int>::~Call()"; /* two letters of two bytes */
    for (size_t len = 0, sum = 0; len < sizeof name; len++) {
        shade_of(&s, span_of(name, len), v);
        srand48((long)sum);
        if (name[len - (len > 0)] != '\xc3')
            CHECK(v[0] == drand48());
        sum += name[len] == '\xc3' ? 0 : name[len] == '\xa9' ? 0xe9 : (unsigned char)name[len];
    }
}

TEST("random shades are drand48's and depend on the seed alone")
{
    struct shade a, b;
    double x[3], y[3];
    shade_init(&a, SHADE_RANDOM, 1);
    shade_init(&b, SHADE_RANDOM, 2);
    shade_of(&a, SPAN("one"), x);
    shade_of(&b, SPAN("one"), y);
    CHECK(x[0] == (double)0.041630344771878214 && x[1] == (double)0.45449244472862915);
    CHECK(x[0] != y[0]);
}

TEST("a hashed shade depends on both ends of a name, without its module")
{
    struct shade s;
    double x[3], y[3];
    shade_init(&s, SHADE_HASH, 0);
    shade_of(&s, SPAN("malloc_one_end"), x);
    shade_of(&s, SPAN("malloc_two_end"), y);
    CHECK(x[0] == y[0] && x[1] == y[1] && x[2] == y[2]);
    shade_of(&s, SPAN("libc`malloc_two_end"), y);
    CHECK(x[0] == y[0]);
    shade_of(&s, SPAN("realloc_two_end"), y);
    CHECK(x[0] != y[0] && x[1] == y[1]);
    shade_of(&s, SPAN(""), x);
    CHECK(x[0] == 1 && x[1] == 1);
}

static const char *
byte_as_xml(char c, char own[static 2])
{
    own[0] = c;
    own[1] = '\0';
    return c == '&'    ? "&amp;"
           : c == '<'  ? "&lt;"
           : c == '>'  ? "&gt;"
           : c == '"'  ? "&quot;"
           : c == '\r' ? "&#13;" /* XML reads it as a newline */
           : (unsigned char)c >= 0x80 || ((unsigned char)c < ' ' && strchr("\t\n", c) == NULL)
               ? "\xef\xbf\xbd"
               : own;
}

TEST("each byte is escaped as XML requires, at every position of a text")
{
    static struct out out;
    const struct xmltext x = {.out = &out};
    char text[20], own[2], wanted[64];
    for (int c = 1; c < 256; c++)
        for (size_t at = 0; at < sizeof text; at++) {
            memset(text, 'x', sizeof text);
            text[at] = (char)c;
            snprintf(wanted, sizeof wanted, "%.*s%s%.*s", (int)at, text, byte_as_xml((char)c, own),
                     (int)(sizeof text - at - 1), text + at + 1);
            out.len = 0;
            xmltext_put(&x, span_of(text, sizeof text));
            CHECK_TEXT(span_of(out.buf, out.len), wanted);
        }
}

TEST("white is chosen where it contrasts more than black, on colours in every form")
{
    CHECK(contrast_is_white(SPAN("rgb(0,0,128)")));
    CHECK(contrast_is_white(SPAN("#000080")));
    CHECK(contrast_is_white(SPAN("#008")));
    CHECK(contrast_is_white(SPAN("navy")));
    CHECK(contrast_is_white(SPAN("MAROON")));
    CHECK(!contrast_is_white(SPAN("rgb(255,255,0)")));
    CHECK(!contrast_is_white(SPAN("#ff0")));
    CHECK(!contrast_is_white(SPAN("orange")));
    CHECK(!contrast_is_white(SPAN("navyish")));
    CHECK(!contrast_is_white(SPAN("#00")));
    CHECK(!contrast_is_white(SPAN("#00000g")));
    CHECK(!contrast_is_white(SPAN("")));
}

TEST("a difference is red or blue, with diff-cb orange or purple, and paler the smaller it is")
{
    const struct palette *usual = &palettes[0], *safe = &palettes[17];
    char text[COLOUR_TEXT];
    CHECK_TEXT(span_cstr(safe->name), "diff-cb");
    CHECK_TEXT(palette_text(text, palette_delta(usual, 4, 4)), "rgb(255,0,0)");
    CHECK_TEXT(palette_text(text, palette_delta(usual, -1, 4)), "rgb(157,157,255)");
    CHECK_TEXT(palette_text(text, palette_delta(safe, 4, 4)), "rgb(230,97,1)");
    CHECK_TEXT(palette_text(text, palette_delta(safe, -4, 4)), "rgb(94,60,153)");
    CHECK_TEXT(palette_text(text, palette_delta(safe, -1, 4)), "rgb(193,180,216)");
    CHECK_TEXT(palette_text(text, palette_delta(safe, 0, 4)), "rgb(255,255,255)");
}
