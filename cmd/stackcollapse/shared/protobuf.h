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

/* A message that is being read; starts as {.rest = message}. */
struct protobuf {
    struct span rest; /* the bytes that are not read yet, or cannot be read */
    const char *why;  /* what is wrong with them: "a field goes beyond the end"; or NULL */
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

/* Read the next field, which borrows the message. Return false at the end, and on an error, with
 * the reason in p->why. */
bool protobuf_next(struct protobuf *p, struct protobuf_field *field);

/* Read a number from the start of *rest, and remove it from there. *rest are bytes of a field, at
 * least one. Return NULL, or an error message. */
const char *protobuf_number(struct span *rest, uint64_t *number);

/* Return the number in the message's field `id`: the last one of several, 0 if there is none. */
uint64_t protobuf_get(struct span message, uint32_t id);

/* Return what is wrong with the fields of a message, or NULL. */
const char *protobuf_check(struct span message);

#endif
