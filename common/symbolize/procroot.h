/* Files as a running process sees them, which may be in another mount namespace, pid namespace or
 * root folder: a container. */
#ifndef SYMBOLIZE_PROCROOT_H
#define SYMBOLIZE_PROCROOT_H

#include <stdint.h>

#include "common/base/regular.h"
#include "common/base/span.h"

/* Return true if the process has our mount namespace and root folder, so that its paths mean the
 * same here. If that is unknown because the process has ended or is another user's, return true. If
 * its root folder does not answer in time (helper.h), return false. */
bool procroot_is_ours(int32_t pid);

/* Open a regular file by its absolute path in the process's root folder, which the path cannot
 * leave. Return NULL, or what is wrong, as regular_open() does. */
const char *procroot_open(struct regular_file *f, int32_t pid, const char *path);

/* Set *owners to the users who may own a file that the process writes for us, such as its perf map:
 * this program's user, root, the process's user, and root of its user namespace. If the process has
 * ended, or pid is -1, set it to the first two only. */
void procroot_owners(int32_t pid, struct regular_owners *owners);

/* Return the pid of the process in the innermost of its pid namespaces; -1 if there is no such
 * process or its /proc/PID/status cannot be read. */
int32_t procroot_inner_pid(int32_t pid);

/* Fields of /proc/PID/stat, by their numbers in proc(5). */
enum { PROCROOT_STATE = 3, PROCROOT_STARTTIME = 22 };

/* Return field `number`, which is 3 or more, of `stat`, the text of /proc/PID/stat; empty if there
 * is no such field. Borrow `stat`. The second field, the name of the command, may contain blanks
 * and parentheses:
 *
 *     4242 (node (x) S) S 4200 4242 4200 0 ...
 */
struct span procroot_stat_field(struct span stat, int number);

/* Return when the process started, in nanoseconds of CLOCK_BOOTTIME, with a resolution of a clock
 * tick (10 ms); 0 if it has ended. */
uint64_t procroot_started(int32_t pid);

#endif
