/* Inlined calls and source lines, from the debug information (DWARF 2 to 5) of an ELF file.
 *
 * A unit of it, usually what one source file was compiled to, is read when the first of its
 * addresses is asked for. What was read last is kept. */
#ifndef DWARF_DWARF_H
#define DWARF_DWARF_H

#include "common/sym/dsofile.h"

/* The units that were read, of all files that share it; {0} has none. */
struct dwarf_cache {
    const struct dsofile_search *search; /* where files of dwz are, too; NULL: nowhere */
    size_t limit;              /* set by the caller: in place of DWARF_CACHE_MOST, unless it is 0 */
    uint64_t file_limit;       /* bytes that a file may take: see debugfile.h; 0: DEBUGFILE_MOST */
    struct patience *patience; /* with which files are read, set by the caller; NULL: any */

    /* private */
    struct dwarf_unit *newest, *oldest;
    size_t used;             /* bytes */
    struct contentpool pool; /* of files with parts of the debug information */
};

/* When so much memory is used, the units go that were not asked for the longest time. */
enum { DWARF_CACHE_MOST = 256 << 20 };

struct dwarf;

/* Open the debug information of a file. It, and the cache, are borrowed. Once the patience is over, what
 * is found is of no use, here and below, and the file is to be closed. NULL if it has none; where
 * it cannot be unpacked, dwarf_find() finds nothing and dwarf_missing() says why. */
struct dwarf *dwarf_open(const struct elffile *file, struct dwarf_cache *cache);

/* A function's code, or a call inlined into one. */
struct dwarf_call {
    struct span function; /* the linkage name if it has one, else the name; "" if it is not known */
    struct span file;     /* without folders; of ptr NULL if it is not known */
    uint32_t line;        /* 0 if it is not known */
};

/* Find the calls at an address of the file, innermost first. Where the function is not known, but
 * the line, that is one call. Return their number; 0 if nothing is known. They are valid until the
 * next call. */
size_t dwarf_find(struct dwarf *d, uint64_t address, const struct dwarf_call **calls);

struct dwarf_missing {
    const char *path; /* of the file with that part; "": the program's own */
    const char *why;  /* "is not there, ...", to follow "this part of the debug information" */
    bool too_large;   /* it would take more than file_limit */
};

/* Find which part of the debug information the last address needed and could not be read, once.
 * False: there is none. Valid until the next call. */
bool dwarf_missing(struct dwarf *d, struct dwarf_missing *missing);

/* Replace control bytes, which a name in a file may hold, by "?". dwarf_find has done it. */
void dwarf_mask(struct text *name);

/* Return how many bytes it takes, without what is in the cache. */
size_t dwarf_size(const struct dwarf *d);

void dwarf_close(struct dwarf *d);

#endif
