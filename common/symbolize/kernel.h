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

/* Names come from the first of these sources that is usable: the kallsyms file named by the user;
 * the vmlinux named by the user; the copy in perf's build-id cache, if the kernel was at the same
 * address when it was copied; /proc/kallsyms, if the running kernel is the recorded one; any copy
 * in the cache. The recorded kernel is identified by its build-id. If the recording has none, the
 * running kernel must have the recorded addresses and, if known, the recorded release.
 *
 * Each boot puts the kernel at another address (KASLR). With names of another boot those of the
 * image are still right, but modules have none, since each module moved by another distance. Names
 * of modules come from /proc/kallsyms, if it is of the recorded kernel: the copy may have been made
 * with other modules loaded. */
struct kernel {
    const char *kallsyms, *vmlinux; /* files named by the user, or NULL */
    const char *cache;              /* perf's build-id cache; "": none */
    struct span release; /* of the recorded kernel, as uname -r prints it; empty: unknown */
    bool unchecked;      /* without a build-id, take the names of whatever kernel runs */

    /* private */
    bool loaded;
    bool copied; /* the symbols are those in perf's cache */
    struct kallsyms symbols;
    struct span build_id; /* of the recorded kernel */
    struct elffile file;  /* vmlinux, if it is open */
    bool has_file;
    struct elfsyms vmlinux_symbols;
    uint64_t shift; /* address of the image minus its address in the symbols' file (KASLR) */
    /* Code that the kernel generated at run time, such as BPF programs: names, and the start
     * address of each by its number. */
    struct intern made;
    uint64_t *made_at;
    size_t made_cap;
    struct text why; /* why there are no names; empty if there are */
    struct arena arena;
};

/* How to print a module, which a record calls "/lib/modules/6.1.0/kernel/fs/ext4.ko.zst". */
enum kernel_module_style {
    KERNEL_MODULE,         /* "[ext4]" */
    KERNEL_MODULE_AS_PERF, /* "ext4.ko.zst" if perf 6.1 does not know the suffix, else "[ext4]" */
    KERNEL_MODULE_PATH,    /* as in the record */
};

/* Add the map of the kernel's image or of a module, from an MMAP record, to the kernel's address
 * space. The map of the image must have the kernel's build-id if that is known: it loads the
 * names. */
void kernel_map(struct kernel *k, struct procmaps *maps, const struct procmap *map,
                enum kernel_module_style style);

/* Add the code of a KSYMBOL record. */
void kernel_made(struct kernel *k, struct procmaps *maps, const struct procmap *map);

/* Find the name and the start of the function at the address. `dso` is the name of the DSO:
 * "[kernel.kallsyms]", a module or a BPF program. Return false if no name is known. */
bool kernel_find(struct kernel *k, struct span dso, uint64_t addr, struct span *name,
                 uint64_t *start);

/* Read the notes of the running kernel, and return its build-id, which points into `notes`; empty
 * if there is none. */
struct span kernel_running_build_id(char notes[static 4096]);

/* Free everything, and forget all but the files named by the user. */
void kernel_reset(struct kernel *k);

#endif
