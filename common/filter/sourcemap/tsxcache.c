/* tsx 4 keeps each script that it has compiled in $TMPDIR/tsx-UID/TIME-SHA1, the SHA1 of the script
 * and of what it is compiled with:
 *
 *     {"code":"var __name=...","warnings":[],"map":{"version":3,"sources":["/p/app.ts"],...}}
 *
 * So an entry is found by its source. One that was changed meanwhile has several. */
#include "common/filter/sourcemap/tsxcache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/json.h"
#include "common/base/temporary.h"

enum { MOST_ENTRIES = 10000, MOST_BYTES = 64 << 20 };

struct tsxentry {
    struct span source;
    const char *path; /* of the entry */
    struct timespec time;
};

/* "17954-0a476aa95a96c13082ac774d7d26f6a3ea56320e" */
static bool
is_entry(struct span name)
{
    enum { SHA1_DIGITS = 40 };
    size_t time = span_run(name, 0, is_digit);
    return time > 0 && name.len == time + 1 + SHA1_DIGITS && name.ptr[time] == '-' &&
           span_run(name, time + 1, is_hex) == SHA1_DIGITS;
}

/* Enter the next member of that key and kind of an object; false if it has none. */
static bool
enter_member(struct json *j, struct span key, enum json_item kind)
{
    while (json_member(j)) {
        if (!json_is(j, key))
            json_scalar(j);
        else if (json_enter(j, kind))
            return true;
    }
    return false;
}

/* Open an entry and start to read its lines. Only this user's files are read in the folder in /tmp,
 * which anybody may have made. */
static bool
open_entry(const struct tsxcache *c, struct mapfiles *files, const char *path,
           struct regular_file *file, struct lines *lines)
{
    const struct regular_owners mine = {{geteuid()}, 1};
    const struct regular rules = {
        .no_link = true, .most = MOST_BYTES, .owners = c->folder == NULL ? &mine : NULL};
    if (regular_open(file, path, &rules) != NULL)
        return false;
    if (mapfiles_read(files, file, path, lines))
        return true;
    regular_close(file);
    return false;
}

static void
add_entry(struct tsxcache *c, struct mapfiles *files, const char *path, struct lines *lines)
{
    struct json j;
    struct regular_file file;
    if (!open_entry(c, files, path, &file, lines))
        return;
    json_start(&j, lines);
    bool found = json_enter(&j, JSON_OBJECT) && enter_member(&j, SPAN("map"), JSON_OBJECT) &&
                 enter_member(&j, SPAN("sources"), JSON_ARRAY) && json_element(&j) &&
                 j.item == JSON_STRING;
    struct span source = found ? arena_copy(&c->arena, j.text) : SPAN(""); /* the first one */
    regular_close(&file);
    if (source.len == 0)
        return;
    c->entries = mem_grow(c->entries, &c->cap, c->count + 1, sizeof *c->entries);
    c->entries[c->count++] = (struct tsxentry){source, path, file.st.st_mtim};
}

/* The newest first; of the same time by name. */
static int
compare(const void *left, const void *right)
{
    const struct tsxentry *a = left, *b = right;
    int order = (a->time.tv_sec < b->time.tv_sec) - (a->time.tv_sec > b->time.tv_sec);
    if (order == 0)
        order = (a->time.tv_nsec < b->time.tv_nsec) - (a->time.tv_nsec > b->time.tv_nsec);
    return order != 0 ? order : strcmp(a->path, b->path);
}

static void
read_folder(struct tsxcache *c, struct mapfiles *files)
{
    char own[4096];
    struct lines lines = {0};
    snprintf(own, sizeof own, "%s/tsx-%u", temporary_folder(), (unsigned)geteuid());
    struct span folder = span_cstr(c->folder != NULL ? c->folder : own);
    DIR *dir = opendir(folder.ptr);
    c->was_read = true;
    if (dir == NULL)
        return;
    size_t seen = 0;
    for (struct dirent *d; seen < MOST_ENTRIES && (d = readdir(dir)) != NULL;) {
        struct span name = span_cstr(d->d_name);
        if (!is_entry(name))
            continue;
        struct text path = {0};
        TEXT_ADD(&path, folder, SPAN("/"), name);
        add_entry(c, files, arena_cstr(&c->arena, text_span(&path)), &lines);
        free(path.ptr);
        seen++;
    }
    closedir(dir);
    lines_free(&lines);
    if (c->count > 0)
        qsort(c->entries, c->count, sizeof *c->entries, compare);
}

size_t
tsxcache_find(struct tsxcache *c, struct mapfiles *files, struct span path,
              struct mappedscript *found[static TSXCACHE_VERSIONS])
{
    struct lines lines = {0};
    struct regular_file file;
    size_t n = 0;
    if (!c->was_read)
        read_folder(c, files);
    for (size_t i = 0; i < c->count && n < TSXCACHE_VERSIONS; i++) {
        if (!span_eq(c->entries[i].source, path) ||
            !open_entry(c, files, c->entries[i].path, &file, &lines))
            continue;
        found[n] = mappedscript_entry(&lines, path);
        n += found[n] != NULL;
        regular_close(&file);
    }
    lines_free(&lines);
    return n;
}
