/* The line table of a unit, computed by its line program in .debug_line. */
#ifndef DWARF_LINETABLE_H
#define DWARF_LINETABLE_H

#include "common/dwarf/unit.h"

struct linetable_file {
    struct textplace name; /* with or without folders */
    uint64_t folder;       /* index in `folders` of the folder that the name is relative to */
};

/* {0} is empty. */
struct linetable {
    bool all; /* set by the caller: keep all rows and their flags, for linetable_each() */
    struct linetable_file *files; /* indexed by the file number in the unit's entries */
    size_t nfiles, files_cap;
    /* Folders; the first is the one in which the compiler ran, and others may be relative to it.
     * TEXT_NONE: it is in DW_AT_comp_dir. */
    struct textplace *folders;
    size_t nfolders, folders_cap;
    uint64_t read; /* bytes of the line program */

    /* private */
    struct sequence *sequences; /* sorted by address */
    size_t nsequences, sequences_cap;
    struct line_row *rows;
    size_t nrows, rows_cap;
    uint8_t *flags; /* of each row, if `all` is set */
    size_t flags_cap;
};

/* Run the unit's line program into *t, which is {0} except for `all`. unit_read_root() was called
 * for the unit. *t stays empty if there is no program. Stop at damaged data. */
void linetable_read(struct linetable *t, struct units *u, const struct unit *unit);

/* Find the file number and the line at an address. Return false if there is none. */
bool linetable_find(const struct linetable *t, uint64_t address, uint64_t *file, uint32_t *line);

struct linetable_row {
    uint64_t address, file;
    uint32_t line;
    bool statement;    /* a statement begins here (is_stmt) */
    bool prologue_end; /* the first instruction after a function's prologue */
};

/* Call f with each row of a table that was read with `all`: sequence by sequence, in the order of
 * the line program. Of rows with the same address, only the last one has instructions; the others
 * are left out. */
void linetable_each(const struct linetable *t,
                    void (*f)(void *ctx, const struct linetable_row *row), void *ctx);

/* Return the size in memory, in bytes. */
size_t linetable_size(const struct linetable *t);

void linetable_free(struct linetable *t);

#endif
