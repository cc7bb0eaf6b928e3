/* Objects and strings in the memory of a V8, good ones and evil ones. */
#include "common/v8/lineends.h"
#include "common/v8/scope.h"
#include "tests/unit/makeheap.h"

static struct makeheap m;
static struct heap heap;
static struct text text;

static void
begin(void)
{
    makeheap_init(&m);
    heap_init(&heap, &m.layout, &m.memory);
    heap.memory.left = 1 << 20;
}

static void
end(void)
{
    heap_free(&heap);
    free(text.ptr);
    text = (struct text){0};
}

/* Read until nothing is missing. */
static enum v8status
read_text(uint64_t string, uint32_t most)
{
    enum v8status status = V8_WAIT;
    snapshot_clear(&heap.memory);
    for (int i = 0; i < 100 && status == V8_WAIT; i++) {
        snapshot_fetch(&heap.memory);
        text.len = 0;
        status = string_text(&heap, string, most, &text);
    }
    return status;
}

TEST("strings of each kind are read")
{
    begin();
    uint64_t one = makeheap_string(&m, "one"), two = makeheap_string(&m, "two");
    uint64_t cons = makeheap_other(&m, MAKE_CONS | MAKE_ONE_BYTE, 6, one, two);
    uint64_t sliced = makeheap_other(&m, MAKE_SLICED | MAKE_ONE_BYTE, 4, cons, makeheap_smi(1));
    uint64_t thin = makeheap_other(&m, MAKE_THIN | MAKE_ONE_BYTE, 4, sliced, 0);
    uint64_t chars = two - 1 + 16;
    uint64_t external = makeheap_other(&m, MAKE_EXTERNAL | MAKE_ONE_BYTE, 3, 0, chars);
    CHECK(read_text(one, 100) == V8_OK);
    CHECK_TEXT(text_span(&text), "one");
    CHECK(read_text(cons, 100) == V8_OK);
    CHECK_TEXT(text_span(&text), "onetwo");
    CHECK(read_text(thin, 100) == V8_OK);
    CHECK_TEXT(text_span(&text), "netw");
    CHECK(read_text(external, 100) == V8_OK);
    CHECK_TEXT(text_span(&text), "two");
    CHECK(read_text(cons, 4) == V8_OK);
    CHECK_TEXT(text_span(&text), "onet");
    CHECK(read_text(makeheap_string(&m, ""), 100) == V8_OK && text.len == 0);
    end();
}

TEST("two-byte strings become UTF-8, half pairs U+FFFD, Latin-1 too, and NUL a blank")
{
    begin();
    const uint16_t units[] = {0x95a2, 0xd83d, 0xde00, 0xd83d, 'x', 0xde00, 0, 0xd83d};
    CHECK(read_text(makeheap_wide(&m, units, 8), 100) == V8_OK);
    CHECK_TEXT(text_span(&text),
               "\xe9\x96\xa2\xf0\x9f\x98\x80\xef\xbf\xbdx\xef\xbf\xbd \xef\xbf\xbd");
    CHECK(read_text(makeheap_string(&m, "na\xefve"), 100) == V8_OK);
    CHECK_TEXT(text_span(&text), "na\xc3\xafve");
    end();
}

TEST("evil strings are refused: no type, no end, too deep, too long, in a circle")
{
    begin();
    uint64_t good = makeheap_string(&m, "good");
    CHECK(read_text(good + 1, 100) == V8_BAD);        /* no tag */
    CHECK(read_text(makeheap_smi(3), 100) == V8_BAD); /* a number */
    CHECK(read_text(UINT64_MAX - 2, 100) == V8_BAD);  /* the end of all memory */
    CHECK(read_text(0x7000000001, 100) == V8_BAD);    /* no memory */
    CHECK(read_text(makeheap_object(&m, 200, 32), 100) == V8_BAD);
    uint64_t not_map = makeheap_object(&m, 200, 32);
    makeheap_set(&m, not_map, 0, good); /* the map is no map */
    CHECK(read_text(not_map, 100) == V8_BAD);
    uint64_t circle = makeheap_other(&m, MAKE_CONS, 1000, 0, 0);
    makeheap_set(&m, circle, 16, circle);
    makeheap_set(&m, circle, 24, circle);
    CHECK(read_text(circle, 100) == V8_BAD);
    uint64_t thin = makeheap_other(&m, MAKE_THIN, 4, 0, 0);
    makeheap_set(&m, thin, 16, thin);
    CHECK(read_text(thin, 100) == V8_BAD);
    uint64_t negative = makeheap_other(&m, MAKE_SEQ, UINT32_MAX, 0, 0);
    CHECK(read_text(negative, 100) == V8_BAD);
    uint64_t uncached =
        makeheap_other(&m, MAKE_EXTERNAL | MAKE_UNCACHED | MAKE_ONE_BYTE, 4, 0, good);
    CHECK(read_text(uncached, 100) == V8_BAD);
    uint64_t outside = makeheap_other(&m, MAKE_SLICED, 4, good, makeheap_smi(5));
    CHECK(read_text(outside, 100) == V8_BAD);
    uint64_t below = makeheap_other(&m, MAKE_SLICED, 4, good, makeheap_smi(-1));
    CHECK(read_text(below, 100) == V8_BAD);
    end();
}

