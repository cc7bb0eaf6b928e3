/* Makes small ELF files in memory for tests: with 32 or 64 bits, in this machine's byte order. */
#ifndef UNIT_MAKEELF_H
#define UNIT_MAKEELF_H

#include <elf.h>
#include <stdint.h>

#include "tests/unit/test.h"

enum { MAKEELF_SECTIONS = 16, MAKEELF_SEGMENTS = 4, MAKEELF_BYTES = 8192 };

struct makeelf {
    bool is64;
    uint16_t type, machine;
    char bytes[MAKEELF_BYTES];
    size_t len;
    Elf64_Shdr sections[MAKEELF_SECTIONS];
    size_t nsections;
    Elf64_Phdr segments[MAKEELF_SEGMENTS];
    size_t nsegments;
    char names[256]; /* names of the sections */
    size_t names_len;
};

static inline void
makeelf_append(struct makeelf *m, const void *data, size_t n)
{
    CHECK(n <= sizeof m->bytes - m->len);
    memcpy(m->bytes + m->len, data, n);
    m->len += n;
}

/* Initialize. *m is {0}, or has the fields before `bytes`. Leave room for the headers at the
 * front. */
static inline void
makeelf_start(struct makeelf *m)
{
    m->len = sizeof(Elf64_Ehdr) + MAKEELF_SEGMENTS * sizeof(Elf64_Phdr);
    m->nsections = 1; /* the first one is empty */
    m->names_len = 1;
}

/* Add a section at the next multiple of eight bytes, and return its number. */
static inline size_t
makeelf_section(struct makeelf *m, const char *name, Elf64_Shdr s, const void *data, size_t n)
{
    m->len = (m->len + 7) & ~(size_t)7;
    s.sh_name = (uint32_t)m->names_len;
    memcpy(m->names + m->names_len, name, strlen(name) + 1);
    m->names_len += strlen(name) + 1;
    s.sh_offset = m->len;
    if (s.sh_size == 0)
        s.sh_size = n;
    makeelf_append(m, data, n);
    CHECK(m->nsections < MAKEELF_SECTIONS);
    m->sections[m->nsections] = s;
    return m->nsections++;
}

static inline void
makeelf_segment(struct makeelf *m, uint32_t type, uint64_t offset, uint64_t addr, uint64_t size)
{
    m->segments[m->nsegments++] = (Elf64_Phdr){
        .p_type = type, .p_offset = offset, .p_vaddr = addr, .p_filesz = size, .p_memsz = size};
}

/* Append symbols in the file's class as a section. st_name are offsets in the strings. */
static inline size_t
makeelf_symbols(struct makeelf *m, uint32_t type, const Elf64_Sym *symbols, size_t n,
                const char *strings, size_t strings_len)
{
    char bytes[1024];
    size_t size = m->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    CHECK(n * size <= sizeof bytes);
    for (size_t i = 0; i < n; i++) {
        Elf64_Sym w = symbols[i];
        Elf32_Sym s = {w.st_name, (uint32_t)w.st_value, (uint32_t)w.st_size,
                       w.st_info, w.st_other,           w.st_shndx};
        memcpy(bytes + i * size, m->is64 ? (const void *)&w : (const void *)&s, size);
    }
    bool dynamic = type == SHT_DYNSYM;
    size_t at = makeelf_section(m, dynamic ? ".dynstr" : ".strtab",
                                (Elf64_Shdr){.sh_type = SHT_STRTAB}, strings, strings_len);
    return makeelf_section(m, dynamic ? ".dynsym" : ".symtab",
                           (Elf64_Shdr){.sh_type = type, .sh_link = (uint32_t)at}, bytes, n * size);
}

