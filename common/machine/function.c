#include "common/machine/function.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/num.h"
#include "common/demangle/demangle.h"
#include "common/machine/message.h"
#include "common/machine/similar.h"
#include "common/sym/dsofile.h"
#include "common/sym/elfsyms.h"
#include "common/sym/gopclntab.h"

/* The folders in which the dynamic linker searches for libraries: ld.so(8), and Debian's
 * "multiarch". $PATH takes precedence. */
static const char *const library_folders[] = {
    "/lib64", "/usr/lib64", "/lib/*-linux-*", "/usr/lib/*-linux-*",
    "/lib",   "/usr/lib",   "/usr/local/lib",
};

static bool
is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static const char *
in_path(struct span name, struct arena *a)
{
    const char *path = getenv("PATH");
    struct span rest = path != NULL ? span_cstr(path) : SPAN("");
    while (rest.len > 0) {
        struct span folder = span_take(&rest, ':');
        const char *file = message(a, "%.*s/%.*s", SPAN_ARG(folder), SPAN_ARG(name));
        if (folder.len > 0 && folder.ptr[0] == '/' && is_file(file))
            return file;
    }
    return NULL;
}

static const char *
in_libraries(struct span name, struct arena *a)
{
    const char *found = NULL;
    if (strpbrk(arena_cstr(a, name), "*?[\\") != NULL)
        return NULL;
    for (size_t i = 0; i < sizeof library_folders / sizeof *library_folders && !found; i++) {
        glob_t files;
        const char *pattern = message(a, "%s/%.*s", library_folders[i], SPAN_ARG(name));
        if (glob(pattern, 0, NULL, &files) == 0 && is_file(files.gl_pathv[0]))
            found = arena_cstr(a, span_cstr(files.gl_pathv[0]));
        globfree(&files);
    }
    return found;
}

const char *
function_file(struct span file, struct arena *a)
{
    if (!span_has(file, '/')) {
        const char *found = in_path(file, a);
        return found != NULL ? found : in_libraries(file, a);
    }
    char folder[4096];
    const char *path = arena_cstr(a, file);
    if (path[0] != '/' && getcwd(folder, sizeof folder) != NULL)
        path = message(a, "%s/%s", folder, path);
    return is_file(path) ? path : NULL;
}

/* A search for functions of a name in a symbol table. */
struct search {
    struct function *function;
    struct span wanted;
    const struct elf *symbols, *runtime;
    struct view names; /* names of the symbols */
    bool demangled;    /* compare with names as in the source */
    bool undefined;    /* the name exists, but the function is in another file */
    bool resolved;     /* the name is an ifunc; there may be a function, too, as an older version */
    struct similar similar;
    struct arena *arena;
    struct arena scratch;
    struct text name;
};

static void
add_offset(struct search *s, const Elf64_Sym *symbol)
{
    struct function *f = s->function;
    uint64_t addr = symbol->st_value;
    Elf64_Phdr segment;
    if (s->symbols->machine == EM_ARM)
        addr &= ~(uint64_t)1; /* set for Thumb code */
    if (!elf_find_segment(s->runtime, addr, &segment))
        return;
    MEM_ADD(f->offsets, f->count, f->cap, addr - segment.p_vaddr + segment.p_offset);
}

static int
by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sort the offsets, and remove repetitions: a function may have several symbols. */
static void
keep_different(struct function *f)
{
    size_t n = 0;
    if (f->count > 0)
        qsort(f->offsets, f->count, sizeof *f->offsets, by_value);
    for (size_t i = 0; i < f->count; i++)
        if (n == 0 || f->offsets[i] != f->offsets[n - 1])
            f->offsets[n++] = f->offsets[i];
    f->count = n;
}

/* Return a symbol's name without its version: "memcpy@@GLIBC_2.14". */
static struct span
name_of(struct search *s, const Elf64_Sym *symbol)
{
    struct span name = view_string(&s->names, symbol->st_name);
    size_t at = span_find(name, '@');
    name = at != SPAN_NONE ? span_head(name, at) : name;
    if (!s->demangled)
        return name;
    s->name.len = 0;
    bool mangled = demangle(&s->scratch, name, DEMANGLE_SHORT, &s->name);
    arena_reset(&s->scratch);
    return mangled ? text_span(&s->name) : SPAN("");
}

static void
compare(struct search *s, const Elf64_Sym *symbol)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || !span_eq(name_of(s, symbol), s->wanted))
        return;
    if (symbol->st_shndx == SHN_UNDEF)
        s->undefined = true;
    else if (type == STT_GNU_IFUNC)
        s->resolved = true;
    else
        add_offset(s, symbol);
}

static void
offer(struct search *s, const Elf64_Sym *symbol)
{
    if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF)
        similar_offer(&s->similar, name_of(s, symbol));
}

