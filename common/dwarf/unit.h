/* Units of .debug_info and .debug_types: their headers, their entries, and the values of
 * attributes. */
#ifndef DWARF_UNIT_H
#define DWARF_UNIT_H

#include "common/dwarf/abbrev.h"

/* The value of an attribute: a constant, offset, index, address or reference, as encoded by the
 * form. */
struct value {
    uint16_t form; /* 0: no value */
    uint32_t size; /* of a block in bytes; 0 for other forms */
    uint64_t number;
};

struct unit {
    uint64_t offset, end; /* in its section, including the header */
    uint64_t abbrev_offset;
    uint64_t id;          /* signature of a type unit; DWO id of split DWARF */
    uint64_t type_offset; /* of a type unit: offset of the type in it */
    struct unitformat format;
    uint8_t header_size;
    bool is_type, in_types; /* in_types: it is in .debug_types */

    /* Attributes of the first entry; valid after unit_read_root(). */
    bool rooted;
    struct value stmt_list, low_pc, high_pc, ranges, comp_dir, dwo_name;
    uint64_t addr_base, str_offsets_base, rnglists_base, ranges_base, loclists_base;

    struct unit *skeleton; /* for a split unit: its skeleton unit in the program */
};

/* The units of a file, sorted by offset, those of .debug_info first. */
struct units {
    struct debugfile file;
    struct units *program; /* for a .dwo or .dwp file: the program's units; else NULL */
    struct unit *list;
    size_t count, cap;
    size_t ninfo; /* number of units in .debug_info */

    /* private */
    uint32_t *types; /* hash table of type units by signature: indexes plus 1; 0: free slot */
    size_t types_cap;
    struct unit_abbrevs {
        const struct unit *unit; /* the first unit that uses them; NULL: free slot */
        struct abbrevs abbrevs;
    } * abbrevs;            /* indexed by the hash of their offset */
    size_t abbrevs_size;    /* bytes */
    uint64_t abbrevs_spent; /* bytes of .debug_abbrev read */
};

/* Read the headers of all units; `program` as above, the other arguments as for debugfile_open().
 * Return false if the file has no units, or if they could not be unpacked: then u->file.refused is
 * set. */
bool units_open(struct units *u, const struct elf *e, struct units *program, uint64_t most,
                struct patience *patience);

void units_close(struct units *u);

/* Return the unit of .debug_info, or of .debug_types, that contains the entry at an offset; NULL if
 * there is none. */
struct unit *units_find(struct units *u, bool types, uint64_t offset);

/* Return the first type unit with the signature; NULL if there is none. */
const struct unit *units_find_type(struct units *u, uint64_t signature);

/* Return the abbreviations of a unit. They are valid until the next call. */
const struct abbrevs *units_abbrevs(struct units *u, const struct unit *unit);

/* Read the attributes of the unit's first entry. Further calls do nothing. */
void unit_read_root(struct units *u, struct unit *unit);

/* Return the section that the unit is in. */
static inline enum debugsection
unit_section(const struct unit *unit)
{
    return unit->in_types ? DEBUG_TYPES : DEBUG_INFO;
}

/* Read a value; for DW_FORM_string and blocks, set v->number to the length. */
void value_read(struct cursor *r, const struct attribute *a, struct unitformat format,
                struct value *v);

/* Return true if the form is that of a constant, or of a block of bytes. */
bool value_is_constant(const struct value *v);
bool value_is_block(const struct value *v);

/* Find the address of a value: it is in the entry itself, or in the program's .debug_addr. Return
 * false if there is none. */
bool value_address(struct units *u, const struct unit *unit, const struct value *v,
                   uint64_t *address);

/* Find the address at an index of .debug_addr. */
bool unit_address(struct units *u, const struct unit *unit, uint64_t index, uint64_t *address);

/* Read an address of a list of ranges or locations; if it is `indexed`, read its index in
 * .debug_addr. Return the address; if there is none at that index, return 0 and set r->cut. */
uint64_t unit_read_address(struct units *u, const struct unit *unit, struct cursor *r,
                           bool indexed);

/* The place of a text. */
struct textplace {
    /* TEXT_OF_ALT: in the file of .gnu_debugaltlink. */
    enum { TEXT_NONE, TEXT_OF_FILE, TEXT_OF_ALT } kind;
    enum debugsection section;
    uint64_t offset;
};

/* Find the text of a value. A DW_FORM_string must have been read by entry_next(), since
 * value_read() sets its length only. */
struct textplace value_text(struct units *u, const struct unit *unit, const struct value *v);

/* Reads the attributes of an entry one by one. */
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

/* Start with the entry at an offset of the unit's section. Return false if there is none. */
bool entry_open(struct entry *e, struct units *u, const struct unit *unit, uint64_t offset);

/* Read the next attribute; the value of a DW_FORM_string, or of a block, is its offset in the
 * unit's section. Return false after the last one, or if the rest cannot be read. */
bool entry_next(struct entry *e, uint16_t *name, struct value *v);

/* Return the offset of the entry that follows, after entry_next() has returned false; 0 if the
 * entry could not be read. */
uint64_t entry_end(const struct entry *e);

#endif
