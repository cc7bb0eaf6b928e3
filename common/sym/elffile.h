/* ELF files by path. */
#ifndef SYM_ELFFILE_H
#define SYM_ELFFILE_H

#include "common/base/intern.h"
#include "common/sym/elf.h"

struct elffile {
    struct content content;
    struct elf elf;
    /* Its path for messages, if content.path is that of a descriptor; else NULL. */
    const char *known_as;

    /* private */
    const char *problem; /* for elffiles_open(): why it is no usable ELF file; NULL: it is one */
    bool has_crc;
    uint32_t crc;
    struct text unpacked; /* its bytes, if it was stored compressed in another file */
};

/* Open the regular file at the path, which is borrowed; *f must not move. Return NULL, or what is
 * wrong with the file: then there is nothing to close. */
const char *elffile_open(struct elffile *f, const char *path);

void elffile_close(struct elffile *f);

/* Files that stay open, each once, whatever its paths (links, mounts). {0} is empty. */
struct elffiles {
    /* private */
    struct contentpool pool;
    struct intern ids;
    struct elffile **list; /* indexed by number in `ids` */
    size_t cap;
    struct elffile *spare, vdso;
    uint64_t crc_bytes; /* bytes read to compute CRCs */
    struct arena arena;
};

/* Return the file at `path`, which begins with the folder `root` that it must be in ("": anywhere;
 * see regular.h). The root is borrowed; the file is valid until elffiles_close(). Return NULL, and
 * set *problem, if it cannot be opened or is not an ELF file. */
struct elffile *elffiles_open(struct elffiles *f, const char *root, const char *path,
                              const char **problem);

/* As elffiles_open, for a file that `by` names; see content_open_named(). */
struct elffile *elffiles_open_named(struct elffiles *f, const struct elffile *by, const char *root,
                                    const char *path, const char **problem);

/* As elffiles_open, for the vdso of this process: an ELF file without a path that the kernel maps
 * into each process. */
struct elffile *elffiles_open_vdso(struct elffiles *f, const char **problem);

enum { ELFFILES_DEBUGDATA_MAX = 64 << 20 };

/* Return the ELF file in the .gnu_debugdata of another one, which has symbols that are not
 * exported. It is unpacked by xz once. Return NULL if there is none, or if it cannot be
 * unpacked. */
struct elffile *elffiles_open_debugdata(struct elffiles *f, struct elffile *file);

/* Copy a path; the copy is valid until elffiles_close(). */
const char *elffiles_keep_path(struct elffiles *f, const char *path);

enum { ELFFILES_CRC_MAX = 512 << 20 };

/* Return true if the file's contents have this CRC-32, which is computed once for each file. Return
 * false once ELFFILES_CRC_MAX bytes in all would have been read for CRCs: that takes seconds. */
bool elffiles_has_crc(struct elffiles *f, struct elffile *file, uint32_t crc);

void elffiles_close(struct elffiles *f);

#endif
