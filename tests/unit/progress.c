#define _GNU_SOURCE /* posix_openpt, memfd_create */
#include "common/base/progress.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "tests/unit/test.h"

/* What is written to a terminal that is standard error while `bytes` bytes of a file of 200 are
 * read, so many seconds after the start. */
static struct span
at_terminal(bool terminal, int seconds, unsigned bytes)
{
    static char text[512];
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (master < 0) {
        SKIP("no pseudo-terminals here");
        return span_of("", 0);
    }
    int saved = dup(STDERR_FILENO);
    int file = memfd_create("input", 0), other = open("/dev/null", O_WRONLY);
    CHECK(grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    CHECK(ftruncate(file, 200) == 0);
    dup2(terminal ? slave : other, STDERR_FILENO);
    struct progress p;
    progress_start(&p, "program", file);
    p.shown -= (uint64_t)seconds * CLOCK_SECOND;
    progress_add(&p, bytes);
    dup2(saved, STDERR_FILENO);
    ssize_t n = read(master, text, sizeof text);
    close(slave);
    close(master);
    close(file);
    close(other);
    close(saved);
    return span_of(text, n > 0 ? (size_t)n : 0);
}

TEST("a read that takes more than a second shows at a terminal how far it is")
{
    CHECK_TEXT(at_terminal(true, 2, 50), "program: 25% of 0 MB\033[K\r");
}

TEST("a short read shows nothing")
{
    CHECK_TEXT(at_terminal(true, 0, 50), "");
}

TEST("nothing is shown if standard error is no terminal")
{
    CHECK_TEXT(at_terminal(false, 2, 50), "");
}
