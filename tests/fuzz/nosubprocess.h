/* Takes the place of common/base/subprocess.c in a fuzz target: no program can be run. */
#ifndef FUZZ_NOSUBPROCESS_H
#define FUZZ_NOSUBPROCESS_H

#include <errno.h>

#include "common/base/subprocess.h"

pid_t
subprocess_run(const char *const *argv, int in, int out)
{
    (void)argv;
    (void)in;
    (void)out;
    errno = ENOENT;
    return 0;
}

int
subprocess_wait(pid_t pid)
{
    (void)pid;
    return 255;
}

#endif
