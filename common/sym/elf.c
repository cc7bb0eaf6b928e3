/* The format is described in elf(5) and in the System V ABI, chapters 4 and 5. A file starts with
 *
 *     7f 45 4c 46 02 01 01 00 ...     "\x7fELF", 64-bit, little endian, version 1
 *     02 00 3e 00                     an executable, for x86-64
 *
 * and the offsets of its segments (program headers, used by the kernel) and its sections (used by
 * linkers and debuggers). Do not trust anything in it, not even its size: a sparse file of a
 * terabyte takes no disk space. Tables larger than in any real program are rejected. */
#include "common/sym/elf.h"

#include <stdlib.h>

enum {
    SECTIONS_MAX = 1 << 16,
    SECTION_NAMES_MAX = 1 << 22, /* bytes of all section names */
    NOTES_MAX = 1 << 16,
    SECTION_NAME_MAX = 256,
    ENTRIES_MAX = 1 << 23 /* symbols or relocations; Chromium has fewer */
};

/* Return the size of a table's entry in a file of this class, 32-bit or 64-bit. */
static size_t
size_of(const struct elf *e, size_t narrow, size_t wide)
{
    return e->is64 ? wide : narrow;
}

static uint64_t
align4(uint64_t n)
{
    return (n + 3) & ~(uint64_t)3;
}

/* Headers */

static bool
read_section(const struct elf *e, struct view *table, size_t i, Elf64_Shdr *section)
{
    Elf32_Shdr narrow;
    if (e->is64)
        return view_read(table, i * sizeof *section, section, sizeof *section);
    if (!view_read(table, i * sizeof narrow, &narrow, sizeof narrow))
        return false;
    *section = (Elf64_Shdr){narrow.sh_name,      narrow.sh_type,   narrow.sh_flags, narrow.sh_addr,
                            narrow.sh_offset,    narrow.sh_size,   narrow.sh_link,  narrow.sh_info,
                            narrow.sh_addralign, narrow.sh_entsize};
    return true;
}

/* Linux does not run files with more than 64 KiB of program headers. */
enum { SEGMENTS_MAX = 64 * 1024 / sizeof(Elf32_Phdr) };

static bool
read_segment(const struct elf *e, struct view *table, size_t i, Elf64_Phdr *segment)
{
    Elf32_Phdr narrow;
    if (e->is64)
        return view_read(table, i * sizeof *segment, segment, sizeof *segment);
    if (!view_read(table, i * sizeof narrow, &narrow, sizeof narrow))
        return false;
    *segment = (Elf64_Phdr){narrow.p_type,  narrow.p_flags,  narrow.p_offset, narrow.p_vaddr,
                            narrow.p_paddr, narrow.p_filesz, narrow.p_memsz,  narrow.p_align};
    return true;
}

static int
compare_segments(const void *a, const void *b)
{
    const Elf64_Phdr *x = a, *y = b;
    if (x->p_vaddr != y->p_vaddr)
        return (x->p_vaddr > y->p_vaddr) - (x->p_vaddr < y->p_vaddr);
    return (x->p_offset > y->p_offset) - (x->p_offset < y->p_offset);
}

static Elf64_Ehdr
widen_header(Elf32_Ehdr h)
{
    Elf64_Ehdr wide = {.e_type = h.e_type,
                       .e_machine = h.e_machine,
                       .e_entry = h.e_entry,
                       .e_phoff = h.e_phoff,
                       .e_shoff = h.e_shoff,
                       .e_phentsize = h.e_phentsize,
                       .e_phnum = h.e_phnum,
                       .e_shentsize = h.e_shentsize,
                       .e_shnum = h.e_shnum,
                       .e_shstrndx = h.e_shstrndx};
    return wide;
}

/* Check the first bytes. */
static const char *
check_ident(const char ident[static EI_NIDENT])
{
    if (memcmp(ident, ELFMAG, SELFMAG) != 0)
        return "is not an ELF file";
    if (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64)
        return "is an ELF file of neither 32 nor 64 bits";
    uint16_t one = 1;
    bool little = *(const unsigned char *)&one == 1;
    if (ident[EI_DATA] != (little ? ELFDATA2LSB : ELFDATA2MSB))
        return "is for a machine of the other byte order";
    return NULL;
}

static bool
read_header(const struct elf *e, Elf64_Ehdr *header)
{
    Elf32_Ehdr narrow;
    if (e->is64)
        return content_read(e->content, 0, header, sizeof *header);
    if (!content_read(e->content, 0, &narrow, sizeof narrow))
        return false;
    *header = widen_header(narrow);
    return true;
}

