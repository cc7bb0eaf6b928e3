/* The sections of a file that hold DWARF, also compressed ones. */
#ifndef DWARF_DEBUGFILE_H
#define DWARF_DEBUGFILE_H

#include "common/base/patience.h"
#include "common/sym/elf.h"

enum debugsection {
    DEBUG_INFO,
    DEBUG_TYPES,
    DEBUG_ABBREV,
    DEBUG_LINE,
    DEBUG_RANGES,
    DEBUG_RNGLISTS,
    DEBUG_STR,
    DEBUG_LINE_STR,
    DEBUG_STR_OFFSETS,
    DEBUG_ADDR,
    DEBUG_ARANGES,
    DEBUG_CU_INDEX,
    DEBUG_SECTIONS
};

/* Bytes of all sections of a file that are unpacked. Firefox has 2 GB. */
#define DEBUGFILE_MOST ((uint64_t)3 << 30)

/* Why a part is not read, to follow the name of a file: it would take too much memory. */
extern const char debugfile_too_large[];

struct debugfile {
    const struct elf *elf;     /* borrowed */
    uint64_t most;             /* bytes that sections may take, unpacked, and a part that is read */
    const char *refused;       /* why a part was not read, as debugfile_too_large; NULL: all were */
    bool reported;             /* the caller has said so */
    struct patience *patience; /* with which all is read; borrowed; NULL: any */

    /* private */
    struct debugfile_section {
        Elf64_Shdr header;
        enum { DEBUG_NONE, DEBUG_PLAIN, DEBUG_COMPRESSED, DEBUG_UNPACKED } state;
        char *memory;        /* of DEBUG_UNPACKED */
        size_t size;         /* of that */
        struct view entries; /* for texts and entries at any offset */
        bool viewed;
    } sections[DEBUG_SECTIONS];
    uint64_t unpacked; /* bytes in memory */
};

/* Find the sections; `dwo`: those whose names end with ".dwo". Nothing is read but headers. `most` is
 * the limit in bytes; 0: DEBUGFILE_MOST. False if there is no .debug_info. */
bool debugfile_open(struct debugfile *f, const struct elf *e, bool dwo, uint64_t most,
                    struct patience *patience);

/* Return true if so many bytes of a section may be read at once. Otherwise f->refused is set. */
bool debugfile_may_read(struct debugfile *f, enum debugsection s, uint64_t size);

void debugfile_close(struct debugfile *f);

/* Return a view of a section's contents, which reads `block` bytes at a time; an empty one if there is
 * none, or if it cannot be unpacked. A compressed section is unpacked when it is first asked for. To be
 * freed by view_free. */
struct view debugfile_view(struct debugfile *f, enum debugsection s, size_t block);

/* As view_at(), for entries at any offset of a section. Valid until the next call for it. */
struct span debugfile_at(struct debugfile *f, enum debugsection s, uint64_t offset, size_t n);

/* Return the number of `size` bytes, 1 to 8, at an offset. False where there is none. */
bool debugfile_number(struct debugfile *f, enum debugsection s, uint64_t offset, size_t size,
                      uint64_t *number);

/* As view_string(). */
struct span debugfile_string(struct debugfile *f, enum debugsection s, uint64_t offset);

/* Return a section's size in bytes, unpacked; 0 if there is none. */
uint64_t debugfile_size(struct debugfile *f, enum debugsection s);

#endif
