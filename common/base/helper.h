/* Asks a helper process for what somebody else can delay without end: looking up and reading a file, which
 * its file system answers (FUSE, overlayfs over FUSE, NFS whose server is gone), and the files in /proc and
 * the memory of a process, which wait for a lock that the process may hold. Not even SIGKILL ends such a
 * wait. So the helper, a forked copy of this program, waits in its place, for a limited time: a helper that
 * does not answer is killed and left to itself, which ends when its wait does, and the next question is
 * asked of a new one. The helper keeps no descriptor of this program's, so nobody waits for its end.
 *
 * Who did not answer three times is not asked again, so that each can delay this program by a fraction of a
 * second in all; and unanswered questions together take no more time than helper_init() says. All that fails so
 * has errno ETIMEDOUT.
 *
 * A question is asked about the process `pid`, which may be another user's or a container's; or with pid 0 about a
 * file that the user or this program named. Each kind of question has four helpers at most that wait, so that
 * processes of others cannot keep this program from reading its own files. */
#ifndef BASE_HELPER_H
#define BASE_HELPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* What is known of a file. */
struct helper_file {
    struct stat st;
    long type; /* of its file system: statfs(2) */
};

/* Choose how long to wait: for a recorder 100 ms for each question, and otherwise a second where the question is
 * about the user's own file. Without this call the program is no recorder. The helper that runs, if any, is
 * ended: the next one has this program's priority of now. */
void helper_init(bool records);

/* End the helper, if one runs. The next question starts another one. */
void helper_end(void);

/* Look the path up, below the folder `root` where that is not NULL (beneath.h). With `no_link` the last name may be
 * a symbolic link and is not followed. Return a descriptor (O_PATH), which can be closed without
 * waiting, and what is known of the file; or -1 with errno. */
int helper_find(int32_t pid, const char *root, const char *path, bool no_link,
                struct helper_file *file);

/* Find out what is known of the file of a descriptor. Return false with errno. */
bool helper_look(int fd, struct helper_file *file);

enum { HELPER_READ_MOST = 1 << 16 };

/* A file that is read by the helper. */
struct helper_reading {
    int fd;         /* any descriptor of it */
    uint64_t key;   /* another one for each file: the helper keeps the last one open */
    int32_t pid;    /* the process whose file it is; 0: it is its owner's */
    struct stat st; /* when it was found */
};

/* Read at most n bytes, and HELPER_READ_MOST, at an offset of a file. After the read *now is what is known of the
 * file. Return how many bytes were read, 0 at its end, or -1 with errno. */
ssize_t helper_read(const struct helper_reading *file, uint64_t offset, void *to, size_t n,
                    struct stat *now);

/* Copy at most n bytes, and HELPER_READ_MOST, of the process's memory: process_vm_readv(2). Return how many, or -1
 * with errno. */
ssize_t helper_copy(int32_t pid, uint64_t addr, void *to, size_t n);

/* Return the number of a process that did not answer, each once; 0: there is no further one. */
int32_t helper_next_silent(void);

#endif
