#include "tests/unit/test.h"

#include "cmd/stackcollapse/shared/stackbuild.h"

static struct out out;

/* The profile as folded text. */
static struct span
written(struct profile *p)
{
    out_open(&out, -1, "nowhere");
    profile_write(p, &out);
    return span_of(out.buf, out.len);
}

static const struct decimal once = {1, 0};

TEST("frames are emitted in the order of the pushes, and equal stacks are summed")
{
    struct profile p = {0};
    struct stackbuild b = {.profile = &p};
    for (uint64_t count = 1; count <= 2; count++) {
        stackbuild_push(&b, SPAN("main"));
        stackbuild_push(&b, SPAN("work"));
        CHECK(stackbuild_emit(&b, (struct decimal){count, 0}));
        CHECK(b.n == 0);
    }
    CHECK_TEXT(written(&p), "main;work 3\n");
    stackbuild_free(&b);
    profile_free(&p);
}

TEST("a stack is reversed whether its number of frames is even or odd")
{
    struct profile p = {0};
    struct stackbuild b = {.profile = &p};
    const struct span names[] = {SPAN("a"), SPAN("b"), SPAN("c")};
    for (size_t n = 0; n <= 3; n++) {
        for (size_t i = 0; i < n; i++)
            stackbuild_push(&b, names[i]);
        stackbuild_reverse(&b, 0);
        CHECK(stackbuild_emit(&b, once) == (n > 0));
    }
    CHECK_TEXT(written(&p), "a 1\nb;a 1\nc;b;a 1\n");
    stackbuild_free(&b);
    profile_free(&p);
}

TEST("the frames pushed last can be reversed alone")
{
    struct profile p = {0};
    struct stackbuild b = {.profile = &p};
    stackbuild_push_folded(&b, SPAN("a;b;c;d"));
    stackbuild_reverse(&b, 1);
    stackbuild_reverse(&b, 4);
    CHECK(stackbuild_emit(&b, once));
    CHECK_TEXT(written(&p), "a;d;c;b 1\n");
    stackbuild_free(&b);
    profile_free(&p);
}

TEST("what separates stacks and frames is replaced in a name, unless the text is folded already")
{
    struct profile p = {0};
    struct stackbuild b = {.profile = &p};
    stackbuild_push(&b, SPAN("La/B;::run\r\nx"));
    CHECK(b.n == 1);
    CHECK(stackbuild_emit(&b, once));
    stackbuild_push_folded(&b, SPAN("a;;b"));
    CHECK(b.n == 3);
    CHECK(stackbuild_emit(&b, once));
    stackbuild_push_folded(&b, SPAN(""));
    CHECK(b.n == 1);
    stackbuild_clear(&b);
    CHECK(!stackbuild_emit(&b, once));
    CHECK_TEXT(written(&p), "La/B:::run  x 1\na;;b 1\n");
    stackbuild_free(&b);
    profile_free(&p);
}
