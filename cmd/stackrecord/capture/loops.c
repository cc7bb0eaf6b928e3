/* A line of /proc/PID/task/TID/syscall has the system call's number, its six arguments, the stack
 * pointer and the program counter; or it is "running".
 *
 *     281 0xd 0x7ffd26119120 0x400 0x64 0x0 0x8 0x7ffd261183c0 0x7f4413046cae
 *
 * Members of struct uv_loop_s on 64-bit machines, from include/uv.h and include/uv/unix.h of libuv,
 * at least in the versions 1.44 (node 18) to 1.51 (node 26):
 *
 *     40   void *internal_fields      to struct uv__loop_internal_fields_s in src/uv-common.h,
 *                                     which has at 8 the number of turns; before 1.45, 0 or a time
 *     64   int backend_fd            of epoll
 *     544  uint64_t time              CLOCK_MONOTONIC in milliseconds */
#include "cmd/stackrecord/capture/loops.h"

#include <stdio.h>
#include <sys/syscall.h>

#include "cmd/stackrecord/capture/heldfiles.h"
#include "common/base/clock.h"
#include "common/base/helper.h"
#include "common/base/load.h"
#include "common/base/num.h"
#include "common/machine/procfs.h"
#include "common/sym/elffile.h"

enum {
    INTERNAL = 40,
    BACKEND_FD = 64,
    TIME = 544,
    LOOP_SIZE = 848,
    COUNT = 8,
    MILLISECOND = 1000000
};

/* Return true if the system call in the line waits for events, and set *fd to its first
 * argument. */
static bool
waits_for_events(struct span line, int32_t *fd)
{
    enum { MIN_COMPLETE = 2, FLAGS = 3, GETEVENTS = 1, ARGUMENTS = 4 };
    uint64_t call, arguments[ARGUMENTS];
    if (!num_u64(span_take_word(&line), &call))
        return false;
    for (size_t i = 0; i < ARGUMENTS; i++)
        if (!num_hex(span_take_word(&line), &arguments[i]))
            return false;
    *fd = (int32_t)arguments[0];
    switch (call) {
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait:
#ifdef SYS_epoll_pwait2
    case SYS_epoll_pwait2:
#endif
        return true;
#ifdef SYS_io_uring_enter
    case SYS_io_uring_enter:
        return arguments[MIN_COMPLETE] > 0 && (arguments[FLAGS] & GETEVENTS) != 0;
#endif
    default:
        return false;
    }
}

/* Set *polls to whether the thread waits for the events of its loop. Ignore loops with a higher
 * descriptor: they run within a turn. Return false if that may not be read. */
static bool
ask_call(struct loop *l, uint32_t pid, uint32_t tid, struct text *text, bool *polls)
{
    char file[64];
    int32_t fd;
    snprintf(file, sizeof file, "task/%u/syscall", tid);
    if (!procfs_ask(text, (int32_t)pid, file))
        return false;
    *polls = waits_for_events(text_span(text), &fd) && (!l->found || fd <= l->fd);
    l->fd = *polls ? fd : l->fd;
    l->found |= *polls;
    return true;
}

/* Return the address of the symbol default_loop_struct in an ELF file; 0 if it has none. */
static uint64_t
find_symbol(const struct elf *e)
{
    enum { SYMBOLS_MAX = 1 << 20 };
    Elf64_Shdr table, strings;
    Elf64_Sym symbol;
    uint64_t found = 0;
    if (!elf_find_section(e, SHT_SYMTAB, SPAN(""), &table) ||
        !elf_section(e, table.sh_link, &strings))
        return 0;
    struct view entries = elf_section_view(e, &table, VIEW_TABLE),
                names = elf_section_view(e, &strings, VIEW_ENTRIES);
    size_t n = elf_count(e, &table);
    n = n < SYMBOLS_MAX ? n : SYMBOLS_MAX;
    for (size_t i = 1; i < n && found == 0 && elf_symbol(e, &entries, i, &symbol); i++)
        if (symbol.st_size == LOOP_SIZE && ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT &&
            span_eq(view_string(&names, symbol.st_name), SPAN("default_loop_struct")))
            found = symbol.st_value;
    view_free(&entries);
    view_free(&names);
    return found;
}

