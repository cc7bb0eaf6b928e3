/* Records in the order of their times. */
#include "common/event/order.h"

#include "common/base/mem.h"
#include "tests/unit/test.h"

/* Adds a record whose bytes are its name. */
static void
add(struct order *o, uint64_t time, const char *name)
{
    order_add(o, time, span_cstr(name), 0);
}

/* The names of all that can be given now. */
static const char *
given(struct order *o)
{
    static char text[256];
    struct order_entry h;
    size_t n = 0;
    while (order_next(o, &h)) {
        memcpy(text + n, h.bytes.ptr, h.bytes.len);
        n += h.bytes.len;
    }
    text[n] = '\0';
    return text;
}

TEST("nothing is given in the first round, and then what no later record can precede")
{
    FREED(order_free) struct order o = {0};
    add(&o, 30, "c");
    add(&o, 10, "a");
    CHECK_TEXT(span_cstr(given(&o)), "");
    order_round(&o);
    CHECK_TEXT(span_cstr(given(&o)), "");
    add(&o, 40, "d");
    add(&o, 20, "b");
    order_round(&o);
    CHECK_TEXT(span_cstr(given(&o)), "abc");
    add(&o, 50, "e");
    order_end(&o);
    CHECK_TEXT(span_cstr(given(&o)), "de");
}

TEST("records of equal times come in the order in which they were added")
{
    FREED(order_free) struct order o = {0};
    add(&o, 2, "c");
    add(&o, 1, "a");
    add(&o, 2, "d");
    order_round(&o);
    add(&o, 2, "e");
    add(&o, 1, "b");
    order_end(&o);
    CHECK_TEXT(span_cstr(given(&o)), "abcde");
}

TEST("a record that comes too late for its place is given next")
{
    FREED(order_free) struct order o = {0};
    add(&o, 10, "a");
    order_round(&o);
    order_round(&o);
    CHECK_TEXT(span_cstr(given(&o)), "a");
    add(&o, 5, "z");
    add(&o, 11, "b");
    order_end(&o);
    CHECK_TEXT(span_cstr(given(&o)), "zb");
}

TEST("beyond the limit the earlier half is given without a round")
{
    FREED(order_free) struct order o = {.limit = 1000};
    size_t n = 0;
    struct order_entry h;
    uint64_t last = 0;
    for (uint64_t time = 1; time <= 100000; time++) {
        order_add(&o, time, SPAN("0123456789"), time);
        while (order_next(&o, &h)) {
            CHECK(h.time == last + 1 && h.offset == h.time);
            last = h.time;
            n++;
        }
        CHECK(time - n < 20);
    }
}

TEST("random times come out sorted, over many rounds, with the bytes that belong to them")
{
    enum { ROUNDS = 40, RECORDS = 3000 };
    FREED(order_free) struct order o = {0};
    struct order_entry h;
    unsigned seed = 1;
    size_t n = 0;
    uint64_t last = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < RECORDS; i++) {
            seed = seed * 1103515245u + 12345u;
            uint64_t record[32] = {round * 1000 + (seed >> 16) % 2000};
            order_add(&o, record[0], span_of((const char *)record, sizeof record), 0);
        }
        if (round + 1 < ROUNDS)
            order_round(&o);
        else
            order_end(&o);
        while (order_next(&o, &h)) {
            CHECK(h.time >= last && memcmp(h.bytes.ptr, &h.time, sizeof h.time) == 0);
            last = h.time;
            n++;
        }
    }
    CHECK(n == ROUNDS * RECORDS);
}

TEST("memory whose records were all given is used again: the leak checker sees what is lost")
{
    enum { ROUNDS = 20, RECORDS = 40 };
    static const char bytes[16 * 1024];
    FREED(order_free) struct order o = {0};
    struct order_entry h;
    for (int round = 0; round < ROUNDS; round++) {
        for (uint64_t time = 1; time <= RECORDS; time++)
            order_add(&o, time, span_of(bytes, sizeof bytes), 0);
        order_end(&o);
        while (order_next(&o, &h))
            ;
    }
}

TEST("records that wait long do not keep the memory of all that came between them")
{
    enum { LATE = 1000, BETWEEN = 40, HELD_MAX = 50 };
    static const char bytes[8 * 1024];
    FREED(order_free) struct order o = {.limit = 1 << 20};
    struct order_entry h;
    size_t held = 0;
    for (uint64_t i = 1; i <= LATE; i++) {
        add(&o, UINT32_MAX + i, "late");
        held++;
        for (uint64_t j = 0; j < BETWEEN; j++) {
            order_add(&o, i * BETWEEN + j, span_of(bytes, sizeof bytes), 0);
            while (order_next(&o, &h))
                held -= h.time > UINT32_MAX;
        }
        CHECK(held < HELD_MAX);
    }
}
