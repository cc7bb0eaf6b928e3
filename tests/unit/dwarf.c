/* Inlined calls and lines from debug information that is made here, whole and hostile. What compilers
 * write is in tests/dwarf.bats. */
#include "common/dwarf/dwarf.h"
#include "common/dwarf/dw.h"
#include "common/symbolize/debuginfo.h"
#include "tests/unit/makeelf.h"

struct bytes {
    unsigned char at[4096];
    size_t n;
};

static void
put(struct bytes *b, uint64_t value, size_t size)
{
    uint8_t u8 = (uint8_t)value;
    uint16_t u16 = (uint16_t)value;
    uint32_t u32 = (uint32_t)value;
    const void *from = size == 1 ? (void *)&u8 : size == 2 ? (void *)&u16 : (void *)&u32;
    memcpy(b->at + b->n, size == 8 ? (void *)&value : from, size);
    b->n += size;
}

/* Ends the children of n entries. */
static void
put_ends(struct bytes *b, size_t n)
{
    memset(b->at + b->n, 0, n);
    b->n += n;
}

static void
put_text(struct bytes *b, const char *s)
{
    memcpy(b->at + b->n, s, strlen(s) + 1);
    b->n += strlen(s) + 1;
}

static void
put_all(struct bytes *b, const char *s, size_t n)
{
    memcpy(b->at + b->n, s, n);
    b->n += n;
}

/* The codes of the abbreviations below. */
enum { UNIT = 1, FUNCTION, ABSTRACT, INLINED };

static const char abbreviations[] = "\x01\x11\x01\x11\x01\x12\x07\0\0"         /* low_pc, high_pc */
                                    "\x02\x2e\x01\x03\x08\x11\x01\x12\x07\0\0" /* with a name */
                                    "\x03\x2e\0\x03\x08\x31\x13\0\0" /* name, abstract_origin */
                                    "\x04\x1d\x01\x31\x13\x11\x01\x12\x07\x58\x0b\x59\x0b\0\0"
                                    "\0";

/* Begins a unit of version 4 with the addresses from 0x1000 on. */
static void
begin_unit(struct bytes *b, uint64_t size)
{
    put(b, 0, 4);
    put(b, 4, 2);
    put(b, 0, 4);
    put(b, 8, 1);
    put(b, UNIT, 1);
    put(b, 0x1000, 8);
    put(b, size, 8);
}

static void
end_unit(struct bytes *b)
{
    uint32_t size = (uint32_t)b->n - 4;
    memcpy(b->at, &size, sizeof size);
}

static void
put_function(struct bytes *b, const char *name, uint64_t start, uint64_t size)
{
    put(b, FUNCTION, 1);
    put_text(b, name);
    put(b, start, 8);
    put(b, size, 8);
}

/* Adds an abstract function, and returns where it is in the unit. */
static uint32_t
put_abstract(struct bytes *b, const char *name, uint32_t origin)
{
    uint32_t at = (uint32_t)b->n;
    put(b, ABSTRACT, 1);
    put_text(b, name);
    put(b, origin, 4);
    return at;
}

static void
put_inlined(struct bytes *b, uint32_t origin, uint64_t start, uint64_t size, unsigned line)
{
    put(b, INLINED, 1);
    put(b, origin, 4);
    put(b, start, 8);
    put(b, size, 8);
    put(b, 1, 1);
    put(b, line, 1);
}

/* Opens a file with the sections; `flags`: of .debug_info. To be closed by elf_close. */
static void
open_file(struct elffile *file, const struct bytes *info, uint64_t flags,
          const struct bytes *abbrev)
{
    static struct makeelf m;
    m = (struct makeelf){.is64 = true, .type = ET_EXEC, .machine = EM_X86_64};
    makeelf_start(&m);
    makeelf_section(&m, ".debug_info", (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_flags = flags},
                    info->at, info->n);
    makeelf_section(&m, ".debug_abbrev", (Elf64_Shdr){.sh_type = SHT_PROGBITS}, abbrev->at,
                    abbrev->n);
    *file = (struct elffile){.content = content_of(makeelf_finish(&m))};
    CHECK(elf_open(&file->elf, &file->content) == NULL);
}

/* The calls at an address, innermost first: "inner:0 outer:7 ". */
static struct span
calls_at(const struct bytes *info, const struct bytes *abbrev, uint64_t address)
{
    static char text[256];
    struct elffile file;
    struct dwarf_cache cache = {0};
    const struct dwarf_call *calls = NULL;
    size_t len = 0;
    open_file(&file, info, 0, abbrev);
    struct dwarf *d = dwarf_open(&file, &cache);
    size_t n = d != NULL ? dwarf_find(d, address, &calls) : 0;
    for (size_t i = 0; i < n && len < sizeof text - 64; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%.*s:%u ",
                                SPAN_ARG(calls[i].function), (unsigned)calls[i].line);
    dwarf_close(d);
    elf_close(&file.elf);
    return span_of(text, len);
}

