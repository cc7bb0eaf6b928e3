/* The uprobes of stackrecord: where functions begin, and that no uprobe stays behind. A file takes
 * the commands here, not the kernel: see tests/live/stackrecord-events.bats for that. */
#include "common/machine/uprobe.h"

#include <signal.h>
#include <time.h>

#include "common/machine/function.h"
#include "common/machine/procfs.h"
#include "tests/unit/child.h"
#include "tests/unit/makeelf.h"
#include "tests/unit/tempfolder.h"

#define FUNCTION(name, value)                                                                      \
    {                                                                                              \
        .st_name = name, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1,            \
        .st_value = value, .st_size = 16                                                           \
    }

/* A file whose code at address 0x401000 lies at offset 0x1000. */
static void
make_program(const char *below)
{
    static const char names[] = "\0main\0_ZN1A3runEi\0_ZN1A3runEd\0malloc\0memcpy\0table\0old@V1";
    enum { MAIN = 1, RUN_INT = 6, RUN_DOUBLE = 18, MALLOC = 30, MEMCPY = 37, TABLE = 44, OLD = 50 };
    Elf64_Sym symbols[] = {
        {0},
        FUNCTION(MAIN, 0x401010),
        FUNCTION(RUN_INT, 0x401020),
        FUNCTION(RUN_DOUBLE, 0x401040),
        FUNCTION(MALLOC, 0),
        FUNCTION(MEMCPY, 0x401060),
        FUNCTION(TABLE, 0x401070),
        FUNCTION(OLD, 0x401080),
        FUNCTION(MAIN, 0x401010),
    };
    symbols[4].st_shndx = SHN_UNDEF;
    symbols[5].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC);
    symbols[6].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
    struct makeelf m = {.is64 = true, .type = ET_EXEC, .machine = EM_X86_64};
    makeelf_start(&m);
    makeelf_section(&m, ".text", (Elf64_Shdr){.sh_type = SHT_PROGBITS}, "code", 4);
    makeelf_symbols(&m, SHT_SYMTAB, symbols, sizeof symbols / sizeof *symbols, names, sizeof names);
    makeelf_segment(&m, PT_LOAD, 0x1000, 0x401000, 0x1000);
    tempfolder_write_bytes(below, makeelf_finish(&m));
}

/* The offsets of the functions of that name, "20 40", or what is wrong. */
static void
check_function(const char *name, const char *wanted)
{
    FREED(arena_free) struct arena a = {0};
    FREED(function_free) struct function f;
    char got[512] = "", expected[512];
    const char *program = tempfolder_path("program");
    const char *wrong = function_find(&f, span_cstr(program), span_cstr(name), &a);
    for (size_t i = 0, at = 0; wrong == NULL && i < f.count; i++)
        at += (size_t)snprintf(got + at, sizeof got - at, "%s%llx", i > 0 ? " " : "",
                               (unsigned long long)f.offsets[i]);
    snprintf(expected, sizeof expected, wanted, program);
    CHECK_TEXT(span_cstr(wrong != NULL ? wrong : got), expected);
}

TEST("a function is found by its name in the symbol table, or as the source has it")
{
    tempfolder_make();
    make_program("program");
    check_function("main", "1010");
    check_function("_ZN1A3runEd", "1040");
    check_function("A::run", "1020 1040");
    check_function("old", "1080");
    tempfolder_remove();
}

TEST("what is no function of the file is reported, with the nearest names")
{
    tempfolder_make();
    make_program("program");
    check_function("mian", "%s has no function 'mian'; did you mean 'main'?");
    check_function("A::ran", "%s has no function 'A::ran'; did you mean 'A::run'?");
    check_function("table", "%s has no function 'table'");
    check_function("malloc", "%s calls 'malloc' but takes it from a library: name that library, as "
                             "in 'libc.so.6:malloc'");
    check_function("memcpy",
                   "'memcpy' of %s is an ifunc: which function is called by that name is decided "
                   "when a program starts; name one of those functions");
    tempfolder_remove();
}

TEST("a file without a slash is a program in $PATH, and any other path is made absolute")
{
    char here[4096];
    struct arena a = {0};
    const char *path = getenv("PATH");
    path = arena_cstr(&a, span_cstr(path != NULL ? path : ""));
    tempfolder_make();
    make_program("program");
    setenv("PATH", tempfolder_path(""), 1);
    CHECK_TEXT(span_cstr(function_file(SPAN("program"), &a)), tempfolder_path("program"));
    CHECK(function_file(SPAN("no-program"), &a) == NULL);
    CHECK(getcwd(here, sizeof here) != NULL && chdir(tempfolder) == 0);
    CHECK_TEXT(span_cstr(function_file(SPAN("./program"), &a)), tempfolder_path("./program"));
    CHECK(function_file(SPAN("./no-program"), &a) == NULL);
    CHECK(chdir(here) == 0);
    setenv("PATH", path, 1);
    arena_free(&a);
    tempfolder_remove();
}

