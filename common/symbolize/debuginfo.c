#include "common/symbolize/debuginfo.h"

#include <stdlib.h>

static const uint64_t MILLISECOND = 1000000;

static void
end_file(struct debuginfo_file *f)
{
    dwarf_close(f->dwarf);
    nearest_free(&f->nearest);
    *f = (struct debuginfo_file){0};
}

/* Return the slot of the file. A new file replaces the least recently used one. */
static struct debuginfo_file *
slot_of(struct debuginfo *d, const struct elffile *file)
{
    struct debuginfo_file *slot = d->files;
    for (struct debuginfo_file *f = d->files; f < d->files + DEBUGINFO_FILES; f++) {
        if (f->file == file)
            return f;
        if (f->used < slot->used)
            slot = f;
    }
    end_file(slot);
    slot->file = file;
    slot->trusted = content_is_trusted(&file->content);
    return slot;
}

/* Count the processor time since reading last continued. */
static void
count_time(struct debuginfo *d)
{
    uint64_t now = d->pace.used();
    uint64_t spent = now - d->since + (uint64_t)d->patience.waited * MILLISECOND;
    d->since = now;
    d->patience.waited = 0;
    d->asked->spent += spent;
    if (!d->asked->trusted)
        d->strangers += spent;
}

/* Return true if reading the file may continue. */
static bool
may_go_on(void *ctx)
{
    enum { FILES = 2, PART = 8 };
    struct debuginfo *d = ctx;
    const struct debuginfo_pace *p = &d->pace;
    const struct debuginfo_file *f = d->asked;
    count_time(d);
    if (f->spent > p->most)
        d->why = "its debug information takes too long to read";
    else if (!f->trusted && d->strangers > FILES * p->most + (p->now() - d->first) / PART)
        d->why = "the debug information of other users' files takes too long to read";
    else if (!p->pause(p->ctx, f->trusted))
        d->why = "the recording was over before its debug information was read";
    d->since = p->used();
    return d->why == NULL;
}

/* Begin to read debug information of the file, after opening it if necessary. */
static void
begin(struct debuginfo *d, struct debuginfo_file *f)
{
    bool waits = d->pace.pause != NULL;
    d->asked = f;
    if (waits) {
        d->patience = (struct patience){.ask = may_go_on, .ctx = d};
        d->since = d->pace.used();
        d->first = d->first > 0 ? d->first : d->pace.now();
    }
    d->cache.patience = waits ? &d->patience : NULL;
    d->cache.file_limit = d->limit / 2;
    if (f->used == 0)
        f->dwarf = dwarf_open(f->file, &d->cache);
    f->used = ++d->questions;
}

/* Count the processor time of the lookup. Return false, after a message, if the file had to be
 * given up. */
static bool
finish(struct debuginfo *d, struct debuginfo_file *f)
{
    if (d->pace.pause != NULL)
        count_time(d);
    if (d->why == NULL)
        return true;
    if (d->diag != NULL)
        diag_warn(d->diag, "files whose debug information is not read",
                  (struct place){dsofile_path(f->file), 0},
                  "%s; inlined calls are missing: perf-script --inline prints them of a recording "
                  "that was made with -o",
                  d->why);
    d->why = NULL;
    dwarf_close(f->dwarf);
    f->dwarf = NULL;
    return false;
}

static uint64_t
limit(const struct debuginfo *d)
{
    return d->limit > 0 ? d->limit : DEBUGINFO_MAX;
}

static const char *
advice(const struct debuginfo *d)
{
    return d->limit > 0 ? ": raise --memory" : "";
}

/* If the debug information of all files exceeds the limit, close the largest. Otherwise give the
 * rest of the limit, which is at least an eighth, to the cache of units. */
static void
limit_size(struct debuginfo *d, struct debuginfo_file *now)
{
    uint64_t all = 0, most = limit(d) - limit(d) / 8;
    struct debuginfo_file *largest = now;
    now->size = now->dwarf != NULL ? dwarf_size(now->dwarf) : 0;
    for (struct debuginfo_file *f = d->files; f < d->files + DEBUGINFO_FILES; f++) {
        all += f->size;
        if (f->size > largest->size)
            largest = f;
    }
    if (all <= most) {
        d->cache.limit = limit(d) - all < DWARF_CACHE_MAX ? (size_t)(limit(d) - all) : 0;
        return;
    }
    if (d->diag != NULL)
        diag_warn(
            d->diag, "files whose debug information is not read",
            (struct place){dsofile_path(largest->file), 0},
            "the debug information takes more than its share of memory: %zu MB; inlined calls "
            "are missing%s",
            largest->size >> 20, advice(d));
    dwarf_close(largest->dwarf);
    largest->dwarf = NULL;
    largest->size = 0;
}

/* Set d->one to the function from the symbol table. Return false if there is none. */
static bool
find_nearest(struct debuginfo *d, struct debuginfo_file *f, uint64_t address)
{
    if (!f->listed)
        nearest_read(&f->nearest, &f->file->elf);
    f->listed = true;
    bool known;
    if (!nearest_find(&f->nearest, address, &d->function, &d->source, &known))
        return false;
    struct span source = text_span(&d->source);
    size_t slash = span_rfind(source, '/');
    dwarf_mask(&d->function);
    dwarf_mask(&d->source);
    d->one.function = text_span(&d->function);
    if (known)
        d->one.file = slash != SPAN_NONE ? span_from(source, slash + 1) : source;
    return true;
}

/* Report a part of the debug information that cannot be read. */
static void
explain(struct debuginfo *d, struct debuginfo_file *f)
{
    struct dwarf_missing m;
    const char *own = dsofile_path(f->file);
    if (f->dwarf == NULL || !dwarf_missing(f->dwarf, &m) || d->diag == NULL)
        return;
    if (m.path[0] != '\0')
        diag_warn(d->diag, "missing files with debug information", (struct place){m.path, 0},
                  "this part of the debug information of %s %s; inlined calls are missing or have "
                  "no names%s",
                  own, m.why, m.too_large ? advice(d) : "");
    else
        diag_warn(d->diag, "files whose debug information is not read", (struct place){own, 0},
                  "its debug information %s; inlined calls are missing or have no names%s", m.why,
                  m.too_large ? advice(d) : "");
}

size_t
debuginfo_find(struct debuginfo *d, const struct elffile *file, uint64_t address,
               const struct dwarf_call **calls)
{
    struct debuginfo_file *f = slot_of(d, file);
    begin(d, f);
    limit_size(d, f);
    size_t n = f->dwarf != NULL ? dwarf_find(f->dwarf, address, calls) : 0;
    if (!finish(d, f))
        n = 0;
    explain(d, f);
    if (n > 1 || (n == 1 && (*calls)->function.len > 0))
        return n;
    struct dwarf_call line = n == 1 ? **calls : (struct dwarf_call){.line = 0};
    d->one = (struct dwarf_call){.function = SPAN(""), .line = line.line};
    bool found = find_nearest(d, f, address);
    if (line.file.len > 0)
        d->one.file = line.file;
    *calls = &d->one;
    return found || n == 1;
}

void
debuginfo_end(struct debuginfo *d)
{
    for (struct debuginfo_file *f = d->files; f < d->files + DEBUGINFO_FILES; f++)
        end_file(f);
}

void
debuginfo_free(struct debuginfo *d)
{
    debuginfo_end(d);
    free(d->function.ptr);
    free(d->source.ptr);
}
