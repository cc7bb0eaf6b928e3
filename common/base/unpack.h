/* Reads compressed input through the program that unpacks its format: gzip, bzip2, xz or zstd. */
#ifndef BASE_UNPACK_H
#define BASE_UNPACK_H

#include <sys/types.h>

#include "common/base/lines.h"
#include "common/base/patience.h"
#include "common/base/text.h"

struct unpack_format {
    const char *tool; /* "gzip": with -dc it unpacks its standard input to its standard output */
    const char *cat;  /* "zcat": prints what is in a file */
    /* How a file starts; `more` is at the offset `at`, and may be empty. */
    struct span magic, more;
    size_t at;
};

enum { UNPACK_MAGIC = 10 };

/* Return the format of a file that starts with these bytes, UNPACK_MAGIC of them or all that it
 * has. NULL if it is not compressed. */
const struct unpack_format *unpack_format(struct span start);

/* The processes that unpack a file. {0}: none run. */
struct unpack {
    pid_t tool;
    pid_t feeder; /* writes what comes through a pipe to the tool; 0: the tool reads the file */
};

/* Start the format's tool on the file that l stands at the start of; then l reads what the tool
 * writes. Closes the file, unless it is standard input. False, with errno set and l as it was, if
 * the tool cannot be run. */
bool unpack_start(struct unpack *u, const struct unpack_format *format, struct lines *l);

/* End what unpack_start started. `whole`: all of the tool's output was read, so it is waited for;
 * else it is killed. Return the tool's exit status, or 128 plus the number of the signal that ended
 * it; or, negative, the errno of reading what comes through a pipe; 0 also if the tool was killed
 * here or nothing runs. */
int unpack_end(struct unpack *u, bool whole);

/* Unpack bytes in memory with a tool, such as "xz", in place of what *out has; `most` bytes at most.
 * False if there are more, the tool cannot be run, the bytes are damaged, or the patience, which may be
 * NULL, is over: then the tool is killed. */
bool unpack_bytes(const char *tool, struct span packed, size_t most, struct text *out,
                  struct patience *patience);

#endif
