#include "common/sym/gopclntab.h"

#include "common/unwind/cfitable.h"
#include "tests/fuzz/fuzz.h"

/* The parts of a function follow each other inside of it. */
static void
check_parts(struct gopclntab *t, const struct gopclntab_function *f)
{
    struct gopclntab_part part = {0};
    uint64_t last = f->start;
    while (gopclntab_next(t, f, &part)) {
        MUST(part.start == last && part.end > part.start && part.end <= f->end);
        last = part.end;
    }
}

static void
check_rows(const struct cfitable *t)
{
    for (; t != NULL; t = t->rest)
        for (size_t i = 0; i < t->nrows; i++)
            MUST(t->rows[i].rule < t->nrules &&
                 (i == 0 || t->rows[i - 1].start < t->rows[i].start));
}

/* An ELF file. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct content c = content_of(fuzz_span(data, size));
    struct elf e;
    struct gopclntab t;
    struct gopclntab_function f;
    struct cfitable table;
    if (elf_open(&e, &c) != NULL)
        return 0;
    if (gopclntab_open(&t, &e)) {
        MUST(t.count <= size / 8 && gopclntab_size(&e) > 0);
        for (size_t i = 0; i < t.count; i++) {
            if (!gopclntab_function(&t, i, &f))
                continue;
            MUST(f.start < f.end && view_string(&t.names, f.name).len <= VIEW_STRING_MAX);
            check_parts(&t, &f);
        }
        gopclntab_close(&t);
    }
    cfitable_build(&table, &e, NULL, NULL);
    check_rows(&table);
    cfitable_free(&table);
    elf_close(&e);
    return 0;
}
