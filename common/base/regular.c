/* Files are opened again through /proc/self/fd: proc(5). The numbers of file systems are in
 * statfs(2), linux/magic.h, and in the sources of Linux and ZFS. */
#define _GNU_SOURCE /* O_PATH */
#include "common/base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "common/base/beneath.h"
#include "common/base/helper.h"
#include "common/base/lines.h"
#include "common/base/num.h"

enum { READ = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };

static bool
is_among(long type, const uint32_t *types, size_t n)
{
    size_t i = 0;
    while (i < n && types[i] != (uint32_t)type)
        i++;
    return i < n;
}

/* Return true for file systems that wait only for devices of this machine, and that only root can
 * mount. Requests to all others are made through the helper. */
static bool
is_local(long type)
{
    static const uint32_t types[] = {0xef53 /* ext2, ext3, ext4 */, 0x58465342 /* xfs */,
                                     0x9123683e /* btrfs */,        0x01021994 /* tmpfs */,
                                     0x858458f6 /* ramfs */,        0xf2f52010 /* f2fs */,
                                     0x73717368 /* squashfs */,     0xe0f5e1e2 /* erofs */,
                                     0x9660 /* iso9660 */,          0x4d44 /* vfat */,
                                     0x2011bab0 /* exfat */,        0x3434 /* nilfs2 */,
                                     0xca451a4e /* bcachefs */,     0x2fc12fc1 /* zfs */};
    return is_among(type, types, sizeof types / sizeof *types);
}

/* Return true for file systems whose files are requests to the kernel or a device. Reading them may
 * wait, consume data meant for others, or start an action. */
static bool
holds_no_files(long type)
{
    static const uint32_t types[] = {
        0x9fa0 /* proc */,           0x62656572 /* sysfs */,       0x64626720 /* debugfs */,
        0x74726163 /* tracefs */,    0x27e0eb /* cgroup */,        0x63677270 /* cgroup2 */,
        0x73636673 /* securityfs */, 0xf97cff8c /* selinuxfs */,   0x43415d53 /* smackfs */,
        0x5a3c69f0 /* apparmorfs */, 0xcafe4a11 /* bpf */,         0x6165676c /* pstore */,
        0xde5e81e4 /* efivarfs */,   0x42494e4d /* binfmt_misc */, 0x6e736673 /* nsfs */,
        0x07655821 /* resctrl */,    0xabba1974 /* xenfs */,       0x9fa1 /* openpromfs */,
        0x62656570 /* configfs */,   0x65735543 /* fusectl */,     0x19800202 /* mqueue */};
    return is_among(type, types, sizeof types / sizeof *types);
}

/* Return true if a line of the file begins with the word. Set *rest to the text after it. */
static bool
find_line(const char *path, const char *word, char *rest, size_t size)
{
    char line[256];
    bool begins = true, found = false; /* begins: the next byte read is at the start of a line */
    FILE *f = fopen(path, "re");
    size_t len = strlen(word);
    while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
        found = begins && strncmp(line, word, len) == 0;
        begins = strchr(line, '\n') != NULL;
    }
    if (found)
        snprintf(rest, size, "%s", line + len);
    if (f != NULL)
        fclose(f);
    return found;
}

/* Return true if the file is in a mount of our own mount namespace: /proc/PID/fdinfo and mountinfo
 * in proc(5). Users can mount overlayfs over a file system that never answers, but only in
 * namespaces of their own. Containers, however, have overlayfs as their root folder. */
static bool
is_mounted_here(int fd)
{
    char path[40], id[16], rest[16];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
    if (!find_line(path, "mnt_id:\t", id, sizeof id - 1))
        return false;
    id[strcspn(id, "\n")] = ' ';
    return find_line("/proc/self/mountinfo", id, rest, sizeof rest);
}

/* Return true if reading the file may have to wait for others. Among the kernel's files, this is so
 * for those of processes. Without /proc, there is no way to let the helper read a file. */
static bool
can_wait(const struct regular *rules, long type, int fd)
{
    enum { OVERLAYFS_SUPER_MAGIC = 0x794c7630 };
    if (access("/proc/self/fd", F_OK) != 0)
        return false;
    if (holds_no_files(type))
        return rules->pid != 0;
    return !is_local(type) && !(type == OVERLAYFS_SUPER_MAGIC && is_mounted_here(fd));
}

static bool
has_owner(const struct regular_owners *owners, uid_t uid)
{
    size_t i = 0;
    while (i < owners->count && owners->uid[i] != uid)
        i++;
    return i < owners->count;
}

/* Return what is wrong with the file, or NULL if it is all right. */
static const char *
find_problem(const struct regular *rules, const struct helper_file *file)
{
    const struct stat *st = &file->st;
    if (S_ISLNK(st->st_mode))
        return "is a symbolic link, which is not followed";
    if (!S_ISREG(st->st_mode))
        return "is not a regular file";
    if (holds_no_files(file->type) && !rules->kernel)
        return "belongs to the kernel, and is not a file on a disk";
    if (rules->owners != NULL && !has_owner(rules->owners, st->st_uid))
        return rules->owners->count == 1
                   ? "belongs to another user than its process"
                   : "belongs neither to its process's user, nor to you, nor to root";
    if (rules->namer != NULL && *rules->namer != st->st_uid)
        return "belongs to another user than the file that names it";
    if (rules->owners != NULL && st->st_nlink > 1)
        return "has another name (a hard link), and may be another user's file";
    if (rules->most > 0 && (uint64_t)st->st_size > rules->most)
        return rules->most >> 30 > 0 ? "is larger than a gigabyte" : "is too large";
    return NULL;
}