TEST("a file that is no ELF file is reported as that")
{
    struct arena a = {0};
    struct function f;
    char wanted[256];
    tempfolder_make();
    tempfolder_write("script", "#!/bin/sh\nexit 0\n");
    const char *script = tempfolder_path("script");
    const char *wrong = function_find(&f, span_cstr(script), SPAN("main"), &a);
    snprintf(wanted, sizeof wanted, "%s: is not an ELF file", script);
    CHECK_TEXT(span_cstr(wrong != NULL ? wrong : ""), wanted);
    function_free(&f);
    arena_free(&a);
    tempfolder_remove();
}

/* Does what an ended or killed recorder did before. */
struct recorder {
    bool removes, is_killed;
};

static struct span
add_uprobe(struct uprobes *u, struct span name, const char *file, const uint64_t *offsets,
           size_t count)
{
    static const char *const none[] = {"", ""};
    const struct uprobe p = {
        .name = name, .file = file, .offsets = offsets, .fetch = none, .count = count};
    return uprobes_add(u, &p);
}

static void
record(void *ctx)
{
    const struct recorder *r = ctx;
    static const uint64_t offsets[] = {0x10, 0x20};
    struct uprobes u = {0};
    struct span first = add_uprobe(&u, SPAN("A::run"), "/x/a", offsets, 2);
    struct span second = add_uprobe(&u, SPAN("A..run"), "/x/b", offsets + 1, 1);
    printf("%.*s\n%.*s\n", SPAN_ARG(first), SPAN_ARG(second));
    fflush(stdout);
    if (uprobes_create(&u, tempfolder) != NULL)
        _exit(1);
    if (r->is_killed)
        raise(SIGKILL);
    if (r->removes && uprobes_remove(&u) != NULL)
        _exit(1);
    _exit(0);
}

/* The commands that a recorder gave, with GROUP for the name of its group. */
static void
check_commands(const struct child *c, const char *wanted)
{
    struct text text = {0};
    char expected[1024];
    size_t colon = span_find(c->out, ':');
    CHECK(colon != SPAN_NONE && span_starts(c->out, SPAN("stackrecord_")));
    int len = (int)(colon != SPAN_NONE ? colon : 0);
    snprintf(expected, sizeof expected, wanted, len, c->out.ptr, len, c->out.ptr, len, c->out.ptr,
             len, c->out.ptr, len, c->out.ptr, len, c->out.ptr);
    /* The guard of a recorder that was killed ends a moment after it. */
    for (int i = 0; i < 1000 && text.len < strlen(expected); i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        text.len = 0;
        CHECK(procfs_read(&text, tempfolder_path("uprobe_events")));
    }
    CHECK_TEXT(text_span(&text), expected);
    free(text.ptr);
}

#define CREATED "p:%.*s/A__run /x/a:0x10\np:%.*s/A__run /x/a:0x20\np:%.*s/A__run_2 /x/b:0x20\n"
/* The kernel removes both uprobes of a name by the first command. */
#define REMOVED "-:%.*s/A__run\n-:%.*s/A__run\n-:%.*s/A__run_2\n"

TEST("uprobes are created under a group of our own, and removed at the end")
{
    struct child c;
    tempfolder_make();
    tempfolder_write("uprobe_events", "");
    child_run(&c, record, &(struct recorder){.removes = true});
    CHECK(c.status == 0);
    CHECK(span_search(c.out, SPAN(":A__run\n")) != SPAN_NONE);
    CHECK(span_search(c.out, SPAN(":A__run_2\n")) != SPAN_NONE);
    check_commands(&c, CREATED REMOVED);
    tempfolder_remove();
}

static void
record_kernel(void *ctx)
{
    static const uint64_t offset = 0x2d4c10, start = 0;
    static const char *const name = " filename=+0(%si):ustring", *const result =
                                                                     " retval=$retval:s32";
    struct uprobes u = {0};
    const struct uprobe probes[] = {
        {.name = SPAN("do_sys_open"),
         .offsets = &offset,
         .symbol = "_text",
         .fetch = &name,
         .count = 1},
        {.name = SPAN("do_sys_open%return"),
         .offsets = &start,
         .symbol = "do_sys_open",
         .fetch = &result,
         .count = 1,
         .returns = true},
    };
    for (size_t i = 0; i < 2; i++) {
        struct span added = uprobes_add(&u, &probes[i]);
        printf("%.*s\n", SPAN_ARG(added));
    }
    fflush(stdout);
    const char *wrong = uprobes_create(&u, ctx);
    if (wrong != NULL)
        printf("%s\n", wrong);
    fflush(stdout);
    _exit(wrong != NULL || uprobes_remove(&u) != NULL);
}

