/* Processes that make a recorder of all processes keep more and more:
 *
 *     hostile SECONDS PROCESSES WHAT...
 *
 * WHAT is one of the rows of `kinds` below; the processes share them out. Each runs until the time
 * is over or its parent ends. Files are made in the current folder, and perf maps in /tmp, which
 * are removed in the end. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, MAP_MB = 24 };

static int number; /* of this process */

/* Maps code: a page of the file, or with -1 memory of its own. */
static void
map_code(int fd)
{
    int flags = MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : 0);
    if (mmap(NULL, PAGE, PROT_READ | PROT_EXEC, flags, fd, 0) == MAP_FAILED)
        perror("mmap");
}

/* New names of a thread. */
static void
names(void)
{
    static unsigned long n;
    char name[16];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "n%lx", n++);
        prctl(PR_SET_NAME, name);
    }
}

/* Code of a file at addresses that had none, and none remains. */
static void
maps(void)
{
    static char *at = (char *)0x100000000000;
    static int fd = -1;
    if (fd < 0)
        fd = open("/proc/self/exe", O_RDONLY);
    for (int i = 0; i < 1000; i++, at += 2 * PAGE)
        if (mmap(at, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0) == at)
            munmap(at, PAGE);
}

/* Code of a file that has a new, long name each time. */
static void
files(void)
{
    static unsigned long n;
    static char *at = (char *)0x200000000000;
    char old[256], name[256];
    for (int i = 0; i < 1000; i++, at += 2 * PAGE) {
        snprintf(old, sizeof old, "%0200d.%lu", number, n);
        snprintf(name, sizeof name, "%0200d.%lu", number, ++n);
        int fd = n > 1 ? (rename(old, name), open(name, O_RDONLY))
                       : open(name, O_RDWR | O_CREAT | O_TRUNC, 0700);
        if (mmap(at, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0) == at)
            munmap(at, PAGE);
        close(fd);
    }
    unlink(name);
    n = 0;
}

/* Processes that end at once, with a map of their own. */
static void
forks(void)
{
    for (int i = 0; i < 20; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            map_code(-1);
            _exit(0);
        }
        if (pid > 0)
            waitpid(pid, NULL, 0);
    }
}

/* A perf map that grows, with addresses that are used again and others, and is begun again. */
static void
perfmap(void)
{
    static FILE *f;
    static unsigned long n;
    char path[64];
    if (f == NULL) {
        map_code(-1);
        snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
        f = fopen(path, "w");
    }
    for (int i = 0; f != NULL && i < 10000; i++, n++)
        fprintf(f, "%lx %x function%lu\n", (n & 1 ? n * 64 : n % 4096 * 64), 48 + (int)(n % 64), n);
    fflush(f);
    if (ftell(f) > MAP_MB << 20) {
        rewind(f);
        if (ftruncate(fileno(f), 0) != 0)
            return;
    }
    usleep(1000);
}

/* A copy of its own program as a library, which is cut while it is mapped. */
static void
truncation(void)
{
    char block[1 << 16], name[32];
    snprintf(name, sizeof name, "library%d", number);
    int from = open("/proc/self/exe", O_RDONLY), to = open(name, O_RDWR | O_CREAT | O_TRUNC, 0700);
    for (ssize_t n; (n = read(from, block, sizeof block)) > 0;)
        if (write(to, block, (size_t)n) != n)
            break;
    close(from);
    map_code(to);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execl(name, name, "spin", (char *)NULL);
        _exit(1);
    }
    usleep(20000);
    /* A file that is executed cannot be written, but one that was can be cut. */
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    if (ftruncate(to, 100) != 0)
        perror("ftruncate");
    close(to);
    unlink(name);
}

static const struct kind {
    const char *name;
    void (*once)(void);
} kinds[] = {{"names", names}, {"maps", maps},       {"files", files},
             {"forks", forks}, {"perfmap", perfmap}, {"truncation", truncation}};

static const struct kind *
kind_of(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    fprintf(stderr, "hostile: no '%s'\n", name);
    exit(2);
}

static pid_t
start(const struct kind *kind)
{
    pid_t parent = getpid(), pid = fork();
    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == parent)
        kind->once();
    _exit(0);
}

static void
finish(int signal_number)
{
    (void)signal_number; /* it interrupts the sleep */
}

int
main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "spin") == 0)
        for (volatile unsigned i = 0;; i++)
            continue;
    if (argc < 4)
        return 2;
    int count = atoi(argv[2]);
    pid_t *pids = calloc((size_t)count, sizeof *pids);
    struct sigaction end = {.sa_handler = finish};
    sigaction(SIGTERM, &end, NULL);
    sigaction(SIGINT, &end, NULL);
    for (number = 0; number < count; number++)
        pids[number] = start(kind_of(argv[3 + number % (argc - 3)]));
    sleep((unsigned)atoi(argv[1]));
    for (int i = 0; i < count; i++) {
        char path[300];
        if (pids[i] <= 0)
            continue;
        kill(pids[i], SIGKILL);
        waitpid(pids[i], NULL, 0);
        snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)pids[i]);
        unlink(path);
    }
    free(pids);
}
