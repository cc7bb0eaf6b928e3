#define _GNU_SOURCE /* pipe2, renameat */
#include "cmd/stackrecord/archivepack.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "common/base/pipe.h"
#include "common/base/subprocess.h"

/* The strongest compression that takes less than 0.1 s and 20 MB for a usual slice. */
static const struct packer {
    const char *argv[4];
    const char *suffix;
} packers[] = {
    {{"zstd", "-qc", "-9", NULL}, ".folded.zst"},
    {{"gzip", "-c", "-9", NULL}, ".folded.gz"},
};

enum { PACKERS = sizeof packers / sizeof *packers };

/* The processes that produce the file's bytes. */
struct packing {
    pid_t printer, packer; /* packer 0: the text is not compressed */
    int fd;                /* to read the bytes from */
    const char *suffix;
};

/* Start the first packer that is installed. Return a descriptor to write text to, or -1 with
 * errno. */
static int
start_packer(struct packing *p)
{
    int text[2], packed[2];
    if (pipe2(text, O_CLOEXEC) != 0)
        return -1;
    *p = (struct packing){.fd = text[0], .suffix = ".folded"};
    if (pipe2(packed, O_CLOEXEC) != 0)
        return text[1];
    for (size_t i = 0; i < PACKERS && p->packer == 0; i++) {
        p->packer = subprocess_run(packers[i].argv, text[0], packed[1]);
        p->suffix = p->packer != 0 ? packers[i].suffix : p->suffix;
    }
    close(packed[1]);
    close(p->packer != 0 ? text[0] : packed[0]);
    p->fd = p->packer != 0 ? packed[0] : text[0];
    return text[1];
}

static bool
start(struct packing *p, void (*print)(void *ctx, struct out *out), void *ctx)
{
    static struct out out;
    int text = start_packer(p);
    if (text < 0)
        return false;
    pipe_enlarge(text);
    p->printer = fork();
    if (p->printer == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* it also holds the lock of the folder */
        close(p->fd);
        out_open(&out, text, "the slice");
        print(ctx, &out);
        out_flush(&out);
        _exit(0);
    }
    close(text);
    return p->printer > 0;
}

/* Return true if the processes have written everything. If an error stopped the reading, closing
 * the pipe ends them. */
static bool
end(const struct packing *p)
{
    if (p->fd < 0)
        return false;
    close(p->fd);
    bool printed = p->printer > 0 && subprocess_wait(p->printer) == 0;
    return (p->packer == 0 || subprocess_wait(p->packer) == 0) && printed;
}

/* Copy all bytes to the file, and set *size to their number. Return 0 or an errno. */
static int
copy(const struct archivepack_limit *limit, int from, int to, uint64_t *size)
{
    static char block[64 * 1024];
    *size = 0;
    for (ssize_t got; (got = read(from, block, sizeof block)) != 0;) {
        if (got < 0 && !pipe_retry(from, POLLIN))
            return errno;
        if (got < 0)
            continue;
        *size += (uint64_t)got;
        if (!archivefolder_make_room(limit->folder, limit->list, *size, limit->keep, limit->end))
            return EFBIG;
        if (!pipe_write(to, span_of(block, (size_t)got)))
            return errno;
    }
    return 0;
}

/* Give the file its name, and add it to the list. */
static int
name_file(const struct archivepack_limit *limit, struct slicefile name, const char *suffix,
          uint64_t size)
{
    struct archivefile file = {.is = name, .size = size};
    char text[SLICEFILE_NAME];
    int dir = limit->folder->fd;
    snprintf(file.name, sizeof file.name, "%s%s", slicefile_name(text, name), suffix);
    if (renameat(dir, ARCHIVE_UNFINISHED, dir, file.name) != 0)
        return errno;
    archivefolder_add(limit->list, &file);
    fsync(dir); /* some file systems do not support that */
    return 0;
}

int
archivepack_write(const struct archivepack_limit *limit, struct slicefile name,
                  void (*print)(void *ctx, struct out *out), void *ctx)
{
    struct packing p = {.fd = -1};
    uint64_t size;
    int dir = limit->folder->fd;
    int fd =
        openat(dir, ARCHIVE_UNFINISHED, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    bool started = start(&p, print, ctx);
    int error = started ? copy(limit, p.fd, fd, &size) : errno;
    if (!end(&p) && error == 0)
        error = EIO;
    if (error == 0 && fsync(fd) != 0)
        error = errno;
    if (close(fd) != 0 && error == 0)
        error = errno;
    if (error == 0)
        error = name_file(limit, name, p.suffix, size);
    if (error != 0)
        unlinkat(dir, ARCHIVE_UNFINISHED, 0);
    return error;
}
