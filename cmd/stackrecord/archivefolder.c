#define _GNU_SOURCE /* flock, O_DIRECTORY */
#include "cmd/stackrecord/archivefolder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Lock the folder. Return false if that fails for a second. */
static bool
lock(int fd)
{
    enum { TRIES = 20, PAUSE_MS = 50 };
    for (int i = 0; i < TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK)
            return false;
        poll(NULL, 0, PAUSE_MS);
    }
    return false;
}

/* Lock the folder. Return NULL, or why it cannot be used. Users who may write to it could make this
 * program replace and remove its files. */
static const char *
what_is_wrong(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return strerror(errno);
    if (st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return "other users can write to this folder: give one of your own, with mode 700";
    if (lock(fd))
        return NULL;
    return errno == EWOULDBLOCK ? "another recorder writes to this folder: give each its own"
                                : strerror(errno);
}

const char *
archivefolder_open(struct archivefolder *f, const char *name)
{
    *f = (struct archivefolder){.name = name, .fd = -1};
    if (mkdir(name, 0700) != 0 && errno != EEXIST)
        return strerror(errno);
    f->fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->fd < 0)
        return strerror(errno);
    return what_is_wrong(f->fd);
}

static int
in_order(const void *a, const void *b)
{
    const struct archivefile *left = a, *right = b;
    int order = slicefile_compare(&left->is, &right->is);
    return order != 0 ? order : strcmp(left->name, right->name);
}

/* Round a size up to the blocks of a usual file system, so that neither ls nor du shows more than
 * the limit. */
static uint64_t
in_blocks(uint64_t size)
{
    const uint64_t block = 4096;
    return (size + block - 1) / block * block;
}

static void
add_entry(const struct archivefolder *f, struct archivelist *list, const char *name)
{
    struct archivefile file;
    struct stat st;
    size_t len = strlen(name);
    if (len >= sizeof file.name || !slicefile_parse(span_of(name, len), &file.is) ||
        fstatat(f->fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
        return;
    memcpy(file.name, name, len + 1);
    file.size = in_blocks((uint64_t)st.st_size);
    list->total += file.size;
    VEC_ADD(list->files, file);
}

/* Remove slices that are also in the file of an hour: their recorder was killed after it had made
 * that file and before it had removed them all. */
static void
remove_merged(const struct archivefolder *f, struct archivelist *list)
{
    struct archivefile *at = list->files.at;
    struct slicefile_hours hours = {0};
    size_t kept = 0;
    for (size_t i = 0; i < list->files.n; i++) {
        if (slicefile_is_merged(&hours, at[i].is))
            archivefolder_remove(f, list, i);
        else
            at[kept++] = at[i];
    }
    free(hours.list.at);
    list->files.n = kept;
}

bool
archivefolder_read(const struct archivefolder *f, struct archivelist *list)
{
    int fd = openat(f->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL)
        return false;
    list->files.n = list->first = 0;
    list->total = 0;
    unlinkat(f->fd, ARCHIVE_UNFINISHED, 0);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        add_entry(f, list, entry->d_name);
    closedir(dir);
    if (list->files.n > 0)
        qsort(list->files.at, list->files.n, sizeof *list->files.at, in_order);
    remove_merged(f, list);
    return true;
}

void
archivefolder_add(struct archivelist *list, const struct archivefile *file)
{
    VEC_ADD(list->files, *file);
    struct archivefile *at = list->files.at;
    size_t i = list->files.n - 1;
    for (; i > list->first && in_order(&at[i - 1], file) > 0; i--)
        at[i] = at[i - 1];
    at[i] = *file;
    at[i].size = in_blocks(file->size);
    list->total += at[i].size;
}

void
archivefolder_remove(const struct archivefolder *f, struct archivelist *list, size_t i)
{
    struct archivefile *file = &list->files.at[i];
    unlinkat(f->fd, file->name, 0);
    list->total -= file->size;
    file->size = 0;
}

bool
archivefolder_make_room(const struct archivefolder *f, struct archivelist *list, uint64_t n,
                        uint64_t keep, size_t end)
{
    n = in_blocks(n);
    while (n > keep || list->total > keep - n) {
        if (list->first == list->files.n || list->first >= end)
            return false;
        archivefolder_remove(f, list, list->first++);
    }
    return true;
}

void
archivefolder_forget(const struct archivefolder *f, struct archivelist *list, uint64_t seconds)
{
    uint64_t held = 0;
    size_t i = list->files.n;
    while (i > list->first && held < seconds) {
        const struct archivefile *file = &list->files.at[--i];
        uint64_t gap = i + 1 < list->files.n ? file[1].is.begin - file->is.begin : 0;
        held += gap < SLICEFILE_HOUR ? gap : SLICEFILE_HOUR;
    }
    while (list->first < i)
        archivefolder_remove(f, list, list->first++);
}
