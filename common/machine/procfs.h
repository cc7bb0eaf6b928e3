/* Reads data about running processes and threads from /proc: see proc(5). A process can end at any
 * moment: then these functions fail. */
#ifndef MACHINE_PROCFS_H
#define MACHINE_PROCFS_H

#include "common/base/text.h"
#include "common/machine/numbers.h"

/* Read a whole file, such as "/proc/sys/kernel/perf_event_paranoid", into *text. Return false with
 * errno, and *text empty, if it cannot be read. */
bool procfs_read(struct text *text, const char *path);

/* As procfs_read, for a file of a process: "/proc/42/maps" for 42 and "maps". */
bool procfs_read_of(struct text *text, int32_t pid, const char *file);

/* As procfs_read_of, through the helper (helper.h), for files that are read from the process's
 * memory, or need the lock of its address space: "cmdline", "maps", "syscall". A process can hold
 * that lock as long as it likes. */
bool procfs_ask(struct text *text, int32_t pid, const char *file);

/* Return the number in a file of /proc/sys, such as "kernel/perf_event_paranoid"; `otherwise` if it
 * cannot be read or is no number. */
long procfs_setting(const char *name, long otherwise);

/* Add all processes, or the threads of a process except those already in list[from ...]. Return
 * false, with errno set, if not all could be read; those that were read are in the list. */
bool procfs_processes(struct numbers *pids);
bool procfs_threads(struct numbers *tids, int32_t pid, size_t from);

/* Return the process of a thread; -1, with errno set, if there is no such thread. */
int32_t procfs_process_of(int32_t tid);

/* Return the first number of a line of /proc/PID/status, such as "PPid"; -1, with errno set, if
 * there is none. */
int32_t procfs_status(int32_t pid, struct span name);

/* Set *time to the start time of a process, in clock ticks since boot. *text is overwritten. Return
 * false if there is no such process. */
bool procfs_start_time(struct text *text, int32_t pid, uint64_t *time);

/* Return the total time that the thread was runnable and waited for a CPU, in nanoseconds; 0 if
 * there is no such thread, or if the kernel does not count it. *text is overwritten. */
uint64_t procfs_queued(struct text *text, int32_t tid);

/* Return true if the thread is stopped by a signal, a debugger or its cgroup. Return false also if
 * this program may not read that. *text is overwritten. */
bool procfs_is_stopped(struct text *text, int32_t tid);

/* Return the newest process, except this one, whose command name, or whose program in the command
 * line, has this name. Return -1 if there is none. */
int32_t procfs_newest(const char *name);

#endif
