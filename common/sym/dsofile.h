/* Finds the ELF files with the names of a DSO's code: the file that ran, a copy of it, or a file
 * with its debug symbols. */
#ifndef SYM_DSOFILE_H
#define SYM_DSOFILE_H

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/sym/debuginfod.h"
#include "common/sym/elffile.h"

/* Where to look. All are C strings; "" disables a place. */
struct dsofile_search {
    /* A folder with a copy of the recorded machine's files. It is put in front of the DSO's path
     * and of `debug`. */
    const char *symfs;
    const char *cache;          /* perf's build-id cache, usually ~/.debug */
    const char *debug;          /* folder of debug symbols, usually /usr/lib/debug */
    bool as_perf;               /* do not read the names of [vdso] from this process */
    bool info;                  /* look for debug information, too */
    const char *debuginfod;     /* debuginfod's cache; NULL: none */
    struct debuginfod *servers; /* tried last; NULL: none */
};

/* Return the folder of perf's build-id cache, ~/.debug as in perf-config(1); "" if there is no home
 * folder. */
const char *dsofile_cache_dir(void);

struct dsofile {
    enum { DSOFILE_NONE, DSOFILE_EXPORTED, DSOFILE_ALL } names; /* the names that were found */
    const struct elffile *symbols; /* file with the symbol table; NULL if `names` is DSOFILE_NONE */
    const struct elffile *info;    /* file with debug information, if requested; NULL: none */
    const struct elffile *runtime; /* file with the segments and the PLT; may be the same file */

    const char *problem; /* why the file at the DSO's own path cannot be used; NULL: it is used */
    bool changed;        /* `problem` is that its build-id differs from the recorded one */
    /* A copy, or a file with debug symbols, that exists but cannot be used (NULL: none), and the
     * reason, such as "Permission denied". */
    const char *unusable, *unusable_why;
    /* The file has symbols in .gnu_debugdata, an xz file; used if there are no others. */
    bool debugdata;

    /* private */
    bool vdso;
    const struct dsofile_search *search;
    struct elffiles *files;
    struct span build_id;
    struct arena arena;
};

/* Return the file with the most detailed information: debug information, which has inlined calls,
 * or at least the symbols. */
static inline const struct elffile *
dsofile_info(const struct dsofile *d)
{
    return d->info != NULL ? d->info : d->symbols;
}

/* Return the path of `symbols`, `info` or `runtime`: "[vdso]" for the vdso, NULL if `file` is
 * NULL. */
const char *dsofile_path(const struct elffile *file);

/* Look for the files of a DSO by its path in the recording, or "[vdso]", and its build-id. If that
 * is "", take the build-id of the file at the path. Reject files with another build-id or none.
 * Look in perf's order: the cache, `debug` by build-id, `debug` by path, the file itself, the file
 * named by its .gnu_debuglink; then in debuginfod's cache and at its servers. The first file with
 * .symtab gives the names, else Go's function table in the file that ran; `names` tells what was
 * found.
 *
 * `held`, if not NULL, is another path of the file that ran: use it instead of the recorded path,
 * which does not lead to that file if it was deleted or is in a container. Files are opened in
 * *files, and stay there. *files, *search and the build-id are borrowed. */
void dsofile_open(struct dsofile *d, struct elffiles *files, const struct dsofile_search *search,
                  struct span path, struct span build_id, const char *held);

/* Append what is wrong with the DSO's own file, and where else was searched, to follow "PATH: " in
 * a message. Return false, and append nothing, if that file is as expected and all names were
 * found. The vdso is expected to have exported functions only. */
bool dsofile_explain(const struct dsofile *d, struct text *out);

/* Append a build-id in hexadecimal. */
void dsofile_add_build_id(struct text *out, struct span id);

/* Return the error that occurred while reading the found files; NULL if there was none. */
const char *dsofile_reading_problem(const struct dsofile *d);

/* Return true if nothing is wrong with the found files except that they have no more symbols. */
bool dsofile_is_stripped(const struct dsofile *d);

#endif
