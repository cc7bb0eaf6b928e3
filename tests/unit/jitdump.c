/* Dumps of JIT code: which code was where, and when. */
#include "common/sym/jitdump.h"

#include <fcntl.h>
#include <unistd.h>

#include "tests/unit/makedump.h"
#include "tests/unit/test.h"

static void
put_line(uint64_t addr, uint32_t line, const char *name)
{
    put64(addr);
    put32(line);
    put32(5);
    put(name, strlen(name) + 1);
}

/* The dump that was put together. */
static const char *
read_dump(struct jitdump *j)
{
    char path[] = "/tmp/jitdump-test.XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, dumped.ptr, dumped.len) == (ssize_t)dumped.len);
    close(fd);
    struct regular_file f = regular_of(open(path, O_RDONLY));
    const char *problem = jitdump_load(j, &f, true);
    unlink(path);
    return problem;
}

enum { MAGIC = 0x4a695444 };

TEST("loads come in the order of time")
{
    struct jitdump j;
    put_head(MAGIC, 0);
    put_load(30, 0x3000, 16, 3, "late");
    put_load(10, 0x1000, 16, 1, "early");
    put_load(30, 0x3000, 16, 4, "late, too");
    CHECK(read_dump(&j) == NULL);
    CHECK(j.count == 3 && j.damaged == 0 && !j.cpu_time);
    const struct jitload *load = &j.loads[0];
    CHECK(load->addr == 0x1000 && load->size == 16 && load->pid == 7);
    CHECK_TEXT(load->name, "early");
    CHECK_TEXT(j.loads[1].name, "late");
    CHECK_TEXT(j.loads[2].name, "late, too");
    jitdump_free(&j);
}

TEST("code that moved has its name and lines at the new address, too")
{
    struct jitdump j;
    struct jitline at;
    put_head(MAGIC, 0);
    put_load(10, 0x1000, 16, 1, "first");
    put_record(2, 16 + 18, 11);
    put64(0x2000);
    put64(1);
    put_line(0x2004, 12, "a");
    put_load(11, 0x2000, 16, 2, "second");
    put_move(20, 0x1000, 0x4000, 16, 1);
    put_move(21, 0x2000, 0x5000, 16, 2);
    put_move(22, 0x9000, 0x6000, 16, 99);
    CHECK(read_dump(&j) == NULL);
    CHECK(j.count == 4);
    CHECK_TEXT(j.loads[2].name, "first");
    CHECK(j.loads[2].moved && !j.loads[0].moved && j.loads[2].addr == 0x4000);
    CHECK_TEXT(j.loads[3].name, "second");
    CHECK(jitdump_line(&j, &j.loads[3], 0x5008, &at) && at.line == 12);
    CHECK(!jitdump_line(&j, &j.loads[2], 0x4008, &at));
    jitdump_free(&j);
}

TEST("an address has the line of the entry at or before it")
{
    struct jitdump j;
    struct jitline at;
    put_head(MAGIC, 0);
    put_record(2, 16 + 20 + 18 + 18 + 3, 10);
    put64(0x1000);
    put64(3);
    put_line(0x1004, 12, "a.c");
    put_line(0x1008, 13, "\xff");
    put_line(0x100c, 1, "b");
    put("\0\0\0", 3);
    put_load(10, 0x1000, 64, 1, "f");
    CHECK(read_dump(&j) == NULL);
    CHECK(j.line_shift == 0);
    CHECK(!jitdump_line(&j, &j.loads[0], 0x1003, &at));
    CHECK(jitdump_line(&j, &j.loads[0], 0x1004, &at) && at.line == 12 && at.column == 5);
    CHECK_TEXT(at.file, "a.c");
    CHECK(jitdump_line(&j, &j.loads[0], 0x100b, &at) && at.line == 13);
    CHECK_TEXT(at.file, "a.c");
    CHECK(jitdump_line(&j, &j.loads[0], 0x103f, &at) && at.line == 1);
    CHECK_TEXT(at.file, "b");
    jitdump_free(&j);
}

