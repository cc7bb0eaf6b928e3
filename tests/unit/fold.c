#include "tests/unit/test.h"

#include "common/stack/model/fold.h"

static const struct fold_options plain = {
    .names = {.dialect = &foldname_native, .tidy = TIDY_BRACKETS}};

/* Numbers in a frametab are those of its frames in this order. */
static void
add_frames(struct frametab *t)
{
    const struct frame parts[] = {
        {.sym = SPAN("a::f(int)"), .dso = SPAN("/bin/a"), .has_sym = true},
        {.sym = SPAN("main"), .dso = SPAN("/bin/a"), .has_sym = true},
        {.sym = SPAN("[unknown]"), .dso = SPAN("/lib/b.so"), .has_sym = true},
    };
    frametab_init(t, NULL);
    for (size_t i = 0; i < 3; i++)
        frametab_add(t, &parts[i]);
}

static struct out out;

/* The profile as folded text. */
static struct span
written(struct profile *p)
{
    out_open(&out, -1, "nowhere");
    profile_write(p, &out);
    return span_of(out.buf, out.len);
}

TEST("samples with the same names become one stack, whose weights are summed")
{
    FREED(frametab_free) struct frametab frames;
    FREED(profile_free) struct profile profile = {0};
    FREED(fold_free) struct fold f;
    const uint32_t one[] = {0, 1}, other[] = {2, 1};
    struct sample s = {.header.field[PERF_COMM] = SPAN("my app"), .frames = one, .nframes = 2};
    add_frames(&frames);
    fold_init(&f, &plain, &frames, &profile);
    CHECK(fold_add(&f, &s, (struct decimal){2, 0}));
    CHECK(fold_add(&f, &s, (struct decimal){5, 0}));
    s.frames = other;
    CHECK(fold_add(&f, &s, (struct decimal){1, 0}));
    CHECK_TEXT(written(&profile), "my_app;main;[b.so] 1\nmy_app;main;a::f 7\n");
}

TEST("a sample of which nothing remains is not added")
{
    FREED(frametab_free) struct frametab frames;
    FREED(profile_free) struct profile profile = {0};
    FREED(fold_free) struct fold f;
    struct fold_options options = plain;
    struct sample s = {.header.field[PERF_COMM] = SPAN("app")};
    options.no_comm = true;
    add_frames(&frames);
    fold_init(&f, &options, &frames, &profile);
    CHECK(!fold_add(&f, &s, (struct decimal){1, 0}));
    CHECK(profile.stacks.count == 0);
}

TEST("once the table of frames was emptied their numbers mean others")
{
    FREED(frametab_free) struct frametab frames;
    FREED(profile_free) struct profile profile = {0};
    FREED(fold_free) struct fold f;
    const uint32_t stack[] = {0};
    struct sample s = {.header.field[PERF_COMM] = SPAN("x"), .frames = stack, .nframes = 1};
    add_frames(&frames);
    fold_init(&f, &plain, &frames, &profile);
    fold_add(&f, &s, (struct decimal){1, 0});
    frametab_empty(&frames);
    frametab_add(&frames, &(struct frame){.sym = SPAN("other"), .has_sym = true});
    fold_add(&f, &s, (struct decimal){1, 0});
    CHECK_TEXT(written(&profile), "x;a::f 1\nx;other 1\n");
}

TEST("frames that the table gets later are folded as well, and each command has its name")
{
    FREED(frametab_free) struct frametab frames;
    FREED(profile_free) struct profile profile = {0};
    FREED(fold_free) struct fold f;
    uint32_t stack[] = {0};
    struct sample s = {.header.field[PERF_COMM] = SPAN("x"), .frames = stack, .nframes = 1};
    add_frames(&frames);
    fold_init(&f, &plain, &frames, &profile);
    fold_add(&f, &s, (struct decimal){1, 0});
    for (uint32_t i = 0; i < 1000; i++) {
        char name[16];
        snprintf(name, sizeof name, "g%u", i);
        stack[0] = frametab_add(&frames, &(struct frame){.sym = span_cstr(name), .has_sym = true});
    }
    s.header.field[PERF_COMM] = SPAN("y");
    fold_add(&f, &s, (struct decimal){1, 0});
    s.header.field[PERF_COMM] = SPAN("x");
    fold_add(&f, &s, (struct decimal){1, 0});
    CHECK_TEXT(written(&profile), "x;a::f 1\nx;g999 1\ny;g999 1\n");
}

TEST("a stack is composed without a profile of stacks, and may be empty")
{
    static const struct fold_options no_comm = {.names = {.dialect = &foldname_native},
                                                .no_comm = true};
    FREED(frametab_free) struct frametab frames;
    FREED(profile_free) struct profile profile = {0};
    FREED(fold_free) struct fold f;
    const uint32_t list[] = {0, 1};
    struct sample s = {.header.field[PERF_COMM] = SPAN("a"), .frames = list, .nframes = 2};
    add_frames(&frames);
    fold_init(&f, &no_comm, &frames, &profile);
    fold_stack(&f, &s);
    CHECK(f.nstack == 2);
    CHECK_TEXT(profile_name_text(&profile, f.stack[0]), "main");
    s.nframes = 0;
    fold_stack(&f, &s);
    CHECK(f.nstack == 0);
    CHECK(profile.stacks.count == 0);
}
