#include "cmd/stackcollapse/build/counted.h"

bool
counted_end(struct lineformat *f, struct span line)
{
    struct decimal count;
    struct span number = span_from(line, span_run(line, 0, is_space));
    if (!f->script)
        number = span_trim(number);
    if (span_run(number, 0, is_digit) < number.len)
        return false;
    if (decimal_parse(number, &count)) {
        stackbuild_reverse(&f->stack, 0);
        lineformat_emit(f, count);
    }
    return true;
}

struct span
counted_without_offset(const struct lineformat *f, struct span frame)
{
    size_t plus = span_rfind(frame, '+');
    bool offset =
        plus != SPAN_NONE && (f->script || span_starts(span_from(frame, plus), SPAN("+0x")));
    return offset ? span_head(frame, plus) : frame;
}

void
counted_finish(void *state)
{
    struct lineformat *f = state;
    if (f->stack.n > 0 && !f->script)
        input_skip(&f->c->input, "the stack before this line has no count");
    stackbuild_clear(&f->stack);
}
