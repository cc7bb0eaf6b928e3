/* An ELF file and its debug information, for probes: the code of functions and source lines, and
 * what can be fetched there. */
#ifndef MACHINE_PROBEFILE_H
#define MACHINE_PROBEFILE_H

#include "common/dwarf/copies.h"
#include "common/dwarf/linetable.h"
#include "common/machine/probearg.h"
#include "common/sym/dsofile.h"
#include "common/unwind/cfitable.h"

struct probefile {
    const char *path;
    struct dwarf *dwarf;

    /* private */
    struct elffiles files;
    struct dsofile dso;
    struct dwarf_cache cache;
    struct patience patience;
    unsigned asked;
    struct cfitable cfi;
    bool cfi_made;
    struct arena *arena;
};

/* Open the file; *f must not move. Return NULL, or what is wrong, here and below in the arena. Call
 * probefile_close() in both cases. */
const char *probefile_open(struct probefile *f, const char *path, struct arena *a);

/* Return the address of the first instruction after the prologue of the function that begins at an
 * address, for which the site was made; the same address if that is unknown. */
uint64_t probefile_after_prologue(const struct probearg_site *site);

/* Return true if the compiler says that it optimized the function's unit. */
bool probefile_is_optimized(const struct probearg_site *site);

/* An instruction with which a function begins, or an inlined copy of one, or the code of a source
 * line in one of these. */
struct probefile_place {
    uint64_t address;
    enum { PROBEFILE_FUNCTION, PROBEFILE_COPY, PROBEFILE_LINE } kind;

    /* of a copy */
    struct copy copy;

    /* of a line */
    size_t unit;
    uint32_t call;  /* number of the function or copy in the unit */
    bool statement; /* the line table says that a statement begins there */
};

struct probefile_places {
    struct probefile_place *list;
    size_t count, cap;
};

/* Append the places of a line of a source file, "main.c" or "src/main.c": one for each function or
 * inlined copy. */
const char *probefile_find_line(struct probefile *f, struct span source, uint64_t line,
                                struct probefile_places *places);

/* Append the inlined copies of functions with a name as for function_find(); with `exact`, as in
 * the symbol table. Return NULL, or why some are missing. */
const char *probefile_find_copies(struct probefile *f, struct span name, bool exact,
                                  struct probefile_places *places);

/* Set the site to a place, for arguments; what it borrows is in *f, *scope and *cfa. Variables of
 * blocks are found only for a line. Return false if the debug information has no function there. */
bool probefile_site(struct probefile *f, const struct probefile_place *place, struct scope *scope,
                    struct varplace *cfa, struct probearg_site *site);

/* Find the offset in the file of the code at an address; the file maps it at address - offset. */
bool probefile_offset(const struct probefile *f, uint64_t address, uint64_t *offset);

/* Find the address of a symbol of any type. Return false if there is none. */
bool probefile_symbol(const struct probefile *f, struct span name, uint64_t *address);

/* Find the address of the code at an offset of the file. */
bool probefile_address(const struct probefile *f, uint64_t offset, uint64_t *address);

/* Append the path of a file of the line table: absolute, if the debug information has the folder in
 * which the compiler ran. */
void probefile_source(struct probefile *f, const struct dwarf_entry *unit,
                      const struct linetable *t, uint64_t file, struct text *out);

void probefile_close(struct probefile *f);

#endif