TEST("a string of ten thousand levels is given up at the 21st, one of 20 is read")
{
    begin();
    uint64_t empty = makeheap_string(&m, ""), s = makeheap_string(&m, "deep");
    for (int depth = 0; depth < 20; depth++)
        s = makeheap_other(&m, MAKE_CONS, 4, s, empty);
    CHECK(read_text(s, 100) == V8_OK);
    CHECK_TEXT(text_span(&text), "deep");
    for (int depth = 0; depth < 10000; depth++)
        s = makeheap_other(&m, MAKE_CONS, 4, s, empty);
    size_t before = m.nblocks;
    CHECK(read_text(s, 100) == V8_BAD);
    CHECK(m.nblocks - before < 50);
    end();
}

TEST("a tree of cons strings with shared halves is not walked without end")
{
    begin();
    uint64_t s = makeheap_string(&m, "");
    for (int depth = 0; depth < 19; depth++)
        s = makeheap_other(&m, MAKE_CONS, 100, s, s);
    size_t before = m.nblocks;
    CHECK(read_text(s, 100) != V8_WAIT);
    CHECK(m.nblocks - before < 50);
    end();
}

TEST("what lies in a page that cannot be read is refused, what is before it is read")
{
    begin();
    m.len = (m.len + 4095) / 4096 * 4096 + 4096 - 24;
    uint64_t last = makeheap_room(&m, 24, 8);
    makeheap_set(&m, last, 0, makeheap_map(&m, MAKE_SEQ | MAKE_ONE_BYTE));
    makeheap_set32(&m, last, 12, 3);
    memcpy(m.bytes + (last - 1 - MAKEHEAP_BASE) + 16, "end", 3);
    uint64_t map = makeheap_map(&m, MAKE_SEQ | MAKE_ONE_BYTE);
    m.hole = (last - 1 + 24) / 4096 * 4096;
    /* The maps lie behind the hole, so let them be elsewhere. */
    CHECK(map >= m.hole && map < m.hole + 4096);
    m.hole = 0;
    CHECK(read_text(last, 10) == V8_OK);
    m.hole = (last - 1 + 24) / 4096 * 4096;
    CHECK(read_text(last, 10) == V8_OK); /* the type of the map is known */
    CHECK_TEXT(text_span(&text), "end");
    makeheap_set32(&m, last, 12, 30);
    CHECK(read_text(last, 100) == V8_BAD);
    end();
}

TEST("no more is read than is left, and that is noted")
{
    begin();
    heap.memory.left = 128;
    CHECK(read_text(makeheap_string(
                        &m, "a rather long text that lies in more than two lines of the cache, "
                            "which have 64 bytes each, so that it does"),
                    1000) == V8_BAD);
    CHECK(heap.memory.refused && heap.memory.bytes <= 128);
    end();
}

TEST("what is read once can be looked at without end, but not for ever")
{
    begin();
    uint64_t s = makeheap_string(&m, "x");
    char bytes[16];
    uint16_t type;
    CHECK(heap_object(&heap, s, sizeof bytes, bytes, &type) == V8_WAIT);
    size_t n = 0;
    for (snapshot_fetch(&heap.memory); n < SNAPSHOT_STEPS && !heap.memory.refused; n++)
        heap_object(&heap, s, sizeof bytes, bytes, &type);
    CHECK(n > SNAPSHOT_STEPS / 4 && heap.memory.refused);
    CHECK(heap_object(&heap, s, sizeof bytes, bytes, &type) == V8_BAD);
    snapshot_trim(&heap.memory);
    heap.memory.left = 1 << 20;
    CHECK(heap_object(&heap, s, sizeof bytes, bytes, &type) == V8_WAIT && !heap.memory.refused);
    end();
}

/* "0:0 1:3": line and column of offsets. */
static struct span
positions(const struct lineends *l, const uint32_t *offsets, size_t n)
{
    static char out[200];
    int len = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t line, column;
        lineends_position(l, offsets[i], &line, &column);
        len += snprintf(out + len, sizeof out - (size_t)len, "%s%u:%u", i > 0 ? " " : "", line,
                        column);
    }
    return span_of(out, (size_t)len);
}

