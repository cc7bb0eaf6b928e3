/* A folder for the files of one test. */
#ifndef UNIT_TEMPFOLDER_H
#define UNIT_TEMPFOLDER_H

#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"

enum { TEMPFOLDER_ENTRIES = 64, TEMPFOLDER_PATH = 256 };

static char tempfolder[64];
static char tempfolder_made[TEMPFOLDER_ENTRIES][TEMPFOLDER_PATH]; /* everything in it */
static size_t tempfolder_count;

static inline void
tempfolder_make(void)
{
    static const char pattern[] = "/tmp/unit-test.XXXXXX";
    memcpy(tempfolder, pattern, sizeof pattern);
    CHECK(mkdtemp(tempfolder) != NULL);
    tempfolder_count = 0;
}

/* Return the path of a file in it. It is valid for the next seven calls. */
static inline const char *
tempfolder_path(const char *below)
{
    static char paths[8][TEMPFOLDER_PATH];
    static size_t next;
    char *path = paths[next++ % 8];
    snprintf(path, TEMPFOLDER_PATH, "%s%s%s", tempfolder, below[0] != '\0' ? "/" : "", below);
    return path;
}

static inline void
tempfolder_note(const char *path)
{
    bool fits = tempfolder_count < TEMPFOLDER_ENTRIES;
    CHECK(fits);
    if (fits)
        snprintf(tempfolder_made[tempfolder_count++], TEMPFOLDER_PATH, "%s", path);
}

/* Write a file. Make the folders that it needs. */
static inline void
tempfolder_write_bytes(const char *below, struct span bytes)
{
    char path[TEMPFOLDER_PATH];
    snprintf(path, sizeof path, "%s", tempfolder_path(below));
    for (char *slash = path + strlen(tempfolder) + 1; (slash = strchr(slash, '/')) != NULL;
         slash++) {
        *slash = '\0';
        if (mkdir(path, 0700) == 0)
            tempfolder_note(path);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fwrite(bytes.ptr, 1, bytes.len, file) == bytes.len);
    CHECK(file != NULL && fclose(file) == 0);
    tempfolder_note(path);
}

static inline void
tempfolder_write(const char *below, const char *text)
{
    tempfolder_write_bytes(below, span_cstr(text));
}

/* Remove it with everything that was written into it. */
static inline void
tempfolder_remove(void)
{
    while (tempfolder_count > 0)
        remove(tempfolder_made[--tempfolder_count]);
    CHECK(rmdir(tempfolder) == 0);
}

#endif
