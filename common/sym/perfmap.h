/* A perf map: the names of JIT-compiled code. The program that compiles the code writes the map for
 * perf.
 *
 *     7f1e2215d058 4c LazyCompile:*get email /srv/app.js:12     address, size, name
 *
 * The file grows while its process runs, so its last record may be half written. Addresses are
 * reused, and the file has no times: where records overlap, the last one names the address.
 * (Measured while a server starts, by comparison with its jitdump: 5 % of the samples in JavaScript
 * get a wrong name. Another rule was worse, to use a new record only for samples after the first
 * one that is seen in its code: 24 to 29 %. For nothing shows when the optimized code of a hot
 * function has taken over.) perf script gives another answer, see perftree.h. */
#ifndef SYM_PERFMAP_H
#define SYM_PERFMAP_H

#include <stdint.h>

#include "common/base/regular.h"
#include "common/base/text.h"
#include "common/sym/codemap.h"

/* {0} is empty. Memory: for each record its name, 9 bytes beside it in `names`, and a piece of 16
 * to 32 bytes in `code`; if it replaces another record, up to 32 bytes more, in `reused`. With
 * names as long as node's, all records take less than one and a half times the file's size. */
struct perfmap {
    size_t skipped;       /* number of lines that are not records */
    size_t first_skipped; /* line number of the first skipped line */

    /* private */
    struct codemap code;   /* the record at each address, as the offset of its name in `names` */
    struct codemap reused; /* addresses covered by several records that differ */
    struct text names;     /* of each record: its start in eight bytes, its name, and a newline */
};

struct perfmap_record {
    uint64_t start, end; /* end > start: a size of 0 is read as 1 */
    struct span name;
};

/* Parse a line, without its newline. Return false, with *r undefined, if it is not a record. The
 * name points into the line. */
bool perfmap_parse(struct span line, struct perfmap_record *r);

/* Longest line in bytes; livemap.h and perfmap_read_line skip longer ones. */
enum { PERFMAP_LINE = 1 << 16 };

/* Read the record whose line begins at that offset of an open file. Its name points into *buffer.
 * Return false if there is none. */
bool perfmap_read_line(struct regular_file *f, uint64_t offset, struct text *buffer,
                       struct perfmap_record *r);

/* Read the open file, and close it. Return NULL, or what is wrong with the file: then the map is
 * empty. */
const char *perfmap_load(struct perfmap *m, struct regular_file *f);

/* Open a perf map or a jitdump by regular_open with `rules`, which may be NULL, and two more rules:
 * the path's last component is not a symbolic link, and the file has at most PERFMAP_MAX bytes. */
const char *perfmap_open(struct regular_file *f, const char *path, const struct regular *rules);

/* A gigabyte. A node process that runs for long writes some tens of megabytes. */
enum { PERFMAP_MAX = 1 << 30 };

/* Add the records of whole lines; they are newer than all earlier ones. Ignore lines that are not
 * records, and all further records once the names have PERFMAP_MAX bytes. */
void perfmap_add(struct perfmap *m, struct span lines);

/* Find the name of the code at the address, and the start of that code. The name is valid until
 * perfmap_add or perfmap_free. Return false if no record covers the address. */
bool perfmap_find(const struct perfmap *m, uint64_t addr, struct span *name, uint64_t *start);

/* Find the number of the record that names the address. Numbers are unique, and below
 * UINT32_MAX. */
bool perfmap_number(const struct perfmap *m, uint64_t addr, uint32_t *number);

/* Return true if several records that differ cover the address. The code there then depends on the
 * time, and perfmap_find's name may be wrong for a sample taken before the last record was
 * written. */
bool perfmap_reused(const struct perfmap *m, uint64_t addr);

void perfmap_free(struct perfmap *m);

#endif
