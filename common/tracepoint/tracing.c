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

#include "common/base/cursor.h"
#include "common/base/num.h"

/* Read up to the page size. Return what is wrong, or NULL; also NULL if the data end before. */
static const char *
read_start(struct tracing *t, struct cursor *c)
{
    static const struct span magic = SPAN("\x17\x08\x44tracing");
    const uint16_t one = 1; /* its first byte is 1 on a little-endian machine */
    if (!span_eq(cursor_take(c, magic.len), magic))
        return "the tracing data does not begin with its magic bytes";
    cursor_string(c);
    struct span sizes = cursor_take(c, 2);
    if (c->cut)
        return NULL;
    if ((sizes.ptr[0] == 0) != (*(const char *)&one == 1))
        return "the tracing data is of a machine of the other byte order";
    if (sizes.ptr[1] != 4 && sizes.ptr[1] != 8)
        return "the tracing data states a size of long that is neither 4 nor 8";
    t->long_size = (size_t)sizes.ptr[1];
    cursor_u32(c); /* page size */
    return NULL;
}

static bool
read_header_page(struct cursor *c, struct span name)
{
    if (!span_eq(cursor_string(c), name))
        return false;
    cursor_take(c, cursor_u64(c));
    return true;
}

static void
read_format(struct tracing *t, struct cursor *c, struct span system)
{
    struct event_format format;
    struct span text = cursor_take(c, cursor_u64(c));
    if (c->cut || !eventformat_parse(&format, text, t->long_size, &t->arena))
        return;
    format.system = system;
    VEC_ADD(t->formats, format);
}

static void
read_system(struct tracing *t, struct cursor *c, struct span system)
{
    for (uint32_t n = cursor_u32(c); n > 0 && !c->cut; n--)
        read_format(t, c, system);
}

/* Parse a line of printk_formats: 0xffffffff8249ab30 : "rcu_sched". Escapes such as \n remain as
 * they are in the file. */
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
    VEC_ADD(t->strings, (struct tracing_string){addr, span_of(text.ptr + 1, text.len - 2)});
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
    struct cursor c = cursor_of(data);
    const char *wrong = read_start(t, &c);
    if (wrong == NULL &&
        (!read_header_page(&c, SPAN("header_page")) || !read_header_page(&c, SPAN("header_event"))))
        wrong = "the tracing data has no header_page and header_event";
    if (wrong == NULL) {
        read_system(t, &c, SPAN("ftrace"));
        for (uint32_t n = cursor_u32(&c); n > 0 && !c.cut; n--)
            read_system(t, &c, cursor_string(&c));
        cursor_take(&c, cursor_u32(&c)); /* kallsyms */
        struct span strings = cursor_take(&c, cursor_u32(&c));
        while (strings.len > 0)
            read_string(t, span_take(&strings, '\n'));
    }
    if (t->formats.n > 0)
        qsort(t->formats.at, t->formats.n, sizeof *t->formats.at, by_id);
    if (t->strings.n > 0)
        qsort(t->strings.at, t->strings.n, sizeof *t->strings.at, by_addr);
    return c.cut ? "the tracing data ends too early" : wrong;
}

const struct event_format *
tracing_find(const struct tracing *t, uint64_t id)
{
    const struct event_format key = {.id = id};
    return t->formats.n > 0 ? bsearch(&key, t->formats.at, t->formats.n, sizeof key, by_id) : NULL;
}

bool
tracing_string(const struct tracing *t, uint64_t addr, struct span *text)
{
    const struct tracing_string key = {.addr = addr}, *found = NULL;
    if (t->strings.n > 0)
        found = bsearch(&key, t->strings.at, t->strings.n, sizeof key, by_addr);
    if (found != NULL)
        *text = found->text;
    return found != NULL;
}

void
tracing_free(struct tracing *t)
{
    free(t->formats.at);
    free(t->strings.at);
    arena_free(&t->arena);
    *t = (struct tracing){0};
}
