/* A perf map: the names of JIT-compiled code, which the program that compiles it writes for
 * perf.
 *
 *     7f1e2215d058 4c LazyCompile:*get email /srv/app.js:12     address, size, name
 *
 * A file of this kind grows while its process runs, so its last record may be half written.
 * Addresses are used again, and the file has no times: where records overlap, the last one names
 * the address. (Measured on a server that starts, with a jitdump as the truth: 5 % of the
 * samples in JavaScript got a wrong name so. 24 to 29 % did where a new record counted only once
 * its code was seen to run, since nothing shows when the optimized code of a hot function has
 * taken over.) perf script gives another answer, see perftree.h. */
#ifndef SYM_PERFMAP_H
#define SYM_PERFMAP_H

#include <stdint.h>

#include "common/base/regular.h"
#include "common/base/text.h"
#include "common/sym/codemap.h"

/* {0} is an empty one. Beside its name a record takes 25 to 41 bytes, and where it replaces another
 * up to 32 more: with names as long as node's less than one and a half times the file's size. */
struct perfmap {
    size_t skipped;       /* lines that are not records */
    size_t first_skipped; /* the line number of the first of them */

    /* private */
    struct codemap code;   /* which record has an address: the offset of its name in `names` */
    struct codemap reused; /* addresses that several records have that differ */
    struct text names;     /* of each record its start, eight bytes, its name, and a newline */
};

struct perfmap_record {
    uint64_t start, end; /* end > start: a size of 0 is taken for 1 */
    struct span name;
};

/* Take a line apart, without its newline. False, with *r undefined, if it is not a record. The
 * name points into the line. */
bool perfmap_parse(struct span line, struct perfmap_record *r);

/* A longer line is no record to livemap.h and perfmap_read_line. */
enum { PERFMAP_LINE = 1 << 16 };

/* Read the record whose line begins at that offset of an open file. Its name points into *buffer.
 * False if there is none. */
bool perfmap_read_line(struct regular_file *f, uint64_t offset, struct text *buffer,
                       struct perfmap_record *r);

/* Read the open file, and close it. Return NULL, or what is wrong, and then the map is empty. */
const char *perfmap_load(struct perfmap *m, struct regular_file *f);

/* Open a map, or a jitdump, by regular_open with these rules, which may be NULL, and two more: the
 * name is no symbolic link, and the file has at most PERFMAP_MAX bytes. */
const char *perfmap_open(struct regular_file *f, const char *path, const struct regular *rules);

/* A gigabyte: a long-lived node writes some tens of megabytes. */
enum { PERFMAP_MAX = 1 << 30 };

/* Add the records of whole lines, which come after those that were added or loaded before. Ignore lines
 * that are no records, and the rest once the names have PERFMAP_MAX bytes. */
void perfmap_add(struct perfmap *m, struct span lines);

/* Find the name of the code at the address, and where that code begins. The name is valid until
 * perfmap_add or perfmap_free. False if no record covers the address. */
bool perfmap_find(const struct perfmap *m, uint64_t addr, struct span *name, uint64_t *start);

/* Find the number of the record that names the address: each has another one, below UINT32_MAX. */
bool perfmap_number(const struct perfmap *m, uint64_t addr, uint32_t *number);

/* Return true if several records that differ cover the address. Which code was there then depends
 * on when, and perfmap_find's name may be wrong for a sample taken before the last one was
 * written. */
bool perfmap_reused(const struct perfmap *m, uint64_t addr);

void perfmap_free(struct perfmap *m);

#endif
