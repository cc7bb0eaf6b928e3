/* Types of variables: what the kernel needs to know to print a value, and where members are. */
#ifndef DWARF_TYPE_H
#define DWARF_TYPE_H

#include "common/dwarf/die.h"

enum type_kind {
    TYPE_NONE, /* void, or unknown */
    TYPE_SIGNED,
    TYPE_UNSIGNED,
    TYPE_FLOAT,
    TYPE_POINTER,
    TYPE_REFERENCE,
    TYPE_ARRAY,
    TYPE_STRUCT, /* or a class or union */
    TYPE_OTHER
};

struct type {
    enum type_kind kind;
    uint64_t size;  /* in bytes; 0 if unknown */
    struct die die; /* its entry, unless the kind is TYPE_NONE */
};

/* Find the type that a DW_AT_type refers to. Typedefs and qualifiers such as const are skipped. */
void type_find(struct type *t, struct dwarf *d, const struct die_value *reference);

/* Find the type that a pointer or reference points to, or that of an array's elements. */
void type_target(struct type *t, struct dwarf *d, const struct type *of);

struct type_member {
    struct die_value type;
    uint64_t offset; /* in bytes */
    /* Of a bit field: its number of bits, and where they begin, counted from the lowest bit of the
     * number of `container` bytes that is at the offset; otherwise 0. */
    uint64_t bits, bit, container;
};

/* Find a member of a struct, also in its base classes and in members without a name. Return false
 * if there is none. */
bool type_member(struct type_member *m, struct dwarf *d, const struct type *t, struct span name);

/* Call f with the name of each member of a struct, as type_member() finds them. */
void type_each_member(struct dwarf *d, const struct type *t, void (*f)(void *ctx, struct span name),
                      void *ctx);

/* Append the name of the type that a DW_AT_type refers to, as C writes it: "char*". */
void type_name(struct text *out, struct dwarf *d, const struct die_value *reference);

#endif