/* Set *table to a view of a table of n entries. Return false if it is not entirely in the file. */
static bool
table_view(const struct elf *e, uint64_t at, uint64_t n, size_t size, struct view *table)
{
    uint64_t whole = e->content->size;
    *table = (struct view){0};
    if (at > whole || n > (whole - at) / size)
        return false;
    *table = view_over(e->content, at, n * size, VIEW_TABLE);
    return true;
}

/* The numbers from the header. If they do not fit into 16 bits, they are in the first section
 * header. */
struct counts {
    uint64_t sections, segments;
    size_t names_index;
};

static const char *
count_tables(const struct elf *e, const Elf64_Ehdr *h, struct counts *n)
{
    const size_t size = size_of(e, sizeof(Elf32_Shdr), sizeof(Elf64_Shdr));
    struct view table;
    Elf64_Shdr first;
    *n = (struct counts){h->e_shnum, h->e_phnum, h->e_shstrndx};
    if (h->e_shoff == 0)
        return NULL;
    if (h->e_shentsize != size)
        return "has section headers of a wrong size";
    bool read = table_view(e, h->e_shoff, 1, size, &table) && read_section(e, &table, 0, &first);
    view_free(&table);
    if (!read)
        return "ends before its section headers: it was cut off";
    n->sections = n->sections != 0 ? n->sections : first.sh_size;
    n->names_index = n->names_index != SHN_XINDEX ? n->names_index : first.sh_link;
    n->segments = n->segments != PN_XNUM ? n->segments : first.sh_info;
    return NULL;
}

static const char *
read_sections(struct elf *e, uint64_t at, const struct counts *n)
{
    const size_t size = size_of(e, sizeof(Elf32_Shdr), sizeof(Elf64_Shdr));
    struct view table;
    if (at == 0)
        return NULL;
    if (!table_view(e, at, n->sections, size, &table))
        return "ends before its section headers: it was cut off";
    if (n->sections > SECTIONS_MAX)
        return "has more section headers than a program can have";
    e->sections = mem_alloc((size_t)n->sections * sizeof *e->sections);
    while (e->nsections < n->sections &&
           read_section(e, &table, e->nsections, &e->sections[e->nsections]))
        e->nsections++;
    view_free(&table);
    return NULL;
}

static void
read_section_names(struct elf *e, size_t index)
{
    Elf64_Shdr section;
    if (!elf_section(e, index, &section))
        return;
    struct view w = elf_section_view(e, &section, VIEW_TABLE);
    text_add(&e->section_names,
             view_at(&w, 0, w.size < SECTION_NAMES_MAX ? (size_t)w.size : SECTION_NAMES_MAX));
    view_free(&w);
}

/* Find the GNU build-id among notes. A note is: name size, description size, type, name,
 * description. *left is the number of notes that may still be examined. */
static void
find_build_id(struct elf *e, struct view notes, size_t *left)
{
    Elf64_Nhdr note;
    char name[sizeof ELF_NOTE_GNU];
    for (uint64_t at = 0; *left > 0 && view_read(&notes, at, &note, sizeof note); --*left) {
        uint64_t desc = at + sizeof note + align4(note.n_namesz);
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof name &&
            view_read(&notes, at + sizeof note, name, sizeof name) &&
            memcmp(name, ELF_NOTE_GNU, sizeof name) == 0) {
            if (note.n_descsz <= sizeof e->id && view_read(&notes, desc, e->id, note.n_descsz))
                e->id_len = note.n_descsz;
            break;
        }
        at = desc + align4(note.n_descsz);
    }
    view_free(&notes);
}

/* Store the segments that are loaded and the one of .eh_frame_hdr. Look for the build-id in
 * segments with notes. */
