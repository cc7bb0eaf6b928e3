/* Names of code by address that a recording has, over time. */
#include "common/symbolize/codenames.h"

#include "common/event/ownrecord.h"
#include "tests/unit/test.h"

static struct codenames codes;
static struct arena names;

/* Take in a record of our own, as it is read from a file. */
static void
see(struct ownrecord own)
{
    const struct event e = {.sample_type = PERF_SAMPLE_TIME, .flags = 1 << FLAG_SAMPLE_ID_ALL};
    struct eventset set = {0};
    struct text t = {0};
    struct record r;
    eventset_add(&set, &e, &names);
    ownrecord_write(&own, &set, 9, 0, &t);
    CHECK(record_decode(&set, text_span(&t), &r) == NULL);
    codenames_see(&codes, &r);
    eventset_free(&set);
    free(t.ptr);
}

static void
name(uint32_t pid, uint64_t start, uint64_t size, const char *label)
{
    see((struct ownrecord){.what = OWN_CODE, .pid = pid, .code = {start, size, span_cstr(label)}});
}

static void
inline_calls(uint32_t pid, uint64_t start, uint64_t size, const char *labels)
{
    see((struct ownrecord){
        .what = OWN_INLINED, .pid = pid, .code = {start, size, span_cstr(labels)}});
}

static void
see_task(uint32_t type, uint16_t misc, uint32_t pid, uint32_t ppid)
{
    struct record r = {.type = type, .misc = misc, .task = {pid, ppid, pid, ppid}};
    if (type == PERF_RECORD_COMM)
        r.comm = (struct record_comm){pid, pid, SPAN("node")};
    codenames_see(&codes, &r);
}

static void
see_map(uint32_t pid, uint64_t addr, uint64_t len, const char *file)
{
    struct record r = {.type = PERF_RECORD_MMAP2,
                       .misc = PERF_RECORD_MISC_USER,
                       .mmap = {.pid = pid, .addr = addr, .len = len, .file = span_cstr(file)}};
    codenames_see(&codes, &r);
}

/* "LABEL+OFFSET PID" of an address; "" if it has no name. */
static struct span
at(int64_t pid, uint64_t addr)
{
    static char text[256];
    struct codename found;
    const struct codenames_process *p = codenames_of(&codes, pid);
    if (p == NULL || !codenames_find(&codes, p, addr, 9, &found))
        return SPAN("");
    snprintf(text, sizeof text, "%.*s+%llx %d", SPAN_ARG(found.label),
             (unsigned long long)(addr - found.start), (int)found.pid);
    return span_cstr(text);
}

TEST("code has its newest name, from its first address to its last, and the rest of what was there "
     "the older one")
{
    codenames_init(&codes);
    name(4, 0x1000, 0x100, "a");
    CHECK_TEXT(at(4, 0xfff), "");
    CHECK_TEXT(at(4, 0x1000), "a+0 4");
    CHECK_TEXT(at(4, 0x10ff), "a+ff 4");
    CHECK_TEXT(at(4, 0x1100), "");
    CHECK_TEXT(at(5, 0x1000), "");
    CHECK_TEXT(at(-1, 0x1000), "");
    name(4, 0x1040, 0x40, "b");
    CHECK_TEXT(at(4, 0x1050), "b+10 4");
    CHECK_TEXT(at(4, 0x1090), "a+90 4");
    name(4, 0x1020, 0x30, "");
    CHECK_TEXT(at(4, 0x1020), "");
    CHECK_TEXT(at(4, 0x1050), "b+10 4");
    name(4, 0x1050, 0, "");
    name(4, 0x1050, 0, "c");
    CHECK_TEXT(at(4, 0x1050), "b+10 4");
    name(5, 0x1000, 0x10, "of another process");
    name(4, 0, UINT64_MAX, "");
    CHECK_TEXT(at(4, 0x1050), "");
    CHECK_TEXT(at(5, 0x1000), "of another process+0 5");
    name(4, 0x1000, UINT64_C(1) << 32, "too large for a function");
    CHECK_TEXT(at(4, 0x1000), "");
    codenames_free(&codes);
    CHECK_TEXT(at(5, 0x1000), "");
}

/* The inlined calls at an address, with newlines between them; "" if there are none. */
static struct span
inlined_at(int64_t pid, uint64_t addr)
{
    struct span labels;
    const struct codenames_process *p = codenames_of(&codes, pid);
    return p != NULL && codenames_find_inlined(&codes, p, addr, 9, &labels) ? labels : SPAN("");
}

static struct span
lines_at(int64_t pid, uint64_t addr)
{
    struct codename lines = {.label = SPAN("")};
    codenames_find_lines(&codes, codenames_of(&codes, pid), addr, 9, &lines);
    return lines.label;
}

