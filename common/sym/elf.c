/* The format is in elf(5) and in the System V ABI, chapters 4 and 5. A file starts as
 *
 *     7f 45 4c 46 02 01 01 00 ...     "\x7fELF", 64-bit, little endian, version 1
 *     02 00 3e 00                     an executable, for x86-64
 *
 * and names by offset its segments (program headers, used by the kernel) and its sections (used by
 * linkers and debuggers). Nothing in it is trusted, its size neither: a terabyte of a sparse file
 * takes no place on a disk. What is larger than in any real program is not read. */
#include "common/sym/elf.h"

enum {
    SECTIONS_MAX = 1 << 16,
    SECTION_NAME_MAX = 256,
    NOTES_MAX = 1 << 16,
    ENTRIES_MAX = 1 << 23 /* symbols or relocations: more than Chromium has */
};

/* n bytes at an offset; empty unless all of them are in the file. */
static struct span
part(struct span bytes, uint64_t offset, uint64_t n)
{
    if (offset > bytes.len || n > bytes.len - offset)
        return SPAN("");
    return span_of(bytes.ptr + offset, (size_t)n);
}

/* Copies a struct, which need not be aligned in the file. False where it is not all in the file. */
static bool
load(struct span bytes, uint64_t offset, void *to, size_t size)
{
    struct span from = part(bytes, offset, size);
    if (from.len != size)
        return false;
    memcpy(to, from.ptr, size);
    return true;
}

struct span
elf_string(struct span table, uint64_t offset)
{
    struct span s = offset < table.len ? span_from(table, (size_t)offset) : SPAN("");
    s = span_head(s, s.len < ELF_STRING_MAX ? s.len : ELF_STRING_MAX);
    size_t nul = span_find(s, '\0');
    return nul == SPAN_NONE ? SPAN("") : span_head(s, nul);
}

/* Sections */

static Elf64_Shdr
widen_section(Elf32_Shdr s)
{
    return (Elf64_Shdr){s.sh_name, s.sh_type, s.sh_flags, s.sh_addr,      s.sh_offset,
                        s.sh_size, s.sh_link, s.sh_info,  s.sh_addralign, s.sh_entsize};
}

bool
elf_section(const struct elf *e, size_t i, Elf64_Shdr *section)
{
    Elf32_Shdr narrow;
    if (i >= e->nsections) /* whose headers all lie in the file */
        return false;
    uint64_t at = e->sections_at + (uint64_t)i * e->section_size;
    if (e->is64)
        return load(e->bytes, at, section, sizeof *section);
    if (!load(e->bytes, at, &narrow, sizeof narrow))
        return false;
    *section = widen_section(narrow);
    return true;
}

struct span
elf_section_name(const struct elf *e, const Elf64_Shdr *section)
{
    uint64_t most = (uint64_t)section->sh_name + SECTION_NAME_MAX;
    struct span names = e->section_names;
    return elf_string(most < names.len ? span_head(names, (size_t)most) : names, section->sh_name);
}

bool
elf_find_section(const struct elf *e, uint32_t type, struct span name, Elf64_Shdr *section)
{
    for (size_t i = 1; i < e->nsections; i++) {
        if (!elf_section(e, i, section) || (type != SHT_NULL && section->sh_type != type))
            continue;
        if (name.len == 0 || span_eq(elf_section_name(e, section), name))
            return true;
    }
    return false;
}

struct span
elf_section_bytes(const struct elf *e, const Elf64_Shdr *section)
{
    if (section->sh_type == SHT_NOBITS)
        return SPAN("");
    return part(e->bytes, section->sh_offset, section->sh_size);
}

/* Segments */

/* Linux runs no file with more than 64 KiB of program headers. */
enum { SEGMENTS_MAX = 64 * 1024 / sizeof(Elf32_Phdr) };

static Elf64_Phdr
widen_segment(Elf32_Phdr p)
{
    return (Elf64_Phdr){p.p_type,  p.p_flags,  p.p_offset, p.p_vaddr,
                        p.p_paddr, p.p_filesz, p.p_memsz,  p.p_align};
}

static bool
segment_at(const struct elf *e, size_t i, Elf64_Phdr *segment)
{
    Elf32_Phdr narrow;
    uint64_t at = e->segments_at + (uint64_t)i * e->segment_size;
    if (e->is64)
        return load(e->bytes, at, segment, sizeof *segment);
    if (!load(e->bytes, at, &narrow, sizeof narrow))
        return false;
    *segment = widen_segment(narrow);
    return true;
}

