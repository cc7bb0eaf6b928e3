#include "tests/unit/test.h"

#include "common/base/diag.h"
#include "tests/unit/child.h"

static void
error_at(void *arg)
{
    struct diag d;
    (void)arg;
    diag_init(&d, "prog");
    if (d.status != 0)
        _exit(98);
    diag_error(&d, (struct place){"in.txt", 12}, "bad count '%s'", "x");
    diag_error(&d, (struct place){"in.txt", 0}, "not there");
    diag_error(&d, NOWHERE, "nothing to do");
    _exit(d.status);
}

TEST("an error names program, file and line, and sets the status to 1")
{
    struct child c;
    child_run(&c, error_at, NULL);
    CHECK(c.status == 1);
    CHECK_TEXT(c.out, "");
    CHECK_TEXT(c.err, "prog: in.txt:12: bad count 'x'\n"
                      "prog: in.txt: not there\n"
                      "prog: nothing to do\n");
}

static void
warn_often(void *arg)
{
    struct diag d;
    diag_init(&d, "prog");
    d.quiet = *(bool *)arg;
    for (size_t line = 1; line <= 5; line++)
        diag_warn(&d, "odd lines", (struct place){"f", line}, "odd line");
    for (size_t line = 1; line <= DIAG_SHOWN; line++)
        diag_warn(&d, "even lines", (struct place){"f", line}, "even line");
    diag_note(&d, "a note");
    diag_error(&d, NOWHERE, "an error");
    d.status = 0;
    diag_finish(&d);
    _exit(d.status);
}

TEST("of each kind three warnings are printed, and at the end how many there were")
{
    struct child c;
    bool quiet = false;
    child_run(&c, warn_often, &quiet);
    CHECK(c.status == 0);
    CHECK_TEXT(c.err, "prog: f:1: odd line\nprog: f:2: odd line\nprog: f:3: odd line\n"
                      "prog: f:1: even line\nprog: f:2: even line\nprog: f:3: even line\n"
                      "prog: a note\nprog: an error\nprog: 5 odd lines in all\n");
}

static void
warn_very_often(void *arg)
{
    struct diag d;
    (void)arg;
    diag_init(&d, "prog");
    for (size_t i = 0; i < 12345; i++)
        diag_warn(&d, "odd lines", NOWHERE, "odd");
    diag_finish(&d);
    _exit(d.status);
}

TEST("the number of warnings has separators")
{
    struct child c;
    child_run(&c, warn_very_often, NULL);
    CHECK_TEXT(c.err, "prog: odd\nprog: odd\nprog: odd\nprog: 12,345 odd lines in all\n");
}

static void
warn_of_no_kind(void *arg)
{
    struct diag d;
    diag_init(&d, "prog");
    d.quiet = *(bool *)arg;
    for (size_t line = 1; line <= DIAG_SHOWN + 1; line++)
        diag_warn(&d, NULL, (struct place){"f", line}, "odd");
    diag_finish(&d);
    _exit(d.status);
}

TEST("warnings of no kind are all printed and not counted, unless quiet")
{
    struct child c;
    bool quiet = false;
    child_run(&c, warn_of_no_kind, &quiet);
    CHECK(c.status == 0);
    CHECK_TEXT(c.err, "prog: f:1: odd\nprog: f:2: odd\nprog: f:3: odd\nprog: f:4: odd\n");
    quiet = true;
    child_run(&c, warn_of_no_kind, &quiet);
    CHECK_TEXT(c.err, "");
}

TEST("quiet silences warnings and notes, never errors")
{
    struct child c;
    bool quiet = true;
    child_run(&c, warn_often, &quiet);
    CHECK_TEXT(c.err, "prog: an error\n");
}

static void
say_control_bytes(void *arg)
{
    struct diag d;
    (void)arg;
    diag_init(&d, "prog");
    diag_note(&d, "%s", "a\033[31mb\nc\177d\te\xc3\xaf\xc2\x9bg\x9bh");
}

TEST("control characters and bytes that are no UTF-8 cannot reach the terminal")
{
    struct child c;
    child_run(&c, say_control_bytes, NULL);
    CHECK_TEXT(c.err, "prog: a?[31mb?c?d\te\xc3\xaf??g?h\n");
}

static void
say_much(void *arg)
{
    struct diag d;
    (void)arg;
    diag_init(&d, "prog");
    diag_error(&d, NOWHERE, "%0*d", 5000, 1);
    static char name[5000];
    memset(name, 'n', sizeof name - 1);
    diag_error(&d, (struct place){name, 1}, "lost");
    _exit(d.status);
}

TEST("a message of any length is one line")
{
    struct child c;
    child_run(&c, say_much, NULL);
    CHECK(c.status == 1);
    CHECK(span_starts(c.err, SPAN("prog: 0000")));
    CHECK(span_ends(c.err, SPAN("\n")));
    struct span rest = span_from(c.err, span_find(c.err, '\n') + 1);
    CHECK(span_starts(rest, SPAN("prog: ")));
    CHECK(span_find(rest, '\n') == rest.len - 1);
}

static void
warn_of_many_kinds(void *arg)
{
    static char kinds[DIAG_KINDS + 1][8];
    struct diag d;
    (void)arg;
    diag_init(&d, "prog");
    d.quiet = true;
    for (size_t i = 0; i <= DIAG_KINDS; i++) {
        snprintf(kinds[i], sizeof kinds[i], "k%zu", i);
        diag_warn(&d, kinds[i], NOWHERE, "w");
    }
    _exit(d.nkinds == DIAG_KINDS ? 0 : 1);
}

TEST("more kinds than fit the table do no harm")
{
    struct child c;
    child_run(&c, warn_of_many_kinds, NULL);
    CHECK(c.status == 0);
}