const char *
regular_error(int error)
{
    return error == ETIMEDOUT ? "is in a file system that does not answer" : strerror(error);
}

/* Return the descriptor of this program that a path such as "/proc/self/fd/7" names, or -1 for
 * other paths. In the helper, such a path would name another file, or none. */
static int
named_descriptor(const char *path)
{
    uint64_t fd;
    struct span s = span_cstr(path);
    if (span_eq(s, SPAN("/dev/stdin")))
        return STDIN_FILENO;
    if (!span_skip(&s, SPAN("/proc/self/fd/")) && !span_skip(&s, SPAN("/dev/fd/")))
        return -1;
    return num_u64(s, &fd) && fd <= INT_MAX ? (int)fd : -1;
}

/* Find the file without opening it. Return a descriptor, or -1 with errno. */
static int
find(const char *path, const struct regular *rules, struct helper_file *file)
{
    const char *root = rules->root != NULL && rules->root[0] != '\0' ? rules->root : NULL;
    int held = root == NULL ? named_descriptor(path) : -1;
    if (held < 0)
        return helper_find(rules->pid, root, path + (root != NULL ? strlen(root) : 0),
                           rules->no_link, file);
    int fd = fcntl(held, F_DUPFD_CLOEXEC, 0);
    if (fd >= 0 && !helper_look(fd, file)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Open the local file `found` for reading. If /proc is not mounted, open it by its name, and make
 * sure that it is the same file. */
static int
open_found(int found, const char *path, const struct regular *rules, const struct stat *st)
{
    char name[32];
    struct stat now;
    snprintf(name, sizeof name, "/proc/self/fd/%d", found);
    int fd = open(name, READ);
    if (fd >= 0 || (errno != ENOENT && errno != ENOTDIR))
        return fd;
    const int flags = READ | (rules->no_link ? O_NOFOLLOW : 0);
    if (rules->root == NULL || rules->root[0] == '\0')
        fd = open(path, flags);
    else
        fd = beneath_open(rules->root, path + strlen(rules->root), flags);
    if (fd < 0 || (fstat(fd, &now) == 0 && now.st_dev == st->st_dev && now.st_ino == st->st_ino))
        return fd;
    close(fd);
    errno = EAGAIN;
    return -1;
}

const char *
regular_open(struct regular_file *f, const char *path, const struct regular *rules)
{
    static const struct regular any = {0};
    static uint64_t keys;
    struct helper_file file;
    rules = rules != NULL ? rules : &any;
    *f = (struct regular_file){.fd = -1};
    int found = find(path, rules, &file);
    if (found < 0)
        return regular_error(errno);
    *f = (struct regular_file){.fd = found,
                               .st = file.st,
                               .key = ++keys,
                               .pid = rules->pid,
                               .most = rules->most,
                               .asked = can_wait(rules, file.type, found)};
    const char *problem = find_problem(rules, &file);
    if (problem == NULL && !f->asked) {
        f->fd = open_found(found, path, rules, &file.st);
        problem = f->fd < 0 ? strerror(errno) : NULL;
        close(found);
    }
    if (problem != NULL)
        regular_close(f);
    return problem;
}

struct regular_file
regular_of(int fd)
{
    struct regular_file f = {.fd = fd};
    fstat(fd, &f.st);
    return f;
}

ssize_t
regular_read(struct regular_file *f, uint64_t offset, void *to, size_t n, struct stat *now)
{
    struct stat unused;
    if (f->asked)
        return helper_read(&(struct helper_reading){f->fd, f->key, f->pid, f->st}, offset, to, n,
                           now != NULL ? now : &unused);
    ssize_t got;
    while ((got = pread(f->fd, to, n, (off_t)offset)) < 0 && errno == EINTR)
        continue;
    return got >= 0 && now != NULL && fstat(f->fd, now) != 0 ? -1 : got;
}

bool
regular_stat(const struct regular_file *f, struct stat *now)
{
    struct helper_file file;
    if (!f->asked)
        return fstat(f->fd, now) == 0;
    if (!helper_look(f->fd, &file))
        return false;
    *now = file.st;
    return true;
}

static ssize_t
read_on(void *file, void *to, size_t n)
{
    struct regular_file *f = file;
    if (f->most > 0 && f->at > f->most) { /* it grew, or the reported size was wrong */
        errno = EFBIG;
        return -1;
    }
    ssize_t got = regular_read(f, f->at, to, n, NULL);
    f->at += got > 0 ? (uint64_t)got : 0;
    return got;
}

void
regular_lines(struct regular_file *f, struct lines *l)
{
    f->at = 0;
    lines_start_with(l, read_on, f);
}

void
regular_close(struct regular_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}
