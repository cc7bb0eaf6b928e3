/* objdump -d prints, after titles that have no tab:
 *
 *     "  401136:\tmov    %rsp,%rbp"
 *
 * See objdump(1). */
#include "cmd/stackreport/disassembly.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/lines.h"
#include "common/base/num.h"
#include "common/base/subprocess.h"
#include "common/sym/elffile.h"

/* The longest instruction: of x86, Intel's manual, volume 2, section 2.3.11. */
enum { INSTRUCTION_MAX = 15 };

/* Add an instruction from a line, if it is that of one. */
static void
take_line(struct disassembly *d, struct span line, uint64_t start, uint64_t last)
{
    uint64_t addr;
    line = span_trim(line);
    if (!span_has(line, '\t') || !num_hex(span_before(line, ':'), &addr) || addr < start ||
        addr - start > last)
        return;
    struct span text = span_trim(span_from(line, span_find(line, '\t')));
    VEC_ADD(d->list, (struct instruction){addr - start, arena_copy(&d->arena, text)});
}

/* Run objdump on the file that is open as `fd`, for which it needs no name. Return false if it
 * cannot be run. */
static bool
run(struct disassembly *d, int fd, uint64_t start, uint64_t last)
{
    char from[40], to[40];
    int ends[2];
    struct span line;
    struct lines output = {0};
    snprintf(from, sizeof from, "--start-address=%#" PRIx64, start);
    snprintf(to, sizeof to, "--stop-address=%#" PRIx64, start + last + INSTRUCTION_MAX);
    const char *const argv[] = {"objdump",         "-dC", "--no-show-raw-insn", from, to,
                                "/proc/self/fd/0", NULL};
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t pid = subprocess_run(argv, fd, ends[1]);
    close(ends[1]);
    if (pid != 0) {
        lines_start(&output, ends[0]);
        while (lines_next(&output, &line))
            take_line(d, line, start, last);
        lines_free(&output);
        subprocess_wait(pid);
    }
    close(ends[0]);
    return pid != 0;
}

/* Disassemble code of an open file. */
static const char *
read_file(struct disassembly *d, struct elffile *file, const char *path, uint64_t start,
          uint64_t last)
{
    struct regular_file f;
    Elf64_Phdr segment;
    uint64_t addr = start;
    elf_find_address(&file->elf, start, &addr); /* else it is an address already */
    if (!elf_find_segment(&file->elf, addr, &segment))
        return "the samples' addresses are not of this file";
    const char *why = regular_open(&f, path, NULL);
    if (why != NULL)
        return why;
    bool ran = run(d, f.fd, addr, last);
    regular_close(&f);
    if (!ran)
        return "objdump, of binutils, is not installed";
    return d->list.n > 0 ? NULL : "objdump cannot disassemble it";
}

const char *
disassembly_read(struct disassembly *d, struct span dso, uint64_t start, uint64_t last)
{
    struct elffile file;
    struct text path = {0};
    if (!span_starts(dso, SPAN("/")) || span_has(dso, '\0'))
        return "is not the path of a file";
    if (last > DISASSEMBLY_MAX)
        return "the function is too large to be disassembled";
    TEXT_ADD(&path, dso, span_of("", 1));
    const char *why = elffile_open(&file, path.ptr);
    if (why == NULL) {
        why = read_file(d, &file, path.ptr, start, last);
        elffile_close(&file);
    }
    free(path.ptr);
    return why;
}

void
disassembly_free(struct disassembly *d)
{
    free(d->list.at);
    arena_free(&d->arena);
    *d = (struct disassembly){0};
}
