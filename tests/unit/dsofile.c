/* Which files give the names of a DSO. */
#include "common/sym/dsofile.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/makeelf.h"

#define ID       "0123456789"
#define ID_PATH  ".build-id/30/313233343536373839"
#define OTHER_ID "9876543210"

enum { CODE = 1, SYMTAB = 2, DYNSYM = 4, LINK = 8, DEBUGDATA = 16, MOVED = 32 };

static char folder[] = "/tmp/dsofile-test.XXXXXX";
static char symfs[64], cache[64];

static uint32_t link_crc; /* what made files claim about the file that they link to */

static uint32_t
crc32(struct span bytes)
{
    uint32_t crc = ~(uint32_t)0;
    for (size_t i = 0; i < bytes.len; i++) {
        crc ^= (unsigned char)bytes.ptr[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

/* A file of a test: its path below the folder, and what is in it. */
struct made {
    const char *path;
    unsigned parts;
    const char *id;
};

static struct span
made_elf(struct makeelf *m, unsigned parts, const char *id)
{
    static const Elf64_Sym symbols[] = {{0},
                                        {1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1, 0x1000, 16}};
    *m = (struct makeelf){.is64 = true, .type = ET_DYN, .machine = EM_X86_64};
    makeelf_start(m);
    makeelf_section(m, ".text",
                    (Elf64_Shdr){.sh_type = parts & CODE ? SHT_PROGBITS : SHT_NOBITS,
                                 .sh_flags = SHF_EXECINSTR},
                    "code", 4);
    if (parts & SYMTAB)
        makeelf_symbols(m, SHT_SYMTAB, symbols, 2, "\0f", 3);
    if (parts & DYNSYM)
        makeelf_symbols(m, SHT_DYNSYM, symbols, 2, "\0f", 3);
    if (parts & LINK) {
        char link[12] = "app.dbg";
        memcpy(link + 8, &link_crc, 4);
        makeelf_section(m, ".gnu_debuglink", (Elf64_Shdr){.sh_type = SHT_PROGBITS}, link,
                        sizeof link);
    }
    if (parts & DEBUGDATA)
        makeelf_section(m, ".gnu_debugdata", (Elf64_Shdr){.sh_type = SHT_PROGBITS}, "xz", 2);
    if (id != NULL)
        makeelf_build_id(m, id);
    makeelf_segment(m, PT_LOAD, 0, 0, 0x2000);
    if (parts & MOVED) /* as objcopy --only-keep-debug leaves it */
        m->segments[0] = (Elf64_Phdr){
            .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 0x1000, .p_memsz = 0x1000};
    return makeelf_finish(m);
}

/* The path below the folder, with the folders that it needs. */
static const char *
path_of(const char *below)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, below);
    for (char *slash = path + strlen(folder); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    return path;
}

static void
write_file(const char *below, struct span bytes)
{
    int fd = open(path_of(below), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(fd >= 0 && write(fd, bytes.ptr, bytes.len) == (ssize_t)bytes.len);
    close(fd);
}

/* A new folder with these files; the list ends with a path of NULL. */
static struct dsofile_search
make(const struct made *files)
{
    struct makeelf m;
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    CHECK(mkdtemp(folder) != NULL);
    for (; files->path != NULL; files++)
        write_file(files->path, made_elf(&m, files->parts, files->id));
    snprintf(symfs, sizeof symfs, "%s/root", folder);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    return (struct dsofile_search){.symfs = symfs, .cache = cache, .debug = "/usr/lib/debug"};
}

/* Removes the folder and what is in it; folders are looked into one after the other. */
static void
remove_folder(const char *path)
{
    char below[512];
    DIR *dir = opendir(path);
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        snprintf(below, sizeof below, "%s/%s", path, e->d_name);
        if (unlink(below) != 0)
            remove_folder(below);
    }
    if (dir != NULL)
        closedir(dir);
    rmdir(path);
}

/* The path without the test's folder; "-" without one. */
static const char *
below(const char *path)
{
    if (path == NULL)
        return "-";
    return strncmp(path, folder, strlen(folder)) == 0 ? path + strlen(folder) + 1 : path;
}

/* Where the names and the code of /bin/app are taken from, given these files, as "SYMBOLS RUNTIME",
 * and what there is to say. */
static void
check(const struct made *files, const char *id, const char *wanted, const char *wanted_text)
{
    char got[512];
    struct text text = {0};
    struct elffiles open = {0};
    struct dsofile d;
    struct dsofile_search search = make(files);
    dsofile_open(&d, &open, &search, SPAN("/bin/app"), span_cstr(id), NULL);
    snprintf(got, sizeof got, "%s ", below(dsofile_path(d.symbols)));
    snprintf(got + strlen(got), sizeof got - strlen(got), "%s", below(dsofile_path(d.runtime)));
    CHECK_TEXT(span_cstr(got), wanted);
    CHECK(dsofile_explain(&d, &text) == (wanted_text[0] != '\0'));
    text_add(&text, SPAN("")); /* so that it is not NULL */
    CHECK_TEXT(span_head(text_span(&text), span_common(text_span(&text), span_cstr(wanted_text))),
               wanted_text);
    free(text.ptr);
    elffiles_close(&open);
    remove_folder(folder);
}

TEST("the file itself is used if it has the build-id, or none is known")
{
    const struct made files[] = {{"root/bin/app", CODE | SYMTAB, ID}, {0}};
    check(files, ID, "root/bin/app root/bin/app", "");
    check(files, "", "root/bin/app root/bin/app", "");
}

TEST("a build-id that was filled with zeros is the same one")
{
    struct elffiles open = {0};
    struct dsofile d;
    const struct made files[] = {{"root/bin/app", CODE | SYMTAB, ID}, {0}};
    struct dsofile_search search = make(files);
    dsofile_open(&d, &open, &search, SPAN("/bin/app"), SPAN(ID "\0\0"), NULL);
    CHECK(d.names == DSOFILE_ALL && !d.changed);
    elffiles_close(&open);
    dsofile_open(&d, &open, &search, SPAN("/bin/app"), SPAN(ID "\0\1"), NULL);
    CHECK(d.names == DSOFILE_NONE && d.changed);
    elffiles_close(&open);
    remove_folder(folder);
}

TEST("a file with another build-id, or without one, is rejected")
{
    const struct made files[] = {{"root/bin/app", CODE | SYMTAB, OTHER_ID}, {0}};
    check(files, ID, "- -",
          "is not the recorded file (another build-id); its functions have no names; no file with "
          "its symbols "
          "and build-id 30313233343536373839 in /tmp/");
    const struct made without[] = {{"root/bin/app", CODE | SYMTAB, NULL}, {0}};
    check(without, ID, "- -", "is not the recorded file (another build-id); ");
    const struct made longer[] = {{"root/bin/app", CODE | SYMTAB, ID "1"}, {0}};
    check(longer, ID, "- -", "is not the recorded file (another build-id); ");
}

TEST("a copy in perf's cache replaces a file that is gone or has changed")
{
    const struct made changed[] = {{"root/bin/app", CODE | SYMTAB, OTHER_ID},
                                   {"cache/" ID_PATH "/elf", CODE | SYMTAB, ID},
                                   {0}};
    check(changed, ID, "cache/" ID_PATH "/elf cache/" ID_PATH "/elf",
          "is not the recorded file (another build-id); its names are taken from /tmp/");
    check(changed + 1, ID, "cache/" ID_PATH "/elf cache/" ID_PATH "/elf",
          "No such file or directory; its names are taken from /tmp/");
}

TEST("a copy with another build-id is rejected too")
{
    const struct made files[] = {{"cache/" ID_PATH "/elf", CODE | SYMTAB, OTHER_ID}, {0}};
    check(files, ID, "- -", "No such file or directory; its functions have no names; no file ");
}

TEST("a file with debug symbols gives the names, and the one with the code the rest")
{
    const char *const places[] = {
        "cache/" ID_PATH "/debug",
        "root/usr/lib/debug/" ID_PATH ".debug",
        "root/usr/lib/debug/bin/app.debug",
        "root/usr/lib/debug/bin/app",
        "root/bin/app.dbg",
        "root/bin/.debug/app.dbg",
        "root/usr/lib/debug/bin/app.dbg",
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char wanted[128];
        const struct made files[] = {
            {"root/bin/app", CODE | DYNSYM | LINK, ID}, {places[i], SYMTAB, ID}, {0}};
        snprintf(wanted, sizeof wanted, "%s root/bin/app", places[i]);
        check(files, ID, wanted, "");
        check(files, "", wanted, "");
        const struct made other[] = {
            {"root/bin/app", CODE | DYNSYM | LINK, ID}, {places[i], SYMTAB, OTHER_ID}, {0}};
        check(other, ID, "root/bin/app root/bin/app",
              "has no .symtab; only the functions it exports have names; no file ");
    }
}

TEST("a file with debug symbols that is there and cannot be used is named, with the reason")
{
    char id[64];
    const struct made files[] = {{"root/bin/app", CODE | DYNSYM, ID}, {0}};
    struct text text = {0};
    struct elffiles open = {0};
    struct dsofile d;
    struct dsofile_search search = make(files);
    snprintf(id, sizeof id, "root/usr/lib/debug/%s.debug", ID_PATH);
    write_file(id, SPAN("no ELF file"));
    dsofile_open(&d, &open, &search, SPAN("/bin/app"), SPAN(ID), NULL);
    CHECK(!dsofile_is_stripped(&d));
    CHECK(dsofile_explain(&d, &text));
    CHECK(span_ends(text_span(&text), SPAN("/" ID_PATH ".debug: is not an ELF file")));
    free(text.ptr);
    elffiles_close(&open);
    remove_folder(folder);
    make(files);
    dsofile_open(&d, &open, &search, SPAN("/bin/app"), SPAN(ID), NULL);
    CHECK(dsofile_is_stripped(&d));
    elffiles_close(&open);
    remove_folder(folder);
}

TEST("debug symbols alone, whose segments are empty, give no names without the file itself")
{
    const struct made files[] = {{"root/usr/lib/debug/" ID_PATH ".debug", SYMTAB | MOVED, ID}, {0}};
    struct text text = {0};
    struct elffiles open = {0};
    struct dsofile d;
    struct dsofile_search search = make(files);
    dsofile_open(&d, &open, &search, SPAN("/bin/app"), SPAN(ID), NULL);
    CHECK(d.names == DSOFILE_NONE && d.symbols == NULL && d.runtime == NULL);
    CHECK(dsofile_explain(&d, &text));
    CHECK(span_starts(text_span(&text), SPAN("No such file or directory; its functions have no "
                                             "names; ")));
    CHECK(span_ends(text_span(&text), SPAN(ID_PATH ".debug: has debug symbols alone, whose "
                                                   "addresses mean nothing without that file")));
    free(text.ptr);
    elffiles_close(&open);
    remove_folder(folder);
}

TEST("without a build-id, the file that the debug link names must have its CRC")
{
    struct makeelf m;
    const struct made files[] = {{"root/bin/app", CODE | DYNSYM | LINK, NULL}, {0}};
    check(
        files, "", "root/bin/app root/bin/app",
        "has no .symtab; only the functions it exports have names; without a build-id no copy can "
        "be looked for");
    for (uint32_t wrong = 0; wrong < 2; wrong++) {
        struct elffiles open = {0};
        struct dsofile d;
        struct span debug = made_elf(&m, SYMTAB, NULL);
        link_crc = crc32(debug) ^ wrong;
        struct dsofile_search search = make(files);
        write_file("root/bin/app.dbg", debug);
        dsofile_open(&d, &open, &search, SPAN("/bin/app"), SPAN(""), NULL);
        CHECK_TEXT(span_cstr(below(dsofile_path(d.symbols))),
                   wrong ? "root/bin/app" : "root/bin/app.dbg");
        elffiles_close(&open);
        remove_folder(folder);
    }
}

TEST("the first file with a symbol table gives the names: the cache is before /usr/lib/debug")
{
    const struct made files[] = {{"root/bin/app", CODE | SYMTAB, ID},
                                 {"cache/" ID_PATH "/elf", CODE | DYNSYM, ID},
                                 {"cache/" ID_PATH "/debug", SYMTAB, ID},
                                 {"root/usr/lib/debug/" ID_PATH ".debug", SYMTAB, ID},
                                 {0}};
    check(files, ID, "cache/" ID_PATH "/debug cache/" ID_PATH "/elf", "");
}

TEST("debug symbols alone are enough for names")
{
    const struct made files[] = {{"root/usr/lib/debug/" ID_PATH ".debug", SYMTAB, ID}, {0}};
    check(files, ID, "root/usr/lib/debug/" ID_PATH ".debug root/usr/lib/debug/" ID_PATH ".debug",
          "No such file or directory; its names are taken from ");
}

TEST("a file without any symbols says so, and compressed symbols are mentioned")
{
    const struct made files[] = {{"root/bin/app", CODE, ID}, {0}};
    check(files, ID, "- root/bin/app", "has no symbols; its functions have no names; no file ");
    struct text text = {0};
    struct elffiles open = {0};
    struct dsofile d;
    const struct made mini[] = {{"root/bin/app", CODE | DYNSYM | DEBUGDATA, ID}, {0}};
    struct dsofile_search search = make(mini);
    search.cache = search.debug = "";
    dsofile_open(&d, &open, &search, SPAN("/bin/app"), SPAN(ID), NULL);
    CHECK(d.debugdata && d.names == DSOFILE_EXPORTED);
    CHECK(dsofile_explain(&d, &text));
    CHECK_TEXT(text_span(&text), "has no .symtab; only the functions it exports have names; its "
                                 ".gnu_debugdata, which has some, cannot be unpacked by xz");
    free(text.ptr);
    elffiles_close(&open);
    remove_folder(folder);
}

TEST("a pipe, a folder, an empty file and text are refused without waiting")
{
    const struct made none[] = {{0}};
    struct dsofile_search search = make(none);
    struct elffiles open = {0};
    struct dsofile d;
    path_of("root/x/");
    CHECK(mkfifo(path_of("root/fifo"), 0600) == 0);
    write_file("root/empty", SPAN(""));
    write_file("root/text", SPAN("#!/bin/sh\necho a script\n"));
    static const char *const rows[][2] = {{"/fifo", "is not a regular file"},
                                          {"/x", "is not a regular file"},
                                          {"/empty", "is empty"},
                                          {"/text", "is not an ELF file"},
                                          {"relative", "is not a file"},
                                          {"[vdso", "is not a file"},
                                          {"", "is not a file"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dsofile_open(&d, &open, &search, span_cstr(rows[i][0]), SPAN(""), NULL);
        CHECK(d.names == DSOFILE_NONE);
        CHECK_TEXT(span_cstr(d.problem != NULL ? d.problem : ""), rows[i][1]);
        elffiles_close(&open);
    }
    remove_folder(folder);
}

TEST("the vdso is this process's own if the build-id is the same, or the cache's copy")
{
    const struct made none[] = {{0}};
    const struct made copy[] = {{"cache/" ID_PATH "/vdso", CODE | DYNSYM, ID}, {0}};
    struct dsofile_search search = make(none);
    struct elffiles open = {0};
    struct dsofile d;
    struct text text = {0};
    dsofile_open(&d, &open, &search, SPAN("[vdso]"), SPAN(""), NULL);
    bool exists = d.problem == NULL; /* not in every kind of virtual machine */
    CHECK(!exists || d.names == DSOFILE_EXPORTED);
    CHECK(!exists || !dsofile_explain(&d, &text));
    elffiles_close(&open);
    search.as_perf = true; /* then this process's counts only where no build-id is known */
    dsofile_open(&d, &open, &search, SPAN("[vdso]"), SPAN(""), NULL);
    CHECK(!exists || d.names == DSOFILE_EXPORTED);
    elffiles_close(&open);
    dsofile_open(&d, &open, &search, SPAN("[vdso]"), SPAN("01234567890123456789"), NULL);
    CHECK(d.names == DSOFILE_NONE);
    elffiles_close(&open);
    remove_folder(folder);

    search = make(copy);
    dsofile_open(&d, &open, &search, SPAN("[vdso]"), SPAN(ID), NULL);
    CHECK(d.names == DSOFILE_EXPORTED && d.changed == exists);
    CHECK_TEXT(span_cstr(below(dsofile_path(d.symbols))), "cache/" ID_PATH "/vdso");
    elffiles_close(&open);
    remove_folder(folder);
}
