/* The words for what an instruction read or wrote, as perf 6.1 prints them. */
#ifndef EVENT_MEMACCESS_H
#define EVENT_MEMACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/text.h"

/* Appends a sample's data_src: its number, and what its bits say. */
void memaccess_add(struct text *out, uint64_t data_src);

#endif
