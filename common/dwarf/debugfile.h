/* The DWARF sections of a file, including compressed ones. */
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
    DEBUG_LOC,
    DEBUG_LOCLISTS,
    DEBUG_ARANGES,
    DEBUG_CU_INDEX,
    DEBUG_SECTIONS
};

/* Limit of the unpacked bytes of all sections of a file. Firefox has 2 GB. */
#define DEBUGFILE_MAX ((uint64_t)3 << 30)

/* A reason why a part is not read: it would take too much memory. It follows a file's name in
 * messages. */
extern const char debugfile_too_large[];

struct debugfile {
    const struct elf *elf; /* borrowed */
    uint64_t most;         /* limit in bytes of unpacked sections, and of each part that is read */
    /* Why a part was not read, such as debugfile_too_large; NULL: nothing was refused. */
    const char *refused;
    bool reported;             /* the caller has reported `refused` */
    struct patience *patience; /* time limit of all reading; borrowed; NULL: none */

    /* private */
    struct debugfile_section {
        Elf64_Shdr header;
        enum { DEBUG_NONE, DEBUG_PLAIN, DEBUG_COMPRESSED, DEBUG_UNPACKED } state;
        char *memory;        /* contents if DEBUG_UNPACKED */
        size_t size;         /* of `memory` */
        struct view entries; /* for texts and entries at any offset */
        bool viewed;
    } sections[DEBUG_SECTIONS];
    uint64_t unpacked; /* bytes of all `memory` */
};

/* Find the sections; with `dwo`, those whose names end with ".dwo". Read headers only. `most` is
 * the limit in bytes; 0: DEBUGFILE_MAX. Return false if there is no .debug_info. */
bool debugfile_open(struct debugfile *f, const struct elf *e, bool dwo, uint64_t most,
                    struct patience *patience);

/* Return true if `size` bytes of a section may be read at once. Otherwise set f->refused. */
bool debugfile_may_read(struct debugfile *f, enum debugsection s, uint64_t size);

void debugfile_close(struct debugfile *f);

/* Return a view of a section's contents that reads `block` bytes at a time. It is empty if there is
 * no such section, or if it cannot be unpacked. A compressed section is unpacked at the first call.
 * Free the view with view_free. */
struct view debugfile_view(struct debugfile *f, enum debugsection s, size_t block);

/* As view_at(), for entries at any offset of a section. Valid until the next call for that
 * section. */
struct span debugfile_at(struct debugfile *f, enum debugsection s, uint64_t offset, size_t n);

/* Read the number of `size` bytes, 1 to 8, at an offset. Return false if it is outside of the
 * section. */
bool debugfile_number(struct debugfile *f, enum debugsection s, uint64_t offset, size_t size,
                      uint64_t *number);

/* As view_string(), for a section. */
struct span debugfile_string(struct debugfile *f, enum debugsection s, uint64_t offset);

/* Return a section's size in bytes, unpacked; 0 if there is none. */
uint64_t debugfile_size(struct debugfile *f, enum debugsection s);

#endif
