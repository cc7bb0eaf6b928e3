/* Inlined calls and source lines, from the debug information (DWARF 2 to 5) of an ELF file.
 *
 * A unit, usually one compiled source file, is read at the first lookup of one of its addresses.
 * Recently used units are cached. */
#ifndef DWARF_DWARF_H
#define DWARF_DWARF_H

#include "common/sym/dsofile.h"

/* The cache of units, which several files can share. {0} is empty; the caller may set the members
 * that are not private. */
struct dwarf_cache {
    const struct dsofile_search *search; /* where to look for files of dwz, too; NULL: nowhere */
    size_t limit;                        /* bytes; 0: DWARF_CACHE_MAX */
    bool paths;                          /* names of source files include their folders */
    uint64_t file_limit;       /* limit in bytes for each file, see debugfile.h; 0: DEBUGFILE_MAX */
    struct patience *patience; /* time limit of reading; NULL: none */

    /* private */
    struct dwarf_unit *newest, *oldest;
    size_t used;             /* bytes */
    struct contentpool pool; /* files with parts of the debug information */
};

/* If the cache exceeds this number of bytes, the least recently used units are dropped. */
enum { DWARF_CACHE_MAX = 256 << 20 };

struct dwarf;

/* Open the debug information of a file. The file and the cache are borrowed. Return NULL if it has
 * none. If it cannot be unpacked, dwarf_find() finds nothing and dwarf_missing() tells why. Once
 * the patience is over, results here and below are incomplete: do not use them, and close the
 * file. */
struct dwarf *dwarf_open(const struct elffile *file, struct dwarf_cache *cache);

/* A function, or a call inlined into one. */
struct dwarf_call {
    struct span function; /* linkage name, else name; "" if unknown */
    struct span file;     /* source file, with its folders if cache->paths; ptr NULL: unknown */
    uint32_t line;        /* 0 if unknown */
};

/* Find the calls at an address of the file, innermost first. If the line is known but not the
 * function, that is one call. Return their number; 0 if nothing is known. They are valid until the
 * next call. */
size_t dwarf_find(struct dwarf *d, uint64_t address, const struct dwarf_call **calls);

struct dwarf_missing {
    const char *path; /* the file that should have the part; "": the program's own */
    const char *why;  /* "is not there, ...", to follow "this part of the debug information" */
    bool too_large;   /* reading it would exceed file_limit */
};

/* Find a part of the debug information that could not be read, and that an address looked up since
 * the last call needs. Return false if there is none. Valid until the next call. */
bool dwarf_missing(struct dwarf *d, struct dwarf_missing *missing);

/* A debugging information entry (DIE), for those who read more of it: see die.h. */
struct dwarf_entry {
    struct units *units;
    const struct unit *unit;
    uint64_t offset; /* in the unit's section */
};

/* Set *e to the first entry of the unit that has code at an address. In split DWARF, that is the
 * unit in the other file. Return false if there is none. Valid until the next call. */
bool dwarf_entry_at(struct dwarf *d, uint64_t address, struct dwarf_entry *e);

/* Set *e to the first entry of the n-th unit of the file itself. Return false after the last. */
bool dwarf_entry_nth(struct dwarf *d, size_t n, struct dwarf_entry *e);

/* As dwarf_entry_nth(), but in split DWARF, set *e to that of the unit in the other file. Valid
 * until the next call. */
bool dwarf_entry_split(struct dwarf *d, size_t n, struct dwarf_entry *e);

/* Return true if the n-th unit of the file has code of an inlined function with a wanted name: its
 * linkage name, else its name. A name may be asked for many times. */
bool dwarf_inlines(struct dwarf *d, size_t n, bool (*wanted)(void *ctx, struct span name),
                   void *ctx);

/* Return the linkage name of a function, or its name if it has no linkage name, or "" if it has
 * neither. A function can have several entries, which refer to each other: set *e to the one with
 * the name. The name is valid until the next call. */
struct span dwarf_function_name(struct dwarf *d, struct dwarf_entry *e, bool *linkage);

struct value;
struct textplace;

/* Move *e to the entry to which an attribute of it refers. Return false if there is none. */
bool dwarf_follow(struct dwarf *d, struct dwarf_entry *e, const struct value *v);

/* Return the text at a place that value_text() or the line table of the entry's unit gave; "" if
 * there is none. Valid until the next call. */
struct span dwarf_text(struct dwarf *d, const struct dwarf_entry *e, const struct textplace *place);

/* Return the number of the innermost function or inlined call at an address. It is unique in its
 * unit only. Return UINT32_MAX if no function is known there. */
uint32_t dwarf_call_number(struct dwarf *d, uint64_t address);

/* Replace control bytes, which a name in a file may contain, by "?". dwarf_find does this
 * itself. */
void dwarf_mask(struct text *name);

/* Return the size in memory, in bytes, without the cache. */
size_t dwarf_size(const struct dwarf *d);

void dwarf_close(struct dwarf *d);

#endif
