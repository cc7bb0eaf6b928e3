#define _GNU_SOURCE /* pipe2 */
#include "common/sym/debuginfod.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/pipe.h"
#include "common/base/subprocess.h"

const char *
debuginfod_cache_dir(void)
{
    static char dir[4096];
    static const char *const places[][2] = {{"DEBUGINFOD_CACHE_PATH", ""},
                                            {"XDG_CACHE_HOME", "/debuginfod_client"},
                                            {"HOME", "/.cache/debuginfod_client"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *folder = getenv(places[i][0]);
        if (folder == NULL || folder[0] == '\0')
            continue;
        int len = snprintf(dir, sizeof dir, "%s%s", folder, places[i][1]);
        return len > 0 && (size_t)len < sizeof dir ? dir : "";
    }
    return "";
}

/* Read up to a newline, which is dropped. Return false at the end of the pipe. */
static bool
read_line(int fd, struct text *line)
{
    char c;
    line->len = 0;
    for (;;) {
        ssize_t got = read(fd, &c, 1);
        if (got == 0 || (got < 0 && !pipe_retry(fd, POLLIN)))
            return false;
        if (got > 0 && c == '\n')
            return true;
        if (got > 0)
            text_add(line, span_of(&c, 1));
    }
}

/* Run debuginfod-find with these arguments, and set *line to the first line that it prints. Return
 * false with errno if it cannot be run. */
static bool
run(const char *first, const char *second, struct text *line)
{
    int out[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || pipe2(out, O_CLOEXEC) != 0)
        return false;
    const char *const argv[] = {"debuginfod-find", first, second, NULL};
    pid_t pid = subprocess_run(argv, null, out[1]);
    int error = errno;
    close(null);
    close(out[1]);
    if (pid > 0 && !read_line(out[0], line))
        line->len = 0;
    close(out[0]);
    if (pid > 0 && subprocess_wait(pid) != 0)
        line->len = 0;
    errno = error;
    return pid > 0;
}

/* Answer each build-id with a line: the path of its debug file, or nothing. Ignore Ctrl-C: it is
 * meant for the main program, which may need further files to finish. */
static void
serve(int from, int to)
{
    struct text id = {0}, path = {0};
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        dup2(null, fd); /* a reader of the main program's output must not wait for this process */
    signal(SIGINT, SIG_IGN);
    while (read_line(from, &id)) {
        text_add(&id, SPAN("\0"));
        run("debuginfo", id.ptr, &path);
        text_add(&path, SPAN("\n"));
        if (!pipe_write(to, text_span(&path)))
            break;
    }
    _exit(0);
}

struct debuginfod *
debuginfod_start(bool wanted, struct diag *diag)
{
    static struct debuginfod d;
    int question[2], answer[2];
    if (!wanted)
        return NULL;
    const char *urls = getenv("DEBUGINFOD_URLS");
    if (urls == NULL || urls[0] == '\0')
        diag_warn(diag, "missing servers", NOWHERE,
                  "--debuginfod: no server is named in the variable DEBUGINFOD_URLS");
    pid_t pid = -1;
    if (run("--version", NULL, &d.path) && pipe2(question, O_CLOEXEC) == 0 &&
        pipe2(answer, O_CLOEXEC) == 0)
        pid = fork();
    if (pid < 0) {
        diag_error(diag, NOWHERE, "--debuginfod: cannot run debuginfod-find: %s", strerror(errno));
        return NULL;
    }
    if (pid == 0) {
        close(question[1]);
        close(answer[0]);
        serve(question[0], answer[1]);
    }
    close(question[0]);
    close(answer[1]);
    d.to = question[1];
    d.from = answer[0];
    return &d;
}

const char *
debuginfod_find(struct debuginfod *d, const char *build_id)
{
    if (!pipe_write(d->to, span_cstr(build_id)) || !pipe_write(d->to, SPAN("\n")) ||
        !read_line(d->from, &d->path) || d->path.len == 0)
        return NULL;
    text_add(&d->path, SPAN("\0"));
    return d->path.ptr;
}
