/* What the symbolizer says at the end of a recording: which names were not found, and why. */
#include <stdlib.h>

#include "common/base/tally.h"
#include "common/stack/dso.h"
#include "common/symbolize/code.h"
#include "common/symbolize/symbolizer.h"

/* Prints which files have only the names that they export, as most files of distributions do, if
 * that matters: for a twentieth of the different addresses. */
static void
explain_stripped(const struct symbolizer *s, const struct tally *files)
{
    char list[TALLY_TEXT];
    uint64_t nameless = 0;
    for (size_t i = 0; i < files->names.count; i++)
        nameless += files->rows[i].count;
    if (nameless == 0 || nameless < s->places.count / 20)
        return;
    tally_describe(files, list);
    diag_note(s->diag,
              "addresses without a name in files without debug symbols: %s; looked in %s and %s",
              list, s->options->files.cache, s->options->files.debug);
}

/* Prints how to get the names of files that are not here. */
static void
explain_missing(const struct symbolizer *s)
{
    const char *cache = s->options->files.cache;
    if (cache[0] != '\0')
        diag_note(
            s->diag,
            "to get their names, run perf archive where it was recorded and unpack the result "
            "in %s, or give a folder with that machine's files as --symfs",
            cache);
    else
        diag_note(s->diag, "to get their names, give a folder with the recorded machine's files as "
                           "--symfs");
}

static void
explain_forgotten(const struct symbolizer *s)
{
    if (s->maps.forgotten > 0)
        diag_note(s->diag,
                  "the mappings of %zu processes, of process %d first, were forgotten, since those "
                  "of all take more than their share of --memory (%zu MB): their functions have no "
                  "names",
                  s->maps.forgotten, (int)s->maps.forgotten_pid, s->maps.limit >> 20);
}

void
symbolizer_explain(const struct symbolizer *s)
{
    explain_forgotten(s);
    if (s->kernel.why.len > 0 && s->nameless_kernel)
        diag_note(s->diag, "the kernel's functions have no names: %.*s%s",
                  SPAN_ARG(text_span(&s->kernel.why)),
                  s->options->live != NULL
                      ? ""
                      : "; give the recorded kernel's file with --kallsyms or --vmlinux");
    struct tally stripped = {0};
    struct text why = {0};
    bool missing = false;
    for (size_t i = 0; i < s->code_cap; i++) {
        const struct code *c = s->code[i];
        why.len = 0;
        if (c == NULL || c->file == NULL || !(c->nameless > 0 || c->file->dso.changed) ||
            !dsofile_explain(&c->file->dso, &why))
            continue;
        missing |= c->file->dso.names == DSOFILE_NONE && c->dso.name.len > 0;
        if (dsofile_is_stripped(&c->file->dso))
            tally_add(&stripped, dso_base(c->dso.name), c->nameless, 0);
        else
            diag_warn(s->diag, "files whose code has no names", NOWHERE, "%.*s: %.*s",
                      SPAN_ARG(c->dso.name), SPAN_ARG(text_span(&why)));
    }
    if (missing && s->options->live == NULL)
        explain_missing(s);
    explain_stripped(s, &stripped);
    tally_free(&stripped);
    free(why.ptr);
}
