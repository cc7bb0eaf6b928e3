#include "cmd/stackrecord/capture/task.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/lines.h"
#include "common/base/num.h"
#include "common/base/regular.h"
#include "common/event/append.h"
#include "common/machine/procfs.h"
#include "common/symbolize/kernel.h"

enum {
    PROT_R = 1, /* of mmap(2), on Linux */
    PROT_W = 2,
    PROT_X = 4,
    SHARED = 1,
    PRIVATE = 2,
};

/* Begin a record; its size is set by send(). */
static struct text *
begin(struct tasks *t, enum record_type type, unsigned misc)
{
    t->record.len = 0;
    append_header(&t->record, type, (uint16_t)misc, 0);
    return &t->record;
}

/* End the record with a sample_id of zeros, and pass it to the sink. */
static void
send(struct tasks *t)
{
    enum {
        ID_FIELDS = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
                    PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER
    };
    int fields = __builtin_popcountll(t->events->events[0].sample_type & ID_FIELDS);
    for (int i = 0; i < fields; i++)
        append_u64(&t->record, 0);
    store_u16(t->record.ptr + 6, (uint16_t)t->record.len);
    t->sink->record(t->sink, text_span(&t->record));
}

bool
tasks_was_read(struct tasks *t, bool read)
{
    if (!read && errno != ENOENT && errno != ESRCH)
        t->error = errno;
    return read;
}

/* Send the records of a thread's start and name. The parent of a first thread is the process's
 * parent; that of any other thread is its process. */
static void
send_thread(struct tasks *t, int32_t pid, int32_t tid, int32_t parent)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/comm", (int)pid, (int)tid);
    if (!tasks_was_read(t, procfs_read(&t->file, path)))
        return;
    struct text *r = begin(t, PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC);
    append_u32(r, (uint32_t)pid);
    append_u32(r, (uint32_t)(tid != pid ? pid : parent));
    append_u32(r, (uint32_t)tid);
    append_u32(r, (uint32_t)(tid != pid ? pid : parent));
    append_u64(r, 0);
    send(t);
    r = begin(t, PERF_RECORD_COMM, 0);
    append_u32(r, (uint32_t)pid);
    append_u32(r, (uint32_t)tid);
    struct span comm = text_span(&t->file); /* one line; newlines in the name come unescaped */
    append_padded(r, span_head(comm, comm.len - (comm.len > 0)), 8);
    send(t);
}

/* Let the caller do other work from time to time. Return true if it wants no more records. */
static bool
pauses(struct tasks *t)
{
    enum { OFTEN = 1000 };
    return t->pause != NULL && t->sent++ % OFTEN == 0 && t->pause(t->ctx);
}

/* Parse two hexadecimal numbers, "a-b". */
static bool
two_numbers(struct span s, char separator, uint64_t *a, uint64_t *b)
{
    size_t at = span_find(s, separator);
    return at != SPAN_NONE && num_hex(span_head(s, at), a) && num_hex(span_from(s, at + 1), b);
}

/* Append a path, in which /proc writes a newline as "\012". */
static void
add_path(struct text *r, struct text *scratch, struct span path)
{
    scratch->len = 0;
    for (size_t at; (at = span_search(path, SPAN("\\012"))) != SPAN_NONE;) {
        TEXT_ADD(scratch, span_head(path, at), SPAN("\n"));
        path = span_from(path, at + 4);
    }
    text_add(scratch, path);
    append_padded(r, text_span(scratch), 8);
}

/* Send the mapping of a line of /proc/PID/maps, if it is executable. Memory without a file is
 * called "//anon", as in the kernel's records:
 *
 *     7fe5fc05a000-7fe5fc1b0000 r-xp 00026000 fe:00 332835                     /usr/lib/libc.so.6
 * */
