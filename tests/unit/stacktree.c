#include "tests/unit/test.h"

#include "common/stack/model/profile.h"

static struct out out;

/* The profile as folded text. */
static struct span
written(struct profile *p)
{
    out_open(&out, -1, "nowhere");
    profile_write(p, &out);
    return span_of(out.buf, out.len);
}

struct calls {
    struct profile p;
    struct stacktree t;
};

static uint32_t
push(struct calls *calls, uint32_t parent, const char *name)
{
    return stacktree_child(&calls->t, parent, profile_name(&calls->p, span_cstr(name)));
}

static void
end(struct calls *calls)
{
    stacktree_free(&calls->t);
    profile_free(&calls->p);
}

static const struct decimal none = {0, 0}, once = {1, 0};

/* Counts a;b;c, a;d, and e, and looks at a;b without counting it. */
static void
count_some(struct calls *calls)
{
    uint32_t a = push(calls, STACKTREE_ROOT, "a"), b = push(calls, a, "b");
    stacktree_count(&calls->t, push(calls, b, "c"), once);
    stacktree_count(&calls->t, push(calls, a, "d"), once);
    stacktree_count(&calls->t, push(calls, STACKTREE_ROOT, "e"), none);
}

TEST("a stack has one number, whatever stack was looked up before")
{
    struct calls calls = {0};
    for (int i = 0; i < 3; i++) {
        uint32_t a = push(&calls, STACKTREE_ROOT, "a"), b = push(&calls, a, "b");
        CHECK(push(&calls, a, "b") == b && push(&calls, b, "b") != b);
        CHECK(push(&calls, STACKTREE_ROOT, "a") == a && push(&calls, STACKTREE_ROOT, "b") != b);
    }
    CHECK(calls.t.n == 5);
    end(&calls);
}

TEST("the counted stacks are added to the profile, to the first tree and to those that follow")
{
    struct calls calls = {0};
    for (int i = 0; i < 2; i++) {
        count_some(&calls);
        profile_add_tree(&calls.p, &calls.t);
        CHECK(calls.t.n == 0);
        CHECK_TEXT(written(&calls.p), i == 0 ? "a;b;c 1\na;d 1\ne 0\n" : "a;b;c 2\na;d 2\ne 0\n");
    }
    end(&calls);
}