static struct bytes
usual_abbreviations(void)
{
    struct bytes b = {.n = 0};
    put_all(&b, abbreviations, sizeof abbreviations - 1);
    return b;
}

TEST("calls are found by address, the innermost first")
{
    struct bytes abbrev = usual_abbreviations(), b = {.n = 0};
    begin_unit(&b, 0x100);
    uint32_t inner = put_abstract(&b, "inner", 0), outer = put_abstract(&b, "outer", 0);
    put_function(&b, "main", 0x1010, 0x40);
    put_inlined(&b, outer, 0x1020, 0x20, 7);
    put_inlined(&b, inner, 0x1028, 8, 3);
    put_ends(&b, 4); /* ends the children of the calls, the function, the unit */
    end_unit(&b);
    CHECK_TEXT(calls_at(&b, &abbrev, 0x1010), "main:0 ");
    CHECK_TEXT(calls_at(&b, &abbrev, 0x1020), "outer:0 main:7 ");
    CHECK_TEXT(calls_at(&b, &abbrev, 0x1028), "inner:0 outer:3 main:7 ");
    CHECK_TEXT(calls_at(&b, &abbrev, 0x1030), "outer:0 main:7 ");
    CHECK_TEXT(calls_at(&b, &abbrev, 0x104f), "main:0 ");
    CHECK_TEXT(calls_at(&b, &abbrev, 0x1050), "");
    CHECK_TEXT(calls_at(&b, &abbrev, 0x2000), "");
}

TEST("a function whose origin is itself, or a circle, has the name that was found so far, or none")
{
    struct bytes abbrev = usual_abbreviations(), b = {.n = 0};
    begin_unit(&b, 0x100);
    uint32_t first = (uint32_t)b.n, second = first + 7;
    put_abstract(&b, "a", second);
    put_abstract(&b, "b", first);
    uint32_t itself = put_abstract(&b, "c", (uint32_t)b.n);
    put_function(&b, "main", 0x1000, 0x100);
    put_inlined(&b, first, 0x1010, 8, 1);
    put_ends(&b, 1);
    put_inlined(&b, itself, 0x1020, 8, 2);
    put_ends(&b, 1);
    put_inlined(&b, 0xffffff, 0x1030, 8, 3);
    put_ends(&b, 4);
    end_unit(&b);
    CHECK_TEXT(calls_at(&b, &abbrev, 0x1010), "a:0 main:1 ");
    CHECK_TEXT(calls_at(&b, &abbrev, 0x1020), "c:0 main:2 ");
    CHECK_TEXT(calls_at(&b, &abbrev, 0x1030), ":0 main:3 ");
}

TEST("ranges of 2^64 bytes, and calls outside of their function, do no harm")
{
    struct bytes abbrev = usual_abbreviations(), b = {.n = 0};
    begin_unit(&b, UINT64_MAX - 0x1000);
    uint32_t inner = put_abstract(&b, "inner", 0);
    put_function(&b, "main", 0x1000, UINT64_MAX - 0x1000);
    put_inlined(&b, inner, 0x2000, UINT64_MAX - 0x2000, 1);
    put_inlined(&b, inner, 0x800, 0x1000, 2);
    put_inlined(&b, inner, 0x3000, UINT64_MAX, 3); /* its end is before its beginning */
    put_ends(&b, 5);
    end_unit(&b);
    CHECK_TEXT(calls_at(&b, &abbrev, 0x1000), "inner:0 inner:2 main:1 ");
    CHECK_TEXT(calls_at(&b, &abbrev, 0x1fff), "main:0 ");
    CHECK_TEXT(calls_at(&b, &abbrev, UINT64_MAX - 2), "inner:0 main:1 ");
}

TEST("entries that never end, and are cut at any byte, are read as far as they go")
{
    struct bytes abbrev = usual_abbreviations(), b = {.n = 0};
    begin_unit(&b, 0x100);
    uint32_t inner = put_abstract(&b, "inner", 0);
    put_function(&b, "main", 0x1000, 0x100);
    for (int i = 0; i < 100; i++)
        put_inlined(&b, inner, 0x1000, 0x100, 1);
    end_unit(&b);
    struct span all = calls_at(&b, &abbrev, 0x1000);
    CHECK(span_starts(all, SPAN("inner:0 inner:1 inner:1 ")));
    for (size_t n = b.n; n > 0; n -= n < 200 ? 1 : 61) {
        struct bytes part = b;
        part.n = n;
        if (n > 4)
            end_unit(&part);
        calls_at(&part, &abbrev, 0x1000);
    }
}

