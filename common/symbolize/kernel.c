#include "common/symbolize/kernel.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/base/num.h"
#include "common/stack/frames/dso.h"
#include "common/sym/dsofile.h"

#define IMAGE SPAN(KERNEL_IMAGE)

/* The notes are ELF's: struct Elf64_Nhdr, a name and a description, each padded to 4 bytes. */
struct span
kernel_running_build_id(char notes[static 4096])
{
    int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, notes, 4096) : -1;
    if (fd >= 0)
        close(fd);
    struct span rest = span_of(notes, got > 0 ? (size_t)got : 0);
    Elf64_Nhdr note;
    while (rest.len > sizeof note) {
        memcpy(&note, rest.ptr, sizeof note);
        rest = span_from(rest, sizeof note);
        uint64_t name = ((uint64_t)note.n_namesz + 3) & ~3u,
                 desc = ((uint64_t)note.n_descsz + 3) & ~3u;
        if (name > rest.len || desc > rest.len - name)
            break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(rest.ptr, "GNU", 4) == 0)
            return span_of(rest.ptr + name, note.n_descsz);
        rest = span_from(rest, (size_t)(name + desc));
    }
    return SPAN("");
}

/* Note why a file cannot be used: "FILE: WHY". */
static void
note_problem(struct kernel *k, const char *path, const char *problem)
{
    if (k->why.len > 0)
        text_add(&k->why, SPAN("; "));
    text_add(&k->why, span_cstr(path));
    text_add(&k->why, SPAN(": "));
    text_add(&k->why, span_cstr(problem));
}

static bool
load_kallsyms(struct kernel *k, const char *path)
{
    const char *problem = kallsyms_load(&k->symbols, path, k->patience);
    if (problem != NULL)
        note_problem(k, path, problem);
    return problem == NULL;
}

/* Find the address of a symbol of vmlinux. Return false if there is none. */
static bool
find_address(const struct elf *e, struct span name, uint64_t *addr)
{
    Elf64_Shdr table, strings;
    if (!elf_find_section(e, SHT_SYMTAB, SPAN(""), &table) ||
        !elf_section(e, table.sh_link, &strings))
        return false;
    struct view symbols = elf_section_view(e, &table, VIEW_TABLE),
                names = elf_section_view(e, &strings, VIEW_ENTRIES);
    size_t n = elf_count(e, &table);
    bool found = false;
    Elf64_Sym s;
    for (size_t i = 0; i < n && !found && elf_symbol(e, &symbols, i, &s); i++)
        found = span_eq(view_string(&names, s.st_name), name);
    if (found)
        *addr = s.st_value;
    view_free(&symbols);
    view_free(&names);
    return found;
}

static void
close_vmlinux(struct kernel *k)
{
    elfsyms_free(&k->vmlinux_symbols);
    if (k->has_file)
        elffile_close(&k->file);
    k->has_file = false;
}

/* Load the names of vmlinux, if it is that of the recorded kernel. `map` is the map of the image,
 * whose name ends with the symbol at which it begins: "[kernel.kallsyms]_text". */
static void
load_vmlinux(struct kernel *k, const struct procmap *map)
{
    uint64_t addr = 0;
    const char *problem = elffile_open(&k->file, k->vmlinux);
    k->has_file = problem == NULL;
    struct span own = k->has_file ? elf_build_id(&k->file.elf) : SPAN("");
    if (own.len > 0 && map->build_id.len > 0 && !span_eq(own, map->build_id))
        problem = "is not the recorded kernel (another build-id)";
    else if (problem == NULL && !find_address(&k->file.elf, span_from(map->name, IMAGE.len), &addr))
        problem = "lacks the symbols of a kernel";
    if (problem == NULL) {
        k->vmlinux_symbols.symbols.patience = k->patience;
        elfsyms_read(&k->vmlinux_symbols, &k->file.elf, &k->file.elf, ELFSYMS_ADDRESSES);
        problem = k->file.content.problem;
    }
    k->shift = problem == NULL ? map->pgoff - addr : 0;
    if (problem == NULL)
        return;
    note_problem(k, k->vmlinux, problem);
    close_vmlinux(k);
}

/* Set k->shift: how far the image moved since kallsyms was written. The pgoff of `map` is the
 * recorded address of the image's first symbol. Kernels move by multiples of 2 MB
 * (CONFIG_PHYSICAL_ALIGN on x86): any other distance means that the file begins with another
 * symbol. */
