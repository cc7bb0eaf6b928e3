/* Go's table of functions: names and depths, by each of its formats. */
#include "common/sym/gopclntab.h"

#include "common/sym/elfsyms.h"
#include "tests/unit/makego.h"

enum { TEXT = 0x1000, CODE_SIZE = 0x140 };

static const struct makego_function functions[] = {
    {0x00, "runtime.goexit", MAKEGO_TOP_FRAME | MAKEGO_ASSEMBLY, "\x02\x40"},
    {0x40, "main.main", 0, "\x02\x04\x30\x3c"},
    {0x80, "runtime.systemstack", MAKEGO_WRITES_SP | MAKEGO_ASSEMBLY, "\x02\x40"},
    {0xc0, "runtime.nanotime1", MAKEGO_WRITES_SP | MAKEGO_ASSEMBLY, "\x02\x40"},
    {0x100, "main.(*T).f", 0, "\x02\x40"},
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* A program under test. */
struct program {
    struct makego table;
    struct makeelf file;
    struct content content;
    struct elf elf;
};

static void
begin(struct program *p, unsigned format, const char *section, uint64_t text)
{
    struct span table = makego_table(&p->table, format, text, functions, FUNCTIONS, CODE_SIZE);
    makego_program(&p->file, section, table, TEXT, CODE_SIZE, EM_X86_64);
}

static void
finish(struct program *p)
{
    p->content = content_of(makeelf_finish(&p->file));
    CHECK(elf_open(&p->elf, &p->content) == NULL);
}

/* "1040-1080 main.main 0:4 24:60": the i-th function with its parts, each with its depth and
 * size; "" if there is none. */
static struct span
described(struct gopclntab *t, size_t i)
{
    static char text[256];
    struct gopclntab_function f;
    struct gopclntab_part part = {0};
    if (!gopclntab_function(t, i, &f))
        return SPAN("");
    struct span name = view_string(&t->names, f.name);
    int n = snprintf(text, sizeof text, "%x-%x %.*s", (unsigned)f.start, (unsigned)f.end,
                     SPAN_ARG(name));
    while (gopclntab_next(t, &f, &part) && n < 200)
        n += snprintf(text + n, sizeof text - (size_t)n, " %d:%u", part.depth,
                      (unsigned)(part.end - part.start));
    return span_of(text, (size_t)n);
}

static enum gopclntab_kind
kind(struct gopclntab *t, size_t i)
{
    struct gopclntab_function f = {.kind = GOPCLNTAB_PLAIN};
    CHECK(gopclntab_function(t, i, &f));
    return f.kind;
}

TEST("the functions of Go 1.2, 1.16, 1.18 and 1.20 have names, addresses, depths and kinds")
{
    for (unsigned format = 0; format < MAKEGO_FORMATS; format++) {
        struct program p;
        struct gopclntab t;
        begin(&p, format, ".gopclntab", TEXT);
        finish(&p);
        CHECK(gopclntab_open(&t, &p.elf));
        CHECK(t.count == FUNCTIONS);
        CHECK_TEXT(described(&t, 0), "1000-1040 runtime.goexit 0:64");
        CHECK_TEXT(described(&t, 1), "1040-1080 main.main 0:4 24:60");
        CHECK_TEXT(described(&t, 4), "1100-1140 main.(*T).f 0:64");
        CHECK_TEXT(described(&t, 5), "");
        CHECK(kind(&t, 0) == GOPCLNTAB_ROOT && kind(&t, 1) == GOPCLNTAB_PLAIN);
        CHECK(kind(&t, 2) == GOPCLNTAB_SYSTEM && kind(&t, 3) == GOPCLNTAB_SWITCHES);
        gopclntab_close(&t);
        elf_close(&p.elf);
    }
}

TEST("the code's address is that of the header, of a relocation of it, of moduledata, or of .text")
{
    enum { HEADER_TEXT = MAKEGO_TABLE + 24, MODULE_TEXT = 22 };
    struct program p;
    struct gopclntab t;
    const Elf64_Rela relocation = {.r_offset = HEADER_TEXT, .r_addend = 0x3000};
    uint64_t module[MODULE_TEXT + 1] = {[0] = MAKEGO_TABLE, [MODULE_TEXT] = 0x5000};

    begin(&p, MAKEGO_20, ".data.rel.ro.gopclntab", 0);
    makeelf_section(&p.file, ".rela.dyn", (Elf64_Shdr){.sh_type = SHT_RELA, .sh_entsize = 24},
                    &relocation, sizeof relocation);
    finish(&p);
    CHECK(gopclntab_open(&t, &p.elf));
    CHECK_TEXT(described(&t, 1), "3040-3080 main.main 0:4 24:60");
    gopclntab_close(&t);
    elf_close(&p.elf);

    begin(&p, MAKEGO_20, ".gopclntab", 0);
    size_t at = makeelf_section(&p.file, ".go.module",
                                (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_addr = 0xa000}, module,
                                sizeof module);
    makeelf_segment(&p.file, PT_LOAD, p.file.sections[at].sh_offset, 0xa000, sizeof module);
    finish(&p);
    CHECK(gopclntab_open(&t, &p.elf));
    CHECK_TEXT(described(&t, 0), "5000-5040 runtime.goexit 0:64");
    gopclntab_close(&t);
    elf_close(&p.elf);

    /* That .text has nothing before Go's code is not known of a program that begins elsewhere. */
    begin(&p, MAKEGO_20, ".gopclntab", 0);
    finish(&p);
    CHECK(!gopclntab_open(&t, &p.elf));
    elf_close(&p.elf);
}

TEST("without a section of its own the table is found in .data.rel.ro of a program of Go")
{
    struct program p;
    struct gopclntab t;
    char bytes[sizeof p.table.bytes];
    memset(bytes, 0x5a, sizeof bytes);
    struct span table = makego_table(&p.table, MAKEGO_18, TEXT, functions, FUNCTIONS, CODE_SIZE);
    memcpy(bytes + 64, table.ptr, table.len);
    for (int is_go = 0; is_go < 2; is_go++) {
        makego_program(&p.file, ".data.rel.ro", span_of(bytes, 64 + table.len), TEXT, CODE_SIZE,
                       EM_X86_64);
        makeelf_section(&p.file, is_go ? ".note.go.buildid" : ".note.other",
                        (Elf64_Shdr){.sh_type = SHT_NOTE}, "", 0);
        finish(&p);
        CHECK(gopclntab_open(&t, &p.elf) == is_go);
        if (is_go)
            CHECK_TEXT(described(&t, 1), "1040-1080 main.main 0:4 24:60");
        gopclntab_close(&t);
        elf_close(&p.elf);
    }
}

TEST("a table that is cut, or has another magic number, is none; a damaged function is left out")
{
    struct program p;
    struct gopclntab t;
    begin(&p, MAKEGO_20, ".gopclntab", TEXT);
    struct span whole = span_of((const char *)p.table.bytes, p.table.len);
    size_t opened = 0;
    for (size_t n = 0; n < whole.len; n += 3) {
        makego_program(&p.file, ".gopclntab", span_head(whole, n), TEXT, CODE_SIZE, EM_X86_64);
        finish(&p);
        bool open = gopclntab_open(&t, &p.elf);
        opened += open;
        for (size_t i = 0; open && i < FUNCTIONS; i++)
            CHECK(described(&t, i).len == 0 || n > whole.len / 2);
        gopclntab_close(&t);
        elf_close(&p.elf);
    }
    CHECK(opened > 0 && opened < whole.len / 3);
    p.table.bytes[0] = 0xf2;
    makego_program(&p.file, ".gopclntab", whole, TEXT, CODE_SIZE, EM_X86_64);
    finish(&p);
    CHECK(!gopclntab_open(&t, &p.elf));
    elf_close(&p.elf);
}

TEST("a stripped program of Go has the names of its table, and one with .symtab has those")
{
    static const Elf64_Sym symbols[] = {{0},
                                        {.st_name = 1,
                                         .st_value = TEXT + 0x40,
                                         .st_size = 0x20,
                                         .st_info = STT_FUNC,
                                         .st_shndx = 1}};
    for (int full = 0; full < 2; full++) {
        struct program p;
        struct elfsyms s = {0};
        struct span name;
        uint64_t start, offset;
        begin(&p, MAKEGO_20, ".gopclntab", TEXT);
        if (full)
            makeelf_symbols(&p.file, SHT_SYMTAB, symbols, 2, "\0main.main.abi0", 16);
        finish(&p);
        offset = p.file.segments[0].p_offset;
        elfsyms_read(&s, &p.elf, &p.elf, ELFSYMS_RIGHT);
        CHECK(elfsyms_find(&s, offset + 0x44, &name, &start) && start == offset + 0x40);
        CHECK_TEXT(name, full ? "main.main.abi0" : "main.main");
        CHECK(elfsyms_find(&s, offset + 0x10f, &name, &start) == !full);
        elfsyms_free(&s);
        elfsyms_read(&s, &p.elf, &p.elf, ELFSYMS_AS_PERF); /* which does not know the table */
        CHECK(elfsyms_find(&s, offset + 0x44, &name, &start) == full);
        elfsyms_free(&s);
        elf_close(&p.elf);
    }
}