TEST("V8's addresses of lines, which are 64 too high, are put right")
{
    struct jitdump j;
    struct jitline at;
    put_head(MAGIC, 0);
    put_record(2, 16 + 18, 10);
    put64(0x1000);
    put64(1);
    put_line(0x1044, 12, "a");
    put_load(10, 0x1000, 128, 1, "f");
    CHECK(read_dump(&j) == NULL);
    CHECK(j.line_shift == 64);
    CHECK(jitdump_line(&j, &j.loads[0], 0x1004, &at) && at.line == 12);
    CHECK(!jitdump_line(&j, &j.loads[0], 0x1003, &at));
    j.line_shift = 0;
    CHECK(!jitdump_line(&j, &j.loads[0], 0x1043, &at));
    jitdump_free(&j);
}

TEST("entries whose file names hold NULs, as those of V8, are all read")
{
    static const char spoilt[23] = "\x80\xff\x03\x1b\0\0\0\0"
                                   "\xa0\x34\0\x12\x91\0\0\0"
                                   "app.js";
    struct jitdump j;
    struct jitline at;
    put_head(MAGIC, 0);
    put_record(2, 16 + 3 * (16 + sizeof spoilt) + 5, 10);
    put64(0x1000);
    put64(3);
    for (uint32_t i = 0; i < 3; i++) {
        put64(0x1040 + 0x10 * i);
        put32(12 + i);
        put32(5);
        put(spoilt, sizeof spoilt);
    }
    put("\0\0\0\0\0", 5);
    put_load(10, 0x1000, 128, 1, "f");
    CHECK(read_dump(&j) == NULL);
    CHECK(j.line_shift == 64);
    CHECK(jitdump_line(&j, &j.loads[0], 0x100f, &at) && at.line == 12);
    CHECK(jitdump_line(&j, &j.loads[0], 0x1010, &at) && at.line == 13);
    CHECK(at.file.len == sizeof spoilt - 1);
    CHECK(jitdump_line(&j, &j.loads[0], 0x107f, &at) && at.line == 14);
    jitdump_free(&j);
}

TEST("a table of lines is not used for code at another address")
{
    struct jitdump j;
    struct jitline at;
    put_head(MAGIC, 0);
    put_record(2, 16 + 18, 10);
    put64(0x1000);
    put64(1);
    put_line(0x1004, 12, "a");
    put_load(10, 0x2000, 64, 1, "f");
    put_load(10, 0x1000, 64, 2, "g");
    CHECK(read_dump(&j) == NULL);
    CHECK(!jitdump_line(&j, &j.loads[0], 0x2010, &at));
    CHECK(!jitdump_line(&j, &j.loads[1], 0x1010, &at));
    jitdump_free(&j);
}

TEST("records of other types are skipped, and a longer file head is")
{
    struct jitdump j;
    put_head(MAGIC, 0);
    dumped.ptr[8] = 44;
    put32(0);
    put_record(4, 24, 5);
    put64(1);
    put64(2);
    put64(3);
    put_record(77, 0, 5);
    put_load(10, 0x1000, 16, 1, "f");
    put_record(3, 0, 20);
    CHECK(read_dump(&j) == NULL);
    CHECK(j.count == 1 && j.damaged == 0);
    jitdump_free(&j);
}

TEST("a dump cut anywhere gives the loads before the cut, and where the cut record begins")
{
    struct jitdump j;
    put_head(MAGIC, 0);
    put_load(10, 0x1000, 16, 1, "first");
    size_t second = dumped.len;
    put_load(20, 0x2000, 16, 2, "second");
    for (size_t whole = dumped.len, cut = 40; cut <= whole; cut++) {
        dumped.len = cut;
        CHECK(read_dump(&j) == NULL);
        CHECK(j.damaged == (cut == 40 || cut == second || cut == whole ? 0
                            : cut < second                             ? 40
                                                                       : second));
        CHECK(cut < second || (j.count >= 1 && span_eq(j.loads[0].name, SPAN("first"))));
        jitdump_free(&j);
    }
}