static const char *
read_segments(struct elf *e, const Elf64_Ehdr *h, uint64_t n, size_t *notes)
{
    const size_t size = size_of(e, sizeof(Elf32_Phdr), sizeof(Elf64_Phdr));
    struct view table;
    Elf64_Phdr p;
    if (n > 0 && h->e_phentsize != size)
        return "has program headers of a wrong size";
    if (n > SEGMENTS_MAX)
        return "has more program headers than Linux allows";
    if (!table_view(e, h->e_phoff, n, size, &table))
        return "ends before its program headers: it was cut off";
    e->segments = mem_alloc((size_t)n * sizeof *e->segments);
    for (size_t i = 0; i < n && read_segment(e, &table, i, &p); i++) {
        if (p.p_type == PT_NOTE && e->id_len == 0)
            find_build_id(e, view_over(e->content, p.p_offset, p.p_filesz, VIEW_ENTRIES), notes);
        else if (p.p_type == PT_GNU_EH_FRAME)
            e->eh_frame_hdr = p;
        else if (p.p_type == PT_LOAD && p.p_memsz > 0)
            e->segments[e->nsegments++] = p;
    }
    view_free(&table);
    if (e->nsegments > 1)
        qsort(e->segments, e->nsegments, sizeof *e->segments, compare_segments);
    return NULL;
}

static const char *
read_tables(struct elf *e, const Elf64_Ehdr *h)
{
    struct counts n;
    size_t notes = NOTES_MAX;
    const char *problem = count_tables(e, h, &n);
    if (problem == NULL)
        problem = read_sections(e, h->e_shoff, &n);
    if (problem != NULL)
        return problem;
    read_section_names(e, n.names_index);
    for (size_t i = 0; i < e->nsections && e->id_len == 0; i++)
        if (e->sections[i].sh_type == SHT_NOTE)
            find_build_id(e, elf_section_view(e, &e->sections[i], VIEW_ENTRIES), &notes);
    return read_segments(e, h, n.segments, &notes);
}

static const char *
open_file(struct elf *e, struct content *c, bool any_type)
{
    char ident[EI_NIDENT];
    Elf64_Ehdr header;
    const char *problem = "is not an ELF file";
    if (content_read(c, 0, ident, sizeof ident))
        problem = check_ident(ident);
    if (problem == NULL) {
        *e = (struct elf){.content = c, .is64 = ident[EI_CLASS] == ELFCLASS64};
        if (!read_header(e, &header))
            problem = "ends within its ELF header";
        else if (!any_type && header.e_type != ET_EXEC && header.e_type != ET_DYN)
            problem = "is neither an executable nor a shared library";
        else
            problem = read_tables(e, &header);
        if (problem != NULL || c->problem != NULL)
            elf_close(e);
        else {
            e->machine = header.e_machine;
            e->entry = header.e_entry;
        }
    }
    return c->problem != NULL ? c->problem : problem;
}

const char *
elf_open(struct elf *e, struct content *c)
{
    return open_file(e, c, false);
}

const char *
elf_open_part(struct elf *e, struct content *c)
{
    return open_file(e, c, true);
}

/* Sections */

bool
elf_section(const struct elf *e, size_t i, Elf64_Shdr *section)
{
    if (i >= e->nsections)
        return false;
    *section = e->sections[i];
    return true;
}

struct span
elf_section_name(const struct elf *e, const Elf64_Shdr *section)
{
    struct span names = text_span(&e->section_names), name;
    if (section->sh_name >= names.len)
        return SPAN("");
    name = span_from(names, section->sh_name);
    name.len = name.len < SECTION_NAME_MAX ? name.len : SECTION_NAME_MAX;
    size_t nul = span_find(name, '\0');
    return nul == SPAN_NONE ? SPAN("") : span_head(name, nul);
}

bool
elf_find_section(const struct elf *e, uint32_t type, struct span name, Elf64_Shdr *section)
{
    for (size_t i = 1; i < e->nsections; i++) {
        const Elf64_Shdr *s = &e->sections[i];
        if ((type == SHT_NULL || s->sh_type == type) &&
            (name.len == 0 || span_eq(elf_section_name(e, s), name))) {
            *section = *s;
            return true;
        }
    }
    return false;
}

struct view
elf_section_view(const struct elf *e, const Elf64_Shdr *section, size_t block)
{
    if (section->sh_type == SHT_NOBITS)
        return (struct view){0};
    return view_over(e->content, section->sh_offset, section->sh_size, block);
}

/* Segments */

bool
elf_find_segment(const struct elf *e, uint64_t addr, Elf64_Phdr *segment)
{
    size_t low = 0, high = e->nsegments;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (e->segments[middle].p_vaddr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || addr - e->segments[low - 1].p_vaddr >= e->segments[low - 1].p_memsz)
        return false;
    *segment = e->segments[low - 1];
    return true;
}

