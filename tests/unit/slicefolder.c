/* The files of an archive's folder while a recorder changes it. The linker puts __wrap_closedir in
 * the place of closedir: it calls change() when the folder has been listed. */
#include <dirent.h>

#include "cmd/stackfilter/slicefolder.h"
#include "tests/unit/tempfolder.h"

int __wrap_closedir(DIR *dir);
int __real_closedir(DIR *dir);

static void (*change)(void); /* called after each listing */
static int listed;           /* number of listings */

int
__wrap_closedir(DIR *dir)
{
    listed++;
    change();
    return __real_closedir(dir);
}

static struct slicefolder_names names;
static struct diag diag;

/* Chooses files of 2026-11-27T20:00:00Z and the two hours after it. */
static void
choose(const char *folder)
{
    static char path[TEMPFOLDER_PATH];
    const struct timerange range = {1795809600, 1795816800, true};
    snprintf(path, sizeof path, "%s", tempfolder_path(folder));
    names = (struct slicefolder_names){0};
    listed = 0;
    diag_init(&diag, "test");
    diag.quiet = true;
    slicefolder_add(&names, path, &range, &diag);
}

/* The names of the chosen files, each with what its descriptor reads, or "-" if it has none. */
static const char *
chosen(void)
{
    static char text[1024];
    size_t len = 0;
    text[0] = '\0';
    CHECK(names.opened.n == names.list.n);
    for (size_t i = 0; i < names.list.n; i++) {
        int fd = names.opened.at[i];
        char read_text[64] = "-";
        ssize_t n = fd >= 0 ? read(fd, read_text, sizeof read_text - 1) : 1;
        read_text[n > 0 ? n : 0] = '\0';
        len += (size_t)snprintf(text + len, sizeof text - len, "%s=%s ",
                                strrchr(names.list.at[i], '/') + 1, read_text);
        if (fd >= 0)
            close(fd);
    }
    free(names.list.at);
    free(names.opened.at);
    arena_free(&names.arena);
    return text;
}

static int merge_at; /* the listing after which merge() merges */

/* Merges the slices of the first hour, as a recorder does. */
static void
merge(void)
{
    if (listed != merge_at)
        return;
    CHECK(rename(tempfolder_path("a/new"), tempfolder_path("a/2026-11-27T20Z.folded")) == 0);
    remove(tempfolder_path("a/2026-11-27T20:00:00Z.folded"));
    remove(tempfolder_path("a/2026-11-27T20:01:00Z.folded"));
}

TEST("of slices that are merged after the folder was listed, the file of their hour is read")
{
    tempfolder_make();
    tempfolder_write("a/new", "hour");
    tempfolder_write("a/2026-11-27T20:00:00Z.folded", "1");
    tempfolder_write("a/2026-11-27T20:01:00Z.folded", "2");
    tempfolder_write("a/2026-11-27T21:00:00Z.folded", "3");
    change = merge;
    merge_at = 1;
    choose("a");
    CHECK_TEXT(span_cstr(chosen()), "2026-11-27T20Z.folded=hour 2026-11-27T21:00:00Z.folded=3 ");
    CHECK(listed == 3 && diag.status == 0);
    remove(tempfolder_path("a/2026-11-27T20Z.folded"));
    tempfolder_remove();
}

TEST("an hour that is made while the folder is listed is not missed")
{
    tempfolder_make();
    tempfolder_write("a/new", "hour");
    tempfolder_write("a/2026-11-27T21:00:00Z.folded", "3");
    change = merge;
    merge_at = 1;
    choose("a");
    CHECK_TEXT(span_cstr(chosen()), "2026-11-27T20Z.folded=hour 2026-11-27T21:00:00Z.folded=3 ");
    remove(tempfolder_path("a/2026-11-27T20Z.folded"));
    tempfolder_remove();
}

TEST("slices that are merged when they are open are read as they were")
{
    tempfolder_make();
    tempfolder_write("a/new", "hour");
    tempfolder_write("a/2026-11-27T20:00:00Z.folded", "1");
    tempfolder_write("a/2026-11-27T20:01:00Z.folded", "2");
    change = merge;
    merge_at = 2;
    choose("a");
    CHECK_TEXT(span_cstr(chosen()), "2026-11-27T20:00:00Z.folded=1 2026-11-27T20:01:00Z.folded=2 ");
    remove(tempfolder_path("a/2026-11-27T20Z.folded"));
    tempfolder_remove();
}

/* Replaces the only slice by another one. */
static void
replace(void)
{
    char from[64], to[64];
    snprintf(from, sizeof from, "a/2026-11-27T20:00:%02dZ.folded", listed - 1);
    snprintf(to, sizeof to, "a/2026-11-27T20:00:%02dZ.folded", listed);
    CHECK(rename(tempfolder_path(from), tempfolder_path(to)) == 0);
}

TEST("a folder that never stays the same is not read for ever")
{
    tempfolder_make();
    tempfolder_write("a/2026-11-27T20:00:00Z.folded", "1");
    change = replace;
    choose("a");
    CHECK(listed > 1 && listed < 20);
    CHECK_TEXT(span_cstr(chosen()), "2026-11-27T20:00:07Z.folded=- ");
    char last[64];
    snprintf(last, sizeof last, "a/2026-11-27T20:00:%02dZ.folded", listed);
    remove(tempfolder_path(last));
    tempfolder_remove();
}
