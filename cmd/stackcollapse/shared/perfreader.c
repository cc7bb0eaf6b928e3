#include "cmd/stackcollapse/shared/perfreader.h"

#include <stdlib.h>

void
perfreader_begin(struct stacker *f, bool (*accept)(void *state, const struct perf_header *h))
{
    struct perfreader *p = (struct perfreader *)f;
    const struct options *o = f->c->options;
    p->text = mem_alloc(sizeof *p->text);
    p->rules = *o->dialect->rules;
    if (!o->fold.names.srcline)
        p->rules.srclines = NULL;
    perftext_init(p->text, &p->rules, &f->c->input.lines);
    p->text->source.accept = accept;
    p->text->source.numbers = o->latency || o->fold.slice > 0 ? PERF_NUMBERS : 0;
    p->text->source.ctx = p;
    fold_init(&p->fold, &o->fold, &p->text->frames, &f->c->profile);
}

void
perfreader_fold(struct stacker *f, void (*take)(struct stacker *f, const struct sample *s))
{
    struct source *source = &((struct perfreader *)f)->text->source;
    const struct dialect *dialect = f->c->options->dialect;
    for (enum source_item item; (item = source_next(source)) != ITEM_END;) {
        if (item == ITEM_SAMPLE)
            take(f, &source->sample);
        else if (item == ITEM_SKIPPED || (item == ITEM_STRAY && !dialect->silent_strays))
            stacker_skip(f, source->why);
    }
    if (dialect->reports_oddities)
        input_warn_cut(&f->c->input);
}

void
perfreader_end(struct stacker *f)
{
    struct perfreader *p = (struct perfreader *)f;
    perftext_free(p->text);
    free(p->text);
    fold_free(&p->fold);
}
