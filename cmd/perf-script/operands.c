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
open_temporary(struct diag *diag, struct arena *arena)
{
    size_t size = strlen(temporary_dir()) + sizeof "/perf-script.XXXXXX";
    char *path = arena_text(arena, size);
    snprintf(path, size, "%s/perf-script.XXXXXX", temporary_dir());
    int fd = mkstemp(path);
    if (fd < 0)
        diag_error(diag, (struct place){path, 0},
                   "%s: a percent of --time needs a temporary file; TMPDIR names its directory",
                   strerror(errno));
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

/* Copies the rest of fd to a temporary file. Returns a name that opens the copy; NULL, after a
 * message, if there is none. */
static char *
spool(struct diag *diag, struct arena *arena, int fd, const char *label)
{
    struct out *out = arena_alloc(arena, sizeof *out);
    ssize_t got;
    int copy = open_temporary(diag, arena);
    if (copy < 0)
        return NULL;
    out_open(out, copy, copy_label(arena));
    do {
        char block[OUT_SIZE];
        got = read(fd, block, sizeof block);
        if (got > 0)
            out_write(out, block, (size_t)got);
    } while (got > 0 || (got < 0 && pipe_retry(fd, POLLIN)));
    if (got < 0)
        diag_error(diag, (struct place){label, 0}, "%s", strerror(errno));
    out_flush(out);
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
