/* The helper, and what it does not answer: memory whose page faults this process is to handle
 * (userfaultfd(2)), and does not. lane: live, since its time limits are real. */
#define _GNU_SOURCE /* O_CLOEXEC of userfaultfd, syscall */
#include "common/base/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "tests/unit/child.h"
#include "tests/unit/tempfolder.h"

enum { PAGE = 4096, PAGES = 16 };

/* Of linux/userfaultfd.h, which a C library need not have. */
struct uffd_api {
    uint64_t api, features, ioctls;
};

struct uffd_register {
    uint64_t start, len, mode, ioctls;
};

struct uffd_zeropage {
    uint64_t start, len, mode;
    int64_t zeroed;
};

enum { UFFD_API_VERSION = 0xaa, REGISTER_MISSING = 1 };
#define UFFD_API      _IOWR(0xaa, 0x3f, struct uffd_api)
#define UFFD_REGISTER _IOWR(0xaa, 0x00, struct uffd_register)
#define UFFD_ZEROPAGE _IOWR(0xaa, 0x04, struct uffd_zeropage)

/* Return memory that nobody can read, and in *fd what answers its page faults; NULL where only
 * root may make such. */
static char *
silent_memory(int *descriptor)
{
    int fd = *descriptor = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
    char *memory = mmap(NULL, PAGES * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct uffd_api api = {.api = UFFD_API_VERSION};
    struct uffd_register all = {(uint64_t)(uintptr_t)memory, PAGES * PAGE, REGISTER_MISSING, 0};
    if (fd < 0 || syscall(SYS_ioctl, fd, UFFD_API, &api) != 0 ||
        syscall(SYS_ioctl, fd, UFFD_REGISTER, &all) != 0)
        return NULL;
    return memory; /* the descriptor stays open: with its end the memory is as any other */
}

static int32_t
own_pid(void)
{
    return (int32_t)getpid();
}

/* Copy a byte of our memory. Return 0, or errno. */
static int
copy_from(const char *memory, char *to)
{
    errno = 0;
    return helper_copy(own_pid(), (uint64_t)(uintptr_t)memory, to, 1) == 1 ? 0 : errno;
}

/* Start a process that answers the page faults after 50 ms, in the order of the pages. Return
 * its number. */
static pid_t
answer_slowly(int fd, const char *memory)
{
    pid_t pid = fork();
    for (uint64_t i = 0; pid == 0 && i < PAGES; i++) {
        char message[64];
        struct uffd_zeropage page = {(uint64_t)(uintptr_t)memory + i * PAGE, PAGE, 0, 0};
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (read(fd, message, sizeof message) < 0)
            _exit(1);
        usleep(50000);
        syscall(SYS_ioctl, fd, UFFD_ZEROPAGE, &page);
    }
    if (pid == 0)
        _exit(0);
    return pid;
}

/* Return the number of the helper, the only child of this process; 0: the kernel does not list
 * children. */
static pid_t
find_helper(void)
{
    char path[64];
    int pid = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)own_pid());
    FILE *f = fopen(path, "re");
    if (f != NULL && fscanf(f, "%d", &pid) != 1)
        pid = 0;
    if (f != NULL)
        fclose(f);
    return pid;
}

/* Look a file up. Return 0, or errno. */
static int
look_up(const char *root, const char *path)
{
    struct helper_file file;
    int fd = helper_find(0, root, path, false, &file);
    if (fd < 0)
        return errno;
    CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    CHECK((fcntl(fd, F_GETFL) & O_PATH) != 0);
    CHECK(S_ISREG(file.st.st_mode) && file.type != 0);
    return close(fd);
}

TEST("a file is looked up, also below a folder, and not found where it is not")
{
    tempfolder_make();
    tempfolder_write("file", "text");
    CHECK(look_up(NULL, tempfolder_path("file")) == 0);
    CHECK(look_up(tempfolder, "/file") == 0);
    CHECK(look_up(tempfolder, "/../../file") == 0);
    CHECK(look_up(NULL, tempfolder_path("none")) == ENOENT);
    tempfolder_remove();
}

TEST("two files are read in turn, and what is known of them comes with it")
{
    char a[8] = "", b[8] = "";
    struct stat now;
    struct helper_file one, two;
    tempfolder_make();
    tempfolder_write("one", "first");
    tempfolder_write("two", "second");
    int first = helper_find(0, NULL, tempfolder_path("one"), false, &one);
    int second = helper_find(0, NULL, tempfolder_path("two"), false, &two);
    const struct helper_reading x = {first, 1, 0, one.st}, y = {second, 2, 0, two.st};
    CHECK(helper_read(&x, 1, a, sizeof a, &now) == 4 && memcmp(a, "irst", 4) == 0);
    CHECK(now.st_ino == one.st.st_ino && now.st_size == 5);
    CHECK(helper_read(&y, 0, b, 3, &now) == 3 && memcmp(b, "sec", 3) == 0);
    CHECK(now.st_ino == two.st.st_ino);
    CHECK(helper_read(&x, 5, a, sizeof a, &now) == 0);
    close(first);
    close(second);
    tempfolder_remove();
}

