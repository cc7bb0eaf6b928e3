/* The names of the entries of the procedure linkage table. */
#include "common/sym/elfsyms.h"

#include "tests/unit/makeelf.h"

enum { PLT = 0x1000, PLT_SEC = 0x1040, PLT_GOT = 0x1060, GOT = 0x3000, RESOLVER = 0x2000 };

/* "name+offset" for an offset in the file, which is the address here, or "". */
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

/* Puts `jmp *slot(%rip)` at an offset in a section that lies at `addr`. */
static void
put_jump(char *code, uint64_t addr, size_t offset, uint64_t slot)
{
    uint32_t distance = (uint32_t)(slot - (addr + offset + 6));
    memcpy(code + offset, "\xff\x25", 2);
    memcpy(code + offset + 2, &distance, 4);
}

static Elf64_Rela
relocation(uint64_t slot, uint32_t symbol, uint32_t type, int64_t addend)
{
    return (Elf64_Rela){slot, ELF64_R_INFO((uint64_t)symbol, type), addend};
}

/* A shared library: slot i of the GOT is free's, malloc's, that of a resolver, and exit's; .plt has
 * the entries of slots 1, 0, 2 in this order, .plt.sec one of slot 0 as with -z ibtplt, .plt.got
 * one of slot 3. */
static struct makeelf
library(uint16_t machine)
{
    static const char names[] = "\0free\0malloc\0exit\0resolver";
    static const Elf64_Sym symbols[] = {
        {0},
        {.st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)},
        {.st_name = 6, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)},
        {.st_name = 13, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)},
        {18, ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC), 0, 1, RESOLVER, 8},
    };
    const Elf64_Rela plt[] = {relocation(GOT, 1, R_X86_64_JUMP_SLOT, 0),
                              relocation(GOT + 8, 2, R_X86_64_JUMP_SLOT, 0),
                              relocation(GOT + 16, 0, R_X86_64_IRELATIVE, RESOLVER)};
    const Elf64_Rela dyn[] = {relocation(GOT + 8, 4, R_X86_64_64, 0),
                              relocation(GOT + 24, 3, R_X86_64_GLOB_DAT, 0)};
    char code[64] = {0}, sec[16] = "\xf3\x0f\x1e\xfa\xf2", got[8] = {0};
    struct makeelf m = {.is64 = true, .type = ET_DYN, .machine = machine};
    makeelf_start(&m);
    put_jump(code, PLT, 6, GOT + 0x100); /* PLT0: to the dynamic linker, by a slot without a name */
    put_jump(code, PLT, 16, GOT + 8);
    put_jump(code, PLT, 32, GOT);
    put_jump(code, PLT, 48, GOT + 16);
    put_jump(sec, PLT_SEC, 5, GOT);
    put_jump(got, PLT_GOT, 0, GOT + 24);
    uint32_t dynsym = (uint32_t)makeelf_symbols(&m, SHT_DYNSYM, symbols, 5, names, sizeof names);
    const Elf64_Shdr text = {.sh_type = SHT_PROGBITS, .sh_flags = SHF_EXECINSTR, .sh_entsize = 16};
    const Elf64_Shdr rela = {.sh_type = SHT_RELA, .sh_link = dynsym};
    struct {
        const char *name;
        Elf64_Shdr header;
        const void *data;
        size_t size;
        uint64_t addr;
    } rows[] = {{".rela.plt", rela, plt, sizeof plt, 0},
                {".rela.dyn", rela, dyn, sizeof dyn, 0},
                {".plt", text, code, sizeof code, PLT},
                {".plt.sec", text, sec, 16, PLT_SEC},
                {".plt.got", text, got, 8, PLT_GOT}};
    rows[4].header.sh_entsize = 8;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rows[i].header.sh_addr = rows[i].addr;
        makeelf_section(&m, rows[i].name, rows[i].header, rows[i].data, rows[i].size);
    }
    makeelf_segment(&m, PT_LOAD, 0, 0, 0x10000);
    return m;
}

static struct elfsyms
names_of(struct makeelf *m, enum elfsyms_mode mode)
{
    static struct content c;
    static struct elf e;
    struct elfsyms s = {0};
    elf_close(&e);
    c = content_of(makeelf_finish(m));
    CHECK(elf_open(&e, &c) == NULL);
    elfsyms_read(&s, &e, &e, mode);
    return s;
}

