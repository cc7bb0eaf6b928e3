#include "cmd/stackcollapse/shared/protobuf.h"

static const char cut[] = "a field goes beyond the end";

const char *
protobuf_number(struct span *rest, uint64_t *number)
{
    uint64_t value = 0;
    for (size_t i = 0; i < rest->len && i < 10; i++) {
        uint64_t bits = (unsigned char)rest->ptr[i];
        if (i == 9 && bits > 1)
            break;
        value |= (bits & 0x7f) << (7 * i);
        if (bits < 0x80) {
            *number = value;
            *rest = span_from(*rest, i + 1);
            return NULL;
        }
    }
    return rest->len < 10 ? cut : "a number has more than 64 bits";
}

/* Take the value of a field of fixed size off *rest. */
static const char *
take_bytes(struct span *rest, uint64_t size, struct protobuf_field *field)
{
    if (size > rest->len)
        return cut;
    field->bytes = span_head(*rest, (size_t)size);
    *rest = span_from(*rest, (size_t)size);
    return NULL;
}

static const char *
take_value(struct span *rest, struct protobuf_field *field)
{
    const char *start = rest->ptr, *why;
    switch (field->type) {
    case PROTOBUF_NUMBER:
        why = protobuf_number(rest, &field->number);
        field->bytes = span_of(start, (size_t)(rest->ptr - start));
        return why;
    case PROTOBUF_EIGHT:
        return take_bytes(rest, 8, field);
    case PROTOBUF_FOUR:
        return take_bytes(rest, 4, field);
    case PROTOBUF_BYTES:
        why = protobuf_number(rest, &field->number);
        return why != NULL ? why : take_bytes(rest, field->number, field);
    }
    return "a field has an unknown type";
}

bool
protobuf_next(struct protobuf *p, struct protobuf_field *field)
{
    struct span rest = p->rest;
    uint64_t key;
    if (rest.len == 0)
        return false;
    p->why = protobuf_number(&rest, &key);
    if (p->why == NULL && (key < 8 || key > UINT32_MAX))
        p->why = "a field has a number that cannot be";
    if (p->why != NULL)
        return false;
    *field = (struct protobuf_field){.id = (uint32_t)(key >> 3), .type = key & 7};
    p->why = take_value(&rest, field);
    if (p->why == NULL)
        p->rest = rest;
    return p->why == NULL;
}

uint64_t
protobuf_get(struct span message, uint32_t id)
{
    struct protobuf p = {.rest = message};
    uint64_t number = 0;
    for (struct protobuf_field field; protobuf_next(&p, &field);)
        if (field.id == id && field.type == PROTOBUF_NUMBER)
            number = field.number;
    return number;
}

const char *
protobuf_check(struct span message)
{
    struct protobuf p = {.rest = message};
    for (struct protobuf_field field; protobuf_next(&p, &field);)
        continue;
    return p.why;
}