TEST("a descriptor is what its link says, cut to the room there is, or an error")
{
    char path[64], wanted[64];
    int ends[2];
    CHECK(pipe(ends) == 0);
    snprintf(wanted, sizeof wanted, "/proc/self/fd/%d", ends[0]);
    ssize_t n = readlink(wanted, path, sizeof path);
    snprintf(wanted, sizeof wanted, "%.*s", (int)n, path);
    ssize_t got = helper_descriptor(own_pid(), ends[0], path, sizeof path);
    CHECK_TEXT(span_of(path, got > 0 ? (size_t)got : 0), wanted);
    CHECK(helper_descriptor(own_pid(), ends[0], path, 5) == 5 && memcmp(path, "pipe:", 5) == 0);
    close(ends[0]);
    close(ends[1]);
    CHECK(helper_descriptor(own_pid(), ends[0], path, sizeof path) == -1 && errno == ENOENT);
}

TEST("memory is copied, and what is not mapped is an error")
{
    char to = 0;
    CHECK(copy_from("x", &to) == 0 && to == 'x');
    CHECK(copy_from(NULL, &to) == EFAULT);
}

TEST(
    "blocks of memory are copied in as many requests as that needs; what is not mapped is left out")
{
    enum { MANY = 3 * HELPER_BLOCKS_MAX / 2 };
    static const char text[] = "0123456789";
    static char copies[MANY][8];
    struct helper_block blocks[MANY];
    for (size_t i = 0; i < MANY; i++)
        blocks[i] = (struct helper_block){.addr = i % 7 == 3 ? 16 : (uintptr_t)(text + i % 5),
                                          .to = copies[i],
                                          .len = (uint32_t)(1 + i % 6)};
    CHECK(helper_copy_blocks(own_pid(), blocks, MANY));
    for (size_t i = 0; i < MANY; i++) {
        CHECK(blocks[i].ok == (i % 7 != 3));
        CHECK(!blocks[i].ok || memcmp(copies[i], text + i % 5, 1 + i % 6) == 0);
    }
}

TEST("large blocks fill several requests, and one that fits into none is an error")
{
    enum { LARGE = 3 * HELPER_READ_MAX / 4 };
    static char from[HELPER_READ_MAX], to[3][LARGE];
    struct helper_block blocks[3];
    memset(from, 'x', sizeof from);
    for (size_t i = 0; i < 3; i++)
        blocks[i] = (struct helper_block){(uintptr_t)from, to[i], LARGE, false};
    CHECK(helper_copy_blocks(own_pid(), blocks, 3));
    for (size_t i = 0; i < 3; i++)
        CHECK(blocks[i].ok && memcmp(to[i], from, LARGE) == 0);
    blocks[1].len = HELPER_READ_MAX;
    errno = 0;
    CHECK(!helper_copy_blocks(own_pid(), blocks, 3) && errno == EINVAL);
    CHECK(blocks[0].ok && !blocks[1].ok && !blocks[2].ok);
}

TEST("no block of a process that has ended is copied")
{
    char to;
    struct helper_block block = {.addr = 4096, .to = &to, .len = 1, .ok = true};
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
    errno = 0;
    CHECK(!helper_copy_blocks(pid, &block, 1) && errno == ESRCH && !block.ok);
}

/* Read slow memory. Exit with how many pages were read, 98: the process was not named, or 97: only
 * root may make such memory. */
static void
read_slowly(void *unused)
{
    char to;
    int fd, answers = 0;
    char *slow = silent_memory(&fd);
    (void)unused;
    if (slow == NULL)
        exit(97);
    helper_init(true);
    pid_t pid = answer_slowly(fd, slow);
    for (int i = 0; i < PAGES; i++)
        answers += copy_from(slow + i * PAGE, &to) == 0;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    exit(helper_next_silent() == own_pid() ? answers : 98);
}

TEST("who answers slowly each time is hardly asked again once that took as long as three silences, "
     "and is named")
{
    struct child child;
    child_run(&child, read_slowly, NULL);
    CHECK(child.status == 97 || (child.status > 0 && child.status < PAGES - 4));
}

/* A process whose memory does not answer. */
struct other {
    pid_t pid;
    char *memory;
};

/* Start one. Its memory is NULL where only root may make such. */
static struct other
start_silent(void)
{
    int ends[2], unused;
    struct other o = {0, NULL};
    if (pipe(ends) != 0 || (o.pid = fork()) < 0)
        exit(98);
    if (o.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        char *memory = silent_memory(&unused);
        if (write(ends[1], &memory, sizeof memory) == sizeof memory)
            pause();
        _exit(1);
    }
    if (read(ends[0], &o.memory, sizeof o.memory) != sizeof o.memory)
        exit(98);
    close(ends[0]);
    close(ends[1]);
    return o;
}