/* Set *entry to the entry address of the process's program. */
static bool
read_entry(uint32_t pid, struct text *text, uint64_t *entry)
{
    enum { ENTRY = 9, PAIR = 2 * sizeof(uint64_t) };
    if (!procfs_ask(text, (int32_t)pid, "auxv"))
        return false;
    for (size_t at = 0; text->len - at >= PAIR; at += PAIR) {
        *entry = load_u64(text->ptr + at + sizeof *entry);
        if (load_u64(text->ptr + at) == ENTRY)
            return true;
    }
    return false;
}

/* Return the address of the member `time` of libuv's default loop in the process; 0 if it is not
 * known. */
static uint64_t
find_default_loop(uint32_t pid, struct text *text)
{
    char path[64], open[HELDFILES_PATH];
    struct regular_file file;
    struct elffile elf;
    uint64_t loop = 0, entry;
    snprintf(path, sizeof path, "/proc/%u/exe", pid);
    if (regular_open(&file, path, &(struct regular){.pid = (int32_t)pid}) != NULL)
        return 0;
    snprintf(open, sizeof open, "/proc/self/fd/%d", file.fd);
    if (elffile_open(&elf, open) == NULL) {
        loop = elf.elf.is64 ? find_symbol(&elf.elf) : 0;
        loop =
            loop != 0 && read_entry(pid, text, &entry) ? loop + (entry - elf.elf.entry) + TIME : 0;
        elffile_close(&elf);
    }
    regular_close(&file);
    return loop;
}

/* Find the members of the default loop that its initialization sets. Return false if it was not
 * initialized, or if the memory may not be read. */
static bool
find_members(struct loop *l, uint32_t pid)
{
    uint64_t internal = 0;
    int32_t fd = 0;
    struct helper_block blocks[] = {
        {.addr = l->clock - TIME + INTERNAL, .to = &internal, .len = sizeof internal},
        {.addr = l->clock - TIME + BACKEND_FD, .to = &fd, .len = sizeof fd}};
    if (!helper_copy_blocks((int32_t)pid, blocks, 2) || !blocks[0].ok || !blocks[1].ok ||
        internal == 0 || fd < 0)
        return false;
    l->counter = internal + COUNT;
    l->fd = fd;
    return true;
}

/* Read the number and the start time of the current turn. Return false if there is no clock. */
static bool
ask_clock(struct loop *l, uint32_t pid, struct ownrecord *own)
{
    uint64_t time = 0, count = 0;
    if (l->clock == 0 || (l->counter == 0 && !find_members(l, pid)))
        return false;
    struct helper_block blocks[] = {{.addr = l->clock, .to = &time, .len = sizeof time},
                                    {.addr = l->counter, .to = &count, .len = sizeof count}};
    if (!helper_copy_blocks((int32_t)pid, blocks, 2) || !blocks[0].ok || !blocks[1].ok ||
        time == 0 || time > clock_now() / MILLISECOND)
        return false;
    l->found = true;
    own->loop.turn = count > 0 ? count : time;
    own->loop.began = time * MILLISECOND;
    return true;
}

bool
loops_ask(struct loop *l, uint32_t pid, uint32_t tid, struct text *text, struct ownrecord *own)
{
    own->loop = (struct ownloop){0};
    if (!l->looked && pid == tid)
        l->clock = find_default_loop(pid, text);
    l->looked = true;
    bool has_clock = ask_clock(l, pid, own), is_new = own->loop.turn != l->turn;
    l->turn = own->loop.turn;
    l->exact = !has_clock || !is_new;
    if (!l->exact)
        return true;
    return ask_call(l, pid, tid, text, &own->loop.polls) && l->found;
}