TEST("inlined calls and source lines are known until their code gets another name, or loses it")
{
    codenames_init(&codes);
    inline_calls(4, 0x1010, 1, "of a process without names");
    CHECK_TEXT(inlined_at(4, 0x1010), "");
    name(4, 0x1000, 0x100, "a");
    inline_calls(4, 0x1010, 1, "inner\nmiddle");
    inline_calls(4, 0x1020, 1, "other");
    see((struct ownrecord){.what = OWN_SRCLINES, .pid = 4, .code = {0x1010, 1, SPAN("/x.js:2")}});
    CHECK_TEXT(inlined_at(4, 0x1010), "inner\nmiddle");
    CHECK_TEXT(inlined_at(4, 0x100f), "");
    CHECK_TEXT(inlined_at(4, 0x1011), "");
    CHECK_TEXT(at(4, 0x1010), "a+10 4");
    name(4, 0x1000, 0x100, "a");
    CHECK_TEXT(inlined_at(4, 0x1010), "inner\nmiddle");
    see_task(PERF_RECORD_FORK, 0, 5, 4);
    CHECK_TEXT(inlined_at(5, 0x1010), "inner\nmiddle");
    CHECK_TEXT(lines_at(4, 0x1010), "/x.js:2");
    name(4, 0x1000, 0x18, "b");
    CHECK_TEXT(inlined_at(4, 0x1010), "");
    CHECK_TEXT(lines_at(4, 0x1010), "");
    CHECK_TEXT(inlined_at(4, 0x1020), "other");
    name(4, 0, UINT64_MAX, "");
    CHECK_TEXT(inlined_at(4, 0x1020), "");
    codenames_free(&codes);
}

TEST("the same name again changes nothing, and another code of that name is another")
{
    struct codename first, second, third;
    codenames_init(&codes);
    name(4, 0x1000, 0x100, "a");
    const struct codenames_process *p = codenames_of(&codes, 4);
    CHECK(codenames_find(&codes, p, 0x1000, 9, &first));
    name(4, 0x1000, 0x100, "a");
    CHECK(codenames_find(&codes, codenames_of(&codes, 4), 0x1010, 9, &second));
    CHECK(first.serial == second.serial && codes.count == 1);
    name(4, 0x1000, 0x80, "a");
    name(4, 0x2000, 0x80, "a");
    CHECK(codenames_find(&codes, codenames_of(&codes, 4), 0x2000, 9, &third));
    CHECK(third.serial != first.serial && third.number == first.number);
    codenames_free(&codes);
}

TEST("another program, another process of that number, and a file in its place take the names away")
{
    codenames_init(&codes);
    name(4, 0x1000, 0x100, "a");
    see_task(PERF_RECORD_COMM, 0, 4, 4);
    see_task(PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC, 4, 1);
    see_task(PERF_RECORD_FORK, 0, 4, 4);
    see_map(4, 0x1000, 0x100, "//anon");
    see_map(5, 0x1000, 0x100, "/usr/lib/libc.so.6");
    see_task(PERF_RECORD_EXIT, 0, 4, 1); /* samples of other threads may follow */
    CHECK_TEXT(at(4, 0x1000), "a+0 4");
    see_map(4, 0x1080, UINT64_MAX, "/usr/lib/libc.so.6");
    CHECK_TEXT(at(4, 0x107f), "a+7f 4");
    CHECK_TEXT(at(4, 0x1080), "");
    see_task(PERF_RECORD_FORK, 0, 4, 1);
    CHECK_TEXT(at(4, 0x1000), "");
    name(4, 0x1000, 0x100, "b");
    CHECK_TEXT(at(4, 0x1000), "b+0 4");
    see_task(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 4, 4);
    CHECK_TEXT(at(4, 0x1000), "");
    CHECK(codenames_of(&codes, 4) == NULL && codes.maps_size == 0);
    codenames_free(&codes);
}

TEST("a forked process has its parent's names until it has its own, or the parent is another "
     "process")
{
    codenames_init(&codes);
    name(4, 0x1000, 0x100, "a");
    see_task(PERF_RECORD_FORK, 0, 5, 4);
    see_task(PERF_RECORD_FORK, 0, 6, 5);
    see_task(PERF_RECORD_FORK, 0, 7, 6);
    CHECK_TEXT(at(5, 0x1000), "a+0 4");
    CHECK_TEXT(at(7, 0x1000), "a+0 4");
    name(5, 0x2000, 0x100, "b");
    CHECK_TEXT(at(5, 0x1000), "");
    CHECK_TEXT(at(5, 0x2000), "b+0 5");
    CHECK_TEXT(at(6, 0x1000), "a+0 4");
    see_task(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 6, 6);
    CHECK_TEXT(at(6, 0x1000), "");
    see_task(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 4, 4);
    name(4, 0x1000, 0x100, "c");
    CHECK_TEXT(at(4, 0x1000), "c+0 4");
    CHECK_TEXT(at(7, 0x1000), "");
    CHECK(codenames_of(&codes, 7) == NULL);
    codenames_free(&codes);
}

