/* V8 writes the file with --perf-basic-prof (PerfBasicLogger in src/logging/log.cc); the format is
 * in tools/perf/Documentation/jit-interface.txt of the Linux source. */
#include "common/sym/perfmap.h"

#include <stdlib.h>

#include "common/base/lines.h"
#include "common/base/num.h"

/* Remove the text before the first blank from *line, and return it. */
static struct span
take_field(struct span *line)
{
    size_t blank = span_find(*line, ' ');
    if (blank == SPAN_NONE)
        return SPAN("");
    struct span field = span_head(*line, blank);
    *line = span_from(*line, blank + 1);
    return field;
}

/* The format: "7f1e2215d058 4c name with blanks"; on Android "0x7f1e2215d058 0x4c name". */
bool
perfmap_parse(struct span line, struct perfmap_record *r)
{
    uint64_t size;
    if (span_ends(line, SPAN("\r")))
        line.len--;
    if (!num_hex(take_field(&line), &r->start) || !num_hex(take_field(&line), &size))
        return false;
    r->end = num_add(r->start, size > 0 ? size : 1);
    r->name = line;
    return line.len > 0;
}

bool
perfmap_read_line(struct regular_file *f, uint64_t offset, struct text *buffer,
                  struct perfmap_record *r)
{
    enum { MOSTLY = 512 }; /* size of most lines, in bytes */
    for (size_t want = MOSTLY;; want = PERFMAP_LINE) {
        buffer->ptr = mem_grow(buffer->ptr, &buffer->cap, want, 1);
        ssize_t n = regular_read(f, offset, buffer->ptr, want, NULL);
        struct span line = span_of(buffer->ptr, n > 0 ? (size_t)n : 0);
        size_t end = span_find(line, '\n');
        if (end != SPAN_NONE)
            return perfmap_parse(span_head(line, end), r);
        if (line.len < want)
            return perfmap_parse(line, r); /* the last line, without a newline */
        if (want == PERFMAP_LINE)
            return false;
    }
}

/* Return the name at an offset in m->names, and set *start to the start of its code. */
static struct span
name_at(const struct perfmap *m, uint32_t offset, uint64_t *start)
{
    struct span rest = span_from(text_span(&m->names), offset);
    *start = 0;
    if (rest.len < sizeof *start)
        return SPAN("");
    memcpy(start, rest.ptr, sizeof *start);
    rest = span_from(rest, sizeof *start);
    return span_head(rest, span_find(rest, '\n'));
}

/* Return true if the piece is from a record with the same start and name. */
static bool
is_same(const struct perfmap *m, const struct codepiece *p, const struct perfmap_record *r)
{
    uint64_t start;
    struct span name = name_at(m, p->line, &start);
    return start == r->start && span_eq(name, r->name);
}

static void
note_reused(struct perfmap *m, const struct perfmap_record *r)
{
    const struct codepiece *p = codemap_from(&m->code, r->start);
    while (p != NULL && p->start < r->end) {
        uint64_t start = p->start > r->start ? p->start : r->start, end = p->start + p->len;
        if (!is_same(m, p, r))
            codemap_put(&m->reused, start, end < r->end ? end : r->end, 0);
        p = codemap_from(&m->code, end);
    }
}

/* Add a record unless it is there already: V8 repeats the records of code that it uses again. */
static void
add(struct perfmap *m, const struct perfmap_record *r)
{
    const struct codepiece *p = codemap_find(&m->code, r->start);
    if (p != NULL && p->start == r->start && p->len == r->end - r->start && is_same(m, p, r))
        return;
    if (m->names.len > UINT32_MAX)
        mem_exhausted();
    note_reused(m, r);
    codemap_put(&m->code, r->start, r->end, (uint32_t)m->names.len);
    text_add(&m->names, SPAN_BYTES(r->start));
    text_add(&m->names, r->name);
    text_add(&m->names, SPAN("\n"));
}

const char *
perfmap_open(struct regular_file *f, const char *path, const struct regular *rules)
{
    struct regular limited = rules != NULL ? *rules : (struct regular){0};
    limited.no_link = true;
    limited.most = PERFMAP_MAX;
    return regular_open(f, path, &limited);
}

const char *
perfmap_load(struct perfmap *m, struct regular_file *f)
{
    struct lines lines = {0};
    struct span line;
    struct perfmap_record r;
    *m = (struct perfmap){0};
    regular_lines(f, &lines);
    while (lines_next(&lines, &line)) {
        /* Also the rest of a name with a newline in it (Node 24: "RegExp.> src: 'a\nb'"). Like
         * perf, use its first line. */
        if (perfmap_parse(line, &r))
            add(m, &r);
        else if (m->skipped++ == 0)
            m->first_skipped = lines.number;
    }
    int error = lines.error;
    lines_free(&lines);
    regular_close(f);
    if (error != 0)
        perfmap_free(m);
    return error != 0 ? regular_error(error) : NULL;
}

void
perfmap_add(struct perfmap *m, struct span lines)
{
    struct perfmap_record r;
    while (lines.len > 0 && m->names.len < PERFMAP_MAX) {
        size_t end = span_find(lines, '\n');
        if (perfmap_parse(span_head(lines, end != SPAN_NONE ? end : lines.len), &r))
            add(m, &r);
        lines = span_from(lines, end != SPAN_NONE ? end + 1 : lines.len);
    }
}

bool
perfmap_find(const struct perfmap *m, uint64_t addr, struct span *name, uint64_t *start)
{
    const struct codepiece *p = codemap_find(&m->code, addr);
    if (p != NULL)
        *name = name_at(m, p->line, start);
    return p != NULL;
}

bool
perfmap_number(const struct perfmap *m, uint64_t addr, uint32_t *number)
{
    const struct codepiece *p = codemap_find(&m->code, addr);
    if (p != NULL)
        *number = p->line;
    return p != NULL;
}

bool
perfmap_reused(const struct perfmap *m, uint64_t addr)
{
    return codemap_find(&m->reused, addr) != NULL;
}

void
perfmap_free(struct perfmap *m)
{
    codemap_free(&m->code);
    codemap_free(&m->reused);
    free(m->names.ptr);
    *m = (struct perfmap){0};
}
