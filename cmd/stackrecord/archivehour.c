#define _GNU_SOURCE /* openat */
#include "cmd/stackrecord/archivehour.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/stackrecord/archivepack.h"
#include "cmd/stackrecord/archivetext.h"
#include "common/base/unpack.h"
#include "common/stack/model/series.h"
#include "common/stack/text/foldedsplit.h"

/* Maximum memory for stacks. If they need more, write them in parts, each sorted by itself. */
enum { PART_MAX = 24 << 20 };

/* What the process that prints an hour works on. */
struct hour {
    const struct archivefolder *folder;
    const struct archivefile *slices;
    size_t n;
    uint32_t tick;
    struct profile profile;
    struct foldedsplit split;
    uint32_t *stack;
    size_t cap;
};

static _Noreturn void
fail(void)
{
    exit(1);
}

static void
take_stack(struct hour *h, struct span line)
{
    struct folded f;
    struct slice slice;
    struct series s;
    struct decimal count;
    char text[SLICE_TEXT];
    if (!folded_parse(line, 1, &f) || !decimal_parse(f.count, &count) ||
        !slice_take(&f.stack, &slice))
        fail();
    foldedsplit_next(&h->split, &h->profile, f.stack);
    size_t n = h->split.nframes;
    h->stack = mem_grow(h->stack, &h->cap, n + 1, sizeof *h->stack);
    memcpy(h->stack + 1, h->split.frames, n * sizeof *h->stack);
    for (series_start(&s, &slice); series_next(&s);) {
        s.slice.ms -= s.slice.ms % h->tick;
        h->stack[0] = profile_name(&h->profile, slice_frame(text, s.slice));
        profile_add(&h->profile, h->stack, n + 1, series_share(&s, count), NULL);
    }
}

static void
read_slice(struct hour *h, const char *name)
{
    struct lines l = {0};
    struct unpack u = {0};
    int fd = openat(h->folder->fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        fail();
    lines_start(&l, fd);
    const struct unpack_format *packed = unpack_format(lines_ahead(&l, UNPACK_MAGIC));
    if (packed != NULL && !unpack_start(&u, packed, &l))
        fail();
    for (struct span line; lines_next(&l, &line);)
        take_stack(h, line);
    if (l.error != 0 || l.too_long > 0 || unpack_end(&u, true) != 0)
        fail();
    close(l.fd);
    lines_free(&l);
}

static void
write_part(struct hour *h, struct out *out)
{
    archivetext_write(&h->profile, h->tick, out);
    profile_free(&h->profile);
    foldedsplit_free(&h->split);
    h->split = (struct foldedsplit){0};
}

static void
print_hour(void *ctx, struct out *out)
{
    struct hour *h = ctx;
    for (size_t i = 0; i < h->n; i++) {
        read_slice(h, h->slices[i].name);
        if (profile_size(&h->profile) > PART_MAX)
            write_part(h, out);
    }
    write_part(h, out);
}

int
archivehour_merge(const struct archivefolder *f, struct archivelist *list, size_t i, uint64_t keep,
                  uint32_t tick)
{
    struct archivefile *slices = NULL;
    size_t n = 0, cap = 0;
    uint64_t size = 0, older = 0;
    const struct slicefile hour = slicefile_hour(list->files.at[i].is);
    for (size_t j = list->first; j < list->files.n; j++) {
        const struct archivefile *file = &list->files.at[j];
        const struct slicefile its = slicefile_hour(file->is);
        older += j < i ? file->size : 0;
        if (slicefile_compare(&its, &hour) != 0 || file->is.hour || file->size == 0)
            continue;
        MEM_ADD(slices, n, cap, *file);
        size += file->size;
    }
    int error = 0;
    if (size <= keep && list->total - older <= keep - size) {
        struct archivepack_limit limit = {f, list, keep, i};
        struct hour h = {.folder = f, .slices = slices, .n = n, .tick = tick};
        error = archivepack_write(&limit, hour, print_hour, &h);
        for (size_t j = list->first; j < list->files.n && error == 0; j++) {
            const struct archivefile *file = &list->files.at[j];
            const struct slicefile its = slicefile_hour(file->is);
            if (slicefile_compare(&its, &hour) == 0 && !file->is.hour && file->size > 0)
                archivefolder_remove(f, list, j);
        }
        error = error == EFBIG ? 0 : error;
    }
    free(slices);
    return error;
}