TEST("an entry has the name of the symbol whose slot its code jumps through")
{
    struct makeelf m = library(EM_X86_64);
    FREED(elfsyms_free) struct elfsyms s = names_of(&m, ELFSYMS_RIGHT);
    CHECK_TEXT(at(&s, PLT), "");
    CHECK_TEXT(at(&s, PLT + 16), "malloc@plt+0");
    CHECK_TEXT(at(&s, PLT + 47), "free@plt+f");
    CHECK_TEXT(at(&s, PLT_SEC), "free@plt+0");
    CHECK_TEXT(at(&s, PLT_GOT + 7), "exit@plt+7");
    CHECK_TEXT(at(&s, PLT_GOT + 8), "");
}

TEST("a function that is chosen at run time is named by its resolver, or by address")
{
    struct makeelf m = library(EM_X86_64);
    FREED(elfsyms_free) struct elfsyms s = names_of(&m, ELFSYMS_RIGHT);
    CHECK_TEXT(at(&s, PLT + 48), "resolver@plt+0");
    elfsyms_free(&s);

    m = library(EM_X86_64);
    Elf64_Sym none = {0};
    memcpy(m.bytes + m.sections[2].sh_offset + 4 * sizeof none, &none, sizeof none);
    s = names_of(&m, ELFSYMS_RIGHT);
    CHECK_TEXT(at(&s, PLT + 48), "*ABS*+0x2000@plt+0");
}

TEST("perf's names follow the order of the relocations, and there are none outside of .plt")
{
    struct makeelf m = library(EM_X86_64);
    FREED(elfsyms_free) struct elfsyms s = names_of(&m, ELFSYMS_AS_PERF);
    CHECK_TEXT(at(&s, PLT), "");
    CHECK_TEXT(at(&s, PLT + 16), "free@plt+0");
    CHECK_TEXT(at(&s, PLT + 32), "malloc@plt+0");
    CHECK_TEXT(at(&s, PLT + 63), "@plt+f");
    CHECK_TEXT(at(&s, PLT_SEC), "");
    CHECK_TEXT(at(&s, PLT_GOT), "");
}

TEST("on other machines than x86-64 entries are counted, after a header of the machine's size")
{
    struct makeelf m = library(EM_AARCH64);
    FREED(elfsyms_free) struct elfsyms s = names_of(&m, ELFSYMS_RIGHT);
    CHECK_TEXT(at(&s, PLT + 16), "");
    CHECK_TEXT(at(&s, PLT + 32), "free@plt+0");
    CHECK_TEXT(at(&s, PLT + 48), "malloc@plt+0");
    CHECK_TEXT(at(&s, PLT + 64), "");
    elfsyms_free(&s);

    m = library(EM_ARM);
    s = names_of(&m, ELFSYMS_RIGHT);
    CHECK_TEXT(at(&s, PLT + 19), "");
    CHECK_TEXT(at(&s, PLT + 20), "free@plt+0");
    CHECK_TEXT(at(&s, PLT + 32), "malloc@plt+0");
}

TEST("entries without a size are not counted for ever; decoded, they have that of their alignment")
{
    struct makeelf m = library(EM_X86_64);
    m.sections[5].sh_entsize = 0;
    FREED(elfsyms_free) struct elfsyms s = names_of(&m, ELFSYMS_AS_PERF);
    CHECK(s.plt.count == 0);
    elfsyms_free(&s);
    m = library(EM_X86_64);
    m.sections[5].sh_entsize = 0;
    s = names_of(&m, ELFSYMS_RIGHT);
    CHECK_TEXT(at(&s, PLT + 31), "malloc@plt+f");
    elfsyms_free(&s);
    m = library(EM_X86_64);
    m.sections[5].sh_entsize = 0;
    m.sections[5].sh_addralign = 8;
    s = names_of(&m, ELFSYMS_RIGHT);
    CHECK_TEXT(at(&s, PLT + 23), "malloc@plt+7");
    CHECK_TEXT(at(&s, PLT + 24), "");
}

