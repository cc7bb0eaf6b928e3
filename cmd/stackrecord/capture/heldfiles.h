/* Binaries that cannot be opened by their path once their process has ended: deleted ones, and
 * those in other mount namespaces or root folders (containers). They are opened when a process maps
 * them, and kept open until their symbols are read. */
#ifndef STACKRECORD_HELDFILES_H
#define STACKRECORD_HELDFILES_H

#include "common/base/intern.h"
#include "common/base/regular.h"
#include "common/base/text.h"
#include "common/event/record.h"

/* Maximum number of open files; or a quarter of RLIMIT_NOFILE, if that is less. */
enum { HELDFILES_MAX = 256 };

/* If more files than this are known, or their names take more bytes, closed files are forgotten. */
enum { HELDFILES_KNOWN = 1024, HELDFILES_BYTES = 4 << 20 };

enum { HELDFILES_PATH = 32 };

/* {0} is empty. */
struct heldfiles {
    size_t refused; /* number of files that were not opened because of the limit */

    /* private from here */
    size_t held;
    struct intern maps; /* files of MMAP2 records: device, inode, build-id, name */
    uint32_t *file_of;  /* by number in `maps`: index in `files` */
    size_t file_of_cap;
    struct heldfile *files;
    size_t count, cap;
    struct text key;
    struct arena arena;
};

/* Open and hold the file of an MMAP2 record, unless it is already held or can be opened by its path
 * later. Ignore records of other types, and maps without code. *r is not kept. */
void heldfiles_see(struct heldfiles *h, const struct record *r);

/* Return the build-id of the file of an MMAP2 record, valid until the next heldfiles_see(); empty
 * if the file has none or was not opened. */
struct span heldfiles_build_id(struct heldfiles *h, const struct record_mmap *m);

/* Write a path ("/proc/self/fd/7") for opening the held file with this name and build-id, and
 * return it. Return NULL if it is not held. */
const char *heldfiles_path(const struct heldfiles *h, struct span name, struct span build_id,
                           char path[static HELDFILES_PATH]);

/* Open a file that a process has mapped, found by the addresses, pid and name of the mapping. Write
 * a path for opening it, valid while *f is open. Return false if that fails. */
bool heldfiles_open(const struct record_mmap *m, struct regular_file *f,
                    char path[static HELDFILES_PATH]);

/* Close the file with this name and build-id, if it is held. */
void heldfiles_release(struct heldfiles *h, struct span name, struct span build_id);

/* Close all files and free the memory. *h is then empty. */
void heldfiles_free(struct heldfiles *h);

#endif
