/* Runs a function in a separate process, for tests of code that ends the program or uses its
 * descriptors. */
#ifndef UNIT_CHILD_H
#define UNIT_CHILD_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/span.h"

struct child {
    int status; /* the exit status, or 128 + the signal, as in the shell */
    char out_text[4096], err_text[4096];
    struct span out, err; /* the output */
};

/* Read the file's contents, at most `size` bytes. */
static inline struct span
child_read(FILE *file, char *text, size_t size)
{
    rewind(file);
    struct span s = {text, fread(text, 1, size, file)};
    fclose(file);
    return s;
}

/* Run f(arg). Exit with 99 if it returns. */
static inline void
child_run(struct child *c, void (*f)(void *arg), void *arg)
{
    FILE *out = tmpfile(), *err = tmpfile();
    if (out == NULL || err == NULL) {
        perror("tmpfile");
        exit(1);
    }
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(fileno(out), STDOUT_FILENO);
        dup2(fileno(err), STDERR_FILENO);
        f(arg);
        fflush(stdout);
        _exit(99);
    }
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        perror("fork");
        exit(1);
    }
    c->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    c->out = child_read(out, c->out_text, sizeof c->out_text);
    c->err = child_read(err, c->err_text, sizeof c->err_text);
}

#endif
