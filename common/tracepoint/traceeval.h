/* Evaluates expressions of a print format for a payload. */
#ifndef TRACEPOINT_TRACEEVAL_H
#define TRACEPOINT_TRACEEVAL_H

#include "common/tracepoint/traceexpr.h"

/* A number, converted to its type: the bits above its size repeat its sign, or are 0. */
struct number {
    uint64_t bits;
    struct field_type type;
};

/* The number converted to another type. */
struct number traceeval_cast(struct number n, struct field_type type);

/* The n-th of `size` bytes (1, 2, 4 or 8) in memory; 0 beyond the end of the bytes. */
struct number traceeval_element(struct span bytes, uint64_t n, struct field_type type);

/* The bytes of an array in the payload. Empty where the payload is too short for it, or where it
 * claims a place beyond the payload. */
struct span traceeval_array(const struct event_field *field, struct span raw);

/* The value of a field that is a number; 0 where the payload is too short for it. */
struct number traceeval_field(const struct event_field *field, struct span raw);

/* The value of an expression whose shape is SHAPE_NUMBER, by C's rules. What C leaves undefined,
 * such as a division by 0, gives 0. Of other shapes: 0 or 1, as C takes a pointer for true. */
struct number traceeval_number(const struct expr *e, struct span raw);

/* The bytes of an expression of SHAPE_BYTES. */
struct span traceeval_bytes(const struct expr *e, struct span raw);

#endif
