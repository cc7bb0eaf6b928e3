/* The sections of a perf.data file around its data. For perfdata.c. */
#ifndef EVENT_SECTION_H
#define EVENT_SECTION_H

#include "common/event/perfdata.h"

/* Reads the file's header, attributes and features by pread(2), and sets where its data begin and
 * end (p->at, p->end). `size` is the file's. False: p->fault says why it cannot be read. */
bool section_read_all(struct perfdata *p, uint64_t size);

#endif
