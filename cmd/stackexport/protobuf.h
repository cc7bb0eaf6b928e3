/* Writes messages of Protocol Buffers (https://protobuf.dev/programming-guides/encoding). A message
 * is a sequence of fields, each with its number in the message's definition:
 *
 *     08 96 01          field 1, a number: 150
 *     12 03 66 6f 6f    field 2, three bytes: "foo"; a text, a message or several numbers */
#ifndef STACKEXPORT_PROTOBUF_H
#define STACKEXPORT_PROTOBUF_H

#include <stdint.h>

#include "common/base/text.h"

/* Append a number as it stands among several in one field. */
void protobuf_put(struct text *t, uint64_t number);

/* Append a field that is a number; nothing for 0, which is what a missing field means. */
void protobuf_number(struct text *t, uint32_t field, uint64_t number);

/* Append a field of bytes. */
void protobuf_bytes(struct text *t, uint32_t field, struct span bytes);

#endif
