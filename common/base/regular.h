/* Opens regular files, and no others, whose name or content others may choose: files of processes
 * and containers, of recordings, of /tmp.
 *
 * To open a FIFO would block or wake its writer, and to open a
 * device may start it, as /dev/watchdog. So the file is first looked up without opening it
 * (O_PATH), and its type and owner are checked. Then that same file is opened, even if its name
 * leads to another one by then.
 *
 * A file system may never answer: another user's (FUSE), or that of a server that is gone (NFS). So a helper
 * process looks files up, and reads those that are not in a local file system (helper.h). What takes it too
 * long fails with ETIMEDOUT. */
#ifndef BASE_REGULAR_H
#define BASE_REGULAR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

struct lines;

enum { REGULAR_OWNERS = 4 };

struct regular_owners {
    uid_t uid[REGULAR_OWNERS];
    size_t count;
};

/* {0}, or NULL: any regular file on a disk, and links are followed, since the user or we wrote the path. */
struct regular {
    /* The path begins with this folder, "/proc/42/root" or that of --symfs, and the rest of it does
     * not lead out: links in it, also absolute ones and "..", lead where they would if the folder
     * were "/". NULL or "": the path is not limited so. */
    const char *root;
    int32_t
        pid; /* the process whose path it is, and who may delay the answer; 0: it is no process's */
    bool no_link; /* the name itself must not be a symbolic link */
    bool
        kernel; /* it may be a file of /proc, /sys and such, which the kernel makes up when it is read */
    /* Who may own the file; then it must have no other name, too, since in /tmp anybody may give a
     * second name (a hard link) to another's file. NULL: anybody, and any names. */
    const struct regular_owners *owners;
    const uid_t *namer; /* the only user who may own it, who also wrote its name; NULL: anybody */
    uint64_t most;      /* bytes; 0: any number */
};

/* An open file. */
struct regular_file {
    int fd; /* of a local file to read it; of another one O_PATH, so that closing it waits for nobody. -1:
             * closed */
    struct stat st; /* when it was opened */

    /* private */
    uint64_t key; /* another one for each file that was opened */
    int32_t pid;  /* the process whose path it was opened by */
    bool asked;   /* it is read by the helper */
    uint64_t at;  /* where regular_lines() reads on */
};

/* Open the file of that name to read it. Return NULL; or what is wrong, such as "is not a regular file", a text
 * that stays: then it is closed. A path "/proc/self/fd/7" is the file of that descriptor. */
const char *regular_open(struct regular_file *f, const char *path, const struct regular *rules);

/* Return the local file that a descriptor has open, which is the file's from then on. */
struct regular_file regular_of(int fd);

/* Read at an offset, as pread(2) does, but perhaps less than there is. Where `now` is not NULL, set it to what is
 * known of the file after that. */
ssize_t regular_read(struct regular_file *f, uint64_t offset, void *to, size_t n, struct stat *now);

/* Find out what is known of the file now. Return false with errno. */
bool regular_stat(const struct regular_file *f, struct stat *now);

/* Start to read its lines from its beginning. *f must not move until they are read. */
void regular_lines(struct regular_file *f, struct lines *l);

/* Return what an error number says of such a file: strerror(3), but for ETIMEDOUT. */
const char *regular_error(int error);

/* Close it, which waits for nobody. */
void regular_close(struct regular_file *f);

#endif
