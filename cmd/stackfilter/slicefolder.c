#include "cmd/stackfilter/slicefolder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/text.h"
#include "common/stack/model/slicefile.h"

struct file {
    struct slicefile is;
    char *path;
    /* The clock was set back in the hour after it, so that the next file may begin before this one
     * ends: there is a slice with a number, which has the time of another. */
    bool overlaps;
};

struct folder {
    VEC(struct file) files;
};

/* Seconds by which the time of a stack may precede its slice's begin, and by which it may follow
 * its hour's end if a slice ended late. See stackrecord's archive.c. */
enum { TICK = 10, LATE = 300, LONGEST = SLICEFILE_HOUR + LATE };

static int
in_order(const void *a, const void *b)
{
    const struct file *left = a, *right = b;
    int order = slicefile_compare(&left->is, &right->is);
    return order != 0 ? order : strcmp(left->path, right->path);
}

static void
find_overlaps(struct folder *f)
{
    uint64_t numbered = UINT64_MAX; /* start of the next file with a number */
    for (size_t i = f->files.n; i-- > 0;) {
        struct file *file = &f->files.at[i];
        if (file->is.number > 1)
            numbered = file->is.begin;
        file->overlaps = numbered < file->is.begin + LONGEST;
    }
}

/* Read the names of a folder's files. Return 0 or an errno. */
static int
read_names(struct folder *f, const char *name, struct arena *arena)
{
    DIR *dir = opendir(name);
    f->files.n = 0;
    if (dir == NULL)
        return errno;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        struct file file = {.path = NULL};
        struct text path = {0};
        if (!slicefile_parse(span_cstr(entry->d_name), &file.is))
            continue;
        TEXT_ADD(&path, span_cstr(name), SPAN("/"), span_cstr(entry->d_name));
        file.path = arena_cstr(arena, text_span(&path));
        VEC_ADD(f->files, file);
        free(path.ptr);
    }
    closedir(dir);
    if (f->files.n > 0)
        qsort(f->files.at, f->files.n, sizeof *f->files.at, in_order);
    find_overlaps(f);
    return 0;
}

/* Return a time that is later than all times in the i-th file: the begin of the next slice, if
 * slices do not overlap. */
static uint64_t
end_of(const struct folder *f, size_t i)
{
    const struct slicefile *is = &f->files.at[i].is;
    const struct slicefile *next = i + 1 < f->files.n ? &f->files.at[i + 1].is : is;
    const uint64_t most = is->begin + LONGEST;
    if (f->files.at[i].overlaps || is->hour || next->hour || next->begin == is->begin ||
        next->begin > most)
        return most;
    return next->begin;
}

/* Names of the files that are read. */
struct chosen {
    VEC(char *) list;
};

static void
choose(struct chosen *chosen, const struct folder *f, const struct timerange *range)
{
    struct slicefile_hours hours = {0};
    chosen->list.n = 0;
    for (size_t i = 0; i < f->files.n; i++) {
        const struct file *file = &f->files.at[i];
        bool merged = slicefile_is_merged(&hours, file->is);
        if (!merged && file->is.begin < range->to + TICK && end_of(f, i) > range->from)
            VEC_ADD(chosen->list, file->path);
    }
    free(hours.list.at);
}

/* Return true if the chosen files are those that were added from an index on. */
static bool
are_added(const struct slicefolder_names *names, size_t from, const struct chosen *chosen)
{
    bool same = chosen->list.n == names->list.n - from;
    for (size_t i = 0; i < chosen->list.n && same; i++)
        same = strcmp(chosen->list.at[i], names->list.at[from + i]) == 0;
    return same;
}

/* Open the chosen files, and add them in place of those that were added from an index on. */
static void
open_chosen(struct slicefolder_names *names, size_t from, const struct chosen *chosen)
{
    enum { SPARE = 32 }; /* for what else is opened */
    const long most = sysconf(_SC_OPEN_MAX) - SPARE;
    for (size_t i = from; i < names->opened.n; i++)
        if (names->opened.at[i] >= 0)
            close(names->opened.at[i]);
    names->list.n = names->opened.n = from;
    for (size_t i = 0; i < chosen->list.n; i++) {
        int fd = open(chosen->list.at[i], O_RDONLY | O_CLOEXEC);
        if (fd >= most) {
            close(fd);
            fd = -1;
        }
        VEC_ADD(names->list, chosen->list.at[i]);
        VEC_ADD(names->opened, fd);
    }
}

/* Add the files of a folder. Repeat that until another look at the folder shows the same files:
 * then none was removed before it was opened, and none was missed since the recorder made it, and
 * removed what is in it, while the folder was read. Set *n to the number of the archive's files.
 * Return 0 or an errno. */
static int
add_folder(struct slicefolder_names *names, const char *name, const struct timerange *range,
           size_t *n)
{
    enum { TRIES = 8 };
    struct folder f = {0};
    struct chosen chosen = {0};
    const size_t from = names->list.n;
    int error = 0;
    for (int i = 0; i < TRIES && (error = read_names(&f, name, &names->arena)) == 0; i++) {
        choose(&chosen, &f, range);
        if (i > 0 && are_added(names, from, &chosen))
            break;
        open_chosen(names, from, &chosen);
    }
    free(chosen.list.at);
    free(f.files.at);
    *n = f.files.n;
    return error;
}

void
slicefolder_add(struct slicefolder_names *names, char *operand, const struct timerange *range,
                struct diag *diag)
{
    char when[TIMERANGE_TEXT];
    struct stat st;
    size_t n;
    const size_t before = names->list.n;
    if (strcmp(operand, "-") == 0 || (stat(operand, &st) == 0 && !S_ISDIR(st.st_mode))) {
        VEC_ADD(names->list, operand);
        VEC_ADD(names->opened, -1);
        return;
    }
    const int error = add_folder(names, operand, range, &n);
    if (error != 0)
        diag_error(diag, (struct place){operand, 0}, "%s", strerror(error));
    else if (n == 0)
        diag_error(diag, (struct place){operand, 0},
                   "is not an archive: no file in it has a name such as "
                   "2026-11-27T20:30:00Z.folded.zst");
    else if (names->list.n == before)
        diag_warn(diag, NULL, (struct place){operand, 0}, "nothing was recorded from %s",
                  timerange_text(when, range));
}
