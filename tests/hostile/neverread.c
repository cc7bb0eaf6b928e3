/* neverread DIR: mount a file system (FUSE) on the folder, in a mount namespace of this process, and wait
 * in a thread whose stack is a file of it, above the frame that waits. Who reads that file waits for
 * ever. Prints "ready", or "refused" where there is no FUSE or it may not be mounted. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE = 1 << 20 };

static int waits[2];

/* Answer the kernel, but for reading. */
static void
serve(int fuse)
{
    static struct {
        struct fuse_in_header head;
        char rest[1 << 17];
    } ask;
    const struct fuse_attr folder = {.ino = 1, .mode = S_IFDIR | 0755, .nlink = 2},
                           file = {.ino = 2, .size = SIZE, .mode = S_IFREG | 0644, .nlink = 1};
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
        if (ask.head.opcode == FUSE_READ)
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
            size = sizeof answer.open;
        } else {
            answer.head.error = -ENOSYS;
        }
        answer.head.len = (unsigned)(sizeof answer.head + size);
        if (write(fuse, &answer, answer.head.len) < 0)
            return;
    }
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
refused(void)
{
    puts("refused");
    return 2;
}

int
main(int argc, char **argv)
{
    char options[100], c, *stack;
    int fuse = open("/dev/fuse", O_RDWR), file;
    pthread_attr_t attributes;
    pthread_t thread;
    if (argc != 2 || fuse < 0 || unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return refused();
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", fuse);
    if (mount("neverread", argv[1], "fuse", 0, options) != 0)
        return refused();
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve(fuse);
        _exit(0);
    }
    close(fuse);
    file = chdir(argv[1]) == 0 ? open("file", O_RDONLY) : -1;
    stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, SIZE);
    if (file < 0 || pipe(waits) != 0 ||
        pthread_create(&thread, &attributes, wait_below, NULL) != 0 || read(waits[0], &c, 1) != 1)
        return 2;
    if (mmap(stack + SIZE - 32768, 16384, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) ==
        MAP_FAILED)
        return 2;
    puts("ready");
    fflush(stdout);
    pause();
}