static enum v8status
read_ends(struct lineends *l, uint64_t array, uint64_t source, struct lineends_budget budget)
{
    enum v8status status = V8_WAIT;
    for (int i = 0; i < 100 && status == V8_WAIT; i++) {
        snapshot_fetch(&heap.memory);
        status = lineends_read(l, &heap, array, source, &budget);
    }
    return status;
}

TEST("lines end with LF, CR, CR LF, U+2028 and U+2029, in all pieces of the source")
{
    begin();
    struct lineends FREED(lineends_free) l = {0};
    const uint16_t rest[] = {'\n', 'c', 0x2028, 'd', 0x2029, 'e', '\r'};
    uint64_t source = makeheap_other(&m, MAKE_CONS, 12, makeheap_string(&m, "a\nb\rx\r"),
                                     makeheap_wide(&m, rest, 7));
    makeheap_set32(&m, source, 12, 13);
    CHECK(read_ends(&l, 0, source, (struct lineends_budget){1000, 1000, false}) == V8_OK);
    CHECK_TEXT(positions(&l, (const uint32_t[]){0, 1, 2, 4, 7, 9, 11, 13}, 8),
               "0:0 0:1 1:0 2:0 3:0 4:0 5:0 6:0");
    end();
}

TEST("V8's own line ends are taken if they are there and rise")
{
    begin();
    struct lineends FREED(lineends_free) l = {0};
    uint64_t source = makeheap_string(&m, "a\nb\nc");
    uint64_t array = makeheap_object(&m, m.layout.type_fixed_array, 16 + 16);
    makeheap_set(&m, array, 8, makeheap_smi(2));
    makeheap_set(&m, array, 16, makeheap_smi(2));
    makeheap_set(&m, array, 24, makeheap_smi(4));
    CHECK(read_ends(&l, array, source, (struct lineends_budget){1000, 1000, false}) == V8_OK);
    CHECK_TEXT(positions(&l, (const uint32_t[]){2, 3}, 2), "0:2 1:0");
    lineends_free(&l);
    makeheap_set(&m, array, 24, makeheap_smi(1));
    snapshot_clear(&heap.memory);
    CHECK(read_ends(&l, array, source, (struct lineends_budget){1000, 1000, false}) == V8_OK);
    CHECK_TEXT(positions(&l, (const uint32_t[]){2, 3}, 2), "1:0 1:1");
    lineends_free(&l);
    makeheap_set(&m, array, 8, makeheap_smi(INT32_MAX)); /* longer than memory */
    snapshot_clear(&heap.memory);
    CHECK(read_ends(&l, array, source, (struct lineends_budget){1000, 1000, false}) == V8_OK &&
          l.n == 3);
    end();
}

TEST("a source that is larger than the budget is not read")
{
    begin();
    struct lineends FREED(lineends_free) l = {0};
    uint64_t source = makeheap_string(&m, "a\nb\nc"),
             huge = makeheap_other(&m, MAKE_SEQ, INT32_MAX, 0, 0);
    CHECK(read_ends(&l, 0, source, (struct lineends_budget){4, 1000, false}) == V8_BAD && l.n == 0);
    CHECK(read_ends(&l, 0, huge, (struct lineends_budget){1 << 20, 1000, false}) == V8_BAD &&
          l.n == 0);
    end();
}

TEST("a scope has its type, name, inferred name and position after any number of locals")
{
    for (int locals = 0; locals < 100; locals += 99) {
        begin();
        struct scope s;
        enum v8status status = V8_WAIT;
        uint64_t scope = makeheap_object(&m, m.layout.type_scope, 8 * 250);
        uint64_t name = makeheap_string(&m, "name"), inferred = makeheap_string(&m, "a.b");
        makeheap_set(&m, scope, 8, 5u | 1u << 10 | 1u << 12 | 1u << 14); /* a module's */
        makeheap_set(&m, scope, 24, makeheap_smi(locals));
        makeheap_set(&m, scope, 32, makeheap_smi(7));
        makeheap_set(&m, scope, 40, makeheap_smi(9));
        size_t at = 48 + 8 + (locals < 75 ? (size_t)locals * 16 : 8 + (size_t)locals * 8) + 8;
        makeheap_set(&m, scope, at, name);
        makeheap_set(&m, scope, at + 16, inferred);
        for (int i = 0; i < 10 && status == V8_WAIT; i++) {
            snapshot_fetch(&heap.memory);
            status = scope_read(&s, &heap, scope);
        }
        CHECK(status == V8_OK && s.type == m.layout.scope_module);
        CHECK(s.name == name && s.inferred == inferred && s.start == 7 && s.end == 9);
        makeheap_set(&m, scope, 24, makeheap_smi(INT32_MAX));
        snapshot_clear(&heap.memory);
        scope_read(&s, &heap, scope);
        snapshot_fetch(&heap.memory);
        CHECK(scope_read(&s, &heap, scope) == V8_BAD);
        end();
    }
}
