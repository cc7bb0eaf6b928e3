/* Files as a running process sees them, which may be in another mount namespace, pid namespace or
 * root folder: a container. */
#ifndef SYMBOLIZE_PROCROOT_H
#define SYMBOLIZE_PROCROOT_H

#include <stdint.h>

#include "common/base/regular.h"
#include "common/base/span.h"

/* Return true if the process has our mount namespace and root, so that its paths are ours, and
 * where that is not known: the process is gone, or another user's. False if its root does not answer. */
bool procroot_is_ours(int32_t pid);

/* Open a regular file by its absolute path in the process's root, which it does not leave. Return NULL, or what
 * is wrong, as regular_open(). */
const char *procroot_open(struct regular_file *f, int32_t pid, const char *path);

/* Who may own what the process writes for us: we, root, the process's user, and the root of its
 * user namespace. Of a process that is gone, or -1: we and root. */
void procroot_owners(int32_t pid, struct regular_owners *owners);

/* Return the number of the process in the innermost of its pid namespaces. -1: there is no such
 * process. */
int32_t procroot_inner_pid(int32_t pid);

/* Fields of /proc/PID/stat, by their numbers in proc(5). */
enum { PROCROOT_STATE = 3, PROCROOT_STARTTIME = 22 };

/* Return the field of that number, 3 or more, of the text of /proc/PID/stat; empty: it has none.
 * The second field, the name, may hold blanks and parentheses:
 *
 *     4242 (node (x) S) S 4200 4242 4200 0 ...
 */
struct span procroot_stat_field(struct span stat, int number);

/* Return when the process was started, in nanoseconds of CLOCK_BOOTTIME, to a hundredth of a
 * second; 0 if it is gone. */
uint64_t procroot_started(int32_t pid);

#endif
