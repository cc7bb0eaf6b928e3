/* An ELF file, mapped into memory. */
#ifndef SYM_ELFFILE_H
#define SYM_ELFFILE_H

#include "common/sym/elf.h"

struct elffile {
    const char *path; /* borrowed */
    struct span bytes;
    struct elf elf;
    bool mapped; /* by elffile_open */
};

/* Maps the file at the path, which must be a regular one. NULL, or what is wrong with it: then
 * there is nothing to close. If somebody truncates the file while it is mapped, reading it ends
 * the program with SIGBUS. */
const char *elffile_open(struct elffile *f, const char *path);

/* The vdso of this process: an ELF file without a path that the kernel maps into each process.
 * NULL, or what is wrong. */
const char *elffile_open_vdso(struct elffile *f);

/* Unmaps what elffile_open() mapped. */
void elffile_close(struct elffile *f);

#endif