TEST("abbreviations that never end, or have more attributes than bytes, are left out")
{
    struct bytes abbrev = usual_abbreviations(), b = {.n = 0}, many = {.n = 0};
    begin_unit(&b, 0x100);
    put_function(&b, "main", 0x1000, 0x100);
    put_ends(&b, 2);
    end_unit(&b);
    put_all(&many, abbreviations, sizeof abbreviations - 2);
    put_all(&many, "\x05\x2e\x01", 3);
    for (int i = 0; i < 1000; i++)
        put_all(&many, "\x3f\x19", 2); /* DW_AT_external, DW_FORM_flag_present */
    put_ends(&many, 3);
    CHECK_TEXT(calls_at(&b, &many, 0x1000), "main:0 ");
    abbrev.n -= 1; /* the end of the table */
    CHECK_TEXT(calls_at(&b, &abbrev, 0x1000), "main:0 ");
    abbrev.n = 8;
    CHECK_TEXT(calls_at(&b, &abbrev, 0x1000), "");
}

TEST("debug information that takes more than its limit is not read again")
{
    struct elffile file;
    struct debuginfo d = {.limit = 16};
    const struct dwarf_call *calls = NULL;
    struct bytes abbrev = usual_abbreviations(), b = {.n = 0};
    begin_unit(&b, 0x100);
    put_function(&b, "main", 0x1000, 0x100);
    put_ends(&b, 2);
    end_unit(&b);
    open_file(&file, &b, 0, &abbrev);
    CHECK(debuginfo_find(&d, &file, 0x1000, &calls) == 0);
    debuginfo_end(&d);
    d.limit = 1 << 20;
    CHECK(debuginfo_find(&d, &file, 0x1000, &calls) == 1);
    CHECK(debuginfo_find(&d, &file, 0x1010, &calls) == 1);
    debuginfo_free(&d);
    elf_close(&file.elf);
}

/* Compresses bytes so that it takes long to unpack them: each is a block, and a hundred more are
 * empty. */
static struct bytes
packed(const struct bytes *b)
{
    struct bytes z = {.n = 0};
    uint32_t low = 1, high = 0;
    put(&z, ELFCOMPRESS_ZLIB, 8);
    put(&z, b->n, 8);
    put(&z, 1, 8);
    put_all(&z, "\x78\x9c", 2);
    for (int i = 0; i < 100; i++)
        put_all(&z, "\0\0\0\xff\xff", 5);
    for (size_t i = 0; i < b->n; i++) {
        put_all(&z, i + 1 < b->n ? "\0\1\0\xfe\xff" : "\1\1\0\xfe\xff", 5);
        put(&z, b->at[i], 1);
        low = (low + b->at[i]) % 65521;
        high = (high + low) % 65521;
    }
    const unsigned char sum[] = {(unsigned char)(high >> 8), (unsigned char)high,
                                 (unsigned char)(low >> 8), (unsigned char)low};
    put_all(&z, (const char *)sum, sizeof sum);
    return z;
}

struct recorder {
    bool waits;
    unsigned paused;
};

static bool
may_read(void *ctx, bool trusted)
{
    struct recorder *r = ctx;
    r->paused++;
    return !r->waits && !trusted; /* bytes in memory are nobody's */
}

/* A clock that goes on by a microsecond with each question. */
static uint64_t
ticking(void)
{
    static uint64_t now;
    return now += 1000;
}

/* How many calls are found in debug information that takes long, and how many files were given up. */
static void
check_pace(struct recorder *r, uint64_t most, size_t calls_found, size_t given_up)
{
    struct elffile file;
    struct diag diag = {.quiet = true};
    struct debuginfo d = {.diag = &diag, .pace = {may_read, r, most, ticking, ticking}};
    const struct dwarf_call *calls = NULL;
    struct bytes abbrev = usual_abbreviations(), b = {.n = 0};
    begin_unit(&b, 0x100);
    put_function(&b, "main", 0x1000, 0x100);
    put_ends(&b, 2);
    end_unit(&b);
    b = packed(&b);
    open_file(&file, &b, SHF_COMPRESSED, &abbrev);
    CHECK(debuginfo_find(&d, &file, 0x1000, &calls) == calls_found);
    CHECK(debuginfo_find(&d, &file, 0x1010, &calls) == calls_found);
    CHECK((diag.nkinds > 0 ? diag.kinds[0].count : 0) == given_up);
    debuginfo_free(&d);
    elf_close(&file.elf);
}

TEST("debug information that takes long is read in the pauses of whoever waits")
{
    struct recorder r = {.waits = false};
    check_pace(&r, UINT64_MAX / 4, 1, 0);
    CHECK(r.paused > 1);
}

TEST("debug information is given up once, if whoever waits says so, or it took more than its time")
{
    struct recorder r = {.waits = true};
    check_pace(&r, UINT64_MAX / 4, 0, 1);
    CHECK(r.paused == 1);
    r = (struct recorder){.waits = false};
    check_pace(&r, 0, 0, 1);
    CHECK(r.paused == 0);
}
