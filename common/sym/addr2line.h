/* Source lines and inlined calls, which addr2line(1) of binutils finds in a file's debug
 * information.
 *
 * One process answers for one file, as often as it is asked. The source line of the innermost call
 * then depends on the address alone: the same for 20,000 addresses of eight files in three orders
 * and, for some hundred of each, asked of a new process. The names of inlined functions do not: GNU
 * addr2line 2.40 renames a function without a linkage name when it is first asked about it. Who
 * needs them starts a process for each address. */
#ifndef SYM_ADDR2LINE_H
#define SYM_ADDR2LINE_H

#include <stdint.h>

#include "common/base/subprocess.h"
#include "common/base/text.h"

/* {0} runs nothing. */
struct addr2line {
    struct subprocess process; /* .late: it has not answered in ADDR2LINE_SECONDS */

    /* private */
    uint64_t end; /* the address that is asked for after each other one */
    bool failed;  /* it has not answered */
};

/* A large file's first answer may take tens of seconds. */
enum { ADDR2LINE_SECONDS = 60 };

/* What is printed for an address that the file does not have. */
#define ADDR2LINE_UNKNOWN "??\n??:0\n"

/* Start it for the file at the path, which is borrowed until it is ended, and is to be a regular
 * file: a FIFO would block it. False if there is no such program. */
bool addr2line_start(struct addr2line *a, const char *path);

/* Ask for an address of the file, as its symbols have them. Set *calls to two lines of text for
 * each call there, the innermost first: the function, demangled, and its source line without the
 * folder; "??" stands for what is not known.
 *
 *     alloc_shared
 *     pool.h:33
 *     main
 *     main.c:?
 *
 * False, and then there are no calls, if it ended instead, as it does if it cannot read the file,
 * if it did not answer in time, or if the answer cannot be told apart, as with a newline in a
 * name. Then it can only be ended. */
bool addr2line_ask(struct addr2line *a, uint64_t address, struct text *calls);

/* End it. True if its exit status is 0 and each question was answered. */
bool addr2line_end(struct addr2line *a);

/* Free the buffer after addr2line_end, or of {0}. */
void addr2line_free(struct addr2line *a);

#endif