bool
elf_find_code(const struct elf *e, Elf64_Phdr *segment)
{
    for (size_t i = 0; i < e->nsegments; i++)
        if ((e->segments[i].p_flags & PF_X) != 0) {
            *segment = e->segments[i];
            return true;
        }
    return false;
}

struct view
elf_address_view(const struct elf *e, uint64_t addr, size_t block)
{
    Elf64_Phdr segment;
    if (!elf_find_segment(e, addr, &segment) || addr - segment.p_vaddr >= segment.p_filesz)
        return (struct view){0};
    uint64_t skipped = addr - segment.p_vaddr;
    if (skipped > UINT64_MAX - segment.p_offset)
        return (struct view){0};
    return view_over(e->content, segment.p_offset + skipped, segment.p_filesz - skipped, block);
}

bool
elf_find_address(const struct elf *e, uint64_t offset, uint64_t *addr)
{
    for (size_t i = 0; i < e->nsegments; i++) {
        const Elf64_Phdr *s = &e->segments[i];
        if (offset >= s->p_offset && offset - s->p_offset < s->p_filesz) {
            *addr = offset - s->p_offset + s->p_vaddr;
            return true;
        }
    }
    return false;
}

void
elf_close(struct elf *e)
{
    free(e->sections);
    free(e->segments);
    free(e->section_names.ptr);
    *e = (struct elf){0};
}

/* Symbols and relocations */

static size_t
entry_size(const struct elf *e, uint32_t type)
{
    switch (type) {
    case SHT_REL:
        return size_of(e, sizeof(Elf32_Rel), sizeof(Elf64_Rel));
    case SHT_RELA:
        return size_of(e, sizeof(Elf32_Rela), sizeof(Elf64_Rela));
    default:
        return size_of(e, sizeof(Elf32_Sym), sizeof(Elf64_Sym));
    }
}

size_t
elf_count(const struct elf *e, const Elf64_Shdr *section)
{
    uint64_t n = elf_section_view(e, section, 0).size / entry_size(e, section->sh_type);
    return n < ENTRIES_MAX ? (size_t)n : ENTRIES_MAX;
}

bool
elf_symbol(const struct elf *e, struct view *table, size_t i, Elf64_Sym *symbol)
{
    Elf32_Sym s;
    if (e->is64)
        return view_read(table, (uint64_t)i * sizeof *symbol, symbol, sizeof *symbol);
    if (!view_read(table, (uint64_t)i * sizeof s, &s, sizeof s))
        return false;
    *symbol = (Elf64_Sym){s.st_name, s.st_info, s.st_other, s.st_shndx, s.st_value, s.st_size};
    return true;
}

/* Elf64_Rel and Elf32_Rel are prefixes of Elf64_Rela and Elf32_Rela. */
bool
elf_relocation(const struct elf *e, const Elf64_Shdr *section, struct view *table, size_t i,
               struct elf_relocation *r)
{
    size_t size = entry_size(e, section->sh_type);
    Elf64_Rela wide = {0};
    Elf32_Rela narrow = {0};
    if (!view_read(table, (uint64_t)i * size, e->is64 ? (void *)&wide : (void *)&narrow, size))
        return false;
    if (e->is64)
        *r = (struct elf_relocation){wide.r_offset, (uint64_t)wide.r_addend,
                                     (size_t)ELF64_R_SYM(wide.r_info), ELF64_R_TYPE(wide.r_info)};
    else
        *r = (struct elf_relocation){narrow.r_offset, (uint32_t)narrow.r_addend,
                                     ELF32_R_SYM(narrow.r_info), ELF32_R_TYPE(narrow.r_info)};
    return true;
}

/* Notes and links */

struct span
elf_build_id(const struct elf *e)
{
    return span_of(e->id, e->id_len);
}

/* The format: "node.debug\0", NULs up to a multiple of four bytes, the CRC. */
bool
elf_debuglink(const struct elf *e, struct elf_link *link)
{
    Elf64_Shdr s;
    if (!elf_find_section(e, SHT_PROGBITS, SPAN(".gnu_debuglink"), &s))
        return false;
    struct view w = elf_section_view(e, &s, VIEW_ENTRIES);
    struct span name = view_string(&w, 0);
    size_t len = name.len;
    bool found = len > 0 && len < sizeof link->name && !span_has(name, '/');
    if (found) {
        memcpy(link->name, name.ptr, len);
        link->name[len] = '\0';
    }
    found = found && view_read(&w, align4(len + 1), &link->crc, sizeof link->crc);
    view_free(&w);
    return found;
}
