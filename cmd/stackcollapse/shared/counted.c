#include "cmd/stackcollapse/shared/counted.h"

#include "common/stack/model/foldname.h"

bool
counted_end(struct stacker *f, struct span line)
{
    struct decimal count;
    struct span number = span_trim(line);
    if (span_run(number, 0, is_digit) < number.len)
        return false;
    if (decimal_parse(number, &count))
        stacker_emit(f, LEAF_FIRST, count);
    return true;
}

struct span
counted_without_offset(struct span frame)
{
    size_t plus = span_rfind(frame, '+');
    bool offset = plus != SPAN_NONE && span_starts(span_from(frame, plus), SPAN("+0x"));
    return offset ? span_head(frame, plus) : frame;
}

void
counted_push_inlined(struct stacker *f, struct span frame, bool all)
{
    size_t from = f->n;
    for (struct span part; foldname_split_arrow(&frame, &part);) {
        if (all || span_has(part, ';'))
            span_skip(&part, SPAN("L"));
        TEXT_SET(&f->name, part, f->n > from ? SPAN("_[i]") : SPAN(""));
        text_replace(&f->name, ';', ':');
        stacker_push(f, text_span(&f->name));
    }
    stacker_reverse(f, from);
}

bool
counted_split(struct span line, struct span *text, struct span *count)
{
    const struct span end = SPAN("]: ");
    for (*text = line; (text->len = span_rsearch(*text, end)) != SPAN_NONE;) {
        struct span after = span_from(line, text->len + end.len);
        *count = span_take_run(&after, is_digit);
        if (count->len > 0)
            return true;
    }
    return false;
}

void
counted_finish(struct stacker *f)
{
    if (f->n > 0)
        stacker_skip(f, "the stack before this line has no count");
    f->n = 0;
}