/* The symbols of a program, as perf has them, whose _init goes on after a PLT of so many entries. */
static struct elfsyms
around(size_t entries, struct makeelf *m)
{
    static const char names[] = "\0f\0_init", code[16 * 16];
    const Elf64_Sym symbols[] = {
        {0},
        {.st_name = 1, .st_info = STT_FUNC},
        {.st_name = 3, .st_info = STT_FUNC, .st_shndx = 1, .st_value = PLT - 16, .st_size = 0x400}};
    Elf64_Rela relocations[16];
    for (size_t i = 0; i < entries; i++)
        relocations[i] = relocation(GOT, 1, R_X86_64_JUMP_SLOT, 0);
    *m = (struct makeelf){.is64 = true, .type = ET_DYN, .machine = EM_X86_64};
    makeelf_start(m);
    uint32_t dynsym = (uint32_t)makeelf_symbols(m, SHT_DYNSYM, symbols, 3, names, sizeof names);
    makeelf_section(m, ".rela.plt", (Elf64_Shdr){.sh_type = SHT_RELA, .sh_link = dynsym},
                    relocations, entries * sizeof *relocations);
    makeelf_section(m, ".plt",
                    (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_addr = PLT, .sh_entsize = 16}, code,
                    16 * (entries + 1));
    makeelf_segment(m, PT_LOAD, 0, 0, 0x10000);
    return names_of(m, ELFSYMS_AS_PERF);
}

enum { ENTRIES = 64, NAME = 1000 };

/* The symbols of a library whose PLT has many entries of one long name. It has `n` symbols: one
 * that it needs, and one that it defines. */
static struct elfsyms
repeated(size_t n, struct makeelf *m)
{
    static char name[NAME + 2], code[16 * (ENTRIES + 1)];
    static Elf64_Rela relocations[ENTRIES];
    const Elf64_Sym symbols[] = {
        {0},
        {.st_name = 1},
        {.st_name = 1, .st_info = STT_FUNC, .st_shndx = 1, .st_value = 0x10, .st_size = 1}};
    *m = (struct makeelf){.is64 = true, .type = ET_DYN, .machine = EM_X86_64};
    makeelf_start(m);
    memset(name + 1, 'x', NAME);
    for (size_t i = 0; i < ENTRIES; i++)
        relocations[i] = relocation(GOT, 1, R_X86_64_JUMP_SLOT, 0);
    uint32_t dynsym = (uint32_t)makeelf_symbols(m, SHT_DYNSYM, symbols, n + 1, name, sizeof name);
    makeelf_section(m, ".rela.plt", (Elf64_Shdr){.sh_type = SHT_RELA, .sh_link = dynsym},
                    relocations, sizeof relocations);
    makeelf_section(m, ".plt",
                    (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_addr = PLT, .sh_entsize = 16}, code,
                    sizeof code);
    makeelf_segment(m, PT_LOAD, 0, 0, 0x10000);
    return names_of(m, ELFSYMS_AS_PERF);
}

TEST("for perf a symbol around the PLT ends with its entries, if they are many")
{
    struct makeelf m;
    FREED(elfsyms_free) struct elfsyms s = around(8, &m);
    CHECK_TEXT(at(&s, PLT - 8), "_init+8");
    CHECK_TEXT(at(&s, PLT), "_init+10");
    CHECK_TEXT(at(&s, PLT + 16), "f@plt+0");
    CHECK_TEXT(at(&s, PLT + 16 * 9 - 1), "f@plt+f");
    CHECK_TEXT(at(&s, PLT + 16 * 9), "");
    elfsyms_free(&s);
    s = around(2, &m);
    CHECK_TEXT(at(&s, PLT + 16 * 3), "_init+40");
}

TEST("PLT entries that repeat a long name do not take more memory than the file")
{
    struct makeelf m;
    FREED(elfsyms_free) struct elfsyms s = repeated(2, &m);
    CHECK(s.plt.count > 0);
    CHECK(s.plt.names.size <= m.len);
}

TEST("a file that defines no symbol has no PLT for perf")
{
    struct makeelf m;
    FREED(elfsyms_free) struct elfsyms s = repeated(1, &m);
    CHECK(s.plt.count == 0);
}
