/* Binaries that cannot be opened by their path when their process has ended: those of other mount
 * namespaces and other roots (containers), and deleted ones. They are opened when they are mapped,
 * and held open until their names are read. */
#ifndef SYMBOLIZE_HELDFILES_H
#define SYMBOLIZE_HELDFILES_H

#include "common/base/intern.h"
#include "common/base/regular.h"
#include "common/base/text.h"
#include "common/event/record.h"

/* The most files that are held, unless the process may open less than four times as many. */
enum { HELDFILES_MOST = 256 };

/* Files that are not held are forgotten when so many are known, or their names take so many bytes.
 */
enum { HELDFILES_KNOWN = 1024, HELDFILES_BYTES = 4 << 20 };

/* {0} is an empty one. */
struct heldfiles {
    size_t refused; /* files that were not opened because so many were held */

    /* private from here */
    size_t held;
    struct intern maps; /* files, as MMAP2 records tell them apart */
    uint32_t *file_of;  /* by a number of `maps`, an index of `files` */
    size_t file_of_cap;
    struct heldfile *files;
    size_t count, cap;
    struct text key;
    struct arena arena;
};

/* Open the file of an MMAP2 record, unless it can be opened by its path later or is held. Other
 * records are ignored. */
void heldfiles_see(struct heldfiles *h, const struct record *r);

/* Return the build-id of the file that an MMAP2 record names, valid until heldfiles_see(). Empty:
 * it has none, or was not opened. */
struct span heldfiles_build_id(struct heldfiles *h, const struct record_mmap *m);

/* Write a path by which the file of that name and build-id can be opened while it is held. NULL:
 * it is not held. */
const char *heldfiles_path(const struct heldfiles *h, struct span name, struct span build_id,
                           char path[static 32]);

/* Close the file of that name and build-id, if it is held. */
void heldfiles_release(struct heldfiles *h, struct span name, struct span build_id);

void heldfiles_free(struct heldfiles *h);

#endif
