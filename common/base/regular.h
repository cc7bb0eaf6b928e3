/* Opens and reads regular files, and no others, whose name or contents are not trusted: files of
 * processes and containers, of recordings, in /tmp.
 *
 * Opening a FIFO can block, or wake its writer; opening a device can start it (/dev/watchdog). So
 * regular_open() first looks the file up without opening it (O_PATH), and checks its type and
 * owner. Then it opens that same file, even if the name refers to another one by then.
 *
 * A file system may never answer: another user's (FUSE), or that of a server that is gone (NFS). So
 * a helper process looks up all files, and reads those that are not in a local file system
 * (helper.h). If it does not answer in time, the call fails with ETIMEDOUT. */
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

/* Rules for opening a file. {0} or NULL: any regular file on a disk, following symbolic links, as
 * for a path that the user or this program chose. */
struct regular {
    /* The path begins with this folder, such as "/proc/42/root" or that of --symfs, and cannot
     * leave it: in the rest of the path, absolute links and ".." are resolved as if the folder were
     * "/". NULL or "": no limit. */
    const char *root;
    int32_t pid;  /* the process that named the file, or can delay reading it; 0: none */
    bool no_link; /* the last component must not be a symbolic link */
    bool kernel;  /* allow files of /proc, /sys and other file systems of the kernel */
    /* The users who may own the file. The file must then also have only one name (no hard links),
     * since in /tmp anybody can add a name to another user's file. NULL: any owner, any number of
     * names. */
    const struct regular_owners *owners;
    /* The user who wrote the file's name, and must own the file; NULL: any owner. */
    const uid_t *namer;
    uint64_t most; /* maximum size in bytes; 0: no limit */
};

/* An open file. */
struct regular_file {
    /* Local files are open for reading. Others have an O_PATH descriptor, which can be closed
     * without waiting. -1: closed. */
    int fd;
    struct stat st; /* attributes when it was opened */

    /* private */
    uint64_t key;  /* unique for each file that was opened */
    int32_t pid;   /* from the rules */
    bool asked;    /* the helper reads it */
    uint64_t most; /* from the rules: maximum number of bytes for regular_lines(); 0: no limit */
    uint64_t at;   /* offset of the next read of regular_lines() */
};

/* Open the file at the path for reading. A path "/proc/self/fd/7" without a root is the file of
 * that descriptor. `rules` is not kept. Return NULL; or, with f->fd -1, what is wrong, such as "is
 * not a regular file", a string that stays valid. */
const char *regular_open(struct regular_file *f, const char *path, const struct regular *rules);

/* Return the local file that is open as fd, and take over the descriptor: regular_close() closes
 * it. */
struct regular_file regular_of(int fd);

/* Read up to n bytes at an offset, like pread(2). Return the number of bytes, which may be less
 * than n even before the end of the file; 0 at its end; or -1 with errno. If `now` is not NULL, set
 * it to the file's attributes after that. */
ssize_t regular_read(struct regular_file *f, uint64_t offset, void *to, size_t n, struct stat *now);

/* Set *now to the file's current attributes. Return false with errno. */
bool regular_stat(const struct regular_file *f, struct stat *now);

/* Start reading the lines of the file, from its beginning. *f is borrowed until they are read. If
 * the file then has more bytes than the rules allow, reading fails with EFBIG. */
void regular_lines(struct regular_file *f, struct lines *l);

/* Return the message for an errno of such a file: that of strerror(3), except for ETIMEDOUT. */
const char *regular_error(int error);

/* Close the file, if it is open. This never waits for a file system that does not answer. */
void regular_close(struct regular_file *f);

#endif
