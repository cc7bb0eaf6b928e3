/* Another program that runs beside this one, started without a shell: what is written to it is its
 * standard input, and `lines` are its standard output. Its messages are dropped. */
#ifndef BASE_SUBPROCESS_H
#define BASE_SUBPROCESS_H

#include <sys/types.h>

#include "common/base/lines.h"

/* Starts a program, which is looked for in $PATH, with these descriptors as its standard input and
 * output; its messages are dropped. argv ends with NULL. Returns its id; 0, with errno set, if it
 * cannot be run. */
pid_t subprocess_run(const char *const *argv, int in, int out);

/* Waits until a process exits. Returns its exit status, or 128 and the number of the signal that
 * ended it; 255 if it cannot be waited for. */
int subprocess_wait(pid_t pid);

/* {0} runs nothing. */
struct subprocess {
    pid_t pid;          /* 0: nothing runs */
    struct lines lines; /* after the last one it has ended, or closed its output */
};

/* Starts the program argv[0], which is looked for in $PATH; argv ends with NULL. False if it cannot
 * be run. *p runs nothing yet; what it ran before must have been ended. */
bool subprocess_start(struct subprocess *p, const char *const *argv);

/* Writes all of the text. False if the program no longer reads. */
bool subprocess_write(struct subprocess *p, struct span text);

/* Ends its input, and waits until it exits. True if its exit status is 0. */
bool subprocess_end(struct subprocess *p);

/* Frees the buffer of a program that was ended, or of {0}. */
void subprocess_free(struct subprocess *p);

#endif
