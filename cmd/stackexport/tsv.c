/* Tab-separated values, for databases: a line with the names of columns, then a line for each
 * sample or folded stack.
 *
 *     host	time	thread	stack	count
 *     web1	1764370268.250125	node-4242/4243	["node","main","parse \"x\""]	1
 *
 * The stack is an array in JSON (RFC 8259), root first. Fields have no quotes or escapes of their
 * own, and no tabs or newlines: JSON escapes them, and in names they are replaced. */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd/stackexport/formats.h"
#include "common/base/clock.h"
#include "common/base/jsontext.h"
#include "common/base/utf8.h"

struct tsv {
    struct text field; /* name of a thread or a machine */
};

static void
begin(struct export *e)
{
    out_text(e->out, "host\ttime\tthread\tstack\tcount\n");
}

/* Write a text without tabs, newlines and bytes that are not UTF-8. */
static void
write_field(struct export *e, struct span text)
{
    struct text *field = &((struct tsv *)e->state)->field;
    text_set(field, text);
    utf8_mask(field->ptr, field->len);
    text_replace(field, '\t', '?');
    out_span(e->out, text_span(field));
}

/* Write seconds since 1970 if the time of day is known, else by the recorder's clock. Digits after
 * the microseconds are dropped: a double in an analytic engine holds no more. */
static void
write_time(struct export *e, const struct stack *s)
{
    uint64_t time = s->time;
    if (!s->has_time)
        return;
    wallclock_real(&e->clock, s->time, &time);
    out_format(e->out, "%" PRIu64 ".%06" PRIu64, time / CLOCK_SECOND, time % CLOCK_SECOND / 1000);
}

static void
add(struct export *e, const struct stack *s)
{
    char count[DECIMAL_TEXT];
    write_field(e, text_span(&e->host));
    out_char(e->out, '\t');
    write_time(e, s);
    out_char(e->out, '\t');
    write_field(e, profile_name_text(&e->frames.names, e->threads.list.at[s->thread].name));
    out_char(e->out, '\t');
    for (size_t i = 0; i < s->n; i++) {
        out_char(e->out, i == 0 ? '[' : ',');
        jsontext_string(e->out, framelist_name(&e->frames, s->frames[i]));
    }
    out_text(e->out, "]\t");
    out_span(e->out, decimal_text(count, s->count));
    out_char(e->out, '\n');
}

static void
end(struct export *e)
{
    free(((struct tsv *)e->state)->field.ptr);
}

const struct format format_tsv = {
    .state_size = sizeof(struct tsv), .begin = begin, .add = add, .end = end};
