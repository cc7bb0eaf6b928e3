/* Files that hold parts of a program's debug information: split DWARF, a file for each unit (.dwo) or
 * one for all (.dwp), and what dwz moved to a file for several programs (.gnu_debugaltlink). Those
 * that a container's file names are not opened, and of those that another user's file names only
 * that user's: content_open_named(). */
#ifndef DWARF_COMPANION_H
#define DWARF_COMPANION_H

#include "common/dwarf/unit.h"
#include "common/sym/dsofile.h"

/* {0} is none; it must not move while it is open. */
struct companion {
    struct contentpool *pool; /* set by the caller */
    /* Set by the caller for companion_open_alt, as of debugfile_open: */
    uint64_t most;
    struct patience *patience;
    struct intern *seen; /* set by the caller: the .dwo files that were opened before */
    struct units units;
    /* What is wrong with the file where it was looked for last: "Permission denied". NULL: there is
     * none, or one of another build. */
    const char *why;
    uint64_t cost; /* of opening .dwo files, also for nothing: see companion.c */

    /* private */
    struct content content;
    struct elf elf;
    struct text path, name;
};

/* Open the .dwo file that a unit of the program, the skeleton, names: in the program's folder, or else
 * in the folder of the compilation (DW_AT_comp_dir). Return the split unit; NULL if there is none, and
 * then c->path is where it was looked for last. The units and the program's file are borrowed. */
struct unit *companion_open_dwo(struct companion *c, struct units *program, struct unit *skeleton,
                                const struct content *file);

/* Open the file beside the program that has all its units, at the program's path and ".dwp". It has
 * no units if there is none. */
void companion_open_dwp(struct companion *c, struct units *program, const struct content *file);

/* Return the unit of a .dwp file that a unit of the program stands for, or NULL. */
struct unit *companion_find(struct companion *c, struct unit *skeleton);

/* Open the file that .gnu_debugaltlink names by a path and a build-id: at that path, or else by its
 * build-id in the places that `search` says (NULL: none). A file with another build-id is not used.
 * False if there is none; c->path, unless empty, is then the path for messages. */
bool companion_open_alt(struct companion *c, const struct elf *e, const struct content *file,
                        const struct dsofile_search *search);

void companion_close(struct companion *c);

#endif
