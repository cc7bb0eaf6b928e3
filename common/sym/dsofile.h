/* Finds the ELF files that have the names of a DSO: the file that ran, a copy of it, or a file with
 * its debug symbols. */
#ifndef SYM_DSOFILE_H
#define SYM_DSOFILE_H

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/sym/debuginfod.h"
#include "common/sym/elffile.h"

/* Where to look. All are C strings, and "" stands for nowhere. */
struct dsofile_search {
    const char *symfs;      /* a folder with a copy of the recorded machine's files: goes before the
                          DSO's path and before `debug` */
    const char *cache;      /* perf's build-id cache, usually ~/.debug */
    const char *debug;      /* debug symbols, usually /usr/lib/debug */
    bool as_perf;           /* do not take the names of [vdso] from this process */
    bool info;              /* debug information is wanted, too */
    const char *debuginfod; /* debuginfod's cache; NULL: none */
    struct debuginfod *servers; /* asked at last; NULL: none */
};

/* perf's build-id cache, ~/.debug as in perf-config(1); "" where there is no home folder. */
const char *dsofile_cache_dir(void);

struct dsofile {
    enum { DSOFILE_NONE, DSOFILE_EXPORTED, DSOFILE_ALL } names; /* which names could be found */
    const struct elffile *symbols; /* with the symbol table; NULL if `names` is DSOFILE_NONE */
    const struct elffile *info; /* with debug information, if that is wanted; NULL: there is none */
    const struct elffile *runtime; /* with the segments and the PLT; may be the same file */

    const char *problem; /* why the file at the DSO's own path is of no use; NULL: it is used */
    bool changed;        /* that problem is another build-id than the recorded file had */
    /* A copy, or a file with debug symbols, that is there and cannot be used; NULL: there is none.
     * And why: "Permission denied". */
    const char *unusable, *unusable_why;
    bool debugdata; /* it has symbols in .gnu_debugdata, an xz file: used if nothing else has */

    /* private */
    bool vdso;
    const struct dsofile_search *search;
    struct elffiles *files;
    struct span build_id;
    struct arena arena;
};

/* Return the file that says most about code: where calls were inlined, or at least the functions. */
static inline const struct elffile *
dsofile_info(const struct dsofile *d)
{
    return d->info != NULL ? d->info : d->symbols;
}

/* Return the path of `symbols`, `info` or `runtime`: "[vdso]" of the vdso, NULL if the file is
 * NULL. */
const char *dsofile_path(const struct elffile *file);

/* Look for the files of a DSO by its path in the recording, or "[vdso]", and its build-id;
 * without one (""), by that of the file at the path. Files with another build-id, or none, are
 * rejected. The order is perf's: the cache, `debug` by build-id, `debug` by path, the file
 * itself, and what its .gnu_debuglink names; then that of debuginfod. The first with .symtab
 * gives the names, else Go's table of functions in the file that ran; `names` says whether there
 * was any. If `held` is not NULL, the file itself is opened at that path: it was deleted, or the
 * recorded path leads elsewhere from here, as that of a container. Files are opened in *files,
 * and stay there; that, *search and the build-id are borrowed. */
void dsofile_open(struct dsofile *d, struct elffiles *files, const struct dsofile_search *search,
                  struct span path, struct span build_id, const char *held);

/* Append what is wrong with the DSO's own file, and where else was looked: to follow "PATH: " in a
 * message. False, without text, if it is as expected and all names were found; the vdso is
 * expected to have exported functions only. */
bool dsofile_explain(const struct dsofile *d, struct text *out);

/* Append the bytes of a build-id in hexadecimal. */
void dsofile_add_build_id(struct text *out, struct span id);

/* Return what went wrong while the files that were found were read; NULL: nothing. */
const char *dsofile_reading_problem(const struct dsofile *d);

/* Return true if nothing is wrong with the files that were found: they just have no more symbols.
 */
bool dsofile_is_stripped(const struct dsofile *d);

#endif