bool
elf_find_segment(const struct elf *e, uint64_t addr, Elf64_Phdr *segment)
{
    for (size_t i = 0; i < e->nsegments; i++)
        if (segment_at(e, i, segment) && segment->p_type == PT_LOAD && addr >= segment->p_vaddr &&
            addr - segment->p_vaddr < segment->p_memsz)
            return true;
    return false;
}

bool
elf_find_address(const struct elf *e, uint64_t offset, uint64_t *addr)
{
    Elf64_Phdr segment;
    for (size_t i = 0; i < e->nsegments; i++)
        if (segment_at(e, i, &segment) && segment.p_type == PT_LOAD && offset >= segment.p_offset &&
            offset - segment.p_offset < segment.p_filesz) {
            *addr = offset - segment.p_offset + segment.p_vaddr;
            return true;
        }
    return false;
}

/* The header */

static Elf64_Ehdr
widen_header(Elf32_Ehdr h)
{
    Elf64_Ehdr wide = {.e_type = h.e_type,
                       .e_machine = h.e_machine,
                       .e_phoff = h.e_phoff,
                       .e_shoff = h.e_shoff,
                       .e_phentsize = h.e_phentsize,
                       .e_phnum = h.e_phnum,
                       .e_shentsize = h.e_shentsize,
                       .e_shnum = h.e_shnum,
                       .e_shstrndx = h.e_shstrndx};
    return wide;
}

/* What the first bytes say. */
static const char *
check_ident(struct span bytes)
{
    if (bytes.len < EI_NIDENT || memcmp(bytes.ptr, ELFMAG, SELFMAG) != 0)
        return "is not an ELF file";
    if (bytes.ptr[EI_CLASS] != ELFCLASS32 && bytes.ptr[EI_CLASS] != ELFCLASS64)
        return "is an ELF file of neither 32 nor 64 bits";
    uint16_t one = 1;
    bool little = *(const unsigned char *)&one == 1;
    if (bytes.ptr[EI_DATA] != (little ? ELFDATA2LSB : ELFDATA2MSB))
        return "is for a machine of the other byte order";
    return NULL;
}

static bool
load_header(struct elf *e, Elf64_Ehdr *header)
{
    Elf32_Ehdr narrow;
    if (e->is64)
        return load(e->bytes, 0, header, sizeof *header);
    if (!load(e->bytes, 0, &narrow, sizeof narrow))
        return false;
    *header = widen_header(narrow);
    return true;
}

/* True if a table of n entries lies in the file. */
static bool
has_table(const struct elf *e, uint64_t at, uint64_t n, size_t size)
{
    return at <= e->bytes.len && n <= (e->bytes.len - at) / size;
}

/* Numbers that need more than 16 bits are in the first section's header. */
static const char *
set_tables(struct elf *e, const Elf64_Ehdr *h)
{
    Elf64_Shdr first = {0}, names;
    uint64_t nsections = h->e_shnum, nsegments = h->e_phnum;
    size_t names_index = h->e_shstrndx;
    e->sections_at = h->e_shoff;
    e->segments_at = h->e_phoff;
    e->section_size = e->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
    e->segment_size = e->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    if (h->e_shoff != 0) {
        if (h->e_shentsize != e->section_size)
            return "has section headers of a wrong size";
        e->nsections = 1;
        if (!elf_section(e, 0, &first))
            return "ends before its section headers: it was cut off";
        nsections = nsections != 0 ? nsections : first.sh_size;
        names_index = names_index != SHN_XINDEX ? names_index : first.sh_link;
        nsegments = nsegments != PN_XNUM ? nsegments : first.sh_info;
        if (!has_table(e, h->e_shoff, nsections, e->section_size))
            return "ends before its section headers: it was cut off";
        if (nsections > SECTIONS_MAX)
            return "has more section headers than a program can have";
        e->nsections = (size_t)nsections;
    }
    if (nsegments > 0 && h->e_phentsize != e->segment_size)
        return "has program headers of a wrong size";
    if (nsegments > SEGMENTS_MAX)
        return "has more program headers than Linux allows";
    if (!has_table(e, h->e_phoff, nsegments, e->segment_size))
        return "ends before its program headers: it was cut off";
    e->nsegments = (size_t)nsegments;
    if (elf_section(e, names_index, &names))
        e->section_names = elf_section_bytes(e, &names);
    return NULL;
}

