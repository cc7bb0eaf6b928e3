#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/base/pattern.h"

/* Compiles the expression; exits if it is invalid. */
static struct pattern
compiled(const char *text)
{
    struct pattern p;
    char error[PATTERN_ERROR];
    if (!pattern_compile(&p, text, error)) {
        printf("# %s: %s\n", text, error);
        exit(1);
    }
    return p;
}

static bool
matches(const char *text, struct span s)
{
    struct pattern p = compiled(text);
    bool yes = pattern_matches(&p, s);
    pattern_free(&p);
    return yes;
}

TEST("an extended expression matches anywhere in the text")
{
    CHECK(matches("uv_(run|read)+", SPAN("node uv_run")));
    CHECK(matches("^uv", SPAN("uv_run")));
    CHECK(matches("run$", SPAN("uv_run")));
    CHECK(!matches("^run", SPAN("uv_run")));
    CHECK(!matches("uv$", SPAN("uv_run")));
    CHECK(matches("", SPAN("")));
    CHECK(matches("^$", span_of(NULL, 0)));
}

TEST("the text ends where the span ends, not at a NUL")
{
    CHECK(!matches("run", span_head(SPAN("uv_run"), 4)));
    CHECK(matches("r$", span_head(SPAN("uv_run"), 4)));
    CHECK(matches("b$", SPAN("a\0b")));
    CHECK(matches("a[^c]b", SPAN("a\0b")));
}

TEST("an invalid expression is reported with a reason")
{
    struct pattern p;
    char error[PATTERN_ERROR] = "";
    CHECK(!pattern_compile(&p, "(", error));
    CHECK(error[0] != '\0');
    CHECK(!pattern_compile(&p, "a{2,1}", error));
    CHECK(!pattern_compile(&p, "[z-a]", error));
}

TEST("a search gives the offsets of the match and its groups from the start of the text")
{
    FREED(pattern_free) struct pattern p = compiled("([a-z]+):([0-9]+)|(x)");
    regmatch_t m[4];
    CHECK(pattern_search(&p, SPAN("== line:42 =="), 0, m, 4));
    CHECK(m[0].rm_so == 3 && m[0].rm_eo == 10);
    CHECK(m[1].rm_so == 3 && m[1].rm_eo == 7);
    CHECK(m[2].rm_so == 8 && m[2].rm_eo == 10);
    CHECK(m[3].rm_so == -1);
    CHECK(pattern_search(&p, SPAN("a:1 b:2"), 3, m, 1));
    CHECK(m[0].rm_so == 4 && m[0].rm_eo == 7);
    CHECK(!pattern_search(&p, SPAN("a:1 b:2"), 7, m, 1));
    CHECK(pattern_search(&p, SPAN("a:1"), 0, NULL, 0));
}

TEST("after the text's start ^ does not match")
{
    FREED(pattern_free) struct pattern p = compiled("^a");
    regmatch_t m[1];
    CHECK(pattern_search(&p, SPAN("aaa"), 0, m, 1));
    CHECK(!pattern_search(&p, SPAN("aaa"), 1, m, 1));
}

TEST("more groups may be asked for than there are")
{
    FREED(pattern_free) struct pattern p = compiled("a");
    regmatch_t m[10];
    CHECK(pattern_search(&p, SPAN("ba"), 0, m, 10));
    CHECK(m[0].rm_so == 1 && m[1].rm_so == -1 && m[9].rm_so == -1);
}

TEST("all matches are found one after the other, past NUL bytes too")
{
    FREED(pattern_free) struct pattern p = compiled("b|$");
    struct span text = SPAN("\0b\0\0ab\0");
    static const int ends[] = {2, 6, 7};
    regmatch_t m[1] = {{0, 0}};
    size_t from = 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        CHECK(pattern_search(&p, text, from, m, 1));
        CHECK(m[0].rm_eo == ends[i]);
        from = (size_t)m[0].rm_eo;
    }
    CHECK(!pattern_search(&p, text, 8, m, 1));
}

TEST("a text that changed in place is searched as it is now")
{
    FREED(pattern_free) struct pattern p = compiled("b");
    char text[] = "ab";
    CHECK(pattern_matches(&p, span_cstr(text)));
    text[1] = 'a';
    CHECK(!pattern_matches(&p, span_cstr(text)));
}

TEST("a text is searched in its first 1,024 bytes, and $ matches there only if they are all")
{
    char text[PATTERN_TEXT + 1];
    memset(text, 'a', sizeof text);
    text[PATTERN_TEXT - 1] = 'b';
    CHECK(matches("ab", span_of(text, sizeof text)));
    CHECK(matches("ab$", span_of(text, PATTERN_TEXT)));
    CHECK(!matches("b$", span_of(text, sizeof text)));
    CHECK(!matches("ba", span_of(text, sizeof text)));
}

TEST("all replacements in a long text end where the search does")
{
    FREED(pattern_free) struct pattern p = compiled("a");
    char text[2 * PATTERN_TEXT]; /* without a NUL, which AddressSanitizer would notice */
    regmatch_t m[1];
    size_t n = 0;
    memset(text, 'a', sizeof text);
    for (size_t from = 0; pattern_search(&p, span_of(text, sizeof text), from, m, 1); n++)
        from = (size_t)m[0].rm_eo;
    CHECK(n == PATTERN_TEXT);
}

/* Whether a match is found, or not, in each of a hundred texts of PATTERN_TEXT bytes. */
static bool
same_in_all(const char *expression, bool wanted)
{
    struct pattern p = compiled(expression);
    char text[PATTERN_TEXT];
    bool same = true;
    memset(text, 'a', sizeof text);
    for (int i = 0; i < 100; i++) {
        snprintf(text, 12, "%07d", i);
        text[7] = 'a';
        same = same && pattern_matches(&p, span_of(text, sizeof text)) == wanted;
    }
    pattern_free(&p);
    return same;
}

TEST("an expression that begins to match at each byte and never ends takes milliseconds")
{
    clock_t start = clock();
    CHECK(same_in_all("a.*b", false));
    CHECK(same_in_all("(a|aa)*b|(a.*)*c", false));
    CHECK(same_in_all("a[^b]*$", true));
    CHECK(clock() - start < 5 * CLOCKS_PER_SEC);
}

TEST("a back reference is refused, and what looks like one is not")
{
    struct pattern p;
    char error[PATTERN_ERROR];
    CHECK(!pattern_compile(&p, "(a)\\1", error));
    CHECK(strcmp(error, "back references are not supported: they may take any time") == 0);
    CHECK(matches("[\\1]", SPAN("1")));
    CHECK(matches("[^]\\1]", SPAN("2")));
    CHECK(matches("[[:digit:]\\2]\\\\1", SPAN("3\\1")));
}

TEST("parentheses, alternatives and intervals match as they do alone")
{
    CHECK(matches("x|^b|c$", SPAN("abc")));
    CHECK(!matches("^b|b$", SPAN("abc")));
    CHECK(matches("(^a)b", SPAN("ab")));
    CHECK(!matches("x(^a)b", SPAN("xab")));
    CHECK(matches("(a|b){2}$", SPAN("xab")));
    CHECK(matches("[)]", SPAN(")")));
    CHECK(matches("\\)", SPAN(")")));
    CHECK(matches("a\nb", SPAN("\na\nb")));
    CHECK(matches("()", SPAN("")));
}
