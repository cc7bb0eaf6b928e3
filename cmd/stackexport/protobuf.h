/* Writes messages of Protocol Buffers (https://protobuf.dev/programming-guides/encoding). A message
 * is a sequence of fields. Each begins with its number in the message's definition:
 *
 *     08 96 01          field 1, a number: 150
 *     12 03 66 6f 6f    field 2, three bytes: "foo"
 *
 * The bytes of a field are a text, a message or packed numbers. */
#ifndef STACKEXPORT_PROTOBUF_H
#define STACKEXPORT_PROTOBUF_H

#include <stdint.h>

#include "common/base/text.h"

/* Append a number without a field number: one of several packed in a field. */
void protobuf_put(struct text *t, uint64_t number);

/* Append a field that is a number. Append nothing for 0: that is the value of a missing field. */
void protobuf_number(struct text *t, uint32_t field, uint64_t number);

/* Append a field of bytes. */
void protobuf_bytes(struct text *t, uint32_t field, struct span bytes);

#endif
