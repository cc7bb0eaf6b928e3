/* Passes records of our own (ownrecord.h) on to a sink. */
#ifndef STACKRECORD_OWNSINK_H
#define STACKRECORD_OWNSINK_H

#include <stdlib.h>

#include "common/event/ownrecord.h"
#include "common/stage/sink.h"

/* Pass on a record that applies to samples from `since` on, and may be added after them: its time
 * is a nanosecond earlier. *buffer is overwritten; a call for the same buffer may be made while the
 * record is passed on. */
static inline void
ownsink_pass(struct rawsink *to, const struct eventset *events, const struct ownrecord *own,
             uint64_t since, struct text *buffer)
{
    struct text record = *buffer;
    *buffer = (struct text){0};
    ownrecord_write(own, events, since - 1, 0, &record);
    to->record(to, text_span(&record));
    free(buffer->ptr);
    *buffer = record;
}

#endif
