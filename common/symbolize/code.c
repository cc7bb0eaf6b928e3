#include "common/symbolize/code.h"

#include <stdlib.h>

#include "common/symbolize/heldfiles.h"
#include "common/symbolize/symbolizer.h"

struct span
code_printed_name(void *ctx, struct span name)
{
    struct symbolizer *s = ctx;
    s->name.len = 0;
    if (!demangle(&s->scratch, name, s->options->demangle, &s->name))
        return name;
    arena_reset(&s->scratch);
    return text_span(&s->name);
}

/* The names of these two files, which are read later. */
static struct code_names *
names_of(struct symbolizer *s, const struct elffile *symbols, const struct elffile *runtime)
{
    const struct elffile *const pair[] = {symbols, runtime};
    uint32_t n;
    if (intern_put(&s->pairs, span_of((const char *)pair, sizeof pair), &n)) {
        s->names = mem_grow(s->names, &s->names_cap, s->pairs.count, sizeof(struct code_names *));
        s->names[n] = arena_alloc(&s->arena, sizeof **s->names);
        *s->names[n] = (struct code_names){.symbols = symbols, .runtime = runtime};
    }
    return s->names[n];
}

void
code_open_file(struct symbolizer *s, struct code *c)
{
    struct code_file *f = c->file = mem_alloc(sizeof *f);
    *f = (struct code_file){0};
    struct liveprocs *live = s->options->live;
    struct heldfiles *held = live != NULL ? liveprocs_files(live) : NULL;
    char path[32];
    const char *own =
        held != NULL ? heldfiles_path(held, c->dso.name, c->dso.build_id, path) : NULL;
    dsofile_open_held(&f->dso, &s->elfs, &s->options->files, c->dso.name, c->dso.build_id, own);
    if (f->dso.names != DSOFILE_NONE)
        f->names = names_of(s, f->dso.symbols, f->dso.runtime);
    if (held != NULL)
        heldfiles_release(held, c->dso.name, c->dso.build_id);
}

/* Reads the names in a file, and if there are many such files forgets those of the one that was
 * read first: a recording may name any number of files. */
static void
read_names(struct symbolizer *s, struct code_names *names)
{
    struct code_names **slot = &s->read[s->nread++ % SYMBOLIZER_FILES];
    if (*slot != NULL) {
        elfsyms_free(&(*slot)->syms);
        (*slot)->read = false;
    }
    *slot = names;
    names->read = true;
    names->syms.symbols.demangle = code_printed_name;
    names->syms.symbols.ctx = s;
    elfsyms_read(&names->syms, &names->symbols->elf, &names->runtime->elf,
                 s->options->as_perf ? ELFSYMS_AS_PERF : ELFSYMS_RIGHT);
}

bool
code_find(struct symbolizer *s, const struct code_file *file, uint64_t addr, struct span *name,
          uint64_t *start)
{
    struct code_names *names = file->names;
    if (names == NULL)
        return false;
    if (!names->read)
        read_names(s, names);
    return elfsyms_find(&names->syms, addr, name, start);
}
