/* Reads facts about running processes and threads from /proc: see proc(5). A process can end at any
 * moment: then these functions fail. */
#ifndef STACKRECORD_PROCFS_H
#define STACKRECORD_PROCFS_H

#include "cmd/stackrecord/capture/numbers.h"
#include "common/base/text.h"

/* Read a whole file, "/proc/sys/kernel/perf_event_paranoid", into *text. Return false with errno,
 * and *text empty, if it cannot be read. */
bool procfs_read(struct text *text, const char *path);

/* The file of a process: "/proc/42/maps" for 42 and "maps". */
bool procfs_read_of(struct text *text, int32_t pid, const char *file);

/* The same through the helper (helper.h), for the files that are read from the process's memory,
 * or need the lock of its address space: "cmdline", "maps", "syscall". A process can hold that
 * lock as long as it likes. */
bool procfs_ask(struct text *text, int32_t pid, const char *file);

/* Return the number in a file of settings, "kernel/perf_event_paranoid"; `otherwise` if it has
 * none. */
long procfs_setting(const char *name, long otherwise);

/* Add all processes, or the threads of a process but for those that list[from ...] has already. Return
 * false, with errno set, if they cannot be read, or not all; those that were read are in the list. */
bool procfs_processes(struct numbers *pids);
bool procfs_threads(struct numbers *tids, int32_t pid, size_t from);

/* Return the process of a thread; -1, with errno set, if there is no such thread. */
int32_t procfs_process_of(int32_t tid);

/* Return the first number of a line of /proc/PID/status, "PPid"; -1, with errno set, if there is none.
 */
int32_t procfs_status(int32_t pid, struct span name);

/* When a process started, in clock ticks since the machine did. *text is overwritten. Return false
 * if there is no such process. */
bool procfs_start_time(struct text *text, int32_t pid, uint64_t *time);

/* Return how long the thread was ready to run and waited for a CPU so far, in nanoseconds; 0 if there
 * is no such thread, or the kernel does not count that. *text is overwritten. */
uint64_t procfs_queued(struct text *text, int32_t tid);

/* Return true if the thread is stopped: by a signal, a debugger or its cgroup. It is false, too, if that
 * may not be read. *text is overwritten. */
bool procfs_is_stopped(struct text *text, int32_t tid);

/* Return the newest process with that name, which is its command's, or that of the program in its
 * command line; never this process. -1: there is none. */
int32_t procfs_newest(const char *name);

#endif
