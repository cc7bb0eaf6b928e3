/* Reads the parts of an ELF file that name its code: sections, symbols, build-id. */
#ifndef SYM_ELF_H
#define SYM_ELF_H

#include <elf.h>
#include <stdint.h>

#include "common/base/span.h"

/* An ELF file in memory. Headers, symbols and relocations of 32-bit files are given in the 64-bit
 * structs of <elf.h>. All spans it gives lie within `bytes`. */
struct elf {
    struct span bytes; /* the whole file, borrowed */
    bool is64;
    unsigned machine; /* EM_ of <elf.h> */

    /* private */
    uint64_t sections_at, segments_at;
    size_t nsections, nsegments;
    size_t section_size, segment_size;
    struct span section_names;
};

/* Reads the header. NULL, or what is wrong with the file: then *e must not be used. */
const char *elf_open(struct elf *e, struct span bytes);

/* The i-th section header. False where there is none. */
bool elf_section(const struct elf *e, size_t i, Elf64_Shdr *section);

/* The first section of that type, or, with SHT_NULL, of any type; with a name other than "" also of
 * that name. False where there is none. */
bool elf_find_section(const struct elf *e, uint32_t type, struct span name, Elf64_Shdr *section);

/* A section's name; "" where it lies outside of the file. */
struct span elf_section_name(const struct elf *e, const Elf64_Shdr *section);

/* What is in a section; empty where it has nothing in the file, or lies partly outside of it. */
struct span elf_section_bytes(const struct elf *e, const Elf64_Shdr *section);

/* How many symbols a symbol table has, or relocations a relocation section; of a table larger than
 * any real one only the first are counted. */
size_t elf_count(const struct elf *e, const Elf64_Shdr *section);

/* The i-th symbol of a table whose bytes are given; i is below elf_count(). */
Elf64_Sym elf_symbol(const struct elf *e, struct span bytes, size_t i);

/* A relocation: where it applies, the symbol's number, the type, and what is added (0 in a section
 * of type SHT_REL). */
struct elf_relocation {
    uint64_t offset, addend;
    size_t symbol;
    unsigned type;
};

/* The i-th relocation of a section of type SHT_REL or SHT_RELA; i is below elf_count(). */
struct elf_relocation elf_relocation(const struct elf *e, const Elf64_Shdr *section, size_t i);

/* The PT_LOAD segment that has the address. False where none has. */
bool elf_find_segment(const struct elf *e, uint64_t addr, Elf64_Phdr *segment);

/* The address that the byte at an offset of the file is mapped to by a PT_LOAD segment. False, and
 * *addr as it was, where none has it. */
bool elf_find_address(const struct elf *e, uint64_t offset, uint64_t *addr);

/* The build-id, usually of 20 bytes; empty if there is none. */
struct span elf_build_id(const struct elf *e);

/* The name of the file with the debug symbols, without a folder, and the CRC-32 of its contents.
 * False if the file names none. */
bool elf_debuglink(const struct elf *e, struct span *name, uint32_t *crc);

enum { ELF_STRING_MAX = 1 << 16 };

/* The NUL-terminated text at an offset of a string table; "" outside of it, and where it has
 * ELF_STRING_MAX bytes or more. */
struct span elf_string(struct span table, uint64_t offset);

#endif
