/* Files with parts of a program's debug information: split DWARF, with a file for each unit (.dwo)
 * or one for all (.dwp), and dwz's file that several programs share (.gnu_debugaltlink). If the
 * program's file is in a container, they are not opened; if it belongs to another user, they must
 * belong to that user: content_open_named(). */
#ifndef DWARF_COMPANION_H
#define DWARF_COMPANION_H

#include "common/dwarf/unit.h"
#include "common/sym/dsofile.h"

/* {0} is closed; it must not move while it is open. */
struct companion {
    struct contentpool *pool; /* set by the caller */
    /* Limits as for debugfile_open(). The caller sets them for companion_open_alt(); the other
     * functions use those of the program's units. */
    uint64_t most;
    struct patience *patience;
    struct intern *seen; /* the .dwo files opened before; set by the caller */
    struct units units;
    /* The error at the place tried last, such as "Permission denied". NULL: the file does not
     * exist, or is of another build. */
    const char *why;
    uint64_t cost; /* of opening .dwo files, also of another build; about one for each byte read */

    /* private */
    struct content content;
    struct elf elf;
    struct text path, name;
};

/* Open the .dwo file that `skeleton`, a unit of the program, names: in the program's folder, or
 * else in the compilation folder (DW_AT_comp_dir). Return the split unit. Return NULL if there is
 * none: then c->path is the place tried last. The units and the program's file are borrowed. */
struct unit *companion_open_dwo(struct companion *c, struct units *program, struct unit *skeleton,
                                const struct content *file);

/* Open the .dwp file beside the program, which has all its split units: the program's path and
 * ".dwp". If there is none, c->units is empty. */
void companion_open_dwp(struct companion *c, struct units *program, const struct content *file);

/* Return the split unit in the .dwp file for `skeleton`, a unit of the program; NULL if there is
 * none. */
struct unit *companion_find(struct companion *c, struct unit *skeleton);

/* Open the file that .gnu_debugaltlink names by path and build-id: at that path, or else by
 * build-id in the places of `search` (NULL: none). The build-id must match. Return false if there
 * is no such file: c->path, unless empty, is then the path for messages. */
bool companion_open_alt(struct companion *c, const struct elf *e, const struct content *file,
                        const struct dsofile_search *search);

void companion_close(struct companion *c);

#endif
