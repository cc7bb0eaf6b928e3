/* Where debug symbols are: "Debugging Information in Separate Files" in gdb's manual. perf's cache:
 * perf-buildid-cache(1). For build-id 1234abcd... of /usr/bin/app and the default folders:
 *
 *     ~/.debug/.build-id/12/34abcd.../elf             a copy, made by perf record
 *     ~/.debug/.build-id/12/34abcd.../debug
 *     /usr/lib/debug/.build-id/12/34abcd....debug     Debian
 *     /usr/lib/debug/usr/bin/app.debug                Fedora
 *     /usr/lib/debug/usr/bin/app                      old Ubuntu
 *     /usr/bin/app
 *     /usr/bin/NAME, /usr/bin/.debug/NAME             NAME from its .gnu_debuglink
 *     /usr/lib/debug/usr/bin/NAME
 *     ~/.cache/debuginfod_client/1234abcd.../debuginfo, .../executable
 */
#include "common/sym/dsofile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/helper.h"
#include "common/sym/elfsyms.h"
#include "common/sym/gopclntab.h"

/* Join the texts of a list that ends with NULL. Return a C string. */
static char *
join_list(struct dsofile *d, const char *const *texts)
{
    struct text whole = {0};
    for (; *texts != NULL; texts++)
        text_add(&whole, span_cstr(*texts));
    char *joined = arena_cstr(&d->arena, text_span(&whole));
    free(whole.ptr);
    return joined;
}

#define JOIN(d, ...) join_list(d, (const char *const[]){__VA_ARGS__, NULL})

void
dsofile_add_build_id(struct text *out, struct span id)
{
    char digits[3];
    for (size_t i = 0; i < id.len; i++) {
        snprintf(digits, sizeof digits, "%02x", (unsigned char)id.ptr[i]);
        text_add(out, span_of(digits, 2));
    }
}

/* Return "12/34abcd...", the path in folders that are sorted by build-id; `separator` replaces the
 * "/". */
static char *
build_id_path(struct dsofile *d, const char *separator)
{
    struct text path = {0};
    dsofile_add_build_id(&path, span_head(d->build_id, 1));
    text_add(&path, span_cstr(separator));
    dsofile_add_build_id(&path, span_from(d->build_id, 1));
    char *copy = arena_cstr(&d->arena, text_span(&path));
    free(path.ptr);
    return copy;
}

/* Choosing files */

/* Return true if the build-ids are equal. Some versions of perf pad short ones with zeros up to 20
 * bytes. */
static bool
same_build_id(struct span recorded, struct span id)
{
    if (id.len == 0 || recorded.len < id.len || memcmp(recorded.ptr, id.ptr, id.len) != 0)
        return false;
    for (size_t i = id.len; i < recorded.len; i++)
        if (recorded.ptr[i] != 0)
            return false;
    return true;
}

/* Return true if the file has code. A file with debug symbols only has the section headers of
 * code. */
static bool
has_code(const struct elf *e)
{
    Elf64_Shdr s;
    for (size_t i = 1; elf_section(e, i, &s); i++)
        if (s.sh_type == SHT_PROGBITS && (s.sh_flags & SHF_EXECINSTR) != 0)
            return true;
    return false;
}

static bool
has_section(const struct elf *e, uint32_t type, struct span name)
{
    Elf64_Shdr s;
    return elf_find_section(e, type, name, &s);
}

static bool
is_complete(const struct dsofile *d)
{
    return d->names == DSOFILE_ALL && d->runtime != NULL && (d->info != NULL || !d->search->info);
}

/* Use the file for everything that is still needed. */
static void
offer(struct dsofile *d, const struct elffile *f)
{
    if (d->names != DSOFILE_ALL && elfsyms_has_symtab(&f->elf)) {
        d->symbols = f;
        d->names = DSOFILE_ALL;
    }
    if (d->runtime == NULL && has_code(&f->elf))
        d->runtime = f;
    if (d->info == NULL && (has_section(&f->elf, SHT_PROGBITS, SPAN(".debug_info")) ||
                            has_section(&f->elf, SHT_PROGBITS, SPAN(".zdebug_info"))))
        d->info = f;
}

