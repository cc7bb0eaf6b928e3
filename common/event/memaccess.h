/* The text of a memory access (union perf_mem_data_src), as perf 6.1 prints it. */
#ifndef EVENT_MEMACCESS_H
#define EVENT_MEMACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/text.h"

/* Append a sample's data_src: its number, and the meaning of its bits. */
void memaccess_add(struct text *out, uint64_t data_src);

#endif
