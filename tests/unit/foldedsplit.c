#include "tests/unit/test.h"

#include "common/stack/text/foldedsplit.h"

/* The stack split last, joined again. */
static struct span
joined(const struct foldedsplit *s, const struct profile *p)
{
    static char text[128];
    size_t len = 0;
    for (size_t i = 0; i < s->nframes; i++) {
        struct span name = profile_name_text(p, s->frames[i]);
        memcpy(text + len, name.ptr, name.len);
        len += name.len;
        text[len++] = ';';
    }
    return span_of(text, len - 1);
}

TEST("each stack is split into its names, whatever it shares with the one before")
{
    static const struct {
        struct span stack;
        bool sorted;
    } rows[] = {
        {SPAN("a;b;c"), true}, {SPAN("a;b;cd"), true}, {SPAN("a;bc"), true}, {SPAN("a;b"), false},
        {SPAN("a"), false},    {SPAN("a;b;c"), true},  {SPAN(";;x"), false}, {SPAN(""), false},
        {SPAN("a;;b"), true},  {SPAN("a;;b"), false},
    };
    FREED(profile_free) struct profile p = {0};
    FREED(foldedsplit_free) struct foldedsplit s = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK(foldedsplit_next(&s, &p, rows[i].stack) == rows[i].sorted);
        CHECK(span_eq(joined(&s, &p), rows[i].stack));
    }
}
