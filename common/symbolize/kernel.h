/* The names of the kernel's functions. */
#ifndef SYMBOLIZE_KERNEL_H
#define SYMBOLIZE_KERNEL_H

#include "common/base/diag.h"
#include "common/base/intern.h"
#include "common/sym/elffile.h"
#include "common/sym/elfsyms.h"
#include "common/sym/kallsyms.h"
#include "common/sym/procmaps.h"

/* A kernel's image, as records of maps and lists of build-ids name it. */
#define KERNEL_IMAGE "[kernel.kallsyms]"

/* Names come from the file that was given, kallsyms before vmlinux; else from perf's build-id
 * cache, if the kernel lay at the same place when it was copied; else from /proc/kallsyms if the
 * kernel that runs is the recorded one, by its build-id; else from the cache. If the recording has
 * no build-id of its kernel, the kernel that runs must have the recorded addresses and, if it is
 * known, the recorded release. Each boot puts the kernel at another place (KASLR): where the names
 * are of another boot, the image's are still right, and modules have none, since each of them moved
 * by another distance. The names of modules come from /proc/kallsyms, if that is of the recorded
 * kernel: others may be loaded than when the copy was made. */
struct kernel {
    const char *kallsyms, *vmlinux; /* files that were given; NULL: not */
    const char *cache;              /* perf's build-id cache; "": none */
    struct span release; /* of the recorded kernel, as uname -r prints it; empty: unknown */
    bool unchecked;      /* without a build-id, take the names of whatever kernel runs */

    /* private */
    bool loaded;
    bool copied; /* the symbols are those in perf's cache */
    struct kallsyms symbols;
    struct span build_id; /* of the recorded kernel */
    struct elffile file;  /* vmlinux, where it is open */
    bool has_file;
    struct elfsyms vmlinux_symbols;
    uint64_t shift; /* what the image's addresses are higher by than in the symbols' file (KASLR) */
    /* Code that the kernel made at run time, such as BPF programs: names, and by their numbers
     * where each starts. */
    struct intern made;
    uint64_t *made_at;
    size_t made_cap;
    struct text why; /* why there are no names; empty: there are */
    struct arena arena;
};

/* The name of a module, "/lib/modules/6.1.0/kernel/fs/ext4.ko.zst" in a record. */
enum kernel_module_style {
    KERNEL_MODULE,         /* "[ext4]" */
    KERNEL_MODULE_AS_PERF, /* "ext4.ko.zst" if perf 6.1 does not know the suffix, else "[ext4]" */
    KERNEL_MODULE_PATH,    /* as in the record */
};

/* Add what an MMAP record says of the kernel's image or of a module to the kernel's address space.
 * The names are loaded when the image's record comes, which is to have the kernel's build-id, if
 * that is known. */
void kernel_map(struct kernel *k, struct procmaps *maps, const struct procmap *map,
                enum kernel_module_style style);

/* Add code that a KSYMBOL record tells of. */
void kernel_made(struct kernel *k, struct procmaps *maps, const struct procmap *map);

/* Find the name of the function at the address, and where it starts. `dso` is the DSO's name:
 * "[kernel.kallsyms]", a module's, or that of a BPF program. False where none is known. */
bool kernel_find(struct kernel *k, struct span dso, uint64_t addr, struct span *name,
                 uint64_t *start);

/* Return the build-id of the kernel that runs, in its notes, which are read; empty if it has none.
 */
struct span kernel_running_build_id(char notes[static 4096]);

/* Free everything, and forget all but the files that were given. */
void kernel_reset(struct kernel *k);

#endif