TEST("a record whose size is smaller than its head ends the dump")
{
    struct jitdump j;
    put_head(MAGIC, 0);
    put_load(10, 0x1000, 16, 1, "f");
    size_t bad = dumped.len;
    put_record(0, 0, 5);
    dumped.ptr[bad + 4] = 15;
    put_load(20, 0x2000, 16, 2, "g");
    CHECK(read_dump(&j) == NULL);
    CHECK(j.count == 1 && j.damaged == bad);
    jitdump_free(&j);
}

TEST("a load smaller than its fields ends the dump, and lies about sizes do no harm")
{
    struct jitdump j;
    put_head(MAGIC, 0);
    put_load(10, 0x1000, 0, 1, "f");
    memset(dumped.ptr + 40 + 16 + 24, 0xff, 8); /* the code's size */
    size_t bad = dumped.len;
    put_record(0, 8, 5);
    put64(0);
    CHECK(read_dump(&j) == NULL);
    CHECK(j.count == 1 && j.damaged == bad && j.loads[0].size == UINT64_MAX);
    CHECK_TEXT(j.loads[0].name, "f");
    jitdump_free(&j);
}

TEST("what is not a dump is refused")
{
    struct jitdump j;
    put_head(0x4454694a, 0);
    CHECK_TEXT(span_cstr(read_dump(&j)),
               "was written on a machine of the other byte order; read it there");
    put_head(12345, 0);
    CHECK_TEXT(span_cstr(read_dump(&j)), "is not a jitdump");
    put_head(MAGIC, 0);
    dumped.len = 39;
    CHECK_TEXT(span_cstr(read_dump(&j)), "is too short for a jitdump");
    dumped.len = 0;
    CHECK_TEXT(span_cstr(read_dump(&j)), "is too short for a jitdump");
    CHECK(j.count == 0);
}

TEST("times of the processor's clock are reported")
{
    struct jitdump j;
    put_head(MAGIC, 1);
    CHECK(read_dump(&j) == NULL);
    CHECK(j.cpu_time && j.count == 0);
    jitdump_free(&j);
}

TEST("a DSO is named as perf inject names its file")
{
    struct text t = {0};
    CHECK_TEXT(jitdump_dso(&t, SPAN("/tmp/x/jit-7.dump"), 7, UINT64_MAX),
               "/tmp/x/jitted-7-18446744073709551615.so");
    CHECK_TEXT(jitdump_dso(&t, SPAN("jit-7.dump"), 7, 1), "./jitted-7-1.so");
    CHECK_TEXT(jitdump_dso(&t, SPAN("/jit-7.dump"), 7, 0), "/jitted-7-0.so");
    free(t.ptr);
}

TEST("a dump is recognized by its name")
{
    int32_t pid = 0;
    CHECK(jitdump_names_pid(SPAN("/tmp/jit-1234.dump"), &pid) && pid == 1234);
    CHECK(jitdump_names_pid(SPAN("jit-5.dump"), &pid) && pid == 5);
    CHECK(jitdump_names_pid(SPAN("/tmp/jit-1235-1234.dump"), &pid) && pid == 1234); /* Bun's */
    CHECK(!jitdump_names_pid(SPAN("/tmp/jit-.dump"), &pid));
    CHECK(!jitdump_names_pid(SPAN("/tmp/jit-12-.dump"), &pid));
    CHECK(!jitdump_names_pid(SPAN("/tmp/jit--12.dump"), &pid));
    CHECK(!jitdump_names_pid(SPAN("/tmp/jit-12x.dump"), &pid));
    CHECK(!jitdump_names_pid(SPAN("/tmp/jit-9999999999.dump"), &pid));
    CHECK(!jitdump_names_pid(SPAN("/tmp/jit.dump"), &pid));
    CHECK(!jitdump_names_pid(SPAN("/tmp/jit-12.dump (deleted)"), &pid));
}
