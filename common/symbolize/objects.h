/* The interface for the object files of running processes: (name, build-id) -> a file. The recorder
 * implements it (heldfiles.h): it keeps files open that cannot be opened by their names later. For
 * a recording that is read from a file, there is no implementation. Apart from the files of this
 * interface, the symbolizer searches for files as dsofile.h says. */
#ifndef SYMBOLIZE_OBJECTS_H
#define SYMBOLIZE_OBJECTS_H

#include "common/event/record.h"

enum { OBJECTS_PATH = 32 };

struct objects {
    /* Open the file of an MMAP2 record now if it cannot be opened by its name later. Ignore other
     * records. */
    void (*see)(struct objects *o, const struct record *r);
    /* Write a path for opening the file with this name and build-id to `path`, and return it.
     * Return NULL if the file is not kept open: open it by its name then. */
    const char *(*path)(struct objects *o, struct span name, struct span build_id,
                        char path[static OBJECTS_PATH]);
    /* Stop keeping the file open: the symbolizer has opened it itself, or does not need it. */
    void (*release)(struct objects *o, struct span name, struct span build_id);
    /* Return the build-id of the file of an MMAP2 record that has none; empty if unknown. */
    struct span (*build_id)(struct objects *o, const struct record_mmap *m);
    /* Return true if a process or thread with this id runs now. */
    bool (*runs)(int32_t id);
};

#endif