/* Remember a file that could not be opened, unless it does not exist. debuginfod's client leaves an
 * empty file for each build-id that no server has. */
static void
note_unusable(struct dsofile *d, const char *path, const char *problem)
{
    struct helper_file file;
    int fd = helper_find(0, NULL, path, true, &file);
    bool missing = fd >= 0 ? file.st.st_size == 0 : errno == ENOENT || errno == ENOTDIR;
    if (fd >= 0)
        close(fd);
    if (missing || d->unusable != NULL)
        return;
    d->unusable = elffiles_keep_path(d->files, path);
    d->unusable_why = problem;
}

/* Use an open file if it has the build-id, or without a build-id, if it has the CRC. `f` is NULL if
 * it could not be opened. */
static void
use_file(struct dsofile *d, struct elffile *f, const char *path, const char *problem,
         const uint32_t *crc)
{
    if (f == NULL)
        note_unusable(d, path, problem);
    else if (d->build_id.len > 0 ? same_build_id(d->build_id, elf_build_id(&f->elf))
                                 : crc != NULL && elffiles_has_crc(d->files, f, *crc))
        offer(d, f);
}

/* Use the file at the path; `root` is the folder that contains it. */
static void
try_file(struct dsofile *d, const char *root, const char *path, const uint32_t *crc)
{
    const char *problem;
    if (is_complete(d))
        return;
    struct elffile *f = elffiles_open(d->files, root, path, &problem);
    use_file(d, f, path, problem, crc);
}

static void
try_path(struct dsofile *d, const char *root, const char *path)
{
    try_file(d, root, path, NULL);
}

/* Use the file at the path, which was named by another file. */
static void
try_named(struct dsofile *d, const struct elffile *by, const char *path, const uint32_t *crc)
{
    const char *problem;
    if (is_complete(d))
        return;
    struct elffile *f = elffiles_open_named(d->files, by, d->search->symfs, path, &problem);
    use_file(d, f, path, problem, crc);
}

/* Use files in the cache and among the debug symbols. They are found there by build-id and by
 * path. */
static void
try_copies(struct dsofile *d, const char *path)
{
    const struct dsofile_search *s = d->search;
    if (d->build_id.len < 2)
        return;
    const char *id = build_id_path(d, "/");
    if (s->cache[0] != '\0') {
        try_path(d, "", JOIN(d, s->cache, "/.build-id/", id, d->vdso ? "/vdso" : "/elf"));
        try_path(d, "", JOIN(d, s->cache, "/.build-id/", id, "/debug"));
    }
    if (s->debug[0] == '\0' || d->vdso)
        return;
    try_path(d, s->symfs, JOIN(d, s->symfs, s->debug, "/.build-id/", id, ".debug"));
    try_path(d, s->symfs, JOIN(d, s->symfs, s->debug, path, ".debug"));
    try_path(d, s->symfs, JOIN(d, s->symfs, s->debug, path));
}

/* Use a file named by .gnu_debuglink. */
static void
try_links(struct dsofile *d, const struct elffile *own, const char *path)
{
    struct elf_link link;
    if (is_complete(d) || !elf_debuglink(&own->elf, &link))
        return;
    const struct dsofile_search *s = d->search;
    const char *folder =
        arena_cstr(&d->arena, span_head(span_cstr(path), span_rfind(span_cstr(path), '/') + 1));
    if (content_has_neighbours(&own->content)) {
        try_named(d, own, JOIN(d, s->symfs, folder, link.name), &link.crc);
        try_named(d, own, JOIN(d, s->symfs, folder, ".debug/", link.name), &link.crc);
    }
    if (s->debug[0] != '\0')
        try_file(d, s->symfs, JOIN(d, s->symfs, s->debug, folder, link.name), &link.crc);
}

