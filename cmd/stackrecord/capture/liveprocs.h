/* Names of running processes, for a recorder: their perf maps, jitdumps and binaries are opened
 * while they run, so that the names are still there when the process, or its container, is gone.
 *
 * A jitdump (jitdump.h) is found by the record of its mapping, and read instead of the perf map. A
 * perf map (perfmap.h) is found through the mount and pid namespaces of its process, and read while
 * it grows: if code replaced other code, a sample gets the name that was valid at its time
 * (livemap.h).
 *
 *     symbol_options.names = liveprocs_names(l), and .objects = liveprocs_objects(l)
 *     at least four times a second, in this order:
 *         liveprocs_poll(), which reads the maps
 *         liveprocs_see() for each record of the ring buffers, before it is sorted
 *         recordsource_take() for those that are sorted: it looks names up
 *
 * All times are nanoseconds of the records' clock, CLOCK_MONOTONIC. */
#ifndef STACKRECORD_LIVEPROCS_H
#define STACKRECORD_LIVEPROCS_H

#include "cmd/stackrecord/capture/livemap.h"
#include "common/base/diag.h"
#include "common/event/ownrecord.h"
#include "common/sym/procmaps.h"
#include "common/symbolize/jitnames.h"
#include "common/symbolize/objects.h"

struct liveprocs;

/* Return an empty table; diag is borrowed. `memory`: bytes for the perf maps of all processes; 0:
 * unlimited. */
struct liveprocs *liveprocs_new(struct diag *diag, size_t memory);

/* --perf-map PID=FILE: use this file as the process's map, instead of searching for it. The pid is
 * ours, not the container's. Return NULL, or why the file cannot be read. */
const char *liveprocs_give_map(struct liveprocs *l, int32_t pid, const char *path);

/* Note a record of a process: MMAP2, COMM, EXIT; ignore others. Call this as early as possible,
 * when the record leaves the ring buffer and before it is sorted: the binary of an MMAP2 record is
 * opened here if it cannot be opened by its path later. */
void liveprocs_see(struct liveprocs *l, const struct record *r);

/* Do not report that the process has no map, until it executes another program: its names come from
 * its memory, or it was already reported why they do not. Do nothing for an unknown process. */
void liveprocs_needs_no_map(struct liveprocs *l, int32_t pid);

/* Do not report in the next second that the process has no map: it is unknown yet whether it needs
 * one. A process that was not seen is ignored. */
void liveprocs_delay_report(struct liveprocs *l, int32_t pid);

/* Read the new contents of the maps, and search for maps of processes that have none yet. Work
 * beyond a fiftieth of a second is left to the next call: see liveprocs_has_new_map. Call this at
 * least four times a second, and more often if the program wakes up anyway: of names at addresses
 * that are reused, one in six hundred was wrong with 250 ms, and none with 10 ms. And always call
 * it just before ring buffers are emptied: then a name is known before the samples in its code. */
void liveprocs_poll(struct liveprocs *l, uint64_t now);

/* As liveprocs_poll, for the last time, for at most a fifth of a second. */
void liveprocs_poll_last(struct liveprocs *l, uint64_t now);

/* Receives whole lines of the map of a process, at most MAPLINES_MAX bytes; see ownrecord.h.
 * `time` is the time from which they name code: that of the last read to the map's end; 0 if there
 * was none yet. */
typedef void liveprocs_keeper(void *ctx, const struct maplines *lines, uint64_t time);

/* Pass the maps' contents to the keeper, from the next poll on. Look up no names unless `looks_up`.
 * The keeper gets at most LIVEPROCS_KEPT bytes of all maps together. */
void liveprocs_keep(struct liveprocs *l, liveprocs_keeper *keeper, void *ctx, bool looks_up);

#define LIVEPROCS_KEPT ((uint64_t)1 << 28)

/* Return true if the process has a perf map or a jitdump. */
bool liveprocs_has_names(const struct liveprocs *l, int32_t pid);

/* Return true if any known process may write a map; ignore those of liveprocs_needs_no_map(). */
bool liveprocs_any(const struct liveprocs *l);

/* Return true if a map has grown recently, or may appear soon: poll again soon, for the times of
 * its lines. */
bool liveprocs_are_busy(const struct liveprocs *l);

/* Return true if a map was not yet read to its end for the first time: poll again soon, and let
 * samples wait for its names. */
bool liveprocs_has_new_map(const struct liveprocs *l);

/* Return true if a jitdump is read: let samples wait for a second, since its records may be written
 * that long after their code runs. */
bool liveprocs_has_dump(const struct liveprocs *l);

/* Report JIT-compiled code without names, and what to do about it. Call this once, at the end. */
void liveprocs_explain(struct liveprocs *l);

void liveprocs_free(struct liveprocs *l);

/* The functions below are called by the symbolizer. */

/* Look names up as of `time` from now on; mark those that changed in `maps`. */
void liveprocs_advance(struct liveprocs *l, uint64_t time, struct procmaps *maps);

/* Return the interface through which the symbolizer looks up names, including those of code in a
 * file without symbols, which maps seldom have. */
struct jitnames *liveprocs_names(struct liveprocs *l);

/* Return the interface through which the symbolizer finds binaries: see heldfiles.h. */
struct objects *liveprocs_objects(struct liveprocs *l);

#endif
