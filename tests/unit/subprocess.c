/* Programs that run beside this one. */
#include "common/base/subprocess.h"

#include "tests/unit/test.h"

static const char *const cat[] = {"cat", NULL};

TEST("what is written to a program, its lines answer")
{
    struct subprocess p = {0};
    struct span line;
    CHECK(subprocess_start(&p, cat, 60));
    for (int i = 0; i < 3; i++) {
        CHECK(subprocess_write(&p, SPAN("one\ntwo\n")));
        CHECK(lines_next(&p.lines, &line) && span_eq(line, SPAN("one")));
        CHECK(lines_next(&p.lines, &line) && span_eq(line, SPAN("two")));
    }
    CHECK(subprocess_end(&p) && p.pid == 0);
    subprocess_free(&p);
}

TEST("a program's input ends with it, also while others run that were started later")
{
    struct subprocess first = {0}, second = {0};
    CHECK(subprocess_start(&first, cat, 60) && subprocess_start(&second, cat, 60));
    CHECK(subprocess_end(&first));
    CHECK(subprocess_end(&second));
    subprocess_free(&first);
    subprocess_free(&second);
}

TEST("a program that is not there cannot be started")
{
    static const char *const argv[] = {"/nonexistent/program", NULL};
    struct subprocess p = {0};
    CHECK(!subprocess_start(&p, argv, 60));
    subprocess_free(&p);
}

TEST("writing to a program that has ended fails, and its status is seen")
{
    static const char *const argv[] = {"false", NULL};
    struct subprocess p = {0};
    struct span line;
    CHECK(subprocess_start(&p, argv, 60));
    CHECK(!lines_next(&p.lines, &line)); /* it has ended */
    CHECK(!subprocess_write(&p, SPAN("one\n")));
    CHECK(!subprocess_end(&p));
    subprocess_free(&p);
}

/* The shell starts another process, which holds its output open. */
TEST("a program that does not answer in time is killed, and its output ends there")
{
    static const char *const argv[] = {"sh", "-c", "echo one; sleep 20; echo two", NULL};
    struct subprocess p = {0};
    struct span line;
    CHECK(subprocess_start(&p, argv, 60));
    CHECK(lines_next(&p.lines, &line) && span_eq(line, SPAN("one")) && !p.late);
    subprocess_limit(&p, 0);
    CHECK(!lines_next(&p.lines, &line) && p.late);
    CHECK(!subprocess_end(&p) && p.pid == 0);
    subprocess_free(&p);
}

TEST("a program that can be killed before its time is over")
{
    static const char *const argv[] = {"sleep", "20", NULL};
    struct subprocess p = {0};
    CHECK(subprocess_start(&p, argv, 60));
    subprocess_kill(&p);
    CHECK(p.pid == 0);
    subprocess_free(&p);
}
