#include "cmd/stackreport/linetsv.h"

#include <stdlib.h>

#include "cmd/stackreport/linerows.h"
#include "common/base/utf8.h"

void
linetsv_titles(struct out *o)
{
    out_text(o, "self\tself_percent\ttotal\ttotal_percent\tinlined\tline\tfile\tnote\tfunction\t"
                "source\n");
}

/* Write a text, masked. A tab would end the column. */
static void
put_text(struct out *o, struct span text)
{
    struct text copy = {0};
    text = utf8_masked(&copy, text);
    for (size_t i = 0; i < text.len; i++)
        out_char(o, text.ptr[i] == '\t' ? '?' : text.ptr[i]);
    free(copy.ptr);
}

static void
put_count(struct out *o, const struct linecount *c, struct decimal count)
{
    char text[DECIMAL_TEXT];
    out_span(o, decimal_text(text, count));
    out_char(o, '\t');
    linerows_percent(o, 0, c, count);
    out_char(o, '\t');
}

void
linetsv_function(struct out *o, const struct linecount *c, const struct line_function *f)
{
    put_count(o, c, f->self);
    put_count(o, c, f->total);
    out_text(o, "\t\t\t\t");
    put_text(o, f->name);
    out_text(o, "\t\n");
}

void
linetsv_line(struct out *o, const struct linecount *c, const struct line_place *p,
             const struct linetsv_line *line)
{
    if (p != NULL) {
        put_count(o, c, p->self);
        put_count(o, c, p->total);
        out_cstr(o, p->inlined ? "1" : "");
    } else {
        out_text(o, "\t\t\t\t");
    }
    out_char(o, '\t');
    out_u64(o, line->number);
    const struct span texts[] = {line->file, line->note, line->function, line->source};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        out_char(o, '\t');
        put_text(o, texts[i]);
    }
    out_char(o, '\n');
}
