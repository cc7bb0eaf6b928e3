/* The V8 in a program. Those of real ones are in live/stackrecord-jsnames.bats. */
#include "cmd/stackrecord/capture/v8file.h"

#include "tests/unit/makeelf.h"
#include "tests/unit/tempfolder.h"

#define MAJOR "_ZN2v88internal7Version6major_E"
#define MINOR "_ZN2v88internal7Version6minor_E"
#define SIZE  "v8dbg_TaggedSize"

enum { DATA = 0x4000 };

static struct v8layout layout;
static const char *problem;

/* Read a program that exports ints, whose names are NULs apart. */
static enum v8file_has
read_program(uint16_t machine, const char *names, size_t len, const int32_t *values, size_t n)
{
    struct makeelf m = {.is64 = true, .type = ET_EXEC, .machine = machine};
    Elf64_Sym symbols[8] = {{0}};
    char strings[256] = "";
    size_t at = 1;
    makeelf_start(&m);
    memcpy(strings + 1, names, len);
    size_t data =
        makeelf_section(&m, ".data", (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_addr = DATA}, values,
                        n * sizeof *values);
    makeelf_segment(&m, PT_LOAD, m.sections[data].sh_offset, DATA, n * sizeof *values);
    for (size_t i = 0; i < n; i++) {
        symbols[i + 1] = (Elf64_Sym){.st_name = (uint32_t)at,
                                     .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
                                     .st_shndx = (uint16_t)data,
                                     .st_value = DATA + i * sizeof *values,
                                     .st_size = sizeof *values};
        at += strlen(strings + at) + 1;
    }
    makeelf_symbols(&m, SHT_DYNSYM, symbols, n + 1, strings, len + 2);
    struct span file = makeelf_finish(&m);
    tempfolder_make();
    FILE *f = fopen(tempfolder_path("node"), "w");
    tempfolder_note(tempfolder_path("node"));
    CHECK(f != NULL && fwrite(file.ptr, 1, file.len, f) == file.len && fclose(f) == 0);
    problem = NULL;
    enum v8file_has has = v8file_read(tempfolder_path("node"), &layout, &problem);
    tempfolder_remove();
    return has;
}

#define READ(machine, names, ...)                                                                  \
    read_program(machine, names, sizeof names, (const int32_t[]){__VA_ARGS__},                     \
                 sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t))

TEST("a program without V8 has none, and so has what is no program")
{
    CHECK(READ(EM_X86_64, "other", 1) == V8FILE_NONE);
    CHECK(v8file_read("/dev/null", &layout, &problem) == V8FILE_NONE);
    CHECK(v8file_read("/nowhere", &layout, &problem) == V8FILE_NONE);
}

TEST("a version that is not known is named")
{
    CHECK(READ(EM_X86_64, SIZE "\0" MAJOR "\0" MINOR, 8, 99, 7) == V8FILE_UNKNOWN);
    CHECK(strcmp(problem, "its V8 99.7 is not known") == 0);
}

TEST("a known version with compressed pointers, or without the numbers, is said to be so")
{
    CHECK(READ(EM_X86_64, SIZE "\0" MAJOR "\0" MINOR, 4, 11, 3) == V8FILE_UNKNOWN);
    CHECK(strcmp(problem, "its pointers are compressed") == 0);
    CHECK(READ(EM_X86_64, MAJOR "\0" MINOR, 11, 3) == V8FILE_UNKNOWN);
    CHECK(strcmp(problem, "v8dbg_TaggedSize is missing") == 0);
}

TEST("V8 without a version, and V8 on another processor, are said to be so")
{
    CHECK(READ(EM_X86_64, SIZE, 8) == V8FILE_UNKNOWN);
    CHECK(strcmp(problem, "the version of its V8 is not known") == 0);
    CHECK(READ(EM_AARCH64, SIZE "\0" MAJOR "\0" MINOR, 8, 11, 3) == V8FILE_UNKNOWN);
    CHECK(strcmp(problem, "names of JavaScript are read on x86-64 only") == 0);
}