TEST("a process with V8's interpreter has names, and a forked one its parent's interpreter")
{
    codenames_init(&codes);
    CHECK(codenames_interpreter(&codes, 4) == 0 && codenames_of(&codes, 4) == NULL);
    see((struct ownrecord){.what = OWN_TRAMPOLINE, .pid = 4, .trampoline = 0x5000});
    see_task(PERF_RECORD_FORK, 0, 5, 4);
    CHECK(codenames_of(&codes, 4) != NULL && codenames_of(&codes, 5) == codenames_of(&codes, 4));
    CHECK(codenames_interpreter(&codes, 4) == 0x4fff && codenames_interpreter(&codes, 5) == 0x4fff);
    see_task(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 5, 5);
    CHECK(codenames_interpreter(&codes, 5) == 0 && codenames_interpreter(&codes, 4) == 0x4fff);
    codenames_free(&codes);
    CHECK(codenames_interpreter(&codes, 4) == 0);
}

TEST("names that replace each other without end take no more than the limit, and none is refused")
{
    char label[64];
    struct codename before, after;
    codenames_init(&codes);
    codes.limit = 1 << 20;
    name(4, 0x1000, 0x100, "stays");
    name(4, 0x1040, 0x40, "in the middle");
    CHECK(codenames_find(&codes, codenames_of(&codes, 4), 0x10c0, 9, &before));
    for (int i = 0; i < 100000; i++) {
        snprintf(label, sizeof label, "function number %d of many", i);
        name(4, 0x2000 + (uint64_t)(i % 100) * 0x80, 0x100, label);
        CHECK(codes.count * sizeof *codes.entries < codes.limit);
    }
    CHECK(codes.refused == 0 && codes.renumbered > 3);
    CHECK_TEXT(at(4, 0x2000 + 99 * 0x80), "function number 99999 of many+0 4");
    CHECK_TEXT(at(4, 0x2000 + 98 * 0x80), "function number 99998 of many+0 4");
    CHECK_TEXT(at(4, 0x10c0), "stays+c0 4");
    CHECK(codenames_find(&codes, codenames_of(&codes, 4), 0x10c0, 9, &after));
    CHECK(before.serial == after.serial && intern_size(&codes.labels) < codes.limit);
    codenames_free(&codes);
}

TEST("where there is no room for a name what was there has none any more, and processes that have "
     "ended "
     "make room")
{
    char label[64];
    codenames_init(&codes);
    codes.limit = 3 << 17;
    for (uint32_t i = 0; codes.refused == 0; i++) {
        snprintf(label, sizeof label, "function number %u", (unsigned)i);
        name(4, 0x1000 + (uint64_t)i * 0x100, 0x100, label);
        CHECK(i < 100000);
    }
    CHECK(codes.refused_pid == 4);
    CHECK_TEXT(at(4, 0x1010), "function number 0+10 4");
    name(4, 0x1000, 0x100, "refused, too");
    CHECK(codes.refused == 2);
    CHECK_TEXT(at(4, 0x1010), "");
    for (uint32_t i = 0; codes.refused == 2; i++) {
        snprintf(label, sizeof label, "function number %u", (unsigned)i);
        name(5, 0x1000 + (uint64_t)i * 0x100, 0x100, label);
        CHECK(i < 1000);
    }
    CHECK_TEXT(at(5, 0x1000), "function number 0+0 5"); /* it has few */
    size_t pages = 256 * sizeof(struct codepiece);      /* of its codemap */
    CHECK(codes.count * sizeof *codes.entries < codes.limit / 8 * 9 + pages);
    see_task(PERF_RECORD_EXIT, 0, 4, 4);
    see_task(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 5, 5);
    name(6, 0x1000, 0x100, "of one that runs");
    CHECK_TEXT(at(6, 0x1000), "of one that runs+0 6");
    CHECK_TEXT(at(4, 0x1110), "");
    codenames_free(&codes);
}

TEST("a name does not count for samples that were taken before it")
{
    struct codename found;
    codenames_init(&codes);
    name(4, 0x1000, 0x100, "since time 9");
    CHECK(codenames_find(&codes, codenames_of(&codes, 4), 0x1000, 9, &found));
    CHECK(!codenames_find(&codes, codenames_of(&codes, 4), 0x1000, 8, &found));
    codenames_free(&codes);
}

TEST("processes that come and go take no endless memory")
{
    codenames_init(&codes);
    name(1, 0x1000, 0x100, "stays");
    for (uint32_t pid = 2; pid < 20000; pid++) {
        name(pid, 0x1000, 0x100, "a");
        see_task(PERF_RECORD_EXIT, 0, pid, pid);
    }
    CHECK(threadtable_count(&codes.processes) < 5000);
    CHECK(codes.maps_size < (size_t)5000 * 8192);
    CHECK_TEXT(at(1, 0x1000), "stays+0 1");
    CHECK_TEXT(at(19999, 0x1000), "a+0 19999");
    codenames_free(&codes);
}