/* Add a note with the build-id, like .note.gnu.build-id. */
static inline void
makeelf_build_id(struct makeelf *m, const char *id)
{
    char note[64] = {0};
    Elf64_Nhdr h = {4, (uint32_t)strlen(id), NT_GNU_BUILD_ID};
    memcpy(note, &h, sizeof h);
    memcpy(note + sizeof h, "GNU", 4);
    memcpy(note + sizeof h + 4, id, strlen(id));
    makeelf_section(m, ".note.gnu.build-id", (Elf64_Shdr){.sh_type = SHT_NOTE}, note,
                    sizeof h + 4 + ((strlen(id) + 3) & ~(size_t)3));
}

static inline void
makeelf_headers32(struct makeelf *m, const Elf64_Ehdr *w)
{
    Elf32_Ehdr h = {.e_type = w->e_type,
                    .e_machine = w->e_machine,
                    .e_phoff = (uint32_t)sizeof h,
                    .e_shoff = (uint32_t)m->len,
                    .e_phentsize = sizeof(Elf32_Phdr),
                    .e_phnum = w->e_phnum,
                    .e_shentsize = sizeof(Elf32_Shdr),
                    .e_shnum = w->e_shnum,
                    .e_shstrndx = w->e_shstrndx};
    memcpy(h.e_ident, w->e_ident, EI_NIDENT);
    memcpy(m->bytes, &h, sizeof h);
    for (size_t i = 0; i < m->nsegments; i++) {
        const Elf64_Phdr *p = &m->segments[i];
        Elf32_Phdr narrow = {.p_type = p->p_type,
                             .p_offset = (uint32_t)p->p_offset,
                             .p_vaddr = (uint32_t)p->p_vaddr,
                             .p_filesz = (uint32_t)p->p_filesz,
                             .p_memsz = (uint32_t)p->p_memsz};
        memcpy(m->bytes + sizeof h + i * sizeof narrow, &narrow, sizeof narrow);
    }
    for (size_t i = 0; i < m->nsections; i++) {
        const Elf64_Shdr *s = &m->sections[i];
        Elf32_Shdr narrow = {.sh_name = s->sh_name,
                             .sh_type = s->sh_type,
                             .sh_flags = (uint32_t)s->sh_flags,
                             .sh_addr = (uint32_t)s->sh_addr,
                             .sh_offset = (uint32_t)s->sh_offset,
                             .sh_size = (uint32_t)s->sh_size,
                             .sh_link = s->sh_link,
                             .sh_entsize = (uint32_t)s->sh_entsize};
        makeelf_append(m, &narrow, sizeof narrow);
    }
}

/* Write the headers. After that, m->bytes and m->len are the file. */
static inline struct span
makeelf_finish(struct makeelf *m)
{
    uint16_t one = 1;
    size_t names = makeelf_section(m, ".shstrtab", (Elf64_Shdr){.sh_type = SHT_STRTAB}, m->names,
                                   sizeof m->names);
    m->len = (m->len + 7) & ~(size_t)7;
    Elf64_Ehdr h = {.e_type = m->type,
                    .e_machine = m->machine,
                    .e_phoff = sizeof h,
                    .e_shoff = m->len,
                    .e_phentsize = sizeof(Elf64_Phdr),
                    .e_phnum = (uint16_t)m->nsegments,
                    .e_shentsize = sizeof(Elf64_Shdr),
                    .e_shnum = (uint16_t)m->nsections,
                    .e_shstrndx = (uint16_t)names};
    memcpy(h.e_ident, ELFMAG, SELFMAG);
    h.e_ident[EI_CLASS] = m->is64 ? ELFCLASS64 : ELFCLASS32;
    h.e_ident[EI_DATA] = *(const char *)&one == 1 ? ELFDATA2LSB : ELFDATA2MSB;
    h.e_ident[EI_VERSION] = EV_CURRENT;
    if (m->is64) {
        memcpy(m->bytes, &h, sizeof h);
        memcpy(m->bytes + sizeof h, m->segments, m->nsegments * sizeof *m->segments);
        makeelf_append(m, m->sections, m->nsections * sizeof *m->sections);
    } else {
        makeelf_headers32(m, &h);
    }
    return span_of(m->bytes, m->len);
}

#endif
