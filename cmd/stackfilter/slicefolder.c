#include "cmd/stackfilter/slicefolder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "common/stack/model/slicefile.h"

struct file {
    struct slicefile is;
    char *path;
};

struct folder {
    VEC(struct file) files;
    bool was_set; /* the clock was set back: there are two slices of the same time */
};

/* Seconds by which the time of a stack may precede its slice's begin, and by which it may follow
 * its hour's end if a slice ended late. See stackrecord's archive.c. */
enum { TICK = 10, LATE = 300 };

static int
in_order(const void *a, const void *b)
{
    const struct file *left = a, *right = b;
    int order = slicefile_compare(&left->is, &right->is);
    return order != 0 ? order : strcmp(left->path, right->path);
}

static void
read_names(struct folder *f, DIR *dir, const char *name, struct arena *arena)
{
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        struct file file;
        struct text path = {0};
        if (!slicefile_parse(span_cstr(entry->d_name), &file.is))
            continue;
        TEXT_ADD(&path, span_cstr(name), SPAN("/"), span_cstr(entry->d_name));
        file.path = arena_cstr(arena, text_span(&path));
        f->was_set |= file.is.number > 1;
        VEC_ADD(f->files, file);
        free(path.ptr);
    }
    if (f->files.n > 0)
        qsort(f->files.at, f->files.n, sizeof *f->files.at, in_order);
}

/* Return a time that is later than all times in the i-th file: the begin of the next slice, if
 * slices do not overlap. */
static uint64_t
end_of(const struct folder *f, size_t i)
{
    const struct slicefile *is = &f->files.at[i].is;
    const struct slicefile *next = i + 1 < f->files.n ? &f->files.at[i + 1].is : is;
    const uint64_t most = is->begin + SLICEFILE_HOUR + LATE;
    if (f->was_set || is->hour || next->hour || next->begin == is->begin || next->begin > most)
        return most;
    return next->begin;
}

static void
choose(struct slicefolder_names *names, const struct folder *f, const struct timerange *range)
{
    struct slicefile_hours hours = {0};
    for (size_t i = 0; i < f->files.n; i++) {
        const struct file *file = &f->files.at[i];
        bool merged = slicefile_is_merged(&hours, file->is);
        if (!merged && file->is.begin < range->to + TICK && end_of(f, i) > range->from)
            VEC_ADD(names->list, file->path);
    }
    free(hours.list.at);
}

void
slicefolder_add(struct slicefolder_names *names, char *operand, const struct timerange *range,
                struct diag *diag)
{
    struct folder f = {0};
    char when[TIMERANGE_TEXT];
    bool is_input = strcmp(operand, "-") == 0;
    DIR *dir = is_input ? NULL : opendir(operand);
    size_t before = names->list.n;
    if (is_input || (dir == NULL && errno == ENOTDIR)) {
        VEC_ADD(names->list, operand);
        return;
    }
    if (dir == NULL) {
        diag_error(diag, (struct place){operand, 0}, "%s", strerror(errno));
        return;
    }
    read_names(&f, dir, operand, &names->arena);
    closedir(dir);
    choose(names, &f, range);
    if (f.files.n == 0)
        diag_error(diag, (struct place){operand, 0},
                   "is not an archive: no file in it has a name such as "
                   "2026-11-27T20:30:00Z.folded.zst");
    else if (names->list.n == before)
        diag_warn(diag, NULL, (struct place){operand, 0}, "nothing was recorded from %s",
                  timerange_text(when, range));
    free(f.files.at);
}