static void
set_shift(struct kernel *k, const struct procmap *map)
{
    enum { ALIGN = 2 << 20 };
    uint64_t start, end;
    if (symtab_range(&k->symbols.kernel, &start, &end) && (map->pgoff - start) % ALIGN == 0)
        k->shift = map->pgoff - start;
}

/* Set `path` to the copy of the kernel's kallsyms in perf's cache; empty if there is none. */
static void
copy_path(const struct kernel *k, struct span build_id, char path[static 4096])
{
    struct text id = {0};
    dsofile_add_build_id(&id, build_id);
    path[0] = '\0';
    if (k->cache[0] != '\0' && id.len > 0)
        snprintf(path, 4096, "%s/[kernel.kallsyms]/%.*s/kallsyms", k->cache,
                 SPAN_ARG(text_span(&id)));
    free(id.ptr);
}

/* Load the copy of the kernel's kallsyms, if the kernel was at the recorded address when it was
 * made (KASLR). Reading it takes a tenth of the time that the kernel takes for /proc/kallsyms. */
static bool
load_copy(struct kernel *k, const char *path, const struct procmap *map)
{
    uint64_t start, end;
    if (path[0] == '\0' || kallsyms_load(&k->symbols, path, k->patience) != NULL)
        return false;
    k->copied = symtab_range(&k->symbols.kernel, &start, &end) && start == map->pgoff;
    if (!k->copied)
        kallsyms_free(&k->symbols);
    return k->copied;
}

/* Return true if the running kernel can be the recorded one: by its build-id, or else by its
 * release. If neither is known, it can. */
static bool
runs_recorded(const struct kernel *k, struct span build_id)
{
    char notes[4096];
    struct utsname now;
    if (build_id.len > 0)
        return span_eq(kernel_running_build_id(notes), build_id);
    return k->unchecked || k->release.len == 0 || uname(&now) != 0 ||
           span_eq(span_cstr(now.release), k->release);
}

/* Return true if a symbol starts at the address, or if the address is outside of the image. */
static bool
is_boundary(struct kernel *k, uint64_t addr)
{
    uint64_t start, end;
    struct span name;
    return !symtab_range(&k->symbols.kernel, &start, &end) || addr < start || addr >= end ||
           (kallsyms_find(&k->symbols, addr, &name, &start) && start == addr);
}

/* Return true if the running image is at the recorded address: another boot moves it (KASLR), and
 * another kernel ends elsewhere. `map` extends from _text to _etext or _edata; with an older perf
 * it extends to a module or the end of memory, and its end says nothing. */
static bool
is_where_recorded(struct kernel *k, const struct procmap *map)
{
    uint64_t start, end, addr;
    struct span name;
    bool first = symtab_range(&k->symbols.kernel, &start, &end) && start == map->pgoff;
    bool named = kallsyms_find(&k->symbols, map->pgoff, &name, &addr) && addr == map->pgoff &&
                 span_eq(name, span_from(map->name, IMAGE.len));
    return (first || named) && is_boundary(k, num_add(map->start, map->len));
}

/* Load the names of the running kernel, if it can be the recorded one. */
static bool
load_running(struct kernel *k, const struct procmap *map, struct span build_id)
{
    if (!runs_recorded(k, build_id)) {
        note_problem(k, "/proc/kallsyms", "is of another kernel than the recorded one");
        return false;
    }
    if (!load_kallsyms(k, "/proc/kallsyms"))
        return false;
    if (build_id.len > 0 || k->unchecked || is_where_recorded(k, map))
        return true;
    note_problem(k, "/proc/kallsyms",
                 "is of another kernel or boot than the recording, which has no build-id of its "
                 "kernel");
    kallsyms_free(&k->symbols);
    return false;
}

/* Load the names of the running kernel, or those of the recorded one from perf's cache. */
static void
load_known(struct kernel *k, const struct procmap *map, struct span build_id)
{
    char path[4096];
    copy_path(k, build_id, path);
    if (load_copy(k, path, map) || load_running(k, map, build_id))
        return;
    if (path[0] != '\0' && load_kallsyms(k, path))
        k->why.len = 0;
}

/* Load the names of the modules that are loaded now: the copy has those of an earlier time. */
static void
load_modules(struct kernel *k)
{
    char notes[4096];
    struct kallsyms now;
    uint64_t start, start_now, end;
    k->copied = false;
    if (!span_eq(kernel_running_build_id(notes), k->build_id) ||
        kallsyms_load(&now, "/proc/kallsyms", k->patience) != NULL)
        return;
    bool same_boot = symtab_range(&k->symbols.kernel, &start, &end) &&
                     symtab_range(&now.kernel, &start_now, &end) && start == start_now;
    kallsyms_free(same_boot ? &k->symbols : &now);
    if (same_boot)
        k->symbols = now;
}