TEST("kprobes are created and removed in kprobe_events, as kprobetrace.rst of Linux describes it")
{
    struct child c;
    struct text text = {0};
    char wanted[512];
    tempfolder_make();
    tempfolder_write("uprobe_events", "");
    tempfolder_write("kprobe_events", "");
    child_run(&c, record_kernel, tempfolder);
    CHECK(c.status == 0);
    int len = (int)span_find(c.out, ':');
    const char *group = c.out.ptr;
    /* p[:[GRP/]EVENT] [MOD:]SYM[+offs] [FETCHARGS], r[:[GRP/]EVENT] [MOD:]SYM[+0] [FETCHARGS],
     * -:[GRP/]EVENT */
    snprintf(wanted, sizeof wanted,
             "p:%.*s/do_sys_open _text+0x2d4c10 filename=+0(%%si):ustring\n"
             "r:%.*s/do_sys_open_return do_sys_open retval=$retval:s32\n"
             "-:%.*s/do_sys_open\n-:%.*s/do_sys_open_return\n",
             len, group, len, group, len, group, len, group);
    CHECK(procfs_read(&text, tempfolder_path("kprobe_events")));
    CHECK_TEXT(text_span(&text), wanted);
    text.len = 0;
    CHECK(procfs_read(&text, tempfolder_path("uprobe_events")));
    CHECK_TEXT(text_span(&text), "");
    free(text.ptr);
    tempfolder_remove();
}

TEST("a kernel without kprobes is reported as that")
{
    struct child c;
    tempfolder_make();
    tempfolder_write("uprobe_events", "");
    child_run(&c, record_kernel, tempfolder);
    CHECK(c.status == 1);
    CHECK(span_holds(c.out,
                     SPAN("the kprobe at do_sys_open of the kernel could not be created in ")));
    CHECK(span_ends(c.out,
                    SPAN("/kprobe_events: No such file or directory: has this kernel no kprobes "
                         "(CONFIG_KPROBE_EVENTS), or no such function?\n")));
    tempfolder_remove();
}

TEST("uprobes are removed where the recorder exits without doing so")
{
    struct child c;
    tempfolder_make();
    tempfolder_write("uprobe_events", "");
    child_run(&c, record, &(struct recorder){0});
    CHECK(c.status == 0);
    check_commands(&c, CREATED REMOVED);
    tempfolder_remove();
}

TEST("uprobes are removed where the recorder is killed")
{
    struct child c;
    tempfolder_make();
    tempfolder_write("uprobe_events", "");
    child_run(&c, record, &(struct recorder){.is_killed = true});
    CHECK(c.status == 128 + SIGKILL);
    check_commands(&c, CREATED REMOVED);
    tempfolder_remove();
}

TEST("the uprobes of recorders that are no more are removed, and nobody else's")
{
    static const uint64_t offset = 0x10;
    struct uprobes u = {0};
    struct text text = {0};
    char events[1024], wanted[1024];
    struct span own = add_uprobe(&u, SPAN("f"), "/x/a", &offset, 1);
    size_t colon = span_find(own, ':');
    int pid = (int)getpid();
    int len = snprintf(events, sizeof events,
                       "p:%.*s/f /x/a:0x10\n"
                       "p:stackrecord_%d_1/g /x/a:0x10\n"
                       "p:stackrecord_1999999999_5/h /x/a:0x10\n"
                       "p:stackrecord_x/i /x/a:0x10\n"
                       "p:probe_a/j /x/a:0x10\n",
                       (int)colon, own.ptr, pid);
    snprintf(wanted, sizeof wanted, "%.*s-:stackrecord_%d_1/g\n-:stackrecord_1999999999_5/h\n", len,
             events, pid);
    tempfolder_make();
    tempfolder_write("uprobe_events", events);
    uprobes_remove_leftovers(tempfolder);
    CHECK(procfs_read(&text, tempfolder_path("uprobe_events")));
    CHECK_TEXT(text_span(&text), wanted);
    free(text.ptr);
    uprobes_free(&u);
    tempfolder_remove();
}

TEST("a name of a tracepoint has letters, digits and underscores only, and does not grow too long")
{
    static const uint64_t offset = 0x10;
    static const char name[] = "9f<int>::operator()(char const*)";
    FREED(uprobes_free) struct uprobes u = {0};
    char many[300];
    memset(many, 'x', sizeof many);
    struct span first = add_uprobe(&u, span_cstr(name), "/x/a", &offset, 1);
    struct span second = add_uprobe(&u, span_of(many, sizeof many), "/x/a", &offset, 1);
    CHECK_TEXT(span_from(first, span_find(first, ':') + 1), "_9f_int___operator___char_const__");
    CHECK(second.len - span_find(second, ':') - 1 < 64);
}

TEST("a uprobe that cannot be created is reported with the function, the file and the reason")
{
    static const uint64_t offset = 0x10;
    struct uprobes u = {0};
    char wanted[512];
    tempfolder_make();
    add_uprobe(&u, SPAN("f"), "/x/a", &offset, 1);
    snprintf(wanted, sizeof wanted,
             "the uprobe at f of /x/a could not be created in %s/uprobe_events: No such file or "
             "directory",
             tempfolder);
    const char *wrong = uprobes_create(&u, tempfolder);
    CHECK_TEXT(span_cstr(wrong != NULL ? wrong : ""), wanted);
    uprobes_free(&u);
    tempfolder_remove();
}
