/* Runs a command and prints what it took: measure [-o OUTPUT] INPUT COMMAND [ARG ...]
 *
 *     0.018345 1984 0.0171 0.0102     wall clock in seconds, peak memory in KiB, processor time in
 *                                     seconds, and the part of it that was not in the kernel
 *
 * All but the first are those of the programs that it runs, too: of a pipe's the memory of the largest.
 * INPUT becomes its standard input; "pipe:FILE" gives it the file through a pipe. Its output is
 * thrown away; with -o, OUTPUT gets it, and standard error is left as it is. A small program of its
 * own, since the kernel counts the memory of whoever starts a process as that process's
 * (getrusage(2): the peak survives an exec).
 *
 * measure alone reads commands from standard input, a line each, and answers each with a line:
 *
 *     4<tab>a.folded<tab>stackreport<tab>--top=5     seconds of the processor after which the
 *                                                    command is killed, INPUT, COMMAND, and each ARG
 *     0.018345 1984 0.0171 0.0102 0 312              the exit status, -1 if a signal ended it; and
 *                                                    the number of bytes of its output */
#define _GNU_SOURCE /* wait4, pipe2, prlimit, splice */
#include <errno.h>
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

/* What a command took, and its output: bytes are counted where they were read from a pipe. */
struct result {
    double wall;
    struct rusage used;
    int status; /* of wait4(2) */
    size_t bytes;
};

static size_t
count_bytes(int from)
{
    static char buffer[1 << 16];
    size_t bytes = 0;
    ssize_t n;
    while ((n = read(from, buffer, sizeof buffer)) > 0)
        bytes += (size_t)n;
    return bytes;
}

/* Runs the command with these descriptors, and closes the first two; -1 if it cannot. Leaves standard
 * error as it is if errors is -1. If output is a pipe, counted is its other end, otherwise -1. Kills
 * the command after that many seconds of the processor; 0: never. */
static int
run(char **command, int input, int output, int errors, int counted, rlim_t limit,
    struct result *result)
{
    extern char **environ;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (errors >= 0)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    pid_t pid;
    double start = now();
    int error = posix_spawnp(&pid, command[0], &actions, NULL, command, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(input);
    close(output);
    if (error != 0)
        return errno = error, -1;
    if (limit > 0)
        prlimit(pid, RLIMIT_CPU, &(struct rlimit){limit, limit}, NULL);
    result->bytes = counted >= 0 ? count_bytes(counted) : 0;
    if (wait4(pid, &result->status, 0, &result->used) != pid)
        return -1;
    result->wall = now() - start;
    return 0;
}

static void
print(const struct result *result)
{
    printf("%.6f %ld %.6f %.6f", result->wall, result->used.ru_maxrss,
           seconds(result->used.ru_utime) + seconds(result->used.ru_stime),
           seconds(result->used.ru_utime));
}

/* Runs the commands on standard input: see above. */
static int
serve(void)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    char *line = NULL, *words[64];
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        size_t count = 0;
        for (char *word = strtok(line, "\t\n"); word != NULL && count < 63;
             word = strtok(NULL, "\t\n"))
            words[count++] = word;
        words[count] = NULL;
        int input = count > 2 ? open(words[1], O_RDONLY | O_CLOEXEC) : -1;
        int ends[2];
        if (input < 0 || pipe2(ends, O_CLOEXEC) != 0)
            return fail(count > 1 ? words[1] : "a line");
        rlim_t limit = strtoul(words[0], NULL, 10);
        struct result result;
        if (run(words + 2, input, ends[1], null, ends[0], limit, &result) != 0)
            return fail(words[2]);
        close(ends[0]);
        print(&result);
        printf(" %d %zu\n", WIFEXITED(result.status) ? WEXITSTATUS(result.status) : -1,
               result.bytes);
        fflush(stdout);
    }
    free(line);
    return 0;
}

int
main(int argc, char **argv)
{
    if (argc == 1)
        return serve();
    const char *keep = NULL;
    if (argc > 2 && strcmp(argv[1], "-o") == 0) {
        keep = argv[2];
        argc -= 2;
        argv += 2;
    }
    if (argc < 3)
        return fprintf(stderr, "usage: measure [-o OUTPUT] INPUT COMMAND [ARG ...]\n"), 2;
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
    struct result result;
    if (run(argv + 2, input, output, keep == NULL ? output : -1, -1, 0, &result) != 0)
        return fail(argv[2]);
    if (feeder > 0)
        waitpid(feeder, NULL, 0);
    print(&result);
    putchar('\n');
    return WIFEXITED(result.status) ? 0 : 1;
}
