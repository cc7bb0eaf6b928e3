#include "cmd/perf-script/operands.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/out.h"
#include "common/base/pipe.h"
#include "common/event/perfdata.h"

static bool
is_standard(const char *name)
{
    return strcmp(name, "-") == 0;
}

static const char *
temporary_dir(void)
{
    const char *dir = getenv("TMPDIR");
    return dir != NULL && dir[0] != '\0' ? dir : "/tmp";
}

/* Creates a temporary file, already unlinked; -1, after a message, if that fails. */
static int
open_temporary(struct diag *diag, struct arena *arena, const char *what)
{
    size_t size = strlen(temporary_dir()) + sizeof "/perf-script.XXXXXX";
    char *path = arena_text(arena, size);
    snprintf(path, size, "%s/perf-script.XXXXXX", temporary_dir());
    int fd = mkstemp(path);
    if (fd < 0)
        diag_error(diag, (struct place){path, 0},
                   "%s: %s needs a temporary file; TMPDIR names its directory", strerror(errno),
                   what);
    else
        unlink(path);
    return fd;
}

/* The copy's name for the message where it cannot be written. */
static const char *
copy_label(struct arena *arena)
{
    static const char format[] = "temporary file in %s (TMPDIR names another directory)";
    size_t size = strlen(temporary_dir()) + sizeof format;
    char *label = arena_text(arena, size);
    snprintf(label, size, format, temporary_dir());
    return label;
}

/* Copies `start` and the rest of fd to a temporary file. Returns its descriptor, at its end; -1,
 * after a message, if there is none. `what` needs it. */
static int
copy_rest(struct diag *diag, struct arena *arena, struct span start, int fd, const char *label,
          const char *what)
{
    struct out *out = arena_alloc(arena, sizeof *out);
    ssize_t got;
    int copy = open_temporary(diag, arena, what);
    if (copy < 0)
        return -1;
    out_open(out, copy, copy_label(arena));
    out_span(out, start);
    do {
        char block[OUT_SIZE];
        got = read(fd, block, sizeof block);
        if (got > 0)
            out_write(out, block, (size_t)got);
    } while (got > 0 || (got < 0 && pipe_retry(fd, POLLIN)));
    if (got < 0)
        diag_error(diag, (struct place){label, 0}, "%s", strerror(errno));
    out_flush(out);
    return copy;
}

/* Copies the rest of fd to a temporary file. Returns a name that opens the copy; NULL, after a
 * message, if there is none. */
static char *
spool(struct diag *diag, struct arena *arena, int fd, const char *label)
{
    int copy = copy_rest(diag, arena, SPAN(""), fd, label, "a percent of --time");
    if (copy < 0)
        return NULL;
    char *name = arena_text(arena, 32);
    snprintf(name, 32, "/dev/fd/%d", copy);
    return name;
}

/* A name by which the operand can be opened twice; NULL, after a message, if there is none. */
static char *
reopenable(struct diag *diag, struct arena *arena, char *name, const char *label)
{
    struct stat st;
    int fd = is_standard(name) ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0) {
        diag_error(diag, (struct place){label, 0}, "%s", strerror(errno));
        return NULL;
    }
    if (!S_ISREG(st.st_mode) || lseek(fd, 0, SEEK_CUR) != 0)
        name = spool(diag, arena, fd, label);
    else if (is_standard(name))
        name = "/dev/fd/0";
    if (fd != STDIN_FILENO)
        close(fd);
    return name;
}

struct operands
operands_reopenable(struct diag *diag, struct arena *arena, char **names, size_t count)
{
    static char *standard_input[] = {"-"};
    if (count == 0) {
        names = standard_input;
        count = 1;
    }
    struct operands o = {arena_alloc(arena, count * sizeof *names),
                         arena_alloc(arena, count * sizeof *names), 0};
    for (size_t i = 0; i < count; i++) {
        char *label = is_standard(names[i]) ? "standard input" : names[i];
        char *name = reopenable(diag, arena, names[i], label);
        if (name != NULL) {
            o.names[o.count] = name;
            o.labels[o.count++] = label;
        }
    }
    return o;
}

bool
operands_spool_recording(struct input *in, struct arena *arena)
{
    struct lines *lines = &in->lines;
    if (lseek(lines->fd, 0, SEEK_CUR) >= 0 || perfdata_streams(lines_ahead(lines, PERFDATA_START)))
        return true;
    int copy = copy_rest(in->diag, arena, lines_buffered(lines), lines->fd, in->name,
                         "perf.data through a pipe");
    if (copy < 0)
        return false;
    if (lines->fd > STDIN_FILENO)
        close(lines->fd);
    struct progress *progress = lines->progress;
    lseek(copy, 0, SEEK_SET);
    lines_start(lines, copy);
    lines->progress = progress;
    return true;
}

void
operands_start(struct input *in, struct diag *diag, const struct operands *operands)
{
    input_start(in, diag, operands->names, operands->count);
    if (operands->labels != NULL)
        in->count = operands->count; /* none: not even standard input */
}

bool
operands_next(struct input *in, const struct operands *operands)
{
    if (!input_next(in))
        return false;
    if (operands->labels != NULL)
        in->name = operands->labels[in->at - 1];
    return true;
}
