/* Child processes under the names that readers of perf script text stumble over. */
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sink;

static const char *const names[] = {
    "t", "worker 3", "V8 WorkerThread", "(sd-pam)", "[ET_NET 0]", "a:b", "kworker/1:2", "x;y", "42",
};

__attribute__((noinline)) static void
work(void)
{
    for (unsigned long i = 0; i < 30000000; i++)
        sink += i;
}

int
main(void)
{
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (fork() == 0) {
            prctl(PR_SET_NAME, names[i]);
            work();
            _exit(0);
        }
    }
    while (wait(NULL) > 0)
        ;
    return 0;
}
