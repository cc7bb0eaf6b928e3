/* Names of the code of running processes, for a recorder: the perf maps, jitdumps and binaries of a
 * process are opened while it runs, so that the names are still there when the process, or its
 * container, is gone.
 *
 * A process that writes a jitdump (jitdump.h) maps that file: the record of the mapping shows where
 * it is, and it is read instead of a perf map. A perf map (perfmap.h) is found through the mount
 * and pid namespaces of its process, and read while it grows: if code has replaced other code, a
 * sample gets the name that was valid at the time of the sample (livemap.h).
 *
 *     symbol_options.names = liveprocs_names(l), and .objects = liveprocs_objects(l)
 *     at least four times a second, in this order:
 *         liveprocs_poll(), which reads the maps
 *         liveprocs_see() for each record of the ring buffers, before the record is sorted
 *         recordsource_take() for each sorted record: it looks names up
 *
 * Below, a map is a perf map or a jitdump. All times are nanoseconds of the records' clock,
 * CLOCK_MONOTONIC. */
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

/* Use this file as the perf map of the process, instead of searching for one (--perf-map PID=FILE).
 * The pid is that of our pid namespace, not of the container's. Return NULL, or why the file cannot
 * be read. */
const char *liveprocs_give_map(struct liveprocs *l, int32_t pid, const char *path);

/* Note an MMAP2 or COMM record; ignore others. Call this as early as possible, when the record
 * leaves the ring buffer and before it is sorted: the binary of an MMAP2 record is opened here, if
 * it could not be opened by its path later. */
void liveprocs_see(struct liveprocs *l, const struct record *r);

/* Do not report that the process has no map, until it executes another program. Call this if its
 * names are read from its memory, or if a message has already said why they cannot be. Do nothing
 * for an unknown process. */
void liveprocs_needs_no_map(struct liveprocs *l, int32_t pid);

/* Do not report within the next second that the process has no map, since it is not known yet
 * whether it needs one. Do nothing for an unknown process. */
void liveprocs_delay_report(struct liveprocs *l, int32_t pid);

/* Read what was added to the maps, and search for the maps of processes that have none yet. After a
 * fiftieth of a second, leave the rest of the work to the next call: see liveprocs_has_new_map().
 * Call this at least four times a second, and more often if the program wakes up anyway: with calls
 * every 250 ms, 0.16 % of frames got a wrong name (livemap.h), and with calls every 10 ms none did.
 * Always call it just before ring buffers are emptied: then the name of code is known before the
 * samples in that code. */
void liveprocs_poll(struct liveprocs *l, uint64_t now);

/* Do the same for the last time, for up to a fifth of a second. */
void liveprocs_poll_last(struct liveprocs *l, uint64_t now);

/* Receives whole lines of the perf map of a process, at most MAPLINES_MAX bytes; see ownrecord.h.
 * The lines name code as of `time`: when the map was last read to its end before these lines were;
 * 0 if it was never read to its end. */
typedef void liveprocs_keeper(void *ctx, const struct maplines *lines, uint64_t time);

/* From the next poll on, pass the contents of the perf maps to the keeper: at most LIVEPROCS_KEPT
 * bytes of all maps together. Without `looks_up`, no names can be looked up. Borrows ctx. */
void liveprocs_keep(struct liveprocs *l, liveprocs_keeper *keeper, void *ctx, bool looks_up);

#define LIVEPROCS_KEPT ((uint64_t)1 << 28)

/* Return true if the process has a perf map or a jitdump. */
bool liveprocs_has_names(const struct liveprocs *l, int32_t pid);

/* Return true if a process is known that may write a map. Processes for which
 * liveprocs_needs_no_map() was called do not count. */
bool liveprocs_any(const struct liveprocs *l);

/* Return true if a map has grown recently, or may appear soon. If so, poll again soon: the times of
 * its records are then known better. */
bool liveprocs_are_busy(const struct liveprocs *l);

/* Return true if there is a map that was never read to its end. If so, poll again soon, and let
 * samples wait for the names. */
bool liveprocs_has_new_map(const struct liveprocs *l);

/* Return true if a running process writes a jitdump that is read. If so, let samples wait for a
 * second: a record may be written up to a second after its code first runs. */
bool liveprocs_has_dump(const struct liveprocs *l);

/* Report which JIT-compiled code has no names, and what to do about that. Call this once, at the
 * end. */
void liveprocs_explain(struct liveprocs *l);

void liveprocs_free(struct liveprocs *l);

/* The functions below are called by the symbolizer. */

/* From now on, look names up as of `time`. Mark in `maps` the processes whose names have changed by
 * that (procmaps_touch). */
void liveprocs_advance(struct liveprocs *l, uint64_t time, struct procmaps *maps);

/* Return the interface through which the symbolizer looks up names in the maps. It can be asked for
 * code in a file without symbols, too, but few maps have names for such code. */
struct jitnames *liveprocs_names(struct liveprocs *l);

/* Return the interface through which the symbolizer finds binaries: see heldfiles.h. */
struct objects *liveprocs_objects(struct liveprocs *l);

#endif
