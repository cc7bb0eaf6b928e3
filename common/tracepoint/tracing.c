/* 17 08 44 "tracing" "0.6" 00      then the byte order, 0: little-endian; the size of a long (u8);
 *                                  and the page size (u32)
 * "header_page" 00 u64 SIZE text   the layout of a page of the kernel's ring buffer
 * "header_event" 00 u64 SIZE text  and of an event in it
 * u32 N, N times u64 SIZE text     formats of the events of the system "ftrace"
 * u32 N, N times a system:         "sched" 00 u32 N, N times u64 SIZE text
 * u32 SIZE text                    /proc/kallsyms; perf leaves it empty
 * u32 SIZE text                    /sys/kernel/tracing/printk_formats
 * u64 SIZE text                    since version 0.6: saved_cmdlines, which perf does not use
 *
 * perf writes these, and so does trace-cmd: see trace-cmd.dat.v6(5), "INITIAL FORMAT" to "PROCESS
 * INFORMATION". Numbers are in the byte order of the recording's machine, here ours. */
#include "common/tracepoint/tracing.h"

#include <stdlib.h>

#include "common/base/num.h"

/* The data that is not read yet. After a mistake `wrong` says what it is, and all reads give 0. */
struct reader {
    struct span rest;
    const char *wrong;
};

static struct span
take(struct reader *r, uint64_t size)
{
    if (r->wrong == NULL && size > r->rest.len)
        r->wrong = "the tracing data ends too early";
    if (r->wrong != NULL)
        return span_of(r->rest.ptr, 0);
    struct span bytes = span_head(r->rest, (size_t)size);
    r->rest = span_from(r->rest, (size_t)size);
    return bytes;
}

static uint32_t
take_u32(struct reader *r)
{
    uint32_t n = 0;
    struct span bytes = take(r, sizeof n);
    if (bytes.len == sizeof n)
        memcpy(&n, bytes.ptr, sizeof n);
    return n;
}

static uint64_t
take_u64(struct reader *r)
{
    uint64_t n = 0;
    struct span bytes = take(r, sizeof n);
    if (bytes.len == sizeof n)
        memcpy(&n, bytes.ptr, sizeof n);
    return n;
}

/* Take a text that a NUL ends, and return it without the NUL. */
static struct span
take_cstr(struct reader *r)
{
    size_t end = span_find(r->rest, '\0');
    if (end == SPAN_NONE) {
        take(r, UINT64_MAX);
        return span_of(r->rest.ptr, 0);
    }
    return span_head(take(r, (uint64_t)end + 1), r->wrong == NULL ? end : 0);
}

static bool
is_little_endian(void)
{
    const uint16_t one = 1;
    char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static void
read_start(struct tracing *t, struct reader *r)
{
    static const struct span magic = SPAN("\x17\x08\x44tracing");
    if (!span_eq(take(r, magic.len), magic) && r->wrong == NULL)
        r->wrong = "the tracing data does not begin with its magic bytes";
    take_cstr(r);
    struct span sizes = take(r, 2);
    if (r->wrong != NULL)
        return;
    if ((sizes.ptr[0] == 0) != is_little_endian())
        r->wrong = "the tracing data is of a machine of the other byte order";
    else if (sizes.ptr[1] != 4 && sizes.ptr[1] != 8)
        r->wrong = "the tracing data states a size of long that is neither 4 nor 8";
    t->long_size = (size_t)sizes.ptr[1];
    take_u32(r); /* page size */
}

static void
read_header_page(struct reader *r, struct span name)
{
    if (!span_eq(take_cstr(r), name) && r->wrong == NULL)
        r->wrong = "the tracing data has no header_page and header_event";
    take(r, take_u64(r));
}

static void
read_format(struct tracing *t, struct reader *r, struct span system)
{
    struct event_format format;
    struct span text = take(r, take_u64(r));
    if (r->wrong != NULL)
        return;
    if (!eventformat_parse(&format, text, t->long_size, &t->arena))
        return;
    format.system = system;
    t->formats = mem_grow(t->formats, &t->cap, t->count + 1, sizeof *t->formats);
    t->formats[t->count++] = format;
}

static void
read_system(struct tracing *t, struct reader *r, struct span system)
{
    for (uint32_t n = take_u32(r); n > 0 && r->wrong == NULL; n--)
        read_format(t, r, system);
}

static void
read_systems(struct tracing *t, struct reader *r)
{
    read_system(t, r, SPAN("ftrace"));
    for (uint32_t n = take_u32(r); n > 0 && r->wrong == NULL; n--)
        read_system(t, r, take_cstr(r));
}

/* Parse a line of printk_formats: 0xffffffff8249ab30 : "rcu_sched". \n and such remain as they
 * are in the file. */
static void
read_string(struct tracing *t, struct span line)
{
    size_t colon = span_find(line, ':');
    uint64_t addr;
    if (colon == SPAN_NONE || !num_hex(span_trim(span_head(line, colon)), &addr))
        return;
    struct span text = span_trim(span_from(line, colon + 1));
    if (text.len < 2 || text.ptr[0] != '"' || text.ptr[text.len - 1] != '"')
        return;
    t->strings = mem_grow(t->strings, &t->strings_cap, t->nstrings + 1, sizeof *t->strings);
    t->strings[t->nstrings++] = (struct tracing_string){addr, span_of(text.ptr + 1, text.len - 2)};
}

static void
read_strings(struct tracing *t, struct span list)
{
    while (list.len > 0)
        read_string(t, span_take(&list, '\n'));
}

static int
by_id(const void *left, const void *right)
{
    const struct event_format *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

static int
by_addr(const void *left, const void *right)
{
    const struct tracing_string *a = left, *b = right;
    return (a->addr > b->addr) - (a->addr < b->addr);
}

const char *
tracing_read(struct tracing *t, struct span data)
{
    struct reader r = {data, NULL};
    read_start(t, &r);
    read_header_page(&r, SPAN("header_page"));
    read_header_page(&r, SPAN("header_event"));
    read_systems(t, &r);
    take(&r, take_u32(&r)); /* kallsyms */
    struct span strings = take(&r, take_u32(&r));
    if (r.wrong == NULL)
        read_strings(t, strings);
    if (t->count > 0)
        qsort(t->formats, t->count, sizeof *t->formats, by_id);
    if (t->nstrings > 0)
        qsort(t->strings, t->nstrings, sizeof *t->strings, by_addr);
    return r.wrong;
}

const struct event_format *
tracing_find(const struct tracing *t, uint64_t id)
{
    const struct event_format key = {.id = id};
    return t->count > 0 ? bsearch(&key, t->formats, t->count, sizeof key, by_id) : NULL;
}

bool
tracing_string(const struct tracing *t, uint64_t addr, struct span *text)
{
    const struct tracing_string key = {.addr = addr}, *found = NULL;
    if (t->nstrings > 0)
        found = bsearch(&key, t->strings, t->nstrings, sizeof key, by_addr);
    if (found != NULL)
        *text = found->text;
    return found != NULL;
}

void
tracing_free(struct tracing *t)
{
    free(t->formats);
    free(t->strings);
    arena_free(&t->arena);
    *t = (struct tracing){0};
}
