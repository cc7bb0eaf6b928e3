#include "tests/unit/test.h"

#include "common/base/intern.h"
#include "tests/unit/child.h"

TEST("equal texts get the same number, counted from 0 in order of first appearance")
{
    FREED(intern_free) struct intern t = {0};
    CHECK(intern_add(&t, SPAN("main")) == 0);
    CHECK(intern_add(&t, SPAN("uv_run")) == 1);
    CHECK(intern_add(&t, SPAN("main")) == 0);
    CHECK(intern_add(&t, SPAN("")) == 2);
    CHECK(intern_add(&t, span_of(NULL, 0)) == 2);
    CHECK(t.count == 3);
    CHECK_TEXT(intern_text(&t, 1), "uv_run");
}

TEST("a text that is new is reported as new, once")
{
    FREED(intern_free) struct intern t = {0};
    uint32_t id = 7;
    CHECK(intern_put(&t, SPAN("main"), &id) && id == 0);
    CHECK(intern_put(&t, SPAN("uv_run"), &id) && id == 1);
    CHECK(!intern_put(&t, SPAN("main"), &id) && id == 0);
    CHECK(intern_append(&t, SPAN("last")) == 2);
    CHECK(!intern_put(&t, SPAN("last"), &id) && id == 2);
}

TEST("texts that differ after a NUL byte are different")
{
    FREED(intern_free) struct intern t = {0};
    CHECK(intern_add(&t, SPAN("a\0b")) == 0);
    CHECK(intern_add(&t, SPAN("a\0c")) == 1);
    CHECK(intern_add(&t, SPAN("a")) == 2);
    CHECK(span_eq(intern_text(&t, 0), SPAN("a\0b")));
}

TEST("a text that was never added is not found, nor is any in an empty table")
{
    FREED(intern_free) struct intern t = {0};
    CHECK(intern_find(&t, SPAN("main")) == INTERN_NONE);
    intern_add(&t, SPAN("main"));
    CHECK(intern_find(&t, SPAN("main")) == 0);
    CHECK(intern_find(&t, SPAN("mai")) == INTERN_NONE);
    intern_free(&t);
    CHECK(intern_find(&t, SPAN("main")) == INTERN_NONE);
}

TEST("the text is copied")
{
    FREED(intern_free) struct intern t = {0};
    char text[] = "before";
    intern_add(&t, span_cstr(text));
    memcpy(text, "after!", 6);
    CHECK_TEXT(intern_text(&t, 0), "before");
    CHECK(intern_find(&t, span_cstr(text)) == INTERN_NONE);
}

TEST("a hundred thousand texts keep their numbers while the table grows")
{
    enum { N = 100000 };
    FREED(intern_free) struct intern t = {0};
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < N; i++) {
            char text[32];
            int n = snprintf(text, sizeof text, "frame %u", i * 7);
            if (intern_add(&t, span_of(text, (size_t)n)) != i ||
                !span_eq(intern_text(&t, i), span_of(text, (size_t)n)))
                CHECK(false && "a text lost its number");
        }
    CHECK(t.count == N);
}

TEST("texts known to be new are appended without a lookup, and found by the next one")
{
    FREED(intern_free) struct intern t = {0};
    char text[16];
    for (uint32_t i = 0; i < 3000; i++) {
        int n = snprintf(text, sizeof text, "new %u", (unsigned)i);
        CHECK(intern_append(&t, span_of(text, (size_t)n)) == i);
    }
    CHECK(intern_add(&t, SPAN("new 2999")) == 2999);
    CHECK(intern_add(&t, SPAN("new 0")) == 0);
    CHECK(intern_add(&t, SPAN("another")) == 3000);
    CHECK(intern_find(&t, SPAN("new 1234")) == 1234);
    CHECK(intern_append(&t, SPAN("last")) == 3001);
    CHECK_TEXT(intern_text(&t, 3001), "last");
    CHECK(intern_add(&t, SPAN("last")) == 3001);
}

static void
add_too_many(void *arg)
{
    struct intern t = {.count = INTERN_NONE - 1};
    (void)arg;
    intern_append(&t, SPAN("one more"));
}

TEST("more texts than there are numbers end the program as a lack of memory")
{
    struct child c;
    child_run(&c, add_too_many, NULL);
    CHECK(c.status == 1);
    CHECK(span_search(c.err, SPAN("out of memory\n")) != SPAN_NONE);
}
