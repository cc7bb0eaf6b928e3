/* The fields of a sample. For record.c. */
#ifndef EVENT_SAMPLE_H
#define EVENT_SAMPLE_H

#include "common/event/record.h"

/* Decodes `fields`, what follows a sample's header, into r->sample and the fields of its identity;
 * r->event is set. Returns NULL, or what is wrong. */
const char *sample_decode(struct span fields, struct record *r);

#endif
