/* The format of a tracepoint's raw payload: which fields it has, where each of them lies, and how
 * the kernel prints them. */
#ifndef TRACEPOINT_EVENTFORMAT_H
#define TRACEPOINT_EVENTFORMAT_H

#include <stdint.h>

#include "common/base/mem.h"

/* A C number: its size in bytes. size 0: a type that is not known. */
struct field_type {
    uint8_t size;
    bool is_unsigned;
};

struct event_field {
    struct span name;
    uint32_t offset, size; /* of the field in the payload, in bytes */
    /* A number's type, or the type of an array's elements. The size is never 0. */
    struct field_type type;
    bool is_array;
    /* The field is a u32 that locates the array: its offset in the low half, its length in bytes in
     * the high half. */
    bool is_dynamic;
    bool is_relative; /* and that offset counts from the end of this field (__rel_loc) */
    bool is_text;     /* an array of char */
    bool is_pointer;
    bool is_long; /* declared with the word long: perf prints it as hexadecimal */
};

struct event_format {
    struct span system; /* "sched"; set by who knows it, the format does not say */
    struct span name;   /* "sched_switch" */
    uint64_t id;        /* what perf_event_attr.config and the payload's common_type hold */
    const struct event_field *fields;
    size_t nfields;
    size_t ncommon;    /* the first of them are common_type and the others that every event has */
    struct span print; /* what follows "print fmt: ": a format string and its arguments, as C */
};

/* Parse the text of a format file. The spans in *f borrow the text, the fields are in the arena.
 * long_size is the size of a long on the machine of the recording, 4 or 8. Return false if the text
 * is not a format; then *f is unspecified. */
bool eventformat_parse(struct event_format *f, struct span text, size_t long_size,
                       struct arena *arena);

/* Return the field of that name, or NULL. */
const struct event_field *eventformat_field(const struct event_format *f, struct span name);

/* Return the number type that these words of C name: "unsigned long", "u8", "gfp_t", "const char".
 * Size 0 for a struct, and for words that are not in our table of the kernel's type names. */
struct field_type eventformat_type(struct span words, size_t long_size);

#endif
