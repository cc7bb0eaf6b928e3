/* The kernel's symbols, and those of its modules. */
#include "common/sym/kallsyms.h"

#include <unistd.h>

#include "tests/unit/test.h"

static char path[] = "/tmp/kallsyms-test.XXXXXX";

/* Reads a file of that text. */
static const char *
load(struct kallsyms *k, struct span text)
{
    memcpy(path + sizeof path - 7, "XXXXXX", 6);
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, text.ptr, text.len) == (ssize_t)text.len);
    close(fd);
    const char *problem = kallsyms_load(k, path, NULL);
    unlink(path);
    return problem;
}

/* The name at the address with its offset, "name+0x10"; "" if there is none. */
static struct span
symbol_at(struct kallsyms *k, uint64_t addr)
{
    static char text[256];
    struct span name;
    uint64_t start;
    if (!kallsyms_find(k, addr, &name, &start))
        return SPAN("");
    CHECK(start <= addr);
    snprintf(text, sizeof text, "%.*s+0x%llx", SPAN_ARG(name), (unsigned long long)(addr - start));
    return span_cstr(text);
}

TEST("a symbol goes on to the next one, and the kernel's last one past the end of its page")
{
    FREED(kallsyms_free) struct kallsyms k;
    uint64_t start, end;
    CHECK(load(&k, SPAN("ffffffff81000000 T _text\n"
                        "ffffffff81000040 t helper\n"
                        "ffffffff83e00010 B bss\n")) == NULL);
    CHECK_TEXT(symbol_at(&k, 0xffffffff80ffffff), "");
    CHECK_TEXT(symbol_at(&k, 0xffffffff81000000), "_text+0x0");
    CHECK_TEXT(symbol_at(&k, 0xffffffff8100003f), "_text+0x3f");
    CHECK_TEXT(symbol_at(&k, 0xffffffff81000040), "helper+0x0");
    CHECK_TEXT(symbol_at(&k, 0xffffffff83e01fff), "bss+0x1fef");
    CHECK_TEXT(symbol_at(&k, 0xffffffff83e02000), "");
    CHECK(symtab_range(&k.kernel, &start, &end));
    CHECK(start == 0xffffffff81000000 && end == 0xffffffff83e02000);
}

TEST("of the symbols at one address the last one of the file has it")
{
    FREED(kallsyms_free) struct kallsyms k;
    CHECK(load(&k, SPAN("1000 T _text\n1000 W _stext\n1000 t first\n1010 t b\n")) == NULL);
    CHECK_TEXT(symbol_at(&k, 0x1008), "first+0x8");
}

TEST("functions, weak symbols and data count, and nothing else")
{
    FREED(kallsyms_free) struct kallsyms k;
    CHECK(load(&k, SPAN("1000 T a\n1010 t b\n1020 W c\n1030 w d\n1040 D e\n1050 d f\n1060 B g\n"
                        "1070 b h\n1080 R i\n1090 A j\n10a0 V k\n10b0 t $x.1\n10c0 t l\n")) ==
          NULL);
    CHECK_TEXT(symbol_at(&k, 0x1010), "b+0x0");
    CHECK_TEXT(symbol_at(&k, 0x1038), "d+0x8");
    CHECK_TEXT(symbol_at(&k, 0x1058), "f+0x8");
    CHECK_TEXT(symbol_at(&k, 0x10bf), "h+0x4f");
    CHECK_TEXT(symbol_at(&k, 0x10c0), "l+0x0");
}

TEST("a module's symbols come with its name, and do not belong to the kernel's range")
{
    FREED(kallsyms_free) struct kallsyms k;
    uint64_t start, end;
    CHECK(load(&k, SPAN("c0201000 t ext4_iget\t[ext4]\n"
                        "81000000 T _text\n"
                        "c0201040 t prog\t[bpf]")) == NULL);
    CHECK_TEXT(symbol_at(&k, 0x81000004), "_text+0x4");
    CHECK_TEXT(symbol_at(&k, 0xc0201004), "ext4_iget+0x4");
    CHECK_TEXT(symbol_at(&k, 0xc0201044), "prog+0x4");
    CHECK(symtab_range(&k.kernel, &start, &end));
    CHECK(start == 0x81000000 && end == 0x81001000);
}

TEST("modules between two parts of the kernel keep their symbols")
{
    FREED(kallsyms_free) struct kallsyms k;
    CHECK(load(&k, SPAN("1000 T low\n5000 t m\t[mod]\n9000 T high\n")) == NULL);
    CHECK_TEXT(symbol_at(&k, 0x1004), "low+0x4");
    CHECK_TEXT(symbol_at(&k, 0x5004), "m+0x4");
    CHECK_TEXT(symbol_at(&k, 0x9004), "high+0x4");
}

TEST("lines that are not symbols are skipped")
{
    FREED(kallsyms_free) struct kallsyms k;
    CHECK(load(&k, SPAN("1000 T a\n\nxyz\n1000T b\n1000 T \n10000000000000000 T c\n T d\n"
                        "1000  e\n1010 t f")) == NULL);
    CHECK_TEXT(symbol_at(&k, 0x100f), "a+0xf");
    CHECK_TEXT(symbol_at(&k, 0x1010), "f+0x0");
}

TEST("a file without addresses, without symbols, or that cannot be read is refused")
{
    struct kallsyms k;
    CHECK_TEXT(span_cstr(load(&k, SPAN("0000000000000000 T _text\n0000000000000000 t b\n"))),
               "shows no addresses: root sees them unless sysctl kernel.kptr_restrict is 2, others "
               "if it is 0 and kernel.perf_event_paranoid 1 or less");
    CHECK(k.text.ptr == NULL && k.kernel.count == 0);
    CHECK_TEXT(span_cstr(load(&k, SPAN("no symbols here\n1000 R data\n"))), "holds no symbols");
    CHECK_TEXT(span_cstr(load(&k, SPAN(""))), "holds no symbols");
    CHECK_TEXT(span_cstr(kallsyms_load(&k, "/nonexistent/kallsyms", NULL)),
               "No such file or directory");
    CHECK_TEXT(span_cstr(kallsyms_load(&k, "/", NULL)), "is not a regular file");
    CHECK_TEXT(span_cstr(kallsyms_load(&k, "/dev/zero", NULL)), "is not a regular file");
    static const char zeros[1 << 17];
    CHECK_TEXT(span_cstr(load(&k, span_of(zeros, sizeof zeros))),
               "is too large for a list of the kernel's symbols");
}