/* Call f with the functions of a Go program. They exist even if it is stripped. */
static void
each_of_go(struct search *s, void (*f)(struct search *s, const Elf64_Sym *symbol))
{
    struct gopclntab table;
    struct gopclntab_function function;
    if (!gopclntab_open(&table, s->runtime))
        return;
    s->names = table.names;
    for (size_t i = 0; i < table.count; i++) {
        Elf64_Sym symbol = {.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = SHN_ABS};
        if (!gopclntab_function(&table, i, &function))
            continue;
        symbol.st_name = function.name;
        symbol.st_value = function.start;
        f(s, &symbol);
    }
    table.names = s->names;
    gopclntab_close(&table);
}

static void
each_symbol(struct search *s, void (*f)(struct search *s, const Elf64_Sym *symbol))
{
    static const uint32_t types[] = {SHT_SYMTAB, SHT_DYNSYM};
    Elf64_Shdr table, strings;
    if (s->symbols == NULL)
        return;
    if (!elfsyms_has_symtab(s->symbols))
        each_of_go(s, f);
    for (size_t k = 0; k < 2 && s->function->count == 0; k++) {
        if (!elf_find_section(s->symbols, types[k], SPAN(""), &table) ||
            !elf_section(s->symbols, table.sh_link, &strings))
            continue;
        struct view entries = elf_section_view(s->symbols, &table, VIEW_TABLE);
        size_t count = elf_count(s->symbols, &table);
        Elf64_Sym symbol;
        s->names = elf_section_view(s->symbols, &strings, VIEW_ENTRIES);
        for (size_t i = 1; i < count && elf_symbol(s->symbols, &entries, i, &symbol); i++)
            f(s, &symbol);
        view_free(&entries);
        view_free(&s->names);
    }
}

/* Try mangled names first: they are cheapest and exact. */
static void
search_names(struct search *s)
{
    each_symbol(s, compare);
    s->demangled = s->function->count == 0;
    if (s->demangled)
        each_symbol(s, compare);
}

/* Return the reason why the function was not found. */
static const char *
explain(struct search *s, const struct dsofile *d)
{
    const char *file = s->function->file, *wrong;
    struct text text = {0};
    similar_start(&s->similar, s->wanted, s->arena);
    s->function->count = 0;
    for (int demangled = 0; demangled < 2; demangled++) {
        s->demangled = demangled != 0;
        each_symbol(s, offer);
    }
    similar_explain(&s->similar, &text);
    if (s->similar.count == 0) {
        size_t before = text.len;
        text_add(&text, SPAN(": the file "));
        text.len = dsofile_explain(d, &text) ? text.len : before;
    }
    struct span more = text_span(&text);
    if (s->resolved)
        wrong =
            message(s->arena,
                    "'%.*s' of %s is an ifunc: which function is called by that name is decided "
                    "when a program starts; name one of those functions",
                    SPAN_ARG(s->wanted), file);
    else if (s->undefined)
        wrong = message(s->arena,
                        "%s calls '%.*s' but takes it from a library: name that library, as in "
                        "'libc.so.6:%.*s'",
                        file, SPAN_ARG(s->wanted), SPAN_ARG(s->wanted));
    else
        wrong = message(s->arena, "%s has no function '%.*s'%.*s", file, SPAN_ARG(s->wanted),
                        SPAN_ARG(more));
    free(text.ptr);
    return wrong;
}

static const char *
too_many(const struct search *s)
{
    return message(s->arena,
                   "'%.*s' of %s is the name of %s functions, but at most %s can be watched: name "
                   "one as in its symbol table",
                   SPAN_ARG(s->wanted), s->function->file, NUM_TEXT(s->function->count),
                   NUM_TEXT(FUNCTION_MAX));
}

static const char *
find_in(struct function *f, struct dsofile *d, struct span name, struct arena *a)
{
    const char *wrong = NULL;
    struct search s = {.function = f, .wanted = name, .arena = a};
    if (d->names != DSOFILE_NONE) {
        s.symbols = &d->symbols->elf;
        s.runtime = &d->runtime->elf;
        search_names(&s);
        keep_different(f);
        f->exact = f->count > 0 && !s.demangled;
    }
    if (f->count == 0 || s.resolved)
        wrong = explain(&s, d);
    else if (f->count > FUNCTION_MAX)
        wrong = too_many(&s);
    arena_free(&s.scratch);
    free(s.name.ptr);
    return wrong;
}

const char *
function_find(struct function *f, struct span file, struct span name, struct arena *a)
{
    static const struct dsofile_search search = {
        .symfs = "", .cache = "", .debug = "/usr/lib/debug"};
    struct elffiles files = {0};
    struct dsofile d;
    *f = (struct function){.file = function_file(file, a)};
    const char *path = arena_cstr(a, file);
    if (f->file == NULL && access(path, F_OK) != 0 && errno != ENOENT)
        return message(a, "%s: %s", path, strerror(errno));
    if (f->file == NULL)
        return message(a, "there is no file '%.*s'", SPAN_ARG(file));
    dsofile_open(&d, &files, &search, span_cstr(f->file), SPAN(""), NULL);
    const char *wrong = d.problem != NULL && d.names == DSOFILE_NONE
                            ? message(a, "%s: %s", f->file, d.problem)
                            : find_in(f, &d, name, a);
    elffiles_close(&files);
    return wrong;
}

void
function_free(struct function *f)
{
    free(f->offsets);
    *f = (struct function){0};
}
