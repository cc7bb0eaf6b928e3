/* Lines of a perf map among the records of a recording, with the time as of which they name code.
 *
 * stackrecord -o writes them as PERF_RECORD_TEXT_POKE records (linux/perf_event.h, Linux 5.8), with
 * which the kernel says that it changed its own code. The kernel writes none unless it is asked to,
 * and then with cpumode KERNEL; perf ignores one of cpumode USER, or without new bytes
 * (machine__process_text_poke in tools/perf/util/machine.c), and keeps it in order by its time. A
 * record of a type that perf does not know would end its reading, and a section of the header is
 * only there once a recording is complete.
 *
 *     header      type TEXT_POKE, misc PERF_RECORD_MISC_USER
 *     u64 addr    MAPLINES_MAGIC
 *     u16 old_len, u16 new_len      bytes that follow; 0
 *     u32 pid, u32 flags            flags & 1: the file begins here, also once again
 *     whole lines of the file, each with its newline; NULs up to a multiple of 8
 *     sample_id   with the time; 0: the lines were there when the recording began */
#ifndef EVENT_MAPLINES_H
#define EVENT_MAPLINES_H

#include "common/base/text.h"
#include "common/event/record.h"

#define MAPLINES_MAGIC UINT64_C(0x70616d6672657066) /* "fperfmap" */

/* Bytes of lines that fit into a record. */
enum { MAPLINES_MOST = 65000 };

struct maplines {
    int32_t pid;
    bool begins;
    struct span lines;
};

/* Write the record to `to`, whose contents are replaced. `m->lines` has MAPLINES_MOST bytes at
 * most. The record is of the first event. */
void maplines_write(const struct maplines *m, const struct eventset *events, uint64_t time,
                    struct text *to);

/* Return true if the record, which was decoded, has lines; they borrow from it. */
bool maplines_read(const struct record *r, struct maplines *m);

#endif
