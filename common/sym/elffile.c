#include "common/sym/elffile.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *
map_descriptor(int fd, struct span *bytes)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return strerror(errno);
    if (!S_ISREG(st.st_mode))
        return "is not a regular file";
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
    struct stat st;
    *f = (struct elffile){.path = path};
    /* To open a device may start it, as /dev/watchdog, and to open a FIFO wakes its writer. */
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return "is not a regular file";
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return strerror(errno);
    const char *problem = map_descriptor(fd, &f->bytes);
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
