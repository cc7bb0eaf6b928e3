/* silentfs HOW FOLDER: mount a file system (FUSE) on the folder, in a mount namespace of this
 * process, that leaves some questions without an answer, and be a process that cannot be looked
 * at without asking these:
 *
 *     stack   the stack of a thread that waits lies in a file, above the frame that waits, which is never read
 *     tmp     in the folder, which is to be /tmp, no file is ever found; the process runs code that has no file
 *     lock    the process waits in mmap(2) of a file that is being read, with the lock of its memory: who looks at its
 *             mappings or its command line waits for that lock
 *
 * It ends after a minute, or SECONDS_LEFT. Prints "ready", or "refused" where there is no FUSE
 * or it may not be mounted. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE = 1 << 20 };

static int waits[2];

static bool
is_silent(const char *how, unsigned opcode)
{
    return opcode == (strcmp(how, "tmp") == 0 ? FUSE_LOOKUP : FUSE_READ);
}

/* Answer the kernel. From its second opening on a file is not cached, so that to map it waits
 * for those who read it. */
static void
serve(int fuse, const char *how)
{
    static struct {
        struct fuse_in_header head;
        char rest[1 << 17];
    } ask;
    const struct fuse_attr folder = {.ino = 1, .mode = S_IFDIR | 0755, .nlink = 2},
                           file = {.ino = 2, .size = SIZE, .mode = S_IFREG | 0644, .nlink = 1};
    unsigned opened = 0;
    while (read(fuse, &ask, sizeof ask) > 0) {
        struct {
            struct fuse_out_header head;
            union {
                struct fuse_init_out init;
                struct fuse_entry_out entry;
                struct fuse_attr_out attr;
                struct fuse_open_out open;
            };
        } answer = {.head.unique = ask.head.unique};
        size_t size = 0;
        if (is_silent(how, ask.head.opcode))
            continue;
        if (ask.head.opcode == FUSE_INIT) {
            answer.init = (struct fuse_init_out){.major = 7, .minor = 31, .max_write = 4096};
            size = sizeof answer.init;
        } else if (ask.head.opcode == FUSE_LOOKUP) {
            answer.entry = (struct fuse_entry_out){.nodeid = file.ino, .attr = file};
            size = sizeof answer.entry;
        } else if (ask.head.opcode == FUSE_GETATTR) {
            answer.attr.attr = ask.head.nodeid == folder.ino ? folder : file;
            size = sizeof answer.attr;
        } else if (ask.head.opcode == FUSE_OPEN) {
            answer.open.open_flags = opened++ > 0 ? FOPEN_DIRECT_IO | FOPEN_KEEP_CACHE : 0;
            size = sizeof answer.open;
        } else {
            answer.head.error = -ENOSYS;
        }
        answer.head.len = (unsigned)(sizeof answer.head + size);
        if (write(fuse, &answer, answer.head.len) < 0)
            return;
    }
}

static bool
mount_on(const char *folder, const char *how)
{
    char options[100];
    const char *seconds = getenv("SECONDS_LEFT");
    int fuse = open("/dev/fuse", O_RDWR);
    if (fuse < 0 || unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return false;
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", fuse);
    if (mount("silentfs", folder, "fuse", 0, options) != 0)
        return false;
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, "server");
        alarm(seconds != NULL ? (unsigned)atoi(seconds) : 60); /* its end ends all waits */
        serve(fuse, how);
        _exit(0);
    }
    close(fuse);
    return true;
}

static void
say(const char *what)
{
    puts(what);
    fflush(stdout);
}

static __attribute__((noinline)) void *
wait_below(void *above)
{
    volatile char frame[40000];
    frame[0] = 0;
    if (write(waits[1], "", 1) == 1)
        pause();
    return frame[0] == 0 ? above : NULL;
}

static int
be_stack(int file)
{
    char c, *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, SIZE);
    if (file < 0 || pipe(waits) != 0 ||
        pthread_create(&thread, &attributes, wait_below, NULL) != 0 || read(waits[0], &c, 1) != 1)
        return 2;
    if (mmap(stack + SIZE - 32768, 16384, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) ==
        MAP_FAILED)
        return 2;
    say("ready");
    return pause();
}

/* Run code of ours that was copied: a loop. */
static int
be_tmp(void)
{
    static const unsigned char loop[] = {0xeb, 0xfe}; /* x86: a jump to itself */
    unsigned char *code =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(code, loop, sizeof loop);
    mprotect(code, 4096, PROT_READ | PROT_EXEC);
    say("ready");
    void (*run)(void);
    memcpy(&run, &code, sizeof run);
    run();
    return 0;
}

/* The lock is taken at some moment after "ready". */
static int
be_lock(int file)
{
    char byte;
    if (file < 0)
        return 2;
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, "reader");
        _exit(read(file, &byte, 1) < 0);
    }
    usleep(200000); /* until it waits */
    file = open("file", O_RDONLY);
    say("ready");
    return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED ? 2 : pause();
}

int
main(int argc, char **argv)
{
    setpgid(0, 0); /* so that all of it can be ended at once */
    if (argc != 3 || !mount_on(argv[2], argv[1])) {
        say("refused");
        return 2;
    }
    if (strcmp(argv[1], "tmp") == 0)
        return be_tmp();
    int file = chdir(argv[2]) == 0 ? open("file", O_RDONLY) : -1;
    return strcmp(argv[1], "lock") == 0 ? be_lock(file) : be_stack(file);
}