static void
send_map(struct tasks *t, struct text *scratch, int32_t pid, struct span line)
{
    uint64_t start, end, pgoff, major, minor, inode;
    struct span range = span_take(&line, ' '), mode = span_take(&line, ' ');
    if (!two_numbers(range, '-', &start, &end) || mode.len < 4 || mode.ptr[2] != 'x' ||
        !num_hex(span_take(&line, ' '), &pgoff) ||
        !two_numbers(span_take(&line, ' '), ':', &major, &minor) ||
        !num_u64(span_take(&line, ' '), &inode))
        return;
    while (line.len > 0 && line.ptr[0] == ' ')
        line = span_from(line, 1);
    struct text *r = begin(t, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
    append_u32(r, (uint32_t)pid);
    append_u32(r, (uint32_t)pid);
    append_u64(r, start);
    append_u64(r, end - start);
    append_u64(r, pgoff);
    append_u32(r, (uint32_t)major);
    append_u32(r, (uint32_t)minor);
    append_u64(r, inode);
    append_u64(r, 0); /* the inode's generation */
    append_u32(r, PROT_X | (mode.ptr[0] == 'r' ? PROT_R : 0) | (mode.ptr[1] == 'w' ? PROT_W : 0));
    append_u32(r, mode.ptr[3] == 's' ? SHARED : PRIVATE);
    add_path(r, scratch, line.len > 0 ? line : SPAN("//anon"));
    send(t);
}

static void
each_line(struct span text, struct tasks *t, struct text *scratch, int32_t pid,
          void (*use)(struct tasks *, struct text *, int32_t, struct span))
{
    while (text.len > 0)
        use(t, scratch, pid, span_take(&text, '\n'));
}

/* Send the executable mappings of a process. Read them line by line, since there may be hundreds of
 * megabytes. Return false with errno if they cannot be read: ESRCH if the thread has ended. */
static bool
send_maps(struct tasks *t, int32_t pid, int32_t tid)
{
    char path[64];
    struct regular_file f;
    struct lines lines = {0};
    struct text scratch = {0};
    snprintf(path, sizeof path, "/proc/%d/task/%d/maps", (int)pid, (int)tid);
    if (regular_open(&f, path, &(struct regular){.pid = pid, .kernel = true}) != NULL)
        return false;
    regular_lines(&f, &lines);
    for (struct span line; lines_next(&lines, &line) && !pauses(t);)
        send_map(t, &scratch, pid, line);
    int error = lines.error != 0 ? lines.error : lines.number == 0 ? ESRCH : 0;
    lines_free(&lines);
    free(scratch.ptr);
    regular_close(&f);
    errno = error;
    return error == 0;
}

void
tasks_process(struct tasks *t, int32_t pid)
{
    struct numbers tids = {0};
    int32_t parent = procfs_status(pid, SPAN("PPid"));
    tasks_was_read(t, parent >= 0);
    tasks_was_read(t, procfs_threads(&tids, pid, 0));
    for (size_t i = 0; i < tids.count && !pauses(t); i++)
        send_thread(t, pid, tids.at[i], parent);
    bool read = false;
    errno = ESRCH; /* also if the first thread has ended before the others */
    for (size_t i = 0; i < tids.count && !read && errno == ESRCH; i++)
        read = send_maps(t, pid, tids.at[i]);
    tasks_was_read(t, read);
    free(tids.at);
}

/* Begin the mapping record of the kernel's image or of a module. */
static struct text *
begin_kernel_map(struct tasks *t, enum record_type type, unsigned misc, uint64_t start,
                 uint64_t len, uint64_t pgoff)
{
    struct text *r = begin(t, type, PERF_RECORD_MISC_KERNEL | misc);
    append_u32(r, UINT32_MAX);
    append_u32(r, 0);
    append_u64(r, start);
    append_u64(r, len);
    append_u64(r, pgoff);
    return r;
}

/* Send the mapping of the kernel's image. With its build-id, symbols can be read from perf's copy,
 * in a tenth of the time that the kernel takes to print them. */
static void
send_image(struct tasks *t, uint64_t start, uint64_t len)
{
    char notes[4096], id[RECORD_BUILD_ID] = {0};
    struct span name = SPAN("[kernel.kallsyms]_text"), build_id = kernel_running_build_id(notes);
    if (build_id.len == 0 || build_id.len > sizeof id) {
        append_padded(begin_kernel_map(t, PERF_RECORD_MMAP, 0, start, len, start), name, 8);
        send(t);
        return;
    }
    memcpy(id, build_id.ptr, build_id.len);
    struct text *r =
        begin_kernel_map(t, PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID, start, len, start);
    append_u32(r, (uint32_t)build_id.len); /* u8, and 3 unused bytes */
    text_add(r, span_of(id, sizeof id));
    append_u32(r, PROT_R | PROT_X);
    append_u32(r, PRIVATE);
    append_padded(r, name, 8);
    send(t);
}

/* Return the size of the kernel's code from /proc/iomem, from _text to _etext; 0 if it is hidden:
 *
 *     01000000-02206447 : Kernel code
 * */
static uint64_t
kernel_size(struct text *file)
{
    uint64_t first = 0, last = 0;
    if (!procfs_read(file, "/proc/iomem"))
        return 0;
    struct span s = text_span(file);
    size_t at = span_search(s, SPAN(" : Kernel code\n"));
    if (at == SPAN_NONE)
        return 0;
    s = span_head(s, at);
    s = span_trim(span_from(s, span_rfind(s, '\n') + 1)); /* SPAN_NONE + 1 is 0 */
    return two_numbers(s, '-', &first, &last) && last > first ? last - first + 1 : 0;
}

/* Read the addresses of two symbols in /proc/kallsyms. The first is in its first lines. Reading up
 * to the second takes 50 ms: do that only if the size is hidden, and with `exact`.
 *
 *     ffffffff81000000 T _text
 * */
static bool
kernel_range(struct text *scratch, bool exact, uint64_t *start, uint64_t *end)
{
    FILE *file = fopen("/proc/kallsyms", "r");
    char *line = NULL;
    size_t cap = 0;
    *start = *end = 0;
    for (ssize_t len; *end == 0 && file != NULL && (len = getline(&line, &cap, file)) > 0;) {
        struct span s = span_trim(span_of(line, (size_t)len));
        if (*start == 0 && span_ends(s, SPAN(" T _text"))) {
            num_hex(span_take(&s, ' '), start);
            uint64_t size = kernel_size(scratch);
            *end = size > 0 ? *start + size : exact ? 0 : PERF_CONTEXT_MAX;
        } else if (*start != 0 && span_ends(s, SPAN(" _etext"))) {
            num_hex(span_take(&s, ' '), end);
        }
    }
    free(line);
    if (file != NULL)
        fclose(file);
    return *end > *start && *start != 0;
}

/* Send the mapping of a line of /proc/modules:
 *
 *     ext4 1052672 1 - Live 0xffffffffa0000000
 * */
static void
send_module(struct tasks *t, struct text *scratch, int32_t pid, struct span line)
{
    uint64_t start, len;
    struct span name = span_take(&line, ' '), size = span_take(&line, ' ');
    (void)pid;
    span_take(&line, ' '); /* reference count, users, state */
    span_take(&line, ' ');
    span_take(&line, ' ');
    if (!num_u64(size, &len) || !num_hex(span_take(&line, ' '), &start) || start == 0)
        return;
    TEXT_SET(scratch, SPAN("["), name, SPAN("]"));
    append_padded(begin_kernel_map(t, PERF_RECORD_MMAP, 0, start, len, 0), text_span(scratch), 8);
    send(t);
}

void
tasks_kernel(struct tasks *t, bool exact)
{
    struct text scratch = {0};
    uint64_t start, end;
    if (!kernel_range(&scratch, exact, &start, &end)) {
        start = UINT64_MAX / 2 + 1 + 4096; /* no image starts there; symbols tell the address */
        end = PERF_CONTEXT_MAX;
    }
    send_image(t, start, end - start);
    if (tasks_was_read(t, procfs_read(&t->file, "/proc/modules")))
        each_line(text_span(&t->file), t, &scratch, -1, send_module);
    free(scratch.ptr);
}

void
tasks_lost(struct tasks *t, uint64_t lost)
{
    struct text *r = begin(t, PERF_RECORD_LOST, 0);
    append_u64(r, 0); /* of no specific counter */
    append_u64(r, lost);
    send(t);
}

void
tasks_free(struct tasks *t)
{
    free(t->record.ptr);
    free(t->file.ptr);
}
