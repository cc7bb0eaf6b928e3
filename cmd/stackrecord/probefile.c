/* One line for each uprobe, two where it is at two functions:
 *
 *     p:stackrecord_4711_81234/uv_run /usr/bin/node:0x0000000000b8c2a0 */
#include "cmd/stackrecord/probefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/stackrecord/procfs.h"

static const char *
path_of(const char *tracefs, char path[static 4096])
{
    snprintf(path, 4096, "%s/uprobe_events", tracefs);
    return path;
}

bool
probefile_command(const char *tracefs, struct span command)
{
    char path[4096];
    /* With O_TRUNC, or with a shell's >, all uprobes of the machine would be removed. */
    int fd = open(path_of(tracefs, path), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0)
        return false;
    struct text line = {0};
    text_add(&line, command);
    text_add(&line, SPAN("\n"));
    ssize_t got = write(fd, line.ptr, line.len);
    int error = errno;
    free(line.ptr);
    close(fd);
    errno = error;
    return got == (ssize_t)command.len + 1;
}

/* "GROUP/NAME" of a line, "" if it has none. */
static struct span
name_of(struct span line)
{
    size_t colon = span_find(line, ':'), end = span_find(line, ' ');
    if (colon == SPAN_NONE || end == SPAN_NONE || end < colon)
        return SPAN("");
    return span_of(line.ptr + colon + 1, end - colon - 1);
}

static bool
remove_one(const char *tracefs, struct span name)
{
    struct text command = {0};
    text_add(&command, SPAN("-:"));
    text_add(&command, name);
    /* ENOENT: it is gone already, with another of its lines or through somebody else. */
    bool removed = probefile_command(tracefs, text_span(&command)) || errno == ENOENT;
    int error = errno;
    free(command.ptr);
    errno = error;
    return removed;
}

bool
probefile_remove(const char *tracefs, bool (*wanted)(void *ctx, struct span group), void *ctx,
                 struct text *left)
{
    char path[4096];
    struct text text = {0};
    int error = procfs_read(&text, path_of(tracefs, path)) ? 0 : errno;
    for (struct span rest = text_span(&text); rest.len > 0;) {
        size_t end = span_find(rest, '\n');
        struct span name = name_of(span_head(rest, end != SPAN_NONE ? end : rest.len));
        size_t slash = span_find(name, '/');
        rest = span_from(rest, end != SPAN_NONE ? end + 1 : rest.len);
        if (slash == SPAN_NONE || !wanted(ctx, span_head(name, slash)) ||
            remove_one(tracefs, name) || error != 0)
            continue;
        error = errno;
        text_add(left, name);
    }
    free(text.ptr);
    errno = error;
    return error == 0;
}