/* Use files from debuginfod. */
static void
try_debuginfod(struct dsofile *d)
{
    const struct dsofile_search *s = d->search;
    if (d->build_id.len < 2 || d->vdso || s->as_perf)
        return;
    const char *id = build_id_path(d, "");
    if (s->debuginfod != NULL && s->debuginfod[0] != '\0') {
        try_path(d, "", JOIN(d, s->debuginfod, "/", id, "/debuginfo"));
        try_path(d, "", JOIN(d, s->debuginfod, "/", id, "/executable"));
    }
    const char *path = NULL;
    if (s->servers != NULL && !is_complete(d))
        path = debuginfod_find(s->servers, id);
    if (path != NULL)
        try_path(d, "", path);
}

/* Open the DSO's own file, or `held` if that is not NULL. Return NULL with d->problem if it cannot
 * be used. */
static struct elffile *
open_own(struct dsofile *d, const char *path, const char *held)
{
    struct elffile *f = NULL;
    if (held != NULL)
        f = elffiles_open(d->files, "", held, &d->problem);
    else if (path[0] == '/')
        f = elffiles_open(d->files, d->search->symfs, JOIN(d, d->search->symfs, path), &d->problem);
    else if (d->vdso && (!d->search->as_perf || d->build_id.len == 0))
        f = elffiles_open_vdso(d->files, &d->problem);
    else
        d->problem = "is not a file";
    if (f == NULL)
        return NULL;
    if (held != NULL)
        f->known_as = elffiles_keep_path(d->files, path);
    struct span id = elf_build_id(&f->elf);
    d->changed = d->build_id.len > 0 && !same_build_id(d->build_id, id);
    if (d->changed) {
        d->problem = "is not the recorded file (another build-id)";
        return NULL;
    }
    if (d->build_id.len == 0)
        d->build_id = id;
    d->debugdata = has_section(&f->elf, SHT_PROGBITS, SPAN(".gnu_debugdata"));
    return f;
}

const char *
dsofile_cache_dir(void)
{
    static char dir[4096];
    const char *home = getenv("HOME");
    int len = home != NULL ? snprintf(dir, sizeof dir, "%s/.debug", home) : 0;
    return len > 0 && (size_t)len < sizeof dir ? dir : "";
}

/* Use a file that has only debug symbols if its segments are the same as in the file with the code.
 * If they are empty (objcopy --only-keep-debug moves them then), its names would be those of other
 * functions. */
static void
use_without_code(struct dsofile *d)
{
    const struct elf *e = &d->symbols->elf;
    bool empty = false;
    for (size_t i = 0; i < e->nsegments; i++)
        empty |= (e->segments[i].p_flags & PF_X) != 0 && e->segments[i].p_filesz == 0;
    d->runtime = d->symbols;
    if (!empty)
        return;
    d->unusable = dsofile_path(d->symbols);
    d->unusable_why = "has debug symbols alone, whose addresses mean nothing without that file";
    d->symbols = d->runtime = d->info = NULL;
    d->names = DSOFILE_NONE;
}

