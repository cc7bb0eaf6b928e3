/* A debugging information entry (DIE): its tag, and the attributes of functions, variables and
 * types that are used here. */
#ifndef DWARF_DIE_H
#define DWARF_DIE_H

#include "common/dwarf/cover.h"
#include "common/dwarf/dwarf.h"
#include "common/dwarf/unit.h"

enum die_attribute {
    DIE_NAME,
    DIE_TYPE,
    DIE_LOCATION,
    DIE_CONSTANT, /* DW_AT_const_value */
    DIE_FRAME_BASE,
    DIE_LOW_PC,
    DIE_HIGH_PC,
    DIE_RANGES,
    DIE_ENTRY,  /* DW_AT_entry_pc */
    DIE_ORIGIN, /* DW_AT_abstract_origin */
    DIE_SPECIFICATION,
    DIE_FILE, /* DW_AT_decl_file */
    DIE_LINE, /* DW_AT_decl_line */
    DIE_SIZE, /* DW_AT_byte_size */
    DIE_ENCODING,
    DIE_MEMBER,        /* DW_AT_data_member_location */
    DIE_BITS,          /* DW_AT_bit_size */
    DIE_BIT,           /* DW_AT_data_bit_offset */
    DIE_BIT_FROM_LEFT, /* DW_AT_bit_offset of version 3 and before */
    DIE_PRODUCER,
    DIE_ATTRIBUTES
};

/* The value of an attribute, and the entry that has it: the value refers to that entry's unit. Its
 * form is 0 if there is none. */
struct die_value {
    struct value v;
    struct dwarf_entry of;
};

struct die {
    struct dwarf_entry at;
    uint16_t tag;
    bool children;
    uint64_t next; /* offset of the entry after it: its first child, if it has children */
    struct die_value values[DIE_ATTRIBUTES];
};

/* Read an entry. Return false if there is none, or if it is damaged. */
bool die_read(struct die *die, const struct dwarf_entry *at);

/* Take the name, the type, the file and the line, where the entry lacks them, from the entries to
 * which it refers as its abstract origin or specification. */
void die_complete(struct die *die, struct dwarf *d);

/* Read the entry to which the value refers. Return false if there is none. */
bool die_follow(struct die *die, struct dwarf *d, const struct die_value *v);

/* Return the text of a value; "" if there is none. Valid until the next call. */
struct span die_value_text(const struct die_value *v, struct dwarf *d);

static inline bool
die_has(const struct die *die, enum die_attribute a)
{
    return die->values[a].v.form != 0;
}

/* Return the text of an attribute; "" if it has none. Valid until the next call. */
struct span die_text(const struct die *die, struct dwarf *d, enum die_attribute a);

/* Add the ranges of the entry's code, in their order there. */
void die_ranges(const struct die *die, struct ranges *ranges);

/* Return the end, exclusive, of the range of the entry's code that contains an address; 0 if none
 * does. */
uint64_t die_code_end(const struct die *die, uint64_t address);

/* A walk through the entries below one. Depth 0: its children. */
struct die_walk {
    struct die die;
    size_t depth;

    /* private */
    struct dwarf_entry at;
    size_t open; /* entries whose children have not ended */
};

/* Start a walk; `root` was read by die_read(). */
void die_walk(struct die_walk *w, const struct die *root);

/* Read the next entry. Return false after the last one. */
bool die_walk_next(struct die_walk *w);

#endif
