#include "common/filter/sourcemap/mapfiles.h"

void
mapfiles_init(struct mapfiles *f, struct diag *diag)
{
    *f = (struct mapfiles){.diag = diag, .left = (uint64_t)MAPFILES_MB << 20};
}

bool
mapfiles_read(struct mapfiles *f, struct regular_file *file, const char *path, struct lines *lines)
{
    const uint64_t size = (uint64_t)file->st.st_size;
    if (size > f->left) {
        diag_warn(f->diag, "files that were not read for source maps", (struct place){path, 0},
                  "is not read: scripts and source maps of %d MB were; functions that need it keep "
                  "their names",
                  MAPFILES_MB);
        return false;
    }
    f->left -= size;
    regular_lines(file, lines);
    lines->left = size;
    return true;
}

static struct span
key_of(struct mapfiles *f, const struct regular_file *file, struct span folder)
{
    const uint64_t id[2] = {(uint64_t)file->st.st_dev, (uint64_t)file->st.st_ino};
    TEXT_SET(&f->key, span_of((const char *)id, sizeof id), folder);
    return text_span(&f->key);
}

void
mapfiles_set_useless(struct mapfiles *f, const struct regular_file *file, struct span folder)
{
    intern_add(&f->useless, key_of(f, file, folder));
}

bool
mapfiles_is_useless(struct mapfiles *f, const struct regular_file *file, struct span folder)
{
    return intern_find(&f->useless, key_of(f, file, folder)) != INTERN_NONE;
}
