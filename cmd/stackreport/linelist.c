#include "cmd/stackreport/linelist.h"

#include <stdlib.h>

#include "cmd/stackreport/linerows.h"
#include "cmd/stackreport/linetsv.h"
#include "common/base/columns.h"
#include "common/base/num.h"
#include "common/base/regular.h"
#include "common/stack/frames/dso.h"

enum { CONTEXT = 2 }; /* lines shown before and after a line with samples */
enum { NUMBER = sizeof " 1234567" - 1 };

struct writer {
    const struct linelist *list;
    struct linerows rows;
    struct out *out;
    struct text line, note, scratch;
    bool inlined; /* a line was marked */
};

/* Return true if the source file was modified after the program or library was. */
static bool
is_newer(const struct sourcefile *source, struct span dso)
{
    struct regular_file f;
    struct text path = {0};
    if (!span_starts(dso, SPAN("/")) || dso_is_jit(dso) || span_has(dso, '\0'))
        return false;
    TEXT_ADD(&path, dso, span_of("", 1));
    bool opened = regular_open(&f, path.ptr, NULL) == NULL;
    free(path.ptr);
    if (!opened)
        return false;
    const struct timespec *built = &f.st.st_mtim, *changed = &source->modified;
    bool newer = changed->tv_sec != built->tv_sec ? changed->tv_sec > built->tv_sec
                                                  : changed->tv_nsec > built->tv_nsec;
    regular_close(&f);
    return newer;
}

/* Set the note: what is odd about the source file. */
static void
set_note(struct writer *w, const struct sourcefile *source, struct span dso)
{
    w->note.len = 0;
    if (source->why != NULL)
        text_add(&w->note, span_cstr(source->why));
    else if (is_newer(source, dso))
        TEXT_ADD(&w->note, SPAN("newer than "), dso, SPAN(": lines may have moved"));
}

/* Write the titles, with the file and the note. */
static void
put_titles(struct writer *w, struct span path)
{
    linerows_titles(w->out);
    columns_right(w->out, NUMBER, SPAN("line"));
    out_text(w->out, "  ");
    linerows_text(w->out, path);
    if (w->note.len > 0) {
        out_text(w->out, " (");
        linerows_text(w->out, text_span(&w->note));
        out_char(w->out, ')');
    }
    out_char(w->out, '\n');
}

/* Set the line to a text with tabs as blanks up to the next multiple of 8 columns. */
static void
set_line(struct writer *w, struct span text)
{
    w->line.len = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\t')
            text_add(&w->line, span_head(SPAN("        "), 8 - w->line.len % 8));
        else
            text_add(&w->line, span_of(text.ptr + i, 1));
    }
}

static void
put_source(struct writer *w)
{
    enum { BEFORE = 2 * 8 + 2 + NUMBER + 2, LEAST = 20 };
    size_t width = w->list->width;
    columns_name(w->out, &w->scratch, text_span(&w->line),
                 width == 0               ? SIZE_MAX
                 : width > BEFORE + LEAST ? width - BEFORE
                                          : LEAST);
}

/* Write the row of a line, which is set; p is NULL for a line without samples. */
static void
put_row(struct writer *w, uint64_t number, const struct line_place *p)
{
    char digits[NUM_DIGITS];
    bool inlined = p != NULL && p->inlined;
    linerows_counts(w->out, w->list->count, p, inlined ? '>' : ' ');
    w->inlined |= inlined;
    columns_right(w->out, NUMBER, num_decimal(digits, number));
    if (w->line.len > 0) {
        out_text(w->out, "  ");
        put_source(w);
    }
    out_char(w->out, '\n');
}

