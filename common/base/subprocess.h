/* Another program that runs beside this one, started without a shell: what is written to it is its
 * standard input, and `lines` are its standard output. Its messages are dropped. */
#ifndef BASE_SUBPROCESS_H
#define BASE_SUBPROCESS_H

#include <stdint.h>
#include <sys/types.h>

#include "common/base/lines.h"

/* Start a program, which is looked for in $PATH, with these descriptors as its standard input and
 * output; its messages are dropped. argv ends with NULL. Return its id; 0, with errno set, if it
 * cannot be run. */
pid_t subprocess_run(const char *const *argv, int in, int out);

/* Wait until a process exits. Return its exit status, or 128 and the number of the signal that
 * ended it; 255 if it cannot be waited for. */
int subprocess_wait(pid_t pid);

/* {0} runs nothing. While it runs it must not move. */
struct subprocess {
    pid_t pid;          /* 0: nothing runs */
    struct lines lines; /* after the last one it has ended, or closed its output, or is late */
    bool late;          /* it has not written in time: see subprocess_limit */

    /* private */
    uint64_t deadline; /* of clock_now */
};

/* Start the program argv[0], which is looked for in $PATH; argv ends with NULL. It has `seconds` to
 * write what is read. Return false if it cannot be run. *p runs nothing yet; what it ran before
 * must have been ended. */
bool subprocess_start(struct subprocess *p, const char *const *argv, unsigned seconds);

/* Set its time to this many seconds from now on. Once they are over, its output ends. */
void subprocess_limit(struct subprocess *p, unsigned seconds);

/* Write all of the text. Return false if the program no longer reads. */
bool subprocess_write(struct subprocess *p, struct span text);

/* End its input, and wait until it exits; kill it if it is late, or does not end within some
 * seconds. Return true if its exit status is 0. */
bool subprocess_end(struct subprocess *p);

/* Kill it. */
void subprocess_kill(struct subprocess *p);

/* Free the buffer of a program that was ended, or of {0}. */
void subprocess_free(struct subprocess *p);

#endif
