#include "cmd/stackreport/instrlist.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/stackreport/disassembly.h"
#include "cmd/stackreport/linerows.h"
#include "common/base/columns.h"

enum { CONTEXT = 3 }; /* instructions shown before and after one with samples */
enum { OFFSET = sizeof "+0x1234567" - 1 };

struct writer {
    const struct linecount *count;
    struct linerows rows;
    struct out *out;
};

static void
put_row(struct writer *w, uint64_t offset, const struct line_place *p, struct span text)
{
    char number[32];
    snprintf(number, sizeof number, "+0x%" PRIx64, offset);
    linerows_counts(w->out, w->count, p, ' ');
    columns_right(w->out, OFFSET, span_cstr(number));
    if (text.len > 0)
        out_text(w->out, "  ");
    for (size_t i = 0; text.len > 0; i++) { /* a tab separates a name from its operands */
        struct span part = span_take(&text, '\t');
        if (i > 0)
            out_char(w->out, ' ');
        linerows_text(w->out, part);
    }
    out_char(w->out, '\n');
}

/* Write the places from `at` to before `end`, each with the instructions around it. A sample
 * between two instructions, as of another build of the file, has no text. */
static void
put_instructions(struct writer *w, const struct disassembly *d, size_t at, size_t end)
{
    size_t next = 0; /* first instruction that was not shown */
    size_t i = 0;    /* first instruction that is not before the place */
    for (size_t first = at; at < end; at++) {
        const struct line_place *p = linerows_place(&w->rows, at);
        while (i < d->list.n && d->list.at[i].offset < p->number)
            i++;
        bool found = i < d->list.n && d->list.at[i].offset == p->number;
        size_t from = i > next + CONTEXT ? i - CONTEXT : next;
        if (from > next && at > first)
            out_text(w->out, "                           ...\n");
        for (size_t k = from; k < i; k++)
            put_row(w, d->list.at[k].offset, NULL, d->list.at[k].text);
        put_row(w, p->number, p, found ? d->list.at[i].text : SPAN(""));
        next = i + found;
        uint64_t limit = at + 1 < end ? linerows_place(&w->rows, at + 1)->number : UINT64_MAX;
        for (size_t k = 0; k < CONTEXT && next < d->list.n && d->list.at[next].offset < limit; k++)
            put_row(w, d->list.at[next].offset, NULL, d->list.at[next].text), next++;
    }
}

static void
put_function(struct writer *w, uint32_t number)
{
    const struct line_function *f = &w->count->functions.at[number];
    size_t at = w->rows.first[number], end = w->rows.first[number + 1];
    struct disassembly d = {0};
    linerows_function(w->out, w->count, f);
    if (at == end)
        return;
    const struct line_place *last = linerows_place(&w->rows, end - 1);
    if (last->file == LINECOUNT_NONE) { /* it sorts last */
        out_format(w->out, "  samples without an offset are left out\n");
        end--;
    }
    if (at == end)
        return;
    last = linerows_place(&w->rows, end - 1);
    const char *why = f->has_start ? disassembly_read(&d, f->dso, f->start, last->number)
                                   : "the samples have no addresses";
    linerows_titles(w->out);
    columns_right(w->out, OFFSET, SPAN("offset"));
    out_text(w->out, "  ");
    linerows_text(w->out, f->dso);
    if (why != NULL)
        out_format(w->out, " (%s)", why);
    out_char(w->out, '\n');
    put_instructions(w, &d, at, end);
    disassembly_free(&d);
}

void
instrlist_write(const struct linecount *c, size_t top, struct out *o)
{
    struct writer w = {.count = c, .out = o};
    linerows_start(&w.rows, c, top);
    for (size_t i = 0; i < w.rows.nfunctions; i++) {
        if (i > 0)
            out_char(o, '\n');
        put_function(&w, w.rows.functions[i]);
    }
    if (w.rows.nfunctions > 0)
        out_text(o, "\nA sample is often an instruction or a few after the one that took the time "
                    "(skid), since the interrupt comes late; the event cycles:pp has less of it. "
                    "In a function that calls another, the total is at the instruction after the "
                    "call.\n");
    linerows_free(&w.rows);
}
