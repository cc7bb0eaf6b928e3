/* COMPRESSED: header, bytes of the stream. COMPRESSED2: header, u64 size, that number of bytes of
 * the stream, padding. */
#define _GNU_SOURCE /* pipe2 */
#include "common/event/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cursor.h"
#include "common/base/num.h"
#include "common/base/pipe.h"
#include "common/base/subprocess.h"
#include "common/base/temporary.h"
#include "common/event/record.h"

static bool
fail(struct packed *p, const char *problem, uint64_t offset)
{
    if (p->problem == NULL) {
        p->problem = problem;
        p->problem_at = offset;
    }
    return false;
}

/* Start at the first compressed record. */
static bool
begin(struct packed *p, uint64_t offset)
{
    p->any = true;
    p->first = offset;
    p->most = PACKED_START;
    p->fd = temporary_open();
    p->opened = p->fd >= 0;
    return p->opened ||
           fail(p, "compressed records need a temporary file; TMPDIR names its directory", offset);
}

void
packed_add(struct packed *p, struct span record, uint64_t offset)
{
    struct cursor c = cursor_of(span_from(record, RECORD_HEADER));
    bool sized = load_u32(record.ptr) == PERF_RECORD_COMPRESSED2;
    struct span bytes = cursor_take(&c, sized ? cursor_u64(&c) : cursor_left(&c));
    if (p->problem != NULL || (!p->any && !begin(p, offset)))
        return;
    p->last = offset;
    p->most += bytes.len < PACKED_RECORD / PACKED_TIMES ? bytes.len * PACKED_TIMES : PACKED_RECORD;
    if (c.cut || bytes.len == 0)
        fail(p, "a compressed record is shorter than its contents", offset);
    else if (!pipe_write(p->fd, bytes))
        fail(p, strerror(errno), offset);
    else if (!zstdframes_add(&p->frames, bytes))
        fail(p, "a compressed record is damaged; those after it cannot be read either", offset);
}

/* End the stream after its last complete block, and seek to its start. perf does not end it, and if
 * zstd fails then, it drops the last data that it has decompressed. */
static bool
end_stream(struct packed *p)
{
    const struct span last = SPAN("\x01\x00\x00"); /* an empty block: RFC 8878, 3.1.1.2 */
    off_t whole = (off_t)p->frames.whole;
    if (lseek(p->fd, 0, SEEK_CUR) != whole)
        fail(p, "the compressed records end inside what this one holds", p->last);
    return ftruncate(p->fd, whole) == 0 && lseek(p->fd, whole, SEEK_SET) == whole &&
           (p->frames.after == ZSTDFRAMES_FRAME || pipe_write(p->fd, last)) &&
           lseek(p->fd, 0, SEEK_SET) == 0;
}

bool
packed_start(struct packed *p)
{
    const char *const argv[] = {"zstd", "-dcq", NULL};
    int ends[2];
    if (!p->opened)
        return false;
    if (!end_stream(p) || pipe2(ends, O_CLOEXEC) != 0)
        return fail(p, strerror(errno), p->first);
    pipe_enlarge(ends[0]);
    p->tool = subprocess_run(argv, p->fd, ends[1]);
    close(ends[1]);
    lines_start(&p->lines, ends[0]);
    return p->tool > 0 || fail(p,
                               "the records are compressed by zstd, which cannot be run here: "
                               "install it, or record without -z",
                               p->first);
}

/* Report, at the first compressed record, why the rest of the stream cannot be read. */
static void
fail_after(struct packed *p, const char *why, uint64_t read)
{
    snprintf(p->text, sizeof p->text,
             "%s: of the compressed records that begin here only the first %s bytes are read", why,
             NUM_TEXT(read));
    fail(p, p->text, p->first);
}

void
packed_end(struct packed *p, uint64_t read, bool more)
{
    char why[32];
    if (p->tool <= 0)
        return;
    if (!p->lines.eof)
        kill(p->tool, SIGKILL);
    int status = subprocess_wait(p->tool);
    p->tool = 0;
    snprintf(why, sizeof why, "zstd failed (exit status %d)", status);
    if (more)
        fail_after(p, "more is compressed than a recording can have (a zip bomb)", read);
    else if (p->lines.eof && status != 0)
        fail_after(p, why, read);
}

void
packed_free(struct packed *p)
{
    packed_end(p, 0, false);
    if (p->opened)
        close(p->fd);
    if (p->lines.cap > 0)
        close(p->lines.fd);
    lines_free(&p->lines);
    *p = (struct packed){0};
}
