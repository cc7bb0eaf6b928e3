/* Reads the headers of an ELF file, its section names and its build-id: see elf.c for the format.
 * Nothing in it is trusted. What is larger than in any real program is not read. */
#include <stdlib.h>

#include "common/sym/elf.h"

enum {
    SECTIONS_MAX = 1 << 16,
    SECTION_NAMES_MAX = 1 << 22, /* bytes of the names of all sections */
    NOTES_MAX = 1 << 16
};

/* The entries of tables are of these sizes, in 32-bit and 64-bit files. */
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

static Elf64_Shdr
widen_section(Elf32_Shdr s)
{
    return (Elf64_Shdr){s.sh_name, s.sh_type, s.sh_flags, s.sh_addr,      s.sh_offset,
                        s.sh_size, s.sh_link, s.sh_info,  s.sh_addralign, s.sh_entsize};
}

static bool
read_section(const struct elf *e, struct view *table, size_t i, Elf64_Shdr *section)
{
    Elf32_Shdr narrow;
    if (e->is64)
        return view_read(table, i * sizeof *section, section, sizeof *section);
    if (!view_read(table, i * sizeof narrow, &narrow, sizeof narrow))
        return false;
    *section = widen_section(narrow);
    return true;
}

/* Linux runs no file with more than 64 KiB of program headers. */
enum { SEGMENTS_MAX = 64 * 1024 / sizeof(Elf32_Phdr) };

static Elf64_Phdr
widen_segment(Elf32_Phdr p)
{
    return (Elf64_Phdr){p.p_type,  p.p_flags,  p.p_offset, p.p_vaddr,
                        p.p_paddr, p.p_filesz, p.p_memsz,  p.p_align};
}

static bool
read_segment(const struct elf *e, struct view *table, size_t i, Elf64_Phdr *segment)
{
    Elf32_Phdr narrow;
    if (e->is64)
        return view_read(table, i * sizeof *segment, segment, sizeof *segment);
    if (!view_read(table, i * sizeof narrow, &narrow, sizeof narrow))
        return false;
    *segment = widen_segment(narrow);
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

/* The view of a table of n entries; false unless it lies in the file. */
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

/* The numbers in the header. Those that need more than 16 bits are in the first section's. */
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

/* The GNU build-id among notes; of each: name size, description size, type, name, description.
 * *left is how many notes may be looked at. */
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

/* Keeps the segments that are loaded, and looks for the build-id in those with notes. */
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

const char *
elf_open(struct elf *e, struct content *c)
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
        else if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
            problem = "is neither an executable nor a shared library";
        else
            problem = read_tables(e, &header);
        if (problem != NULL || c->problem != NULL)
            elf_close(e);
        else
            e->machine = header.e_machine;
    }
    return c->problem != NULL ? c->problem : problem;
}
