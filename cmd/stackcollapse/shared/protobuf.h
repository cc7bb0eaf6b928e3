/* Reads messages of Protocol Buffers, the binary encoding at
 * https://protobuf.dev/programming-guides/encoding. A message is a sequence of fields:
 *
 *     08 96 01          field 1, a number: 150
 *     12 03 66 6f 6f    field 2, three bytes: "foo"; a text, a message or several numbers
 *     1d 00 00 80 3f    field 3, four bytes
 *
 * A field begins with 8 times its number plus its type. Numbers are written in groups of seven
 * bits, the lowest first; the last byte is below 128. */
#ifndef STACKCOLLAPSE_PROTOBUF_H
#define STACKCOLLAPSE_PROTOBUF_H

#include <stdint.h>

#include "common/base/span.h"

/* A message that is being read; {.rest = message} at first. */
struct protobuf {
    struct span rest; /* what is not yet read, or cannot be */
    const char *why;  /* what is wrong with it: "a field goes beyond the end"; NULL: nothing */
};

enum protobuf_type {
    PROTOBUF_NUMBER = 0,
    PROTOBUF_EIGHT = 1,
    PROTOBUF_BYTES = 2,
    PROTOBUF_FOUR = 5
};

struct protobuf_field {
    uint32_t id; /* the field's number in the message's definition */
    enum protobuf_type type;
    uint64_t number;   /* of PROTOBUF_NUMBER */
    struct span bytes; /* the value as it is encoded, without the length of PROTOBUF_BYTES */
};

/* Give the next field, which borrows the message. Return false at the end, and at an error, of
 * which p->why then tells. */
bool protobuf_next(struct protobuf *p, struct protobuf_field *field);

/* Read the number at the start of *rest, which are a field's bytes, at least one, and remove it
 * from *rest. Return NULL, or an error message. */
const char *protobuf_number(struct span *rest, uint64_t *number);

/* Return the number in the message's field `id`: the last one of several, 0 if there is none. */
uint64_t protobuf_get(struct span message, uint32_t id);

/* Return what is wrong with the fields of a message; NULL: nothing is. */
const char *protobuf_check(struct span message);

#endif
