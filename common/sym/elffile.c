#include "common/sym/elffile.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "common/base/crc32.h"
#include "common/base/unpack.h"

/* Read the headers of an open file. Close it if they are wrong. */
static const char *
read_headers(struct elffile *f)
{
    const char *problem = elf_open(&f->elf, &f->content);
    if (problem != NULL)
        content_close(&f->content);
    return problem;
}

const char *
elffile_open(struct elffile *f, const char *path)
{
    *f = (struct elffile){0};
    const char *problem = content_open(&f->content, "", path, NULL);
    return problem != NULL ? problem : read_headers(f);
}

/* Open the vdso. It ends with its section headers. */
static const char *
open_vdso(struct elffile *f)
{
    ElfW(Ehdr) header;
    const char *image = (const char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
    if (image == NULL)
        return "this system has none";
    memcpy(&header, image, sizeof header);
    size_t size = (size_t)header.e_shoff + (size_t)header.e_shnum * sizeof(ElfW(Shdr));
    *f = (struct elffile){.content = content_of(span_of(image, size))};
    return read_headers(f);
}

void
elffile_close(struct elffile *f)
{
    elf_close(&f->elf);
    content_close(&f->content);
    free(f->unpacked.ptr);
}

/* Files */

/* Return the file if it could be opened; if it is already in the list, return that one. Return NULL
 * with *problem on failure. */
static struct elffile *
put(struct elffiles *f, struct elffile *file, const char *path, const char **problem)
{
    uint32_t number;
    bool opened = *problem == NULL;
    const struct content_id *id = &file->content.id;
    if (opened && intern_put(&f->ids, span_of((const char *)id, sizeof *id), &number)) {
        f->spare = NULL;
        file->content.path = arena_cstr(&f->arena, span_cstr(path));
        file->problem = read_headers(file);
        f->list = mem_grow(f->list, &f->cap, f->ids.count, sizeof(struct elffile *));
        f->list[number] = file;
    } else {
        f->spare = file;
        content_close(&file->content);
        file = opened ? f->list[number] : NULL;
    }
    if (opened)
        *problem = file->content.problem != NULL ? file->content.problem : file->problem;
    return *problem == NULL ? file : NULL;
}

/* Return an unused file structure. */
static struct elffile *
spare(struct elffiles *f)
{
    struct elffile *file = f->spare != NULL ? f->spare : arena_alloc(&f->arena, sizeof *file);
    *file = (struct elffile){0};
    return file;
}

struct elffile *
elffiles_open(struct elffiles *f, const char *root, const char *path, const char **problem)
{
    struct elffile *file = spare(f);
    *problem = content_open(&file->content, root, path, &f->pool);
    return put(f, file, path, problem);
}

struct elffile *
elffiles_open_named(struct elffiles *f, const struct elffile *by, const char *root,
                    const char *path, const char **problem)
{
    struct elffile *file = spare(f);
    *problem = content_open_named(&file->content, &by->content, root, path, &f->pool);
    return put(f, file, path, problem);
}

struct elffile *
elffiles_open_vdso(struct elffiles *f, const char **problem)
{
    *problem = f->vdso.elf.content == NULL ? open_vdso(&f->vdso) : NULL;
    return *problem == NULL ? &f->vdso : NULL;
}

struct elffile *
elffiles_open_debugdata(struct elffiles *f, struct elffile *from)
{
    uint32_t number;
    Elf64_Shdr section;
    if (!elf_find_section(&from->elf, SHT_PROGBITS, SPAN(".gnu_debugdata"), &section))
        return NULL;
    struct {
        struct content_id id;
        uint64_t offset; /* offset of the section; other keys have none */
    } key = {from->content.id, section.sh_offset};
    if (intern_put(&f->ids, SPAN_BYTES(key), &number)) {
        struct elffile *file = arena_alloc(&f->arena, sizeof *file);
        *file = (struct elffile){0};
        struct view packed = elf_section_view(&from->elf, &section, VIEW_TABLE);
        struct span bytes = view_at(&packed, 0, (size_t)packed.size);
        if (!unpack_bytes("xz", bytes, ELFFILES_DEBUGDATA_MAX, &file->unpacked, NULL))
            file->unpacked.len = 0;
        view_free(&packed);
        file->content = content_of(text_span(&file->unpacked));
        file->problem = read_headers(file);
        f->list = mem_grow(f->list, &f->cap, f->ids.count, sizeof(struct elffile *));
        f->list[number] = file;
    }
    return f->list[number]->problem == NULL ? f->list[number] : NULL;
}

const char *
elffiles_keep_path(struct elffiles *f, const char *path)
{
    return arena_cstr(&f->arena, span_cstr(path));
}

/* Return the CRC-32 of a whole file. Parts that cannot be read are left out. */
static uint32_t
crc_of(struct content *c)
{
    struct crc32 crc;
    crc32_start(&crc);
    struct view w = view_over(c, 0, c->size, VIEW_TABLE);
    struct span part;
    for (uint64_t at = 0; (part = view_at(&w, at, 1)).len > 0; at += part.len)
        crc32_add(&crc, part);
    view_free(&w);
    return crc32_value(&crc);
}

bool
elffiles_has_crc(struct elffiles *f, struct elffile *file, uint32_t crc)
{
    if (!file->has_crc) {
        if (file->content.size > ELFFILES_CRC_MAX - f->crc_bytes)
            return false;
        f->crc_bytes += file->content.size;
        file->crc = crc_of(&file->content);
        file->has_crc = true;
    }
    return file->crc == crc && file->content.problem == NULL;
}

void
elffiles_close(struct elffiles *f)
{
    for (size_t i = 0; i < f->ids.count; i++)
        elffile_close(f->list[i]);
    elffile_close(&f->vdso);
    free(f->list);
    intern_free(&f->ids);
    arena_free(&f->arena);
    *f = (struct elffiles){0};
}
