/* The source lines of a unit, made by its program in .debug_line. */
#ifndef DWARF_LINETABLE_H
#define DWARF_LINETABLE_H

#include "common/dwarf/unit.h"

struct linetable_file {
    struct textplace name; /* with folders, or without */
};

/* {0} is empty. */
struct linetable {
    struct linetable_file *files; /* by the number that the unit's entries have */
    size_t nfiles, files_cap;
    uint64_t read; /* bytes of the program */

    /* private */
    struct sequence *sequences; /* by address */
    size_t nsequences, sequences_cap;
    struct line_row *rows;
    size_t nrows, rows_cap;
};

/* Run the program of the unit, whose first entry was read, into *t, which is {0}. It stays empty if
 * there is none; what is damaged ends it. */
void linetable_read(struct linetable *t, struct units *u, const struct unit *unit);

/* Find the number of the file and the line at an address. False where there is none. */
bool linetable_find(const struct linetable *t, uint64_t address, uint64_t *file, uint32_t *line);

/* Return how many bytes it takes. */
size_t linetable_size(const struct linetable *t);

void linetable_free(struct linetable *t);

#endif
