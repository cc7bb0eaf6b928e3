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

/* If the user named a kallsyms file or a vmlinux, the names come only from that; from the kallsyms
 * file, if both are named. Otherwise they come from the first of these sources that is usable:
 *
 * - the copy of kallsyms in perf's build-id cache, if the kernel was at the recorded address when
 *   the copy was made;
 * - /proc/kallsyms, if the running kernel is the recorded one: if it has the recorded build-id or,
 *   in a recording without a build-id of the kernel, the recorded addresses and, if that is known,
 *   the recorded release;
 * - the copy in the cache, even if the kernel was at another address.
 *
 * Each boot puts the kernel at another address (KASLR). With names from another boot, the functions
 * of the image still get the right names: all of them moved by the same distance. Functions of
 * modules get no names, since each module moved by another distance.
 *
 * If the names come from a copy of the same boot, those of modules are read from /proc/kallsyms, if
 * the running kernel is the recorded one: when the copy was made, other modules may have been
 * loaded. */
struct kernel {
    const char *kallsyms, *vmlinux; /* files named by the user, or NULL */
    const char *cache;              /* perf's build-id cache; "": none */
    struct span release;       /* of the recorded kernel, as uname -r prints it; empty: unknown */
    bool unchecked;            /* without a build-id, take the names of whatever kernel runs */
    struct patience *patience; /* asked while names are read; its answer is ignored. Or NULL */

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
 * space. When the map of the image is added, the names are loaded, so this map must already
 * have the kernel's build-id, if that is known. */
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