/* Write the lines of one file: the places from `at` to before `end`. */
static void
put_file(struct writer *w, const struct line_function *f, size_t at, size_t end)
{
    const struct linecount *c = w->list->count;
    struct span path = intern_text(&c->files, linerows_place(&w->rows, at)->file);
    const struct sourcefile *source = sourcefiles_get(w->list->sources, path);
    uint64_t next = 1; /* first line that was not shown */
    set_note(w, source, f->dso);
    if (!w->list->tsv)
        put_titles(w, path);
    for (size_t i = at; i < end; i++) {
        const struct line_place *p = linerows_place(&w->rows, i);
        uint64_t from = p->number > CONTEXT ? p->number - CONTEXT : 1, to = p->number + CONTEXT;
        if (i + 1 < end && linerows_place(&w->rows, i + 1)->number <= to)
            to = linerows_place(&w->rows, i + 1)->number - 1;
        if (source->why != NULL || p->number > source->nlines)
            from = to = p->number;
        else if (to > source->nlines)
            to = source->nlines;
        if (i > at && from > next && source->why == NULL && !w->list->tsv)
            out_text(w->out, "                           ...\n");
        for (uint64_t n = from > next ? from : next; n <= to; n++) {
            const struct line_place *place = n == p->number ? p : NULL;
            set_line(w, sourcefile_line(source, n));
            if (w->list->tsv)
                linetsv_line(w->out, c, place,
                             &(struct linetsv_line){n, path, text_span(&w->note), f->name,
                                                    text_span(&w->line)});
            else
                put_row(w, n, place);
        }
        next = to + 1;
    }
}

/* Write the share of a function whose lines are not known, and how to get them. */
static void
put_unknown(struct writer *w, const struct line_function *f, const struct line_place *p)
{
    struct out *o = w->out;
    linerows_counts(o, w->list->count, p, ' ');
    columns_right(o, NUMBER, SPAN("-"));
    out_text(o, "  no source line");
    if (dso_is_jit(f->dso)) {
        out_text(o, ": of JIT-compiled code, jitdumps have lines, and of node stackrecord --lines");
    } else if (dso_is_kernel(f->dso)) {
        out_text(o, ": those of the kernel are not looked up");
    } else if (span_starts(f->dso, SPAN("/"))) {
        out_text(o, ": build ");
        linerows_text(o, dso_base(f->dso));
        out_text(o, " with -g, or install its debug symbols");
    }
    out_char(o, '\n');
}

static void
put_function(struct writer *w, uint32_t number)
{
    const struct linecount *c = w->list->count;
    const struct line_function *f = &c->functions.at[number];
    size_t end = w->rows.first[number + 1], next;
    (w->list->tsv ? linetsv_function : linerows_function)(w->out, c, f);
    for (size_t at = w->rows.first[number]; at < end; at = next) {
        const struct line_place *p = linerows_place(&w->rows, at);
        next = at + 1;
        if (p->file == LINECOUNT_NONE) {
            if (!w->list->tsv)
                put_unknown(w, f, p);
            continue;
        }
        while (next < end && linerows_place(&w->rows, next)->file == p->file)
            next++;
        put_file(w, f, at, next);
    }
}

/* Write what the list's marks and guesses mean. */
static void
put_remarks(const struct writer *w)
{
    if (w->inlined)
        out_text(w->out, "\n>: a call in this line was inlined; the lines of the function that was "
                         "inlined are listed under its name\n");
    if (w->list->count->guessed)
        out_text(w->out,
                 "\nLines of JavaScript in jitdumps are listed under the file of the function: if "
                 "V8 inlined a function of another file there, its lines are, too\n");
}

void
linelist_write(const struct linelist *l, struct out *o)
{
    struct writer w = {.list = l, .out = o};
    linerows_start(&w.rows, l->count, l->top);
    if (l->tsv)
        linetsv_titles(o);
    for (size_t i = 0; i < w.rows.nfunctions; i++) {
        if (i > 0 && !l->tsv)
            out_char(o, '\n');
        put_function(&w, w.rows.functions[i]);
    }
    if (!l->tsv)
        put_remarks(&w);
    linerows_free(&w.rows);
    free(w.line.ptr);
    free(w.note.ptr);
    free(w.scratch.ptr);
}
