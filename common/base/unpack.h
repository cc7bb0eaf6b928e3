/* Reads compressed input through the program that decompresses its format: gzip, bzip2, xz or
 * zstd. */
#ifndef BASE_UNPACK_H
#define BASE_UNPACK_H

#include <sys/types.h>

#include "common/base/lines.h"
#include "common/base/patience.h"
#include "common/base/text.h"

struct unpack_format {
    /* Such as "gzip": with -dc it decompresses its standard input to its standard output. */
    const char *tool;
    const char *cat; /* such as "zcat": prints the contents of a file */
    /* The start of a file; `more` is at the offset `at`, and may be empty. */
    struct span magic, more;
    size_t at;
};

enum { UNPACK_MAGIC = 10 };

/* Return the format of a file that starts with these bytes, UNPACK_MAGIC of them or the whole file.
 * Return NULL if it is not compressed. */
const struct unpack_format *unpack_format(struct span start);

/* The processes that decompress a file. {0}: none run. */
struct unpack {
    pid_t tool;
    pid_t feeder; /* writes the data of a pipe to the tool; 0: the tool reads the file */
};

/* Start the format's tool on the file at whose start `l` is; then l reads the tool's output. Close
 * the file, unless it is standard input. Return false, with errno set and l unchanged, if the tool
 * cannot be run. */
bool unpack_start(struct unpack *u, const struct unpack_format *format, struct lines *l);

/* End what unpack_start started. `whole`: all of the tool's output was read, so wait for the tool;
 * else kill it. Return the tool's exit status, or 128 plus the number of the signal that ended it;
 * or, negative, the errno of reading the pipe; or 0 if the tool was killed here or nothing runs. */
int unpack_end(struct unpack *u, bool whole);

/* Decompress bytes in memory with a tool, such as "xz", to at most `most` bytes that replace the
 * contents of *out. Return false if there are more, if the tool cannot be run, if the bytes are
 * damaged, or if the patience, which may be NULL, is over: then the tool is killed. */
bool unpack_bytes(const char *tool, struct span packed, size_t most, struct text *out,
                  struct patience *patience);

#endif