void
dsofile_open(struct dsofile *d, struct elffiles *files, const struct dsofile_search *search,
             struct span path, struct span build_id, const char *held)
{
    *d = (struct dsofile){.search = search,
                          .files = files,
                          .build_id = build_id,
                          .vdso = span_eq(path, SPAN("[vdso]"))};
    const char *name = arena_cstr(&d->arena, path);
    struct elffile *own = open_own(d, name, held);
    try_copies(d, name);
    if (own != NULL) {
        offer(d, own);
        try_links(d, own, name);
    }
    try_debuginfod(d);
    if (own != NULL && d->names != DSOFILE_ALL && d->debugdata && !search->as_perf) {
        const struct elffile *packed = elffiles_open_debugdata(files, own);
        if (packed != NULL && elfsyms_has_symtab(&packed->elf))
            offer(d, packed);
    }
    if (d->names == DSOFILE_ALL && d->runtime == NULL) {
        use_without_code(d);
    } else if (d->names != DSOFILE_ALL && d->runtime != NULL && !search->as_perf &&
               gopclntab_size(&d->runtime->elf) > 0) {
        d->symbols = d->runtime;
        d->names = DSOFILE_ALL;
    } else if (d->names == DSOFILE_NONE && d->runtime != NULL &&
               has_section(&d->runtime->elf, SHT_DYNSYM, SPAN(""))) {
        d->symbols = d->runtime;
        d->names = DSOFILE_EXPORTED;
    }
    arena_free(&d->arena);
}

const char *
dsofile_path(const struct elffile *file)
{
    if (file == NULL)
        return NULL;
    if (file->known_as != NULL)
        return file->known_as;
    return file->content.path != NULL ? file->content.path : "[vdso]";
}

const char *
dsofile_reading_problem(const struct dsofile *d)
{
    if (d->symbols != NULL && d->symbols->content.problem != NULL)
        return d->symbols->content.problem;
    return d->runtime != NULL ? d->runtime->content.problem : NULL;
}

/* The explanation */

static void
add(struct text *out, const char *s)
{
    text_add(out, span_cstr(s));
}

/* Append where else the search was made. */
static void
explain_search(const struct dsofile *d, struct text *out)
{
    const struct dsofile_search *s = d->search;
    if (d->build_id.len == 0) {
        add(out, "; without a build-id no copy can be looked for");
        return;
    }
    if (s->cache[0] == '\0' && s->debug[0] == '\0')
        return;
    add(out, "; no file with its symbols and build-id ");
    dsofile_add_build_id(out, d->build_id);
    add(out, " in ");
    add(out, s->cache);
    add(out, s->cache[0] != '\0' && s->debug[0] != '\0' ? " or " : "");
    add(out, s->debug[0] != '\0' ? s->symfs : "");
    add(out, s->debug);
    add(out, s->servers != NULL ? ", nor from debuginfod" : "");
}

bool
dsofile_is_stripped(const struct dsofile *d)
{
    return d->problem == NULL && dsofile_reading_problem(d) == NULL && d->unusable == NULL;
}

bool
dsofile_explain(const struct dsofile *d, struct text *out)
{
    static const char *const has[] = {"has no symbols", "has no .symtab", ""};
    static const char *const effect[] = {"; its functions have no names",
                                         "; only the functions it exports have names",
                                         "; its names are taken from "};
    if (d->names != DSOFILE_NONE && dsofile_reading_problem(d) != NULL) {
        add(out, dsofile_reading_problem(d));
        add(out, "; some or all of its functions have no names, lines or callers");
        return true;
    }
    if (d->problem == NULL && d->names >= (d->vdso ? DSOFILE_EXPORTED : DSOFILE_ALL))
        return false;
    add(out, d->problem != NULL ? d->problem : has[d->names]);
    if (d->names == DSOFILE_EXPORTED && d->problem != NULL) {
        add(out, "; only the functions that ");
        add(out, dsofile_path(d->symbols));
        add(out, " exports have names");
    } else {
        add(out, effect[d->names]);
    }
    if (d->names == DSOFILE_ALL)
        add(out, dsofile_path(d->symbols));
    else
        explain_search(d, out);
    if (d->unusable != NULL && d->names != DSOFILE_ALL) {
        add(out, "; ");
        add(out, d->unusable);
        add(out, ": ");
        add(out, d->unusable_why);
    }
    if (d->debugdata && d->names != DSOFILE_ALL)
        add(out, "; its .gnu_debugdata, which has some, cannot be unpacked by xz");
    return true;
}
