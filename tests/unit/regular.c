/* Files that others may own, name or replace. All is tried twice: with openat2, and in a process to
 * which it is forbidden, as on old kernels and in old containers. */
#define _GNU_SOURCE /* syscall */
#include "common/base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "tests/unit/child.h"
#include "tests/unit/tempfolder.h"

#ifndef SYS_openat2
#define SYS_openat2 437
#endif

/* What is wrong with the file, "" if it can be opened. */
static struct span
refusal(const char *path, const struct regular *rules)
{
    const char *problem;
    int fd = regular_open(path, rules, &problem);
    CHECK((fd < 0) == (problem != NULL));
    if (fd >= 0) {
        CHECK((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY);
        CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
        close(fd);
    }
    return span_cstr(problem != NULL ? problem : "");
}

/* The same for a file in the folder "root", which is not to be left. */
static struct span
inside(const char *below)
{
    char root[128], path[512];
    snprintf(root, sizeof root, "%s/root", tempfolder);
    snprintf(path, sizeof path, "%s%s", root, below);
    return refusal(path, &(struct regular){.root = root});
}

static void
link_to(const char *target, const char *below)
{
    unlink(tempfolder_path(below));
    CHECK(symlink(target, tempfolder_path(below)) == 0);
}

static void
remove_links(void)
{
    static const char *const made[] = {"link",      "fifo",         "socket",   "hard",
                                       "root/out",  "root/to-root", "root/up",  "root/magic",
                                       "root/near", "root/outside", "root/loop"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        unlink(tempfolder_path(made[i]));
    tempfolder_remove();
}

static void
make_socket(const char *path)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0);
    close(fd);
}

TEST("of what is named by the user, regular files are opened, through links, too")
{
    tempfolder_make();
    tempfolder_write("file", "text");
    link_to("file", "link");
    CHECK(mkfifo(tempfolder_path("fifo"), 0600) == 0);
    make_socket(tempfolder_path("socket"));
    CHECK_TEXT(refusal(tempfolder_path("file"), NULL), "");
    CHECK_TEXT(refusal(tempfolder_path("link"), NULL), "");
    CHECK_TEXT(refusal(tempfolder_path("none"), NULL), "No such file or directory");
    CHECK_TEXT(refusal(tempfolder_path("fifo"), NULL), "is not a regular file");
    CHECK_TEXT(refusal(tempfolder_path("socket"), NULL), "is not a regular file");
    CHECK_TEXT(refusal(tempfolder_path(""), NULL), "is not a regular file");
    CHECK_TEXT(refusal("/dev/zero", NULL), "is not a regular file");
    remove_links();
}

TEST("a link is refused where none may be, and so is a file that is too large")
{
    tempfolder_make();
    tempfolder_write("file", "text");
    link_to("file", "link");
    CHECK_TEXT(refusal(tempfolder_path("link"), &(struct regular){.no_link = true}),
               "is a symbolic link, which is not followed");
    CHECK_TEXT(refusal(tempfolder_path("file"), &(struct regular){.most = 3}), "is too large");
    CHECK_TEXT(refusal(tempfolder_path("file"), &(struct regular){.most = 4}), "");
    remove_links();
}

TEST("a file must belong to one of its owners, and have one name")
{
    struct stat st;
    tempfolder_make();
    tempfolder_write("file", "text");
    CHECK(stat(tempfolder_path("file"), &st) == 0);
    struct regular_owners others = {{st.st_uid + 1, st.st_uid + 2}, 2};
    struct regular_owners it = {{st.st_uid + 1, st.st_uid}, 2};
    CHECK_TEXT(refusal(tempfolder_path("file"), &(struct regular){.owners = &others}),
               "belongs neither to its process's user, nor to you, nor to root");
    CHECK_TEXT(refusal(tempfolder_path("file"), &(struct regular){.owners = &it}), "");
    CHECK(link(tempfolder_path("file"), tempfolder_path("hard")) == 0);
    CHECK_TEXT(refusal(tempfolder_path("file"), &(struct regular){.owners = &it}),
               "has another name (a hard link), and may be another user's file");
    CHECK_TEXT(refusal(tempfolder_path("file"), NULL), "");
    remove_links();
}

/* A folder "root" with links that lead out of it if they are followed as usual. */
static void
make_root(void)
{
    tempfolder_make();
    tempfolder_write("secret", "text");
    tempfolder_write("root/folder/file", "text");
    tempfolder_write("root/file", "text");
    link_to("../secret", "root/up");
    link_to(tempfolder_path("secret"), "root/out");
    link_to("/proc/self/root", "root/magic");
    link_to("..", "root/outside");
    link_to("loop", "root/loop");
    link_to("/file", "root/to-root");
    link_to("folder", "root/near");
}

/* What holds with and without openat2. */
static void
check_root(void)
{
    static const char *const leave[] = {"/up",
                                        "/out",
                                        "/outside/secret",
                                        "/../secret",
                                        "/folder/../../secret",
                                        "/magic/etc/passwd",
                                        "/loop",
                                        "",
                                        "/",
                                        "/none/file"};
    CHECK_TEXT(inside("/file"), "");
    CHECK_TEXT(inside("/folder/file"), "");
    CHECK_TEXT(inside("//folder//file"), "");
    for (size_t i = 0; i < sizeof leave / sizeof *leave; i++)
        CHECK(inside(leave[i]).len > 0);
}

static bool
has_openat2(void)
{
    return syscall(SYS_openat2, -1, "", NULL, 0) == -1 && errno != ENOSYS && errno != EPERM;
}

TEST("a path in a folder does not leave it by links, and links inside lead to files inside")
{
    make_root();
    check_root();
    if (has_openat2()) {
        CHECK_TEXT(inside("/to-root"), "");
        CHECK_TEXT(inside("/near/file"), "");
        CHECK_TEXT(inside("/folder/../file"), "");
    }
    remove_links();
}

/* Makes openat2 fail with that error. */
static void
forbid(uint32_t error)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static void
check_by_steps(void *error)
{
    forbid(*(uint32_t *)error);
    check_root();
    CHECK(!has_openat2());
    CHECK_TEXT(inside("/to-root"), "is a symbolic link, which is not followed");
    CHECK(inside("/near/file").len > 0);
    CHECK_TEXT(inside("/folder/../file"), "leads out of its folder");
    exit(test_failures > 0);
}

TEST("without openat2, no link is followed in a folder")
{
    uint32_t errors[] = {ENOSYS, EPERM};
    make_root();
    for (size_t i = 0; i < 2; i++) {
        struct child c;
        child_run(&c, check_by_steps, &errors[i]);
        CHECK_TEXT(c.out, "");
        CHECK(c.status == 0);
    }
    remove_links();
}

TEST("refused files leave no descriptor open")
{
    make_root();
    int before = dup(STDIN_FILENO);
    close(before);
    check_root();
    int after = dup(STDIN_FILENO);
    close(after);
    CHECK(before == after);
    remove_links();
}
