#include "common/symbolize/srcline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/clock.h"
#include "common/base/num.h"
#include "common/stack/dso.h"

/* Frees the slot, whose addr2line is ended if one runs. */
static void
end(struct srclines_file *slot)
{
    if (slot->file != NULL)
        addr2line_end(&slot->addr2line);
    slot->file = NULL;
    slot->used = 0;
}

/* Starts addr2line for a file, in place of the one that was asked the longest time ago. NULL, after
 * a message, if it cannot be run. */
static struct srclines_file *
start(struct srclines *s, const struct dsofile *file)
{
    struct srclines_file *slot = s->files;
    for (struct srclines_file *f = s->files; f < s->files + SRCLINES_FILES; f++)
        if (f->used < slot->used)
            slot = f;
    end(slot);
    slot->file = addr2line_start(&slot->addr2line, dsofile_path(file->symbols)) ? file : NULL;
    s->cannot_run = slot->file == NULL;
    if (s->cannot_run)
        diag_warn(s->diag, NULL, NOWHERE,
                  "addr2line cannot be run, so that source lines are unknown: install binutils");
    return s->cannot_run ? NULL : slot;
}

/* The slot of the file's addr2line, which is started if it does not run. */
static struct srclines_file *
slot_of(struct srclines *s, const struct dsofile *file)
{
    for (struct srclines_file *f = s->files; f < s->files + SRCLINES_FILES; f++)
        if (f->file == file)
            return f;
    return start(s, file);
}

/* In a large file 10,000 addresses may take minutes, and a recording may have more. */
static void
note_slow(struct srclines *s, const char *path)
{
    enum { SLOW = 3 };
    if (s->noted || s->seconds < SLOW)
        return;
    s->noted = true;
    diag_note(s->diag,
              "source lines take time: %d seconds for %" PRIu64 " of them so far, now in %s; "
              "without srcline in -F none are looked up",
              SLOW, s->questions, path);
}

/* True if more questions would only cost time. */
static bool
is_late(const struct srclines *s, const struct dsofile *file)
{
    for (size_t i = 0; i < s->nlate; i++)
        if (s->late[i] == file)
            return true;
    return s->nlate == SRCLINES_LATE;
}

static void
explain(struct srclines *s, const struct srclines_file *slot, uint64_t addr)
{
    const char *path = dsofile_path(slot->file->symbols);
    if (!slot->addr2line.process.late) {
        diag_warn(s->diag, "addresses that addr2line failed on", NOWHERE,
                  "addr2line failed on 0x%" PRIx64 " in %s: try it by hand", addr, path);
        return;
    }
    s->late[s->nlate++] = slot->file;
    diag_warn(s->diag, NULL, NOWHERE,
              "addr2line did not answer within %d seconds on 0x%" PRIx64
              " in %s: no source lines of %s",
              ADDR2LINE_SECONDS, addr, path,
              s->nlate < SRCLINES_LATE ? "that file" : "any file from here on");
}

/* Asks for the calls at an address of the file. False if there is no answer. */
static bool
ask(struct srclines *s, const struct dsofile *file, uint64_t addr)
{
    bool can = !s->cannot_run && !is_late(s, file);
    struct srclines_file *slot = can ? slot_of(s, file) : NULL;
    if (slot == NULL)
        return false;
    uint64_t began = clock_now();
    bool answered = addr2line_ask(&slot->addr2line, addr, &s->calls);
    slot->used = ++s->questions;
    s->seconds += (double)(clock_now() - began) / CLOCK_SECOND;
    note_slow(s, dsofile_path(file->symbols));
    if (answered)
        return true;
    explain(s, slot, addr);
    end(slot);
    return false;
}

/* Parses the source position of the innermost call, "pool.h:33". False if it is unknown. Where
 * addr2line knows no line, the number is missing: "pool.h:?". */
static bool
take_position(struct span calls, struct span *file, struct span *line)
{
    if (span_eq(calls, SPAN(ADDR2LINE_UNKNOWN)))
        return false;
    size_t name = span_find(calls, '\n');
    if (name == SPAN_NONE)
        return false;
    struct span place = span_from(calls, name + 1);
    place = span_head(place, span_find(place, '\n'));
    size_t colon = span_rfind(place, ':');
    if (colon == SPAN_NONE)
        return false;
    *file = span_head(place, colon);
    *line = span_from(place, colon + 1);
    if (span_run(*line, 0, is_digit) < line->len)
        *line = SPAN("0");
    return true;
}

/* "libc.so.6[2724a]", or of JIT-compiled code "[JIT] tid 4242[7f1e2215d058]". */
static void
add_unknown(const struct dso *dso, uint64_t addr, struct text *out)
{
    char text[40];
    if (dso->kind == DSO_JIT) {
        snprintf(text, sizeof text, "[JIT] tid %" PRId32, dso->pid);
        text_add(out, span_cstr(text));
    } else {
        text_add(out, dso_base(dso->name));
    }
    snprintf(text, sizeof text, "[%" PRIx64 "]", addr);
    text_add(out, span_cstr(text));
}

bool
srclines_add(struct srclines *s, const struct dso *dso, const struct dsofile *file, uint64_t addr,
             struct text *out)
{
    struct span name, line;
    bool readable = file != NULL && file->names != DSOFILE_NONE;
    if (readable)
        elf_find_address(&file->runtime->elf, addr, &addr);
    if (!readable || dso->kind != DSO_FILE || !ask(s, file, addr) ||
        !take_position(text_span(&s->calls), &name, &line)) {
        add_unknown(dso, addr, out);
        return true;
    }
    text_add(out, name);
    text_add(out, SPAN(":"));
    text_add(out, line);
    return !span_eq(name, SPAN("??"));
}

void
srclines_end(struct srclines *s)
{
    for (struct srclines_file *f = s->files; f < s->files + SRCLINES_FILES; f++)
        end(f);
}

void
srclines_free(struct srclines *s)
{
    srclines_end(s);
    for (struct srclines_file *f = s->files; f < s->files + SRCLINES_FILES; f++)
        addr2line_free(&f->addr2line);
    free(s->calls.ptr);
}
