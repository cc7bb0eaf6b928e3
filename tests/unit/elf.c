/* ELF files: their build-ids, debug links, symbols and PLT entries. */
#include "common/sym/elffile.h"
#include "common/sym/elfsyms.h"
#include "tests/unit/makeelf.h"

enum { TEXT = 0x401000, TEXT_OFFSET = 0x1000 };

static struct makeelf
new_file(bool is64, uint16_t type, uint16_t machine)
{
    struct makeelf m = {.is64 = is64, .type = type, .machine = machine};
    makeelf_start(&m);
    return m;
}

/* What is wrong with these bytes as an ELF file, or "". */
static struct span
problem_of(struct span bytes)
{
    struct content c = content_of(bytes);
    struct elf e;
    const char *problem = elf_open(&e, &c);
    if (problem == NULL)
        elf_close(&e);
    return span_cstr(problem != NULL ? problem : "");
}

/* The bytes as an ELF file, valid until the third call from here. */
static const struct elf *
opened(struct span bytes)
{
    static struct elffile files[3];
    static size_t next;
    struct elffile *f = &files[next++ % 3];
    elf_close(&f->elf);
    *f = (struct elffile){.content = content_of(bytes)};
    const char *problem = elf_open(&f->elf, &f->content);
    CHECK_TEXT(span_cstr(problem != NULL ? problem : ""), "");
    return &f->elf;
}

/* "name+offset" for an offset in the file, or "". */
static struct span
at(struct elfsyms *s, uint64_t offset)
{
    static char text[64];
    struct span name;
    uint64_t start;
    if (!elfsyms_find(s, offset, &name, &start))
        return SPAN("");
    int len = snprintf(text, sizeof text, "%.*s+%x", SPAN_ARG(name), (unsigned)(offset - start));
    return span_of(text, (size_t)len);
}

static Elf64_Sym
symbol(uint32_t name, unsigned type, unsigned binding, uint64_t value, uint64_t size,
       uint16_t section)
{
    return (Elf64_Sym){.st_name = name,
                       .st_info = (unsigned char)ELF64_ST_INFO(binding, type),
                       .st_shndx = section,
                       .st_value = value,
                       .st_size = size};
}

