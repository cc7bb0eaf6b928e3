/* COMPRESSED: header, the stream's bytes. COMPRESSED2: header, u64 size, so many of the stream's
 * bytes, padding. */
#include "common/event/packed.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cursor.h"
#include "common/base/pipe.h"
#include "common/base/subprocess.h"
#include "common/base/temporary.h"
#include "common/event/record.h"

const char *
packed_add(struct packed *p, struct span record)
{
    struct cursor c = {.rest = span_from(record, RECORD_HEADER)};
    bool sized = load_u32(record.ptr) == PERF_RECORD_COMPRESSED2;
    struct span bytes = cursor_take(&c, sized ? cursor_u64(&c) : c.rest.len);
    if (c.cut || bytes.len == 0)
        return "a compressed record is shorter than its contents";
    if (!p->any && (p->fd = temporary_open()) < 0)
        return "compressed records need a temporary file; TMPDIR names its directory";
    p->any = true;
    return pipe_write(p->fd, bytes) ? NULL : strerror(errno);
}

const char *
packed_read(struct packed *p)
{
    const char *const argv[] = {"zstd", "-dcq", NULL};
    /* perf does not end the stream, and the program then drops what it has decompressed last. This
     * ends it: a last block, raw, of no bytes (RFC 8878, 3.1.1.2). */
    const struct span end = SPAN("\x01\x00\x00");
    int out = temporary_open();
    if (out < 0)
        return "compressed records need a temporary file; TMPDIR names its directory";
    lines_start(&p->lines, out);
    if (!pipe_write(p->fd, end) || lseek(p->fd, 0, SEEK_SET) != 0)
        return strerror(errno);
    pid_t pid = subprocess_run(argv, p->fd, out);
    if (pid == 0)
        return "the records are compressed by zstd, which cannot be run here: install it, or "
               "record without -z";
    subprocess_wait(pid);
    return lseek(out, 0, SEEK_SET) == 0 ? NULL : strerror(errno);
}

void
packed_free(struct packed *p)
{
    if (p->any)
        close(p->fd);
    if (p->lines.cap > 0)
        close(p->lines.fd);
    lines_free(&p->lines);
    *p = (struct packed){0};
}