static int
copy_of(const struct other *o)
{
    char to;
    struct helper_block block = {(uintptr_t)o->memory, &to, 1, false};
    errno = 0;
    return helper_copy_blocks((int32_t)o->pid, &block, 1) ? 0 : errno;
}

/* Ask silent processes, and in turn this one, which answers. Exit with 97 if only root may make such
 * memory. */
static void
ask_among_silent(void *unused)
{
    enum { SILENT = 12 };
    struct other silent[SILENT];
    char to;
    (void)unused;
    for (int i = 0; i < SILENT; i++)
        if ((silent[i] = start_silent()).memory == NULL)
            exit(97);
    helper_init(true);
    CHECK(copy_from("x", &to) == 0);
    uint64_t begun = clock_now();
    for (int i = 0; i < SILENT; i++) {
        CHECK(copy_of(&silent[i]) == ETIMEDOUT);
        CHECK(copy_from("x", &to) == 0);
    }
    CHECK(clock_now() - begun >= CLOCK_SECOND / 2);
    for (int i = 0; i < SILENT; i++)
        CHECK(copy_of(&silent[i]) == EBUSY);
    CHECK(copy_from("x", &to) == 0);
    for (int i = 0; i < SILENT; i++)
        kill(silent[i].pid, SIGKILL);
    exit(test_failures > 0);
}

TEST("who always answers is asked though silent ones have used up the time, which are not asked "
     "then")
{
    struct child child;
    child_run(&child, ask_among_silent, NULL);
    CHECK_TEXT(child.out, "");
    CHECK(child.status == 97 || child.status == 0);
}

/* Keep a process, on the only processor that it may use, from running for a quarter of a second. Return
 * false if that is not permitted. */
static bool
hold_up(pid_t pid)
{
    cpu_set_t all, one;
    int ends[2];
    size_t cpu = 0;
    char begun = 0;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2 || pipe(ends) != 0)
        return false;
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_SET(cpu, &one);
    CPU_CLR(cpu, &all);
    if (sched_setaffinity(0, sizeof all, &all) != 0 ||
        sched_setaffinity(pid, sizeof one, &one) != 0)
        return false;
    pid_t holder = fork();
    if (holder == 0) {
        bool can =
            sched_setaffinity(0, sizeof one, &one) == 0 &&
            sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1}) == 0;
        uint64_t begin = clock_now();
        if (!can || write(ends[1], "x", 1) != 1)
            _exit(1);
        while (clock_now() - begin < CLOCK_SECOND / 4)
            continue;
        _exit(0);
    }
    close(ends[1]);
    return read(ends[0], &begun, 1) == 1;
}

/* Exit with 97 if the helper cannot be kept from running. */
static void
ask_held_up(void *unused)
{
    char to = 0;
    (void)unused;
    helper_init(true);
    CHECK(copy_from("x", &to) == 0);
    pid_t pid = find_helper();
    if (pid == 0 || !hold_up(pid))
        exit(97);
    uint64_t begun = clock_now();
    CHECK(copy_from("y", &to) == 0 && to == 'y');
    CHECK(clock_now() - begun > CLOCK_SECOND / 8);
    CHECK(helper_next_silent() == 0);
    exit(test_failures > 0);
}

TEST("a helper that waits for a processor gets more time, and nobody is taken for silent")
{
    struct child child;
    child_run(&child, ask_held_up, NULL);
    CHECK_TEXT(child.out, "");
    CHECK(child.status == 97 || child.status == 0);
}

TEST("a helper that somebody kills is replaced")
{
    char to = 0;
    helper_init(true);
    CHECK(copy_from("x", &to) == 0);
    pid_t pid = find_helper();
    if (pid > 0)
        kill(pid, SIGKILL);
    CHECK(copy_from("y", &to) == 0 && to == 'y');
}

TEST("who does not answer three times is hardly asked again, others are, and it is named once")
{
    char to = 0;
    int fd;
    char *silent = silent_memory(&fd);
    if (silent == NULL)
        return; /* only root may make such memory */
    helper_init(true);
    uint64_t begun = clock_now();
    for (int i = 0; i < 3; i++)
        CHECK(copy_from(silent + i * PAGE, &to) == ETIMEDOUT);
    uint64_t asked = clock_now();
    CHECK(asked - begun >= CLOCK_SECOND / 4);
    for (int i = 0; i < 1000; i++)
        CHECK(copy_from(silent, &to) == ETIMEDOUT);
    CHECK(clock_now() - asked < 30 * CLOCK_SECOND); /* 100 s if each were waited for */
    tempfolder_make();
    tempfolder_write("file", "text");
    CHECK(look_up(NULL, tempfolder_path("file")) == 0);
    tempfolder_remove();
    CHECK(helper_next_silent() == own_pid());
    CHECK(helper_next_silent() == 0);
    close(fd);

    /* Requests may take 1 % of the time: soon there is one more. */
    uint64_t end = clock_now() + 100 * (uint64_t)CLOCK_SECOND;
    while (copy_from("x", &to) != 0 && clock_now() < end)
        poll(NULL, 0, 10);
    CHECK(to == 'x');
}
