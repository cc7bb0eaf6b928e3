/* Files below a folder; more of this is in regular.c, which asks for O_PATH alone. */
#include "common/base/beneath.h"

#include <errno.h>
#include <fcntl.h>

#include "tests/unit/tempfolder.h"

/* Return what the file begins with, which is opened to be read. */
static char
first_of(const char *path, int flags)
{
    char root[128], c = 0;
    snprintf(root, sizeof root, "%s/root", tempfolder);
    int fd = beneath_open(root, path, O_RDONLY | flags);
    if (fd < 0)
        return errno == ELOOP ? 'L' : '-';
    CHECK(read(fd, &c, 1) == 1);
    close(fd);
    return c;
}

TEST("a file is opened to be read, also by links, and never outside of the folder")
{
    tempfolder_make();
    tempfolder_write("file", "outside");
    tempfolder_write("root/file", "inside");
    CHECK(symlink("/file", tempfolder_path("root/link")) == 0);
    CHECK(symlink("../../file", tempfolder_path("root/up")) == 0);
    CHECK(first_of("/file", 0) == 'i');
    CHECK(first_of("/link", 0) == 'i');
    CHECK(first_of("/up", 0) == 'i');
    CHECK(first_of("/link", O_NOFOLLOW) == 'L');
    CHECK(first_of("/none", 0) == '-');
    unlink(tempfolder_path("root/link"));
    unlink(tempfolder_path("root/up"));
    tempfolder_remove();
}
