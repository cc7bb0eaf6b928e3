#include "tests/unit/test.h"

#include "cmd/stackcollapse/shared/stacker.h"
#include "common/stack/model/foldname.h"

static struct out out;

/* The profile as folded text. */
static struct span
written(struct profile *p)
{
    out_open(&out, -1, "nowhere");
    profile_write(p, &out);
    return span_of(out.buf, out.len);
}

/* A state in one of the dialects. */
static struct stacker
begin(bool raw_semicolons)
{
    static struct foldname_dialect names;
    static struct dialect dialect = {.names = &names};
    static struct options options = {.dialect = &dialect};
    static struct collapse c;
    names.raw_semicolons = raw_semicolons;
    c = (struct collapse){.options = &options};
    return (struct stacker){.c = &c};
}

static void
end(struct stacker *s)
{
    profile_free(&s->c->profile);
    stacker_free(s);
}

TEST("frames are emitted in the order of the pushes or against it, and equal stacks are summed")
{
    struct stacker s = begin(false);
    for (int i = 0; i < 2; i++) {
        stacker_push(&s, SPAN("main"));
        stacker_push(&s, SPAN("work"));
        CHECK(stacker_emit(&s, ROOT_FIRST, (struct decimal){2, 0}));
        CHECK(s.n == 0);
    }
    stacker_push(&s, SPAN("work"));
    stacker_push(&s, SPAN("main"));
    stacker_finish(&s);
    CHECK(s.c->samples == 3);
    CHECK_TEXT(written(&s.c->profile), "main;work 5\n");
    end(&s);
}

TEST("a stack is reversed whether its number of frames is even or odd")
{
    struct stacker s = begin(false);
    const struct span names[] = {SPAN("a"), SPAN("b"), SPAN("c")};
    for (size_t n = 0; n <= 3; n++) {
        for (size_t i = 0; i < n; i++)
            stacker_push(&s, names[i]);
        CHECK(stacker_emit(&s, LEAF_FIRST, ONCE) == (n > 0));
    }
    CHECK(s.c->samples == 3);
    CHECK_TEXT(written(&s.c->profile), "a 1\nb;a 1\nc;b;a 1\n");
    end(&s);
}

TEST("the frames pushed last can be reversed alone")
{
    struct stacker s = begin(false);
    stacker_push_folded(&s, SPAN("a;b;c;d"));
    stacker_reverse(&s, 1);
    stacker_reverse(&s, 4);
    CHECK(stacker_add(&s, ROOT_FIRST, ONCE));
    CHECK(s.c->samples == 0);
    CHECK_TEXT(written(&s.c->profile), "a;d;c;b 1\n");
    end(&s);
}

TEST("what separates stacks and frames is replaced in a name, unless the text is folded already")
{
    struct stacker s = begin(false);
    stacker_push(&s, SPAN("La/B;::run\r\nx"));
    CHECK(s.n == 1);
    CHECK(stacker_emit(&s, ROOT_FIRST, ONCE));
    stacker_push_folded(&s, SPAN("a;;b"));
    CHECK(s.n == 3);
    CHECK(stacker_emit(&s, ROOT_FIRST, ONCE));
    stacker_push_folded(&s, SPAN(""));
    CHECK(s.n == 1);
    s.n = 0;
    CHECK(!stacker_emit(&s, ROOT_FIRST, ONCE));
    CHECK_TEXT(written(&s.c->profile), "La/B:::run  x 1\na;;b 1\n");
    end(&s);
}

TEST("in the Perl dialect a name with a semicolon is several frames, in the order of the others")
{
    struct stacker s = begin(true);
    stacker_push_leaf_first(&s, SPAN("b;c"));
    stacker_push_leaf_first(&s, SPAN("a"));
    CHECK(stacker_emit(&s, LEAF_FIRST, ONCE));
    stacker_push(&s, SPAN("d;e"));
    CHECK(stacker_emit(&s, ROOT_FIRST, ONCE));
    CHECK_TEXT(written(&s.c->profile), "a;b;c 1\nd;e 1\n");
    end(&s);
}
