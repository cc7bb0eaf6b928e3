/* Runs a command and prints what it took: measure [-o OUTPUT] [-t SECONDS] INPUT COMMAND [ARG ...]
 *
 *     0.018345 1984 0.0171 0.0102     wall clock in seconds, peak memory in KiB, processor time in
 *                                     seconds, and the part of it that was not in the kernel
 *
 * All but the first are those of the programs that it runs, too: of a pipe's the memory of the largest.
 * INPUT becomes its standard input; "pipe:FILE" gives it the file through a pipe. Its output is
 * thrown away; with -o, OUTPUT gets it, and standard error is left as it is. With -t the command is
 * killed when it has taken more than so many seconds of the processor. A small program of its
 * own, since the kernel counts the memory of whoever starts a process as that process's
 * (getrusage(2): the peak survives an exec). */
#define _GNU_SOURCE /* wait4, pipe2, splice */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double
seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int
fail(const char *what)
{
    perror(what);
    return 2;
}

/* For the command, which inherits it: this process itself takes next to nothing. */
static void
limit_seconds(rlim_t seconds)
{
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds});
}

/* A process that puts the file into the pipe. It gives the kernel's pages away (splice(2)), so that
 * it is never what the program waits for: writing them costs more than reading what was written. */
static pid_t
feed(int file, int to, int from)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    close(from);
    ssize_t n;
    while ((n = splice(file, NULL, to, NULL, 1 << 20, 0)) > 0)
        ;
    _exit(n < 0);
}

int
main(int argc, char **argv)
{
    const char *keep = NULL;
    for (; argc > 2 && argv[1][0] == '-'; argc -= 2, argv += 2) {
        if (strcmp(argv[1], "-o") == 0)
            keep = argv[2];
        else if (strcmp(argv[1], "-t") == 0)
            limit_seconds(strtoul(argv[2], NULL, 10));
        else
            break;
    }
    if (argc < 3 || argv[2] == NULL)
        return fprintf(stderr, "usage: measure [-o OUTPUT] [-t SECONDS] INPUT COMMAND [ARG ...]\n"),
               2;
    int is_pipe = strncmp(argv[1], "pipe:", 5) == 0;
    int input = open(argv[1] + (is_pipe ? 5 : 0), O_RDONLY | O_CLOEXEC);
    int output = open(keep != NULL ? keep : "/dev/null", O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (input < 0 || output < 0)
        return fail(argv[1]);
    pid_t feeder = 0;
    if (is_pipe) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            return fail("pipe");
        feeder = feed(input, ends[1], ends[0]);
        close(ends[1]);
        input = ends[0];
    }
    extern char **environ;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (keep == NULL)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    pid_t pid;
    struct rusage used;
    int status;
    double start = now();
    if (posix_spawnp(&pid, argv[2], &actions, NULL, argv + 2, environ) != 0)
        return fail(argv[2]);
    close(input);
    close(output);
    if (wait4(pid, &status, 0, &used) != pid)
        return fail("wait4");
    double wall = now() - start;
    if (feeder > 0)
        waitpid(feeder, NULL, 0);
    printf("%.6f %ld %.6f %.6f\n", wall, used.ru_maxrss,
           seconds(used.ru_utime) + seconds(used.ru_stime), seconds(used.ru_utime));
    return WIFEXITED(status) ? 0 : 1;
}
