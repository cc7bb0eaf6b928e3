/* ELF files by path. */
#ifndef SYM_ELFFILE_H
#define SYM_ELFFILE_H

#include "common/base/intern.h"
#include "common/sym/elf.h"

struct elffile {
    struct content content;
    struct elf elf;
    const char *known_as; /* its path for messages, where content.path is a descriptor's; else NULL */

    /* private */
    const char *problem; /* what is wrong with the file, in a list of files */
    bool has_crc;
    uint32_t crc;
    struct text unpacked; /* the bytes of one that was compressed in another file */
};

/* Open the regular file at the path, which is borrowed; *f must not move. NULL, or what is wrong
 * with it: then there is nothing to close. */
const char *elffile_open(struct elffile *f, const char *path);

void elffile_close(struct elffile *f);

/* Files that stay open, each once: it may have any number of paths, by links and mounts. {0} has
 * none. */
struct elffiles {
    /* private */
    struct contentpool pool;
    struct intern ids;
    struct elffile **list; /* by number of `ids` */
    size_t cap;
    struct elffile *spare, vdso;
    uint64_t crc_bytes; /* that were read */
    struct arena arena;
};

/* Return the file at the path, which begins with the folder `root`, borrowed, that it must be in
 * ("": anywhere; see regular.h); valid until elffiles_close(). NULL, with *problem, if it cannot
 * be opened or is no ELF file. */
struct elffile *elffiles_open(struct elffiles *f, const char *root, const char *path,
                              const char **problem);

/* Return the same for a file that another one names, as content_open_named(). */
struct elffile *elffiles_open_named(struct elffiles *f, const struct elffile *by, const char *root,
                                    const char *path, const char **problem);

/* Return the same for the vdso of this process: an ELF file without a path that the kernel maps
 * into each process. */
struct elffile *elffiles_open_vdso(struct elffiles *f, const char **problem);

enum { ELFFILES_DEBUGDATA_MAX = 64 << 20 };

/* Return the ELF file that is compressed in the .gnu_debugdata of another one, unpacked once by xz:
 * symbols that are not exported. NULL if there is none, or it cannot be unpacked. */
struct elffile *elffiles_open_debugdata(struct elffiles *f, struct elffile *file);

/* Copy a path; the copy is valid until elffiles_close(). */
const char *elffiles_keep_path(struct elffiles *f, const char *path);

enum { ELFFILES_CRC_MAX = 512 << 20 };

/* Return true if the file's contents have this CRC-32, which is computed once a file. False once
 * ELFFILES_CRC_MAX bytes of all files would be read for that: it takes seconds. */
bool elffiles_has_crc(struct elffiles *f, struct elffile *file, uint32_t crc);

void elffiles_close(struct elffiles *f);

#endif
