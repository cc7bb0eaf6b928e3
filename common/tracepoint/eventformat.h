/* The format of a tracepoint's raw payload: its fields, their offsets, and how the kernel prints
 * them. */
#ifndef TRACEPOINT_EVENTFORMAT_H
#define TRACEPOINT_EVENTFORMAT_H

#include <stdint.h>

#include "common/base/mem.h"

/* A C number type: its size in bytes, 0 if the type is unknown. */
struct field_type {
    uint8_t size;
    bool is_unsigned;
};

struct event_field {
    struct span name;
    uint32_t offset, size; /* in bytes; offset in the payload */
    /* Type of the number, or of the array's elements. The size is never 0. */
    struct field_type type;
    bool is_array;
    /* The field is a u32 that locates the array: the low half is its offset, the high half its
     * length, in bytes. */
    bool is_dynamic;
    bool is_relative; /* that offset counts from the end of this field (__rel_loc) */
    bool is_text;     /* an array of char */
    bool is_pointer;
    bool is_string; /* declared as const char *: a pointer to text or to bytes */
    bool is_long;   /* declared as long: perf prints it in hexadecimal */
};

struct event_format {
    struct span system; /* such as "sched"; set by the caller, since the format does not have it */
    struct span name;   /* such as "sched_switch" */
    uint64_t id;        /* value of perf_event_attr.config and of the payload's common_type */
    const struct event_field *fields;
    size_t nfields;
    /* Number of common fields, which come first: common_type and others that every event has. */
    size_t ncommon;
    struct span print; /* the text after "print fmt: ": a format string and its arguments, in C */
};

/* Parse the text of a format file. The spans in *f borrow the text; the fields are in the arena.
 * `long_size` is the size of a long on the recorded machine, 4 or 8. Return false if the text is
 * not a format; then *f is undefined. */
bool eventformat_parse(struct event_format *f, struct span text, size_t long_size,
                       struct arena *arena);

/* Return the field with this name; NULL if there is none. */
const struct event_field *eventformat_field(const struct event_format *f, struct span name);

/* Return the number type with this C name: "unsigned long", "u8", "gfp_t", "const char". Its size
 * is 0 for a struct, and for names that are not in our table of the kernel's types. */
struct field_type eventformat_type(struct span words, size_t long_size);

#endif
