/* Files that others may own, name or replace. */
#include "common/base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "common/base/lines.h"
#include "tests/unit/tempfolder.h"

/* What is wrong with the file, "" if it can be opened. */
static struct span
refusal(const char *path, const struct regular *rules)
{
    struct regular_file f;
    const char *problem = regular_open(&f, path, rules);
    CHECK((f.fd < 0) == (problem != NULL));
    if (f.fd >= 0) {
        CHECK((fcntl(f.fd, F_GETFL) & O_ACCMODE) == O_RDONLY);
        CHECK((fcntl(f.fd, F_GETFD) & FD_CLOEXEC) != 0);
        regular_close(&f);
    }
    return span_cstr(problem != NULL ? problem : "");
}

/* The same for a file in the folder "root", which is not to be left. */
static struct span
inside(const char *below)
{
    char root[128], path[4300];
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

TEST("this program's own descriptors are opened by each of their names, and nothing else by what "
     "is like one")
{
    char path[64];
    tempfolder_make();
    tempfolder_write("file", "text");
    int fd = open(tempfolder_path("file"), O_RDONLY | O_CLOEXEC);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    CHECK_TEXT(refusal(path, NULL), "");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    CHECK_TEXT(refusal(path, NULL), "");
    snprintf(path, sizeof path, "/proc/self/fd/ %d", fd);
    CHECK_TEXT(refusal(path, NULL), "No such file or directory");
    snprintf(path, sizeof path, "/proc/self/fd/+%d", fd);
    CHECK_TEXT(refusal(path, NULL), "No such file or directory");
    close(fd);
    remove_links();
}

TEST("a file that has more bytes than the rules allow once it is read is read no further")
{
    struct regular_file f;
    struct lines lines = {0};
    struct span line;
    tempfolder_make();
    tempfolder_write("file", "text");
    CHECK(regular_open(&f, tempfolder_path("file"), &(struct regular){.most = 4}) == NULL);
    tempfolder_write("file", "text and more");
    regular_lines(&f, &lines);
    while (lines_next(&lines, &line))
        continue;
    CHECK(lines.error == EFBIG);
    lines_free(&lines);
    regular_close(&f);
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

TEST("a path in a folder does not leave it by links, and links inside lead to files inside")
{
    static const char *const leave[] = {"/up",
                                        "/out",
                                        "/outside/secret",
                                        "/../secret",
                                        "/folder/../../secret",
                                        "/magic/etc/passwd",
                                        "/none/file"};
    static const char *const stay[] = {"/file",
                                       "//folder//file",
                                       "/./folder/./file",
                                       "/to-root",
                                       "/near/file",
                                       "/near/../file",
                                       "/folder/../file",
                                       "/folder/./../folder/file",
                                       "/../../file",
                                       "/outside/outside/near/file",
                                       "/magic/file"};
    make_root();
    for (size_t i = 0; i < sizeof leave / sizeof *leave; i++)
        CHECK_TEXT(inside(leave[i]), "No such file or directory");
    link_to("/", "root/magic"); /* what /proc/self/root says of itself */
    for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
        CHECK_TEXT(inside(stay[i]), "");
    CHECK_TEXT(inside(""), "Is a directory");
    CHECK_TEXT(inside("/"), "Is a directory");
    CHECK_TEXT(inside("/folder"), "is not a regular file");
    CHECK_TEXT(inside("/file/x"), "Not a directory");
    remove_links();
}

TEST("links that lead to themselves, and paths without end, end")
{
    char text[4090];
    make_root();
    CHECK_TEXT(inside("/loop"), strerror(ELOOP));
    memset(text, '/', sizeof text);
    text[sizeof text - 1] = '\0';
    CHECK(inside(text).len > 0);
    CHECK_TEXT(refusal(tempfolder_path("root/loop"), NULL), strerror(ELOOP));
    remove_links();
}

TEST("refused files leave no descriptor open")
{
    static const char *const some[] = {"/file", "/none/file", "/loop",   "/near/file",
                                       "/up",   "/folder",    "/near/x", ""};
    make_root();
    int before = dup(STDIN_FILENO);
    close(before);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        inside(some[i]);
    int after = dup(STDIN_FILENO);
    close(after);
    CHECK(before == after);
    remove_links();
}
