/* The object files of recorded processes: (name, build-id) -> a file. Only what this interface, and the
 * folders that the user named, have is opened for the symbolizer; see dsofile.h. Whoever records has
 * files that cannot be opened by their names later (heldfiles.h); behind a file there is nobody. */
#ifndef SYMBOLIZE_OBJECTS_H
#define SYMBOLIZE_OBJECTS_H

#include "common/event/record.h"

enum { OBJECTS_PATH = 32 };

struct objects {
    /* Open the file of an MMAP2 record now if it cannot be opened by its name later. Ignore other records. */
    void (*see)(struct objects *o, const struct record *r);
    /* Write a path by which the file of that name and build-id can be opened, and return it; NULL: the
     * name is one. */
    const char *(*path)(struct objects *o, struct span name, struct span build_id,
                        char path[static OBJECTS_PATH]);
    /* The file is open, or not needed. */
    void (*release)(struct objects *o, struct span name, struct span build_id);
    /* Return the build-id of the file of an MMAP2 record that has none; empty if it is not known. */
    struct span (*build_id)(struct objects *o, const struct record_mmap *m);
    /* Return true if a process or thread of that number runs now. */
    bool (*runs)(int32_t id);
};

#endif
