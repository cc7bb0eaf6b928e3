/* Another program that runs beside this one, started without a shell: what is written to it is its
 * standard input, and `lines` are its standard output. Its messages are dropped. */
#ifndef BASE_SUBPROCESS_H
#define BASE_SUBPROCESS_H

#include <stdint.h>
#include <sys/types.h>

#include "common/base/lines.h"

/* Starts a program, which is looked for in $PATH, with these descriptors as its standard input and
 * output; its messages are dropped. argv ends with NULL. Returns its id; 0, with errno set, if it
 * cannot be run. */
pid_t subprocess_run(const char *const *argv, int in, int out);

/* Waits until a process exits. Returns its exit status, or 128 and the number of the signal that
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

/* Starts the program argv[0], which is looked for in $PATH; argv ends with NULL. It has `seconds`
 * to write what is read. False if it cannot be run. *p runs nothing yet; what it ran before must
 * have been ended. */
bool subprocess_start(struct subprocess *p, const char *const *argv, unsigned seconds);

/* Gives it so many seconds from now on. Once they are over, its output ends. */
void subprocess_limit(struct subprocess *p, unsigned seconds);

/* Writes all of the text. False if the program no longer reads. */
bool subprocess_write(struct subprocess *p, struct span text);

/* Ends its input, and waits until it exits; kills it if it is late, or does not end within some
 * seconds. True if its exit status is 0. */
bool subprocess_end(struct subprocess *p);

/* Kills it. */
void subprocess_kill(struct subprocess *p);

/* Frees the buffer of a program that was ended, or of {0}. */
void subprocess_free(struct subprocess *p);

#endif
