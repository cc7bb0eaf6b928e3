#include "common/sym/elffile.h"

#include <errno.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/regular.h"

static const char *
map_descriptor(int fd, struct span *bytes)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return strerror(errno);
    if (st.st_size == 0)
        return "is empty";
    if ((uint64_t)st.st_size > PTRDIFF_MAX)
        return "is too large for this machine";
    void *at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED)
        return strerror(errno);
    *bytes = span_of(at, (size_t)st.st_size);
    return NULL;
}

void
elffile_close(struct elffile *f)
{
    if (f->mapped)
        munmap((void *)(uintptr_t)f->bytes.ptr, f->bytes.len);
    f->mapped = false;
}

const char *
elffile_open(struct elffile *f, const char *path)
{
    const char *problem;
    *f = (struct elffile){.path = path};
    int fd = regular_open(path, 0, &problem);
    if (fd < 0)
        return problem;
    problem = map_descriptor(fd, &f->bytes);
    close(fd);
    if (problem != NULL)
        return problem;
    f->mapped = true;
    problem = elf_open(&f->elf, f->bytes);
    if (problem != NULL)
        elffile_close(f);
    return problem;
}

/* The vdso ends with its section headers. */
const char *
elffile_open_vdso(struct elffile *f)
{
    ElfW(Ehdr) header;
    const char *image = (const char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
    if (image == NULL)
        return "this system has none";
    memcpy(&header, image, sizeof header);
    size_t size = (size_t)header.e_shoff + (size_t)header.e_shnum * sizeof(ElfW(Shdr));
    *f = (struct elffile){.path = "[vdso]", .bytes = span_of(image, size)};
    return elf_open(&f->elf, f->bytes);
}
