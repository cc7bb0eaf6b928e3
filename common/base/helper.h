/* A helper process for calls that others can delay without limit: looking up and reading a file, if
 * its file system does not answer (FUSE, overlayfs over FUSE, NFS without its server); and reading
 * the memory or some files in /proc of a process, if the process holds the lock that the kernel
 * needs. Not even SIGKILL ends such a wait. So the helper, a forked copy of this program, makes the
 * call, and this program waits a limited time for the answer. Without an answer, this program kills
 * the helper without waiting for its end, and starts another helper for the next request. The
 * helper has no descriptor of this program open, so nobody who waits for a pipe or file to be
 * closed waits for it.
 *
 * A request that is not answered in time fails with ETIMEDOUT; the time in which the helper waits
 * for a processor does not count, up to half a second. Requests that one party can delay (the
 * processes of a user, or the files in a folder, for example) are counted together. After three of
 * them were not answered, or once slow replies together took three time limits, the next ones fail
 * at once, with ETIMEDOUT too. As time passes, more are made: they may take 1 % of it. So a
 * recording of days does not lose a process that was slow once. None is made while three helpers
 * were abandoned and one of them still waits. The total time of all parties is limited as well: see
 * helper_init(). If somebody kills the helper, the request is made once more, and fails with EIO if
 * that happens again.
 *
 * `pid` is the process that the request is about, which may be another user's or a container's; 0
 * for a file that the user or this program named.
 *
 * Requests are of two kinds. The first are lookups of paths with pid 0, and reads with pid 0 of
 * files that root or the user owns; the second are all others. At most four abandoned helpers may
 * still wait for each kind, so that other users cannot keep this program from reading its own
 * files. */
#ifndef BASE_HELPER_H
#define BASE_HELPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* The attributes of a file. */
struct helper_file {
    struct stat st;
    long type; /* of its file system: f_type of statfs(2) */
};

/* Set the time limit of requests to 100 ms. If this program does not record, which is the default,
 * it is 1 s for the first kind. Unanswered and slow requests of a kind may take five times its
 * limit in all, plus 1 % of the time since the first request. After that, parties that have
 * answered all requests so far are still asked, with a tenth of the limit, until twice as much is
 * used; other requests fail at once, with ETIMEDOUT. End the helper, if one runs, so that the next
 * one inherits this program's current priority. */
void helper_init(bool records);

/* End the helper, if one runs, and wait for that up to 20 ms. The next request starts another
 * one. */
void helper_end(void);

/* Look up a path; if `root` is not NULL, as beneath_open() does. With `no_link`, do not follow a
 * symbolic link in the last component. Return an O_PATH descriptor, which can be closed without
 * waiting, and set *file. Return -1 with errno on failure. */
int helper_find(int32_t pid, const char *root, const char *path, bool no_link,
                struct helper_file *file);

/* Set *file to the attributes of an open file. Return false with errno. */
bool helper_look(int fd, struct helper_file *file);

enum { HELPER_READ_MAX = 1 << 16 };

/* A file that the helper reads. */
struct helper_reading {
    int fd;         /* any descriptor of it, even O_PATH */
    uint64_t key;   /* unique for each file: the helper keeps the last file open */
    int32_t pid;    /* the process that can delay reading; 0: none, but the file's owner may */
    struct stat st; /* attributes when it was found */
};

/* Read up to n bytes, at most HELPER_READ_MAX, at an offset of a file, and set *now to its
 * attributes after that. Return the number of bytes, 0 at the end of the file, or -1 with errno. */
ssize_t helper_read(const struct helper_reading *file, uint64_t offset, void *to, size_t n,
                    struct stat *now);

/* Copy up to n bytes, at most HELPER_READ_MAX, from the memory of a process, with
 * process_vm_readv(2). Return the number of bytes, or -1 with errno. */
ssize_t helper_copy(int32_t pid, uint64_t addr, void *to, size_t n);

/* Copy the path of a process's open descriptor to `to`: the text of the link /proc/PID/fd/FD, at
 * most n bytes, without a NUL. Return the number of bytes, or -1 with errno. */
ssize_t helper_descriptor(int32_t pid, int32_t fd, void *to, size_t n);

enum { HELPER_BLOCKS_MAX = 512 };

/* A range of a process's memory. */
struct helper_block {
    uint64_t addr;
    void *to;
    uint32_t len; /* less than HELPER_READ_MAX */
    bool ok;      /* all of it was copied; else the contents of `to` are undefined */
};

/* Copy ranges of a process's memory, and set `ok` of each, with as many requests as needed: one
 * takes up to HELPER_BLOCKS_MAX blocks and HELPER_READ_MAX bytes in all. Return false with errno
 * if a request was not answered, if the process has ended or may not be read, or if a block is too
 * long: then the blocks from there on are not copied. EBUSY: no request was made, since others have
 * taken too much time; a later one may be. */
bool helper_copy_blocks(int32_t pid, struct helper_block *blocks, size_t n);

/* Return the CPU time that this program's helpers have used up to their last reply, in
 * nanoseconds. */
uint64_t helper_used(void);

/* Return the pid of the next process that did not answer; each is returned once. Return 0 if there
 * are no more. */
int32_t helper_next_silent(void);

#endif
