/* Reads the parts of an ELF file that name its code: sections, symbols, build-id. */
#ifndef SYM_ELF_H
#define SYM_ELF_H

#include <elf.h>
#include <stdint.h>

#include "common/base/text.h"
#include "common/sym/content.h"

enum { ELF_ID_MAX = 64 }; /* bytes of a build-id; linkers make 16 or 20 */

/* An ELF file. Headers, symbols and relocations of 32-bit files are converted to the 64-bit structs
 * of <elf.h>. Contents that are not read at once may be gone later: see content.h. */
struct elf {
    struct content *content; /* the whole file, borrowed */
    bool is64;
    unsigned machine; /* EM_* of <elf.h> */
    uint64_t entry;   /* address of the entry point; 0: none */
    /* The PT_GNU_EH_FRAME segment, which leads to .eh_frame; its type is PT_NULL if there is
     * none. */
    Elf64_Phdr eh_frame_hdr;

    /* private */
    Elf64_Shdr *sections;
    Elf64_Phdr *segments; /* the PT_LOAD segments, by address */
    size_t nsections, nsegments;
    struct text section_names;
    char id[ELF_ID_MAX];
    size_t id_len;
};

/* Read the headers and the build-id. Return NULL, or what is wrong with the file: then *e must
 * neither be used nor closed. */
const char *elf_open(struct elf *e, struct content *c);

/* As elf_open, but accept a file of any ELF type, also one that is not loaded by programs, such as
 * an object file. */
const char *elf_open_part(struct elf *e, struct content *c);

void elf_close(struct elf *e);

/* Find the i-th section header. Return false if there is none. */
bool elf_section(const struct elf *e, size_t i, Elf64_Shdr *section);

/* Find the first section of a type (SHT_NULL: of any type), and with a name ("": of any name).
 * Return false if there is none. */
bool elf_find_section(const struct elf *e, uint32_t type, struct span name, Elf64_Shdr *section);

/* Return a section's name; "" if it lies outside of the file. */
struct span elf_section_name(const struct elf *e, const Elf64_Shdr *section);

/* Return a view of a section's contents that reads `block` bytes at a time. It is empty if the
 * section has no contents in the file, or is not entirely inside. Free it with view_free. */
struct view elf_section_view(const struct elf *e, const Elf64_Shdr *section, size_t block);

/* Return the number of symbols in a symbol table, or of relocations in a relocation section. Larger
 * numbers than any real table has are cut to a limit. */
size_t elf_count(const struct elf *e, const Elf64_Shdr *section);

/* Find the i-th symbol; `table` is a view of the symbol table. Return false if it cannot be
 * read. */
bool elf_symbol(const struct elf *e, struct view *table, size_t i, Elf64_Sym *symbol);

/* A relocation: the offset or address where it applies, the number of its symbol, its type and its
 * addend (0 in a section of type SHT_REL). */
struct elf_relocation {
    uint64_t offset, addend;
    size_t symbol;
    unsigned type;
};

/* Find the i-th relocation of a section of type SHT_REL or SHT_RELA; `table` is a view of the
 * section. Return false if it cannot be read. */
bool elf_relocation(const struct elf *e, const Elf64_Shdr *section, struct view *table, size_t i,
                    struct elf_relocation *relocation);

/* Find the PT_LOAD segment that contains the address. Return false if there is none. If segments
 * overlap, as in no real file, use the one that starts last. */
bool elf_find_segment(const struct elf *e, uint64_t addr, Elf64_Phdr *segment);

/* Find the first executable PT_LOAD segment. Return false if there is none. */
bool elf_find_code(const struct elf *e, Elf64_Phdr *segment);

/* Return a view of the file's contents from an address to the end of its PT_LOAD segment, that
 * reads `block` bytes at a time. It is empty if the file has no contents there. Free it with
 * view_free. */
struct view elf_address_view(const struct elf *e, uint64_t addr, size_t block);

/* Find the address to which a PT_LOAD segment maps an offset of the file. Return false, and leave
 * *addr unchanged, if none does. */
bool elf_find_address(const struct elf *e, uint64_t offset, uint64_t *addr);

/* Return the build-id, usually 20 bytes; empty if there is none. */
struct span elf_build_id(const struct elf *e);

/* The contents of .gnu_debuglink: the name of the file with the debug symbols, without a folder,
 * and the CRC-32 of its contents. */
struct elf_link {
    char name[256];
    uint32_t crc;
};

/* Read .gnu_debuglink. Return false if there is none, or if it names a file in another folder. */
bool elf_debuglink(const struct elf *e, struct elf_link *link);

#endif