TEST("what is no ELF file, or none of this machine's kind, is refused with the reason")
{
    static const struct {
        size_t at;
        char byte;
        const char *problem;
    } rows[] = {
        {0, 'X', "is not an ELF file"},
        {EI_CLASS, 3, "is an ELF file of neither 32 nor 64 bits"},
        {EI_DATA, 7, "is for a machine of the other byte order"},
        {offsetof(Elf64_Ehdr, e_type), ET_REL, "is neither an executable nor a shared library"},
        {offsetof(Elf64_Ehdr, e_shentsize), 1, "has section headers of a wrong size"},
        {offsetof(Elf64_Ehdr, e_phentsize), 1, "has program headers of a wrong size"},
        {offsetof(Elf64_Ehdr, e_phnum) + 1, 127, "has more program headers than Linux allows"},
        {offsetof(Elf64_Ehdr, e_shnum) + 1, 127, "ends before its section headers: it was cut off"},
        {offsetof(Elf64_Ehdr, e_shoff) + 6, 1, "ends before its section headers: it was cut off"},
        {offsetof(Elf64_Ehdr, e_phoff) + 6, 1, "ends before its program headers: it was cut off"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct makeelf m = new_file(true, ET_EXEC, EM_X86_64);
        makeelf_segment(&m, PT_LOAD, 0, 0, 0x1000);
        makeelf_finish(&m);
        m.bytes[rows[i].at] = rows[i].byte;
        CHECK_TEXT(problem_of(span_of(m.bytes, MAKEELF_BYTES)), rows[i].problem);
    }
}

TEST("a file cut anywhere is refused, or read as far as it goes")
{
    struct makeelf m = new_file(true, ET_EXEC, EM_X86_64);
    makeelf_build_id(&m, "0123456789abcdefghij");
    struct span file = makeelf_finish(&m);
    for (size_t len = 0; len < file.len; len++)
        CHECK(problem_of(span_head(file, len)).len > 0);
    CHECK_TEXT(problem_of(span_head(file, 20)), "ends within its ELF header");
    CHECK_TEXT(problem_of(file), "");
}

TEST("the build-id is read from the section, or, without sections, from the segment")
{
    for (int is64 = 0; is64 < 2; is64++) {
        struct makeelf m = new_file(is64, ET_DYN, EM_X86_64);
        makeelf_build_id(&m, "0123456789abcdefghij");
        const struct elf *e = opened(makeelf_finish(&m));
        CHECK_TEXT(elf_build_id(e), "0123456789abcdefghij");

        m = new_file(is64, ET_DYN, EM_X86_64);
        makeelf_build_id(&m, "other");
        m.sections[1].sh_type = SHT_PROGBITS;
        makeelf_segment(&m, PT_NOTE, m.sections[1].sh_offset, 0, m.sections[1].sh_size);
        e = opened(makeelf_finish(&m));
        CHECK_TEXT(elf_build_id(e), "other");
    }
}

TEST("a note that claims more than there is ends the search")
{
    struct makeelf m = new_file(true, ET_DYN, EM_X86_64);
    const uint32_t note[] = {4, UINT32_MAX, NT_GNU_BUILD_ID, 0x00554e47, 0};
    makeelf_section(&m, ".note", (Elf64_Shdr){.sh_type = SHT_NOTE}, note, sizeof note);
    const struct elf *e = opened(makeelf_finish(&m));
    CHECK(elf_build_id(e).len == 0);
}

TEST("the debug link is a name and a CRC; a section too short for both is none")
{
    struct elf_link link;
    for (size_t cut = 0; cut < 2; cut++) {
        struct makeelf m = new_file(true, ET_DYN, EM_X86_64);
        makeelf_section(&m, ".gnu_debuglink", (Elf64_Shdr){.sh_type = SHT_PROGBITS},
                        "app.debug\0\0\0\x21\x21\x21\x21", 16 - cut);
        const struct elf *e = opened(makeelf_finish(&m));
        CHECK(elf_debuglink(e, &link) == (cut == 0));
        CHECK(cut > 0 || link.crc == 0x21212121);
        CHECK(cut > 0 || strcmp(link.name, "app.debug") == 0);
    }
}

TEST("a section that lies partly outside of the file is empty, and one without contents too")
{
    struct makeelf m = new_file(true, ET_DYN, EM_X86_64);
    const Elf64_Shdr sections[] = {{.sh_type = SHT_PROGBITS, .sh_size = MAKEELF_BYTES},
                                   {.sh_type = SHT_PROGBITS, .sh_size = UINT64_MAX},
                                   {.sh_type = SHT_NOBITS, .sh_size = 4}};
    for (size_t i = 0; i < 3; i++)
        makeelf_section(&m, ".x", sections[i], "text", 4);
    const struct elf *e = opened(makeelf_finish(&m));
    for (size_t i = 1; i <= 3; i++) {
        Elf64_Shdr s;
        CHECK(elf_section(e, i, &s));
        CHECK_TEXT(elf_section_name(e, &s), ".x");
        CHECK(elf_section_view(e, &s, VIEW_TABLE).size == 0);
    }
}

static const char strings[] = "\0main\0table\0label\0hidden\0absolute\0undefined\0outside\0tls";
enum {
    MAIN = 1,
    TABLE = 6,
    LABEL = 12,
    HIDDEN = 18,
    ABSOLUTE = 25,
    UNDEFINED = 34,
    OUTSIDE = 44,
    TLS = 52
};

/* An executable with one section of code, section 1, and these symbols. */
static struct makeelf
program(bool is64, uint32_t table, uint16_t machine)
{
    struct makeelf m = new_file(is64, ET_EXEC, machine);
    makeelf_section(&m, ".text", (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_flags = SHF_EXECINSTR},
                    "code", 4);
    makeelf_section(&m, ".note", (Elf64_Shdr){.sh_type = SHT_PROGBITS}, "", 1);
    Elf64_Sym symbols[] = {
        {0},
        symbol(MAIN, STT_FUNC, STB_GLOBAL, TEXT + 0x10, 8, 1),
        symbol(TABLE, STT_OBJECT, STB_LOCAL, TEXT + 0x20, 8, 1),
        symbol(LABEL, STT_NOTYPE, STB_LOCAL, TEXT + 0x30, 0, 1),
        symbol(LABEL, STT_NOTYPE, STB_LOCAL, TEXT + 0x80, 8, 2),
        symbol(HIDDEN, STT_NOTYPE, STB_LOCAL, TEXT + 0x90, 8, 1),
        symbol(ABSOLUTE, STT_FUNC, STB_GLOBAL, TEXT + 0xa0, 8, SHN_ABS),
        symbol(UNDEFINED, STT_FUNC, STB_GLOBAL, TEXT + 0xb0, 8, SHN_UNDEF),
        symbol(OUTSIDE, STT_FUNC, STB_GLOBAL, TEXT + 0x1000, 8, 1),
        symbol(TLS, STT_TLS, STB_GLOBAL, TEXT + 0xc0, 8, 1),
        symbol(0, STT_FUNC, STB_GLOBAL, TEXT + 0xd0, 8, 1),
    };
    symbols[5].st_other = STV_HIDDEN;
    makeelf_symbols(&m, table, symbols, sizeof symbols / sizeof *symbols, strings, sizeof strings);
    makeelf_segment(&m, PT_NOTE, 0, TEXT, 0x1000);
    makeelf_segment(&m, PT_LOAD, TEXT_OFFSET, TEXT, 0x1000);
    return m;
}

TEST("functions, objects and labels of code are named, by the offset in the file")
{
    const uint32_t tables[] = {SHT_SYMTAB, SHT_DYNSYM};
    for (size_t i = 0; i < 4; i++) {
        struct makeelf m = program(i & 1, tables[i / 2], EM_X86_64);
        const struct elf *e = opened(makeelf_finish(&m));
        struct elfsyms s = {0};
        elfsyms_read(&s, e, e, ELFSYMS_RIGHT);
        CHECK(elfsyms_has_symtab(e) == (i < 2));
        CHECK_TEXT(at(&s, TEXT_OFFSET + 0xf), "");
        CHECK_TEXT(at(&s, TEXT_OFFSET + 0x12), "main+2");
        CHECK_TEXT(at(&s, TEXT_OFFSET + 0x20), "table+0");
        CHECK_TEXT(at(&s, TEXT_OFFSET + 0x35), "label+5");
        CHECK_TEXT(at(&s, TEXT_OFFSET + 0x1fff), "label+1fcf");
        CHECK_TEXT(at(&s, TEXT_OFFSET + 0x2000), "");
        elfsyms_free(&s);
    }
}

TEST("vmlinux is named by address")
{
    struct makeelf m = program(true, SHT_SYMTAB, EM_X86_64);
    const struct elf *e = opened(makeelf_finish(&m));
    FREED(elfsyms_free) struct elfsyms s = {0};
    elfsyms_read(&s, e, e, ELFSYMS_ADDRESSES);
    CHECK_TEXT(at(&s, TEXT + 0x12), "main+2");
    CHECK_TEXT(at(&s, TEXT + 0x1001), "outside+1");
    CHECK_TEXT(at(&s, TEXT_OFFSET + 0x12), "");
}

TEST("the segments of the file that ran count, not those of the file with the symbols")
{
    struct makeelf ran = new_file(true, ET_DYN, EM_X86_64), debug;
    makeelf_segment(&ran, PT_LOAD, 0x3000, TEXT, 0x1000);
    debug = program(true, SHT_SYMTAB, EM_X86_64);
    const struct elf *runtime = opened(makeelf_finish(&ran)),
                     *symbols = opened(makeelf_finish(&debug));
    FREED(elfsyms_free) struct elfsyms s = {0};
    elfsyms_read(&s, symbols, runtime, ELFSYMS_RIGHT);
    CHECK_TEXT(at(&s, 0x3012), "main+2");
    CHECK_TEXT(at(&s, TEXT_OFFSET + 0x12), "");
}

TEST(
    "on ARM the marks of code and data are not labels, and Thumb functions start at even addresses")
{
    static const char arm[] = "\0$t\0$d.42\0$dollar\0thumb";
    const Elf64_Sym symbols[] = {
        {0},
        symbol(1, STT_NOTYPE, STB_LOCAL, TEXT, 0, 1),
        symbol(4, STT_NOTYPE, STB_LOCAL, TEXT + 4, 0, 1),
        symbol(10, STT_NOTYPE, STB_LOCAL, TEXT + 8, 4, 1),
        symbol(18, STT_FUNC, STB_GLOBAL, TEXT + 17, 4, 1),
    };
    struct makeelf m = new_file(false, ET_EXEC, EM_ARM);
    makeelf_section(&m, ".text", (Elf64_Shdr){.sh_type = SHT_PROGBITS}, "code", 4);
    makeelf_symbols(&m, SHT_SYMTAB, symbols, 5, arm, sizeof arm);
    makeelf_segment(&m, PT_LOAD, TEXT_OFFSET, TEXT, 0x1000);
    const struct elf *e = opened(makeelf_finish(&m));
    FREED(elfsyms_free) struct elfsyms s = {0};
    elfsyms_read(&s, e, e, ELFSYMS_RIGHT);
    CHECK_TEXT(at(&s, TEXT_OFFSET), "");
    CHECK_TEXT(at(&s, TEXT_OFFSET + 4), "");
    CHECK_TEXT(at(&s, TEXT_OFFSET + 8), "$dollar+0");
    CHECK_TEXT(at(&s, TEXT_OFFSET + 16), "thumb+0");
}

TEST("of tables that are larger than any real ones only the first entries are counted")
{
    enum { HUGE_TABLE = 256 << 20, SYMBOLS = 1 << 23 };
    struct content c = {.size = HUGE_TABLE, .path = "sparse"};
    struct elf e = {.content = &c, .is64 = true};
    Elf64_Shdr table = {.sh_type = SHT_SYMTAB, .sh_size = HUGE_TABLE};
    CHECK(elf_count(&e, &table) == SYMBOLS);
}

TEST("an address is looked for in segments in any order")
{
    enum { SEGMENTS = MAKEELF_SEGMENTS };
    struct makeelf m = new_file(true, ET_EXEC, EM_X86_64);
    for (size_t i = 0; i < SEGMENTS; i++)
        makeelf_segment(&m, PT_LOAD, i * 0x1000, ((i + 2) % SEGMENTS) * 0x10000, 0x1000);
    const struct elf *e = opened(makeelf_finish(&m));
    for (size_t i = 0; i < SEGMENTS; i++) {
        Elf64_Phdr p;
        uint64_t addr = ((i + 2) % SEGMENTS) * 0x10000, back = 0;
        CHECK(elf_find_segment(e, addr, &p) && p.p_offset == i * 0x1000);
        CHECK(elf_find_segment(e, addr + 0xfff, &p) && p.p_offset == i * 0x1000);
        CHECK(!elf_find_segment(e, addr + 0x1000, &p));
        CHECK(elf_find_address(e, i * 0x1000 + 5, &back) && back == addr + 5);
    }
}
