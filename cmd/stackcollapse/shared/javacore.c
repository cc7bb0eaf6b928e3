#include "cmd/stackcollapse/shared/javacore.h"

bool
javacore_method(struct span line, struct span *method)
{
    return span_skip(&line, SPAN("4XESTACKTRACE                ")) &&
           span_starts(line, SPAN("at ")) && javaframe_method(line, method);
}

/* Return true, with *id set, for "3XMTHREADINFO1 (native thread ID:0x5AE8, native priority:0x5". */
static bool
parse_id(struct span line, struct span *id)
{
    if (!span_skip(&line, SPAN("3XMTHREADINFO1            (native thread ID:")))
        return false;
    *id = span_take(&line, ' ');
    if (!span_ends(*id, SPAN(",")) || !span_starts(line, SPAN("native priority")))
        return false;
    id->len--;
    return true;
}

void
javacore_name(struct stacker *f, struct span name)
{
    struct javacore *core = (struct javacore *)f;
    core->named = true;
    text_set(&core->thread, name);
}

void
javacore_take(struct stacker *f, struct span line,
              bool (*name)(struct stacker *f, struct span line))
{
    struct javacore *core = (struct javacore *)f;
    const struct fold_options *o = &f->c->options->fold;
    struct span text;
    if (span_starts(line, SPAN("#")))
        return;
    if (span_starts(line, SPAN("3XMTHREADINFO3           Native callstack:"))) {
        javacore_finish(f);
    } else if (name(f, line)) {
        return;
    } else if (parse_id(line, &text)) {
        if (o->no_comm || !o->names.tid)
            return;
        if (!core->named)
            javacore_name(f, SPAN(""));
        TEXT_ADD(&core->thread, SPAN("-"), text);
    } else if (javacore_method(line, &text)) {
        stacker_push_leaf_first(f, javaframe_name(f, text));
    }
}

void
javacore_finish(struct stacker *f)
{
    struct javacore *core = (struct javacore *)f;
    if (core->named)
        stacker_push_leaf_first(f, text_span(&core->thread));
    stacker_emit(f, LEAF_FIRST, ONCE);
    core->named = false;
}
