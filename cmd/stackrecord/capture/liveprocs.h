/* Names of running processes, for a recorder: their perf maps, jitdumps and binaries are opened
 * while they run, so that the names are still there when the process, or its container, is gone.
 *
 * A jitdump (jitdump.h) is known by the record of its mapping, and read instead of the perf map. A
 * perf map (perfmap.h) is found through the mount and pid namespaces of its process, and read as it
 * grows: where code was put in the place of other code, a sample gets the name that was valid at
 * its time (livemap.h).
 *
 *     symbol_options.names = liveprocs_names(l), and .objects = liveprocs_objects(l)
 *     at least four times a second, in this order:
 *         liveprocs_poll(), which reads the maps
 *         liveprocs_see() for each record of the ring buffers, before it is sorted
 *         recordsource_take() for those that are sorted: it looks names up
 *
 * All times are nanoseconds of the clock of the records, CLOCK_MONOTONIC. */
#ifndef STACKRECORD_LIVEPROCS_H
#define STACKRECORD_LIVEPROCS_H

#include "cmd/stackrecord/capture/livemap.h"
#include "common/base/diag.h"
#include "common/event/ownrecord.h"
#include "common/sym/procmaps.h"
#include "common/symbolize/jitnames.h"
#include "common/symbolize/objects.h"

struct liveprocs;

/* Return an empty table, which borrows diag. `memory`: bytes for the perf maps of all processes; 0:
 * as many as they need. */
struct liveprocs *liveprocs_new(struct diag *diag, size_t memory);

/* --perf-map PID=FILE: the process's map is this file, wherever it would be looked for. The pid is
 * ours, not the container's. Return NULL, or why the file cannot be read. */
const char *liveprocs_give_map(struct liveprocs *l, int32_t pid, const char *path);

/* Note a record of a process: MMAP2, COMM, EXIT; others are ignored. To be called as early as
 * possible, when the record leaves the ring buffer and before it is sorted: the binary of an MMAP2
 * record is opened here if it cannot be opened by its path later. */
void liveprocs_see(struct liveprocs *l, const struct record *r);

/* Note that the names of the process's code come from its memory, or that it was said why they do not,
 * until it begins another program: that it has no map is not reported. Of a process that was not seen nothing is noted. */
void liveprocs_excuse(struct liveprocs *l, int32_t pid);

/* Read what was added to the maps, and look for the maps of processes that have none yet. What
 * takes longer than a fiftieth of a second is left for the next call: see liveprocs_has_new_map.
 * To be called at least four times a second, and more often if the program wakes up anyway: of
 * names at addresses that are used again, one in six hundred was wrong at 250 ms and none at 10
 * ms. And always right before ring buffers are emptied: then a name is known before the samples in
 * its code. */
void liveprocs_poll(struct liveprocs *l, uint64_t now);

/* Poll for the last time: as liveprocs_poll, for a fifth of a second at most. */
void liveprocs_poll_last(struct liveprocs *l, uint64_t now);

/* Gets whole lines of the map of a process, at most MAPLINES_MOST bytes; see ownrecord.h. `time`: as
 * of when they name code, which is when the map was read to its end last. 0: it was not yet. */
typedef void liveprocs_keeper(void *ctx, const struct maplines *lines, uint64_t time);

/* Give what the maps have to the keeper, from the next poll on, and look no names up unless `looks_up`.
 * The keeper gets LIVEPROCS_KEPT bytes at most, of all of them. */
void liveprocs_keep(struct liveprocs *l, liveprocs_keeper *keeper, void *ctx, bool looks_up);

#define LIVEPROCS_KEPT ((uint64_t)1 << 28)

/* Return true if the process has a perf map or a jitdump. */
bool liveprocs_has_names(const struct liveprocs *l, int32_t pid);

/* Return true if some process is known that may write a map, except those that need none
 * (liveprocs_excuse). */
bool liveprocs_any(const struct liveprocs *l);

/* Return true if a map has grown lately, or may appear soon, so that another poll should follow soon
 * for the times of its lines. */
bool liveprocs_are_busy(const struct liveprocs *l);

/* Return true if a map was not yet read to its end for the first time: another poll should follow
 * soon, and samples had better wait for its names. */
bool liveprocs_has_new_map(const struct liveprocs *l);

/* Return true if a jitdump is read: samples should wait for a second, since its records may be
 * written that long after their code runs. */
bool liveprocs_has_dump(const struct liveprocs *l);

/* Print which JIT-compiled code had no names, and what to do about it. Call it once, at the end. */
void liveprocs_explain(struct liveprocs *l);

void liveprocs_free(struct liveprocs *l);

/* What follows is called by the symbolizer. */

/* Look names up as of that time from now on; note those that changed in `maps`. */
void liveprocs_advance(struct liveprocs *l, uint64_t time, struct procmaps *maps);

/* Return the interface through which the symbolizer asks for names, also those of code of a file without
 * symbols, which maps seldom have. */
struct jitnames *liveprocs_names(struct liveprocs *l);

/* Return the interface through which it asks for binaries: see heldfiles.h. */
struct objects *liveprocs_objects(struct liveprocs *l);

#endif
