/* Units of .debug_info and .debug_types: their headers, their entries, and the values of
 * attributes. */
#ifndef DWARF_UNIT_H
#define DWARF_UNIT_H

#include "common/dwarf/abbrev.h"

/* The value of an attribute: a constant, or an offset, index, address or reference as the form has
 * it. */
struct value {
    uint16_t form; /* 0: there is none */
    uint64_t number;
};

struct unit {
    uint64_t offset, end; /* in its section, with the header */
    uint64_t abbrev_offset;
    uint64_t id;          /* the signature of a type unit, or what joins two units of split DWARF */
    uint64_t type_offset; /* of a type unit: of the type in the unit */
    struct unitformat format;
    uint8_t header_size;
    bool is_type, in_types; /* in_types: of .debug_types */

    /* What the first entry says, once unit_read_root() was called. */
    bool rooted;
    struct value stmt_list, low_pc, high_pc, ranges, comp_dir, dwo_name;
    uint64_t addr_base, str_offsets_base, rnglists_base, ranges_base;

    struct unit *skeleton; /* of a unit of split DWARF: the one that stands for it in the program */
};

/* The units of a file by offset, those of .debug_info first. */
struct units {
    struct debugfile file;
    struct units *program; /* of a .dwo or .dwp file: the units of the program; NULL: it is none */
    struct unit *list;
    size_t count, cap;
    size_t ninfo; /* those of .debug_info */

    /* private */
    uint32_t *types; /* a hash table of type units by their signatures: indexes plus 1; 0: free */
    size_t types_cap;
    struct unit_abbrevs {
        const struct unit *unit; /* the first one that has them; NULL: a free slot */
        struct abbrevs abbrevs;
    } * abbrevs;            /* by hash of their offset */
    size_t abbrevs_size;    /* bytes */
    uint64_t abbrevs_spent; /* bytes of .debug_abbrev that were read */
};

/* Read the headers of all units; `program` as above, the others as of debugfile_open(). False if the
 * file has none, or they could not be unpacked: then u->file.refused is set. */
bool units_open(struct units *u, const struct elf *e, struct units *program, uint64_t most,
                struct patience *patience);

void units_close(struct units *u);

/* Return the unit of .debug_info, or of .debug_types, that has the entry at an offset; NULL: none. */
struct unit *units_find(struct units *u, bool types, uint64_t offset);

/* Return the first type unit that has the signature, or NULL. */
const struct unit *units_find_type(struct units *u, uint64_t signature);

/* Return the abbreviations of a unit; valid until the next call. */
const struct abbrevs *units_abbrevs(struct units *u, const struct unit *unit);

/* Read what the first entry of the unit says; once. */
void unit_read_root(struct units *u, struct unit *unit);

/* The section that the unit is in. */
static inline enum debugsection
unit_section(const struct unit *unit)
{
    return unit->in_types ? DEBUG_TYPES : DEBUG_INFO;
}

/* Read a value; of DW_FORM_string the length. */
void value_read(struct cursor *r, const struct attribute *a, struct unitformat format,
                struct value *v);

/* Return true if the form is a constant's. */
bool value_is_constant(const struct value *v);

/* Find an address: it is in the entry itself, or in .debug_addr of the program. False where there
 * is none. */
bool value_address(struct units *u, const struct unit *unit, const struct value *v,
                   uint64_t *address);

/* Find the address of an index in .debug_addr. */
bool unit_address(struct units *u, const struct unit *unit, uint64_t index, uint64_t *address);

/* A text in a section. */
struct textplace {
    enum { TEXT_NONE, TEXT_OF_FILE, TEXT_OF_ALT } kind; /* TEXT_OF_ALT: of .gnu_debugaltlink */
    enum debugsection section;
    uint64_t offset;
};

/* Find where the text of a value is. One of DW_FORM_string is to be read by entry_next(), since
 * value_read() gives its length only. */
struct textplace value_text(struct units *u, const struct unit *unit, const struct value *v);

/* An entry whose attributes are read one by one. */
struct entry {
    const struct abbrev *abbrev;

    /* private */
    struct units *units;
    const struct unit *unit;
    const struct abbrevs *abbrevs;
    struct cursor cursor;
    const unsigned char *start;
    uint64_t offset; /* of `start` in the section */
    uint32_t next;
    bool whole;
};

/* Begin with the attributes of the entry at an offset of the unit's section. False if there is
 * none. */
bool entry_open(struct entry *e, struct units *u, const struct unit *unit, uint64_t offset);

/* Read the next attribute; of DW_FORM_string the value is the offset in the unit's section. False
 * after the last one, or where the rest cannot be read. */
bool entry_next(struct entry *e, uint16_t *name, struct value *v);

#endif
