/* Unit tests: a file holds tests and nothing else, each named by a sentence.
 *
 *     TEST("a line without its newline is still a line")
 *     {
 *         CHECK(n == 3);
 *         CHECK_TEXT(line, "third");
 *     }
 *
 * SKIP("no terminals here") marks the test as skipped, whatever it checks. The program prints TAP,
 * and exits with 1 if a check failed. */
#ifndef UNIT_TEST_H
#define UNIT_TEST_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/span.h"

struct test {
    const char *title;
    void (*run)(void);
    struct test *next;
};

static struct test *test_first, **test_end = &test_first;
static int test_failures;        /* failures of the current test */
static const char *test_skipped; /* reason for skipping it, or NULL */

#define TEST_JOIN2(a, b) a##b
#define TEST_JOIN(a, b)  TEST_JOIN2(a, b)
#define TEST(title_text) TEST_NAMED(title_text, TEST_JOIN(test_, __LINE__))
#define TEST_NAMED(title_text, name)                                                               \
    static void name(void);                                                                        \
    __attribute__((constructor)) static void TEST_JOIN(name, _add)(void)                           \
    {                                                                                              \
        static struct test t = {title_text, name, NULL};                                           \
        *test_end = &t;                                                                            \
        test_end = &t.next;                                                                        \
    }                                                                                              \
    static void name(void)

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("# %s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                       \
            test_failures++;                                                                       \
        }                                                                                          \
    } while (0)

#define CHECK_TEXT(span_value, wanted)                                                             \
    do {                                                                                           \
        struct span got_ = (span_value), wanted_ = span_cstr(wanted);                              \
        if (!span_eq(got_, wanted_)) {                                                             \
            printf("# %s:%d: wanted '%s', got '%.*s'\n", __FILE__, __LINE__, wanted,               \
                   SPAN_ARG(got_));                                                                \
            test_failures++;                                                                       \
        }                                                                                          \
    } while (0)

/* An attribute of a variable: at the end of the test, it is freed by this function, which takes its
 * address. */
#define FREED(free_function) __attribute__((cleanup(free_function)))

#define SKIP(reason) (void)(test_skipped = (reason))

int
main(void)
{
    int n = 0, failed = 0;
    for (struct test *t = test_first; t != NULL; t = t->next) {
        test_failures = 0;
        test_skipped = NULL;
        t->run();
        bool bad = test_failures > 0 && test_skipped == NULL;
        printf("%s %d - %s%s%s\n", bad ? "not ok" : "ok", ++n, t->title,
               test_skipped != NULL ? " # skip " : "", test_skipped != NULL ? test_skipped : "");
        failed += bad;
    }
    printf("1..%d\n", n);
    return failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