/* Return the part of a module's file name before ".ko", or all of it if it has none. */
static struct span
module_stem(struct span base)
{
    size_t end = span_search(base, SPAN(".ko"));
    return span_head(base, end != SPAN_NONE ? end : base.len);
}

/* As module_stem, but return what perf 6.1 finds: nothing for a file that it does not recognize as
 * a module, such as "ext4.ko.zst", which it cannot decompress. */
static struct span
module_stem_as_perf(struct span base)
{
    if (span_ends(base, SPAN(".gz")) || span_ends(base, SPAN(".xz")))
        base.len -= 3;
    return span_head(base, span_ends(base, SPAN(".ko")) ? base.len - 3 : 0);
}

/* Return "[ext4]" for "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz", in the arena. Names in
 * brackets are returned unchanged. */
static struct span
module_name(struct arena *a, struct span path, enum kernel_module_style style)
{
    struct span base = dso_base(path);
    if (style == KERNEL_MODULE_PATH || base.len == path.len)
        return path;
    if (span_starts(base, SPAN("[")))
        return base;
    struct span stem =
        style == KERNEL_MODULE_AS_PERF ? module_stem_as_perf(base) : module_stem(base);
    if (style == KERNEL_MODULE_AS_PERF && stem.len == 0)
        return base;
    char *name = arena_text(a, stem.len + 2);
    name[0] = '[';
    for (size_t i = 0; i < stem.len; i++)
        name[i + 1] = stem.ptr[i] == '-' ? '_' : stem.ptr[i];
    name[stem.len + 1] = ']';
    return span_of(name, stem.len + 2);
}

/* Add the image, from the first symbol to the last, as perf does: an MMAP record has only the part
 * from _text to _etext, which does not contain start_kernel. */
static void
add_image(struct kernel *k, struct procmaps *maps, struct procmap map)
{
    if (!k->loaded && k->kallsyms != NULL)
        load_kallsyms(k, k->kallsyms);
    else if (!k->loaded && k->vmlinux != NULL)
        load_vmlinux(k, &map);
    else if (!k->loaded)
        load_known(k, &map, map.build_id);
    k->loaded = true;
    k->build_id = arena_copy(&k->arena, map.build_id);
    uint64_t start, end;
    if (symtab_range(&k->symbols.kernel, &start, &end)) {
        set_shift(k, &map);
        map.start = start + k->shift;
        map.len = end - start;
    }
    map.name = IMAGE;
    procmaps_map(maps, PROCMAPS_KERNEL, &map);
}

void
kernel_map(struct kernel *k, struct procmaps *maps, const struct procmap *map,
           enum kernel_module_style style)
{
    struct procmap module = *map;
    if (span_starts(map->name, IMAGE)) {
        add_image(k, maps, *map);
        return;
    }
    module.name = module_name(&k->arena, map->name, style);
    procmaps_map(maps, PROCMAPS_KERNEL, &module);
}

void
kernel_made(struct kernel *k, struct procmaps *maps, const struct procmap *map)
{
    uint32_t number = intern_add(&k->made, map->name);
    k->made_at = mem_grow(k->made_at, &k->made_cap, k->made.count, sizeof *k->made_at);
    k->made_at[number] = map->start;
    procmaps_map(maps, PROCMAPS_KERNEL, map);
}

bool
kernel_find(struct kernel *k, struct span dso, uint64_t addr, struct span *name, uint64_t *start)
{
    uint32_t made = intern_find(&k->made, dso);
    if (made != INTERN_NONE) {
        *name = dso;
        *start = k->made_at[made];
        return true;
    }
    bool image = span_eq(dso, IMAGE);
    if (k->copied && !image)
        load_modules(k);
    if (k->shift != 0 && !image)
        return false;
    addr -= k->shift;
    bool found = k->has_file ? elfsyms_find(&k->vmlinux_symbols, addr, name, start)
                             : kallsyms_find(&k->symbols, addr, name, start);
    *start += found ? k->shift : 0;
    return found;
}

void
kernel_reset(struct kernel *k)
{
    kallsyms_free(&k->symbols);
    close_vmlinux(k);
    intern_free(&k->made);
    free(k->made_at);
    free(k->why.ptr);
    arena_free(&k->arena);
    *k = (struct kernel){.kallsyms = k->kallsyms,
                         .vmlinux = k->vmlinux,
                         .cache = k->cache,
                         .unchecked = k->unchecked};
}
