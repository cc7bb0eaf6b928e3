/* Makes small function tables of Go programs, in each of their formats: see
 * common/sym/gopclntab.c. */
#ifndef UNIT_MAKEGO_H
#define UNIT_MAKEGO_H

#include "tests/unit/makeelf.h"

enum { MAKEGO_2, MAKEGO_16, MAKEGO_18, MAKEGO_20, MAKEGO_FORMATS };
enum { MAKEGO_TOP_FRAME = 1, MAKEGO_WRITES_SP = 2, MAKEGO_ASSEMBLY = 4, MAKEGO_BYTES = 4096 };

struct makego_function {
    uint32_t start; /* relative to the start of the code */
    const char *name;
    unsigned flags;
    const char *depths; /* pairs, terminated by a 0 */
};

struct makego {
    unsigned char bytes[MAKEGO_BYTES];
    size_t len;
};

static inline void
makego_number(struct makego *m, size_t at, uint64_t number, size_t size)
{
    CHECK(at + size <= sizeof m->bytes);
    memcpy(m->bytes + at, &number, size);
}

static inline uint32_t
makego_text(struct makego *m, const char *text)
{
    size_t at = m->len, n = strlen(text) + 1;
    CHECK(n <= sizeof m->bytes - at);
    memcpy(m->bytes + at, text, n);
    m->len += n;
    return (uint32_t)at;
}

/* Return the table of n functions. The last one ends at `end`. `text` is the start of the code,
 * which the headers of the newer formats contain. */
static inline struct span
makego_table(struct makego *m, unsigned format, uint64_t text, const struct makego_function *f,
             size_t n, uint32_t end)
{
    static const uint32_t magics[] = {0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffff1};
    enum { WORD = 8, FIRST = 8, FIELDS = 48 };
    bool relative = format >= MAKEGO_18;
    size_t start = relative ? 4 : WORD, row = 2 * start;
    uint32_t names[16], depths[16];
    *m = (struct makego){.len = FIRST + 8 * WORD};
    CHECK(n <= 16);
    size_t table = format == MAKEGO_2 ? FIRST + WORD : 0, functions;
    m->len = format == MAKEGO_2 ? table + (n + 1) * row : m->len;
    for (size_t i = 0; i < n; i++) {
        names[i] = makego_text(m, f[i].name);
        depths[i] = makego_text(m, f[i].depths);
    }
    m->len = (m->len + 7) & ~(size_t)7;
    functions = m->len;
    if (format != MAKEGO_2) {
        table = m->len;
        functions += (n + 1) * row;
    }
    makego_number(m, 0, magics[format], 4);
    m->bytes[6] = 1;
    m->bytes[7] = WORD;
    makego_number(m, FIRST, n, WORD);
    if (relative)
        makego_number(m, FIRST + 2 * WORD, text, WORD);
    /* In this format, the offsets of names and depths are relative to the start of the table. */
    if (format != MAKEGO_2)
        makego_number(m, FIRST + (relative ? 7 : 6) * WORD, table, WORD);
    for (size_t i = 0; i <= n; i++) {
        size_t at = functions + i * FIELDS, base = format == MAKEGO_2 ? 0 : table;
        uint64_t first = (i < n ? f[i].start : end) + (relative ? 0 : text);
        makego_number(m, table + i * row, first, start);
        if (i == n)
            break;
        makego_number(m, table + i * row + start, at - base, start);
        makego_number(m, at, first, start);
        makego_number(m, at + start, names[i], 4);
        makego_number(m, at + start + 12, depths[i], 4);
        if (format != MAKEGO_2)
            m->bytes[at + start + (format == MAKEGO_20 ? 37 : 33)] = (unsigned char)f[i].flags;
    }
    m->len = functions + n * FIELDS;
    return span_of((const char *)m->bytes, m->len);
}

enum { MAKEGO_TABLE = 0x8000 /* its address in a program */ };

/* Begin a program with this table in a section of this name, and with code from `text` on. Sections
 * may be added before makeelf_finish(). */
static inline void
makego_program(struct makeelf *f, const char *section, struct span table, uint64_t text,
               size_t code_size, unsigned machine)
{
    static const unsigned char code[1024];
    CHECK(code_size <= sizeof code);
    *f = (struct makeelf){.is64 = true, .type = ET_EXEC, .machine = (uint16_t)machine};
    makeelf_start(f);
    size_t at = makeelf_section(
        f, ".text",
        (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_addr = text, .sh_flags = SHF_EXECINSTR}, code,
        code_size);
    makeelf_segment(f, PT_LOAD, f->sections[at].sh_offset, text, code_size);
    f->segments[0].p_flags = PF_R | PF_X;
    at = makeelf_section(f, section, (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_addr = MAKEGO_TABLE},
                         table.ptr, table.len);
    makeelf_segment(f, PT_LOAD, f->sections[at].sh_offset, MAKEGO_TABLE, table.len);
    f->segments[1].p_flags = PF_R;
}

#endif
