/* Reads the parts of an ELF file that name its code: sections, symbols, build-id. */
#ifndef SYM_ELF_H
#define SYM_ELF_H

#include <elf.h>
#include <stdint.h>

#include "common/base/text.h"
#include "common/sym/content.h"

enum { ELF_ID_MAX = 64 }; /* bytes of a build-id; linkers make 16 or 20 */

/* An ELF file. Headers, symbols and relocations of 32-bit files are given in the 64-bit structs of
 * <elf.h>. What is not read when the file is opened may be gone when it is: see content.h. */
struct elf {
    struct content *content; /* the whole file, borrowed */
    bool is64;
    unsigned machine; /* EM_ of <elf.h> */
    uint64_t entry;   /* the address where the program begins; 0: it is none */
    /* Of type PT_GNU_EH_FRAME, which leads to .eh_frame; of type PT_NULL: there is none. */
    Elf64_Phdr eh_frame_hdr;

    /* private */
    Elf64_Shdr *sections;
    Elf64_Phdr *segments; /* of type PT_LOAD, by address */
    size_t nsections, nsegments;
    struct text section_names;
    char id[ELF_ID_MAX];
    size_t id_len;
};

/* Read the headers and the build-id. NULL, or what is wrong with the file: then *e must not be
 * used, nor closed. */
const char *elf_open(struct elf *e, struct content *c);

/* The same for a file that no program is loaded from: of any type, as object files are. */
const char *elf_open_part(struct elf *e, struct content *c);

void elf_close(struct elf *e);

/* Find the i-th section header. False where there is none. */
bool elf_section(const struct elf *e, size_t i, Elf64_Shdr *section);

/* Find the first section of that type, or, with SHT_NULL, of any type; with a name other than ""
 * also of that name. False where there is none. */
bool elf_find_section(const struct elf *e, uint32_t type, struct span name, Elf64_Shdr *section);

/* Return a section's name; "" where it lies outside of the file. */
struct span elf_section_name(const struct elf *e, const Elf64_Shdr *section);

/* Return a view of a section's contents, which reads `block` bytes at a time; an empty one where it has
 * nothing in the file, or lies partly outside of it. To be freed by view_free. */
struct view elf_section_view(const struct elf *e, const Elf64_Shdr *section, size_t block);

/* Return how many symbols a symbol table has, or relocations a relocation section; of a table
 * larger than any real one only the first are counted. */
size_t elf_count(const struct elf *e, const Elf64_Shdr *section);

/* Find the i-th symbol; `table` is a view of the symbol table. False where it cannot be read. */
bool elf_symbol(const struct elf *e, struct view *table, size_t i, Elf64_Sym *symbol);

/* A relocation: where it applies, the symbol's number, the type, and what is added (0 in a section
 * of type SHT_REL). */
struct elf_relocation {
    uint64_t offset, addend;
    size_t symbol;
    unsigned type;
};

/* Find the i-th relocation of a section of type SHT_REL or SHT_RELA; `table` is a view of it. False
 * where it cannot be read. */
bool elf_relocation(const struct elf *e, const Elf64_Shdr *section, struct view *table, size_t i,
                    struct elf_relocation *relocation);

/* Find the PT_LOAD segment that has the address. False where none has. Of segments that overlap,
 * as in no real file, the one that starts last counts. */
bool elf_find_segment(const struct elf *e, uint64_t addr, Elf64_Phdr *segment);

/* Find the first PT_LOAD segment with code. False if there is none. */
bool elf_find_code(const struct elf *e, Elf64_Phdr *segment);

/* Return a view of what the file has from an address on, up to the end of its PT_LOAD segment, which
 * reads `block` bytes at a time; an empty one where it has nothing. To be freed by view_free. */
struct view elf_address_view(const struct elf *e, uint64_t addr, size_t block);

/* Find the address that the byte at an offset of the file is mapped to by a PT_LOAD segment.
 * False, and *addr as it was, where none has it. */
bool elf_find_address(const struct elf *e, uint64_t offset, uint64_t *addr);

/* Return the build-id, usually of 20 bytes; empty if there is none. */
struct span elf_build_id(const struct elf *e);

/* The name of the file with the debug symbols, without a folder, and the CRC-32 of its contents. */
struct elf_link {
    char name[256];
    uint32_t crc;
};

/* False if the file names none, or one in another folder. */
bool elf_debuglink(const struct elf *e, struct elf_link *link);

#endif
