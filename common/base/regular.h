/* Opens regular files, and no others, whose name or content others may choose: files of processes
 * and containers, of recordings, of /tmp.
 *
 * To open a FIFO would block or wake its writer, and to open a
 * device may start it, as /dev/watchdog. So the file is first looked up without opening it
 * (O_PATH), and its type and owner are checked. Then that same file is opened, even if its name
 * leads to another one by then. */
#ifndef BASE_REGULAR_H
#define BASE_REGULAR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { REGULAR_OWNERS = 4 };

struct regular_owners {
    uid_t uid[REGULAR_OWNERS];
    size_t count;
};

/* {0}, or NULL: any regular file, and links are followed, since the user or we wrote the path. */
struct regular {
    /* The path begins with this folder, "/proc/42/root" or that of --symfs, and the rest of it does
     * not lead out: links in it, also absolute ones and "..", lead where they would if the folder
     * were "/". NULL or "": the path is not limited so. */
    const char *root;
    bool no_link; /* the name itself must not be a symbolic link */
    /* Who may own the file; then it must have no other name, too, since in /tmp anybody may give a
     * second name (a hard link) to another's file. NULL: anybody, and any names. */
    const struct regular_owners *owners;
    const uid_t *namer; /* the only user who may own it, who also wrote its name; NULL: anybody */
    uint64_t most;      /* bytes; 0: any number */
};

/* Open the file of that name to read it. Return the descriptor; or -1, with what is wrong in
 * *problem, such as "is not a regular file": a text that stays. */
int regular_open(const char *path, const struct regular *rules, const char **problem);

#endif
