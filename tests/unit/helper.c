/* The helper, and what it does not answer: memory whose page faults this process is to handle (userfaultfd(2)), and
 * does not. */
#define _GNU_SOURCE /* O_CLOEXEC of userfaultfd, syscall */
#include "common/base/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "tests/unit/tempfolder.h"

enum { PAGE = 4096, PAGES = 16 };

/* Of linux/userfaultfd.h, which a C library need not have. */
struct uffd_api {
    uint64_t api, features, ioctls;
};

struct uffd_register {
    uint64_t start, len, mode, ioctls;
};

enum { UFFD_API_VERSION = 0xaa, REGISTER_MISSING = 1 };
#define UFFD_API      _IOWR(0xaa, 0x3f, struct uffd_api)
#define UFFD_REGISTER _IOWR(0xaa, 0x00, struct uffd_register)

/* Return memory that nobody can read; NULL where only root may make such. */
static char *
silent_memory(void)
{
    int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
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

TEST("memory is copied, and what is not mapped is an error")
{
    char to = 0;
    CHECK(copy_from("x", &to) == 0 && to == 'x');
    CHECK(copy_from(NULL, &to) == EFAULT);
}

TEST("who does not answer three times is not asked again, others are, and it is named once")
{
    char to;
    char *silent = silent_memory();
    if (silent == NULL)
        return; /* only root may make such memory */
    helper_init(true);
    uint64_t begun = clock_now();
    for (int i = 0; i < 3; i++)
        CHECK(copy_from(silent + i * PAGE, &to) == ETIMEDOUT);
    uint64_t asked = clock_now();
    CHECK(asked - begun >= CLOCK_SECOND / 4);
    for (int i = 0; i < 1000; i++)
        CHECK(copy_from("x", &to) == ETIMEDOUT);
    CHECK(clock_now() - asked < CLOCK_SECOND / 10 * 3);
    tempfolder_make();
    tempfolder_write("file", "text");
    CHECK(look_up(NULL, tempfolder_path("file")) == 0);
    tempfolder_remove();
    CHECK(helper_next_silent() == own_pid());
    CHECK(helper_next_silent() == 0);
}