const char *
elf_open(struct elf *e, struct span bytes)
{
    Elf64_Ehdr header;
    const char *problem = check_ident(bytes);
    if (problem != NULL)
        return problem;
    *e = (struct elf){.bytes = bytes, .is64 = bytes.ptr[EI_CLASS] == ELFCLASS64};
    if (!load_header(e, &header))
        return "ends within its ELF header";
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return "is neither an executable nor a shared library";
    e->machine = header.e_machine;
    return set_tables(e, &header);
}

/* Symbols and relocations */

static size_t
entry_size(const struct elf *e, uint32_t type)
{
    switch (type) {
    case SHT_REL:
        return e->is64 ? sizeof(Elf64_Rel) : sizeof(Elf32_Rel);
    case SHT_RELA:
        return e->is64 ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela);
    default:
        return e->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    }
}

size_t
elf_count(const struct elf *e, const Elf64_Shdr *section)
{
    size_t n = elf_section_bytes(e, section).len / entry_size(e, section->sh_type);
    return n < ENTRIES_MAX ? n : ENTRIES_MAX;
}

Elf64_Sym
elf_symbol(const struct elf *e, struct span bytes, size_t i)
{
    Elf64_Sym wide;
    Elf32_Sym s;
    if (e->is64) {
        memcpy(&wide, bytes.ptr + i * sizeof wide, sizeof wide);
        return wide;
    }
    memcpy(&s, bytes.ptr + i * sizeof s, sizeof s);
    return (Elf64_Sym){s.st_name, s.st_info, s.st_other, s.st_shndx, s.st_value, s.st_size};
}

/* Elf64_Rel and Elf32_Rel are the beginning of Elf64_Rela and Elf32_Rela. */
struct elf_relocation
elf_relocation(const struct elf *e, const Elf64_Shdr *section, size_t i)
{
    size_t size = entry_size(e, section->sh_type);
    const char *at = elf_section_bytes(e, section).ptr + i * size;
    Elf64_Rela wide = {0};
    Elf32_Rela narrow = {0};
    if (e->is64) {
        memcpy(&wide, at, size);
        return (struct elf_relocation){wide.r_offset, (uint64_t)wide.r_addend,
                                       (size_t)ELF64_R_SYM(wide.r_info), ELF64_R_TYPE(wide.r_info)};
    }
    memcpy(&narrow, at, size);
    return (struct elf_relocation){narrow.r_offset, (uint32_t)narrow.r_addend,
                                   ELF32_R_SYM(narrow.r_info), ELF32_R_TYPE(narrow.r_info)};
}

/* Notes */

static uint64_t
align4(uint64_t n)
{
    return (n + 3) & ~(uint64_t)3;
}

/* The GNU build-id among notes; of each: name size, description size, type, name, description.
 * *left is how many notes may be looked at. */
static struct span
build_id_note(struct span notes, size_t *left)
{
    Elf64_Nhdr note;
    for (uint64_t at = 0; *left > 0 && load(notes, at, &note, sizeof note); --*left) {
        uint64_t name = at + sizeof note, desc = name + align4(note.n_namesz);
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
            span_eq(part(notes, name, note.n_namesz), span_of(ELF_NOTE_GNU, sizeof ELF_NOTE_GNU)))
            return part(notes, desc, note.n_descsz);
        at = desc + align4(note.n_descsz);
    }
    return SPAN("");
}

struct span
elf_build_id(const struct elf *e)
{
    struct span id = SPAN("");
    size_t left = NOTES_MAX;
    Elf64_Shdr s;
    Elf64_Phdr p;
    for (size_t i = 0; id.len == 0 && i < e->nsections; i++)
        if (elf_section(e, i, &s) && s.sh_type == SHT_NOTE)
            id = build_id_note(elf_section_bytes(e, &s), &left);
    for (size_t i = 0; id.len == 0 && i < e->nsegments; i++)
        if (segment_at(e, i, &p) && p.p_type == PT_NOTE)
            id = build_id_note(part(e->bytes, p.p_offset, p.p_filesz), &left);
    return id;
}

/* "node.debug\0", NULs up to a multiple of four bytes, the CRC. */
bool
elf_debuglink(const struct elf *e, struct span *name, uint32_t *crc)
{
    Elf64_Shdr s;
    if (!elf_find_section(e, SHT_PROGBITS, SPAN(".gnu_debuglink"), &s))
        return false;
    struct span bytes = elf_section_bytes(e, &s);
    *name = elf_string(bytes, 0);
    return name->len > 0 && load(bytes, align4(name->len + 1), crc, sizeof *crc);
}
