/* What stackrecord --archive writes, from samples that are made here. Nothing packs the files, since
 * $PATH is empty. */
#include <dirent.h>
#include <unistd.h>

#include "cmd/stackrecord/archive.h"
#include "cmd/stackrecord/archivetext.h"
#include "common/stack/model/slice.h"
#include "tests/unit/tempfolder.h"

enum { HOUR = 3600 };

static uint64_t clock_ahead; /* of the samples' clock, in nanoseconds */

static uint64_t
offset(void)
{
    return clock_ahead;
}

static struct frametab frames;
static struct archive_options options;
static struct archive archive;
static struct diag diag;

/* Opens an archive in the folder "a", where the samples' clock begins at this time of the calendar. */
static void
begin(uint64_t time)
{
    static char path[TEMPFOLDER_PATH];
    const struct frame main_frame = {.sym = SPAN("main"), .dso = SPAN("/bin/a"), .has_sym = true};
    snprintf(path, sizeof path, "%s", tempfolder_path("a"));
    setenv("PATH", "", 1);
    clock_ahead = time * 1000000000;
    diag_init(&diag, "archive");
    diag.quiet = true;
    options.folder = path;
    options.keep = options.keep > 0 ? options.keep : 1 << 20;
    options.slice = options.slice > 0 ? options.slice : 60;
    frametab_init(&frames, NULL);
    frametab_add(&frames, &main_frame);
    CHECK(archive_open(&archive, &options, &diag));
    archive_begin(&archive, &frames, SPAN("web1"));
    archive.offset = offset;
    archive.most = 1 << 20;
}

/* A sample of a thread at these seconds of the samples' clock. */
static void
add(uint64_t seconds, int64_t tid)
{
    static const uint32_t stack[] = {0};
    const struct sample s = {.header = {.field[PERF_COMM] = SPAN("node"),
                                        .has = PERF_NUMBERS,
                                        .pid = 4,
                                        .tid = tid,
                                        .time = seconds * 1000000000},
                             .frames = stack,
                             .nframes = 1};
    archive_add(&archive, &s);
}

/* Waits until no process writes. */
static void
settle(void)
{
    while (archive.store.pid != 0)
        archive_beat(&archive, 0, false);
}

/* Ends the slice. */
static void
cut(void)
{
    archive_beat(&archive, 0, true);
    settle();
}

static void
end(void)
{
    archive_finish(&archive);
    close(archive.folder.fd);
    frametab_free(&frames);
    options = (struct archive_options){0};
}

static int
in_order(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* What is in the folder, each name with the contents after it. */
static const char *
contents(void)
{
    static char text[8192];
    char names[32][64];
    size_t n = 0, len = 0;
    DIR *dir = opendir(options.folder);
    for (struct dirent *e; (e = readdir(dir)) != NULL && n < 32;)
        if (e->d_name[0] != '.' || strlen(e->d_name) > 2)
            snprintf(names[n++], sizeof *names, "%.60s", e->d_name);
    closedir(dir);
    qsort(names, n, sizeof *names, in_order);
    text[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        char name[80], path[TEMPFOLDER_PATH];
        snprintf(name, sizeof name, "a/%.60s", names[i]);
        snprintf(path, sizeof path, "%s", tempfolder_path(name));
        len += (size_t)snprintf(text + len, sizeof text - len, "%s:\n", names[i]);
        FILE *file = fopen(path, "r");
        if (file == NULL)
            continue;
        len += fread(text + len, 1, sizeof text - len - 1, file);
        text[len] = '\0';
        fclose(file);
    }
    return text;
}

/* Removes the folder and all in it. */
static void
clean(void)
{
    DIR *dir = opendir(tempfolder_path("a"));
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;)
        unlinkat(dirfd(dir), e->d_name, 0);
    closedir(dir);
    rmdir(tempfolder_path("a"));
    tempfolder_remove();
}

/* 2026-11-27T20:00:00Z */
#define EIGHT UINT64_C(1795809600)

TEST("a slice ends with the minute, and has the times of ten seconds, the host and the threads")
{
    tempfolder_make();
    begin(EIGHT + 17);
    add(0, 4), add(5, 4), add(6, 5), add(13, 5), add(42, 5), add(43, 4);
    end();
    CHECK(archive.samples == 6 && archive.slices == 2 && archive.lost == 0 && diag.status == 0);
    begin(EIGHT);
    CHECK_TEXT(span_cstr(contents()), "2026-11-27T20:00:17Z.folded:\n"
                                      "@1795809610.000/10:1,1;web1;node-4/4;main 2\n"
                                      "@1795809620.000/10:1,1,,1;web1;node-4/5;main 3\n"
                                      "2026-11-27T20:01:00Z.folded:\n"
                                      "@1795809660.000;web1;node-4/4;main 1\n");
    end();
    clean();
}

TEST("a slice of a name that exists gets a number, as where the clock was set back")
{
    tempfolder_make();
    begin(EIGHT);
    add(0, 4), cut();
    add(0, 5), cut();
    add(1, 7);
    clock_ahead -= UINT64_C(3600) * 1000000000;
    archive_beat(&archive, 0, false); /* a slice has the times of one clock */
    settle();
    add(HOUR, 6), cut();
    CHECK_TEXT(span_cstr(contents()), "2026-11-27T20:00:00Z-2.folded:\n"
                                      "@1795809600.000;web1;node-4/5;main 1\n"
                                      "2026-11-27T20:00:00Z-3.folded:\n"
                                      "@1795809600.000;web1;node-4/6;main 1\n"
                                      "2026-11-27T20:00:00Z.folded:\n"
                                      "@1795809600.000;web1;node-4/4;main 1\n"
                                      "2026-11-27T20:00:01Z.folded:\n"
                                      "@1795809600.000;web1;node-4/7;main 1\n");
    end();
    clean();
}

TEST("slices of an hour are merged when it is over, and keep their times")
{
    tempfolder_make();
    begin(EIGHT);
    add(10, 4), cut();
    add(20, 4), add(65, 4), cut();
    add(2 * HOUR - 60, 4), cut();
    add(2 * HOUR, 4), cut();
    CHECK_TEXT(span_cstr(contents()), "2026-11-27T20Z.folded:\n"
                                      "@1795809610.000/10:1,1,,,,1;web1;node-4/4;main 3\n"
                                      "2026-11-27T21Z.folded:\n"
                                      "@1795816740.000;web1;node-4/4;main 1\n"
                                      "2026-11-27T22:00:00Z.folded:\n"
                                      "@1795816800.000;web1;node-4/4;main 1\n");
    CHECK(archive.samples == 5 && archive.slices == 5);
    end();
    clean();
}

TEST("a stack is one line as far as its counts are whole numbers that add up to 32 bits")
{
    static struct out out;
    struct profile p = {0};
    const struct {
        uint64_t ms;
        struct decimal count;
    } seen[] = {{20000, {2, 0}},          {10000, {1, 0}},   {40000, {0, 500000000000000000}},
                {50000, {UINT32_MAX, 0}}, {60000, {1, 0}},   {70000, {0, 0}},
                {75000, {3, 0}},          {3685000, {4, 0}}, {3695000, {5, 0}}};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        char frame[SLICE_TEXT];
        const uint32_t names[] = {
            profile_name(&p, slice_frame(frame, (struct slice){.ms = seen[i].ms})),
            profile_name(&p, SPAN("a"))};
        profile_add(&p, names, 2, seen[i].count, NULL);
    }
    out_open(&out, -1, "nowhere");
    archivetext_write(&p, 10000, &out);
    CHECK_TEXT(span_of(out.buf, out.len), "@10.000/10:1,2;a 3\n@40.000;a 0.5\n"
                                          "@50.000;a 4294967295\n@60.000/10:1,0;a 1\n"
                                          "@75.000;a 3\n@3685.000/10:4,5;a 9\n");
    profile_free(&p);
}

TEST("what a recorder that was killed has left is removed, and an hour gets no slice twice")
{
    tempfolder_make();
    tempfolder_write("a/.unfinished", "@17");
    tempfolder_write("a/2026-11-27T20Z.folded", "@1795809600.000;web1;node-4/4;main 7\n");
    tempfolder_write("a/2026-11-27T20:00:00Z.folded", "@1795809600.000;web1;node-4/4;main 7\n");
    tempfolder_write("a/2026-11-27T20:00:00Z-2.folded", "@1795809600.000;web1;node-4/4;main 2\n");
    tempfolder_write("a/notes", "mine\n");
    begin(EIGHT);
    add(0, 4), cut();
    CHECK_TEXT(span_cstr(contents()), "2026-11-27T20:00:00Z-2.folded:\n"
                                      "@1795809600.000;web1;node-4/4;main 2\n"
                                      "2026-11-27T20:00:00Z-3.folded:\n"
                                      "@1795809600.000;web1;node-4/4;main 1\n"
                                      "2026-11-27T20Z.folded:\n"
                                      "@1795809600.000;web1;node-4/4;main 7\n"
                                      "notes:\nmine\n");
    end();
    clean();
}

TEST("an hour with a slice that cannot be read is not merged, and later hours are")
{
    tempfolder_make();
    tempfolder_write("a/2026-11-27T20:00:00Z.folded", "@1795809600.000;web1;node-4/4;main 7\n");
    tempfolder_write("a/2026-11-27T20:01:00Z.folded", "@1795809660.000;web1;node-4/4;mai");
    begin(EIGHT);
    add(3 * HOUR, 4), cut();
    CHECK(strstr(contents(), "T20:00:00Z.folded:") != NULL);
    CHECK(strstr(contents(), "T20:01:00Z.folded:") != NULL);
    CHECK(strstr(contents(), "T20Z.folded:") == NULL);
    CHECK(diag.status == 1 && archive.lost == 0);
    add(5 * HOUR, 4), cut();
    CHECK(strstr(contents(), "T20:00:00Z.folded:") != NULL);
    CHECK(strstr(contents(), "T23Z.folded:") != NULL);
    end();
    clean();
}

TEST("the oldest files are removed before the limit is exceeded, or the time to keep")
{
    tempfolder_make();
    options.keep = 3 * 4096;
    begin(EIGHT);
    for (uint64_t i = 0; i < 5; i++)
        add(60 * i, 4), cut();
    CHECK(strstr(contents(), "20:01:00Z") == NULL && strstr(contents(), "20:02:00Z") != NULL);
    CHECK(archive.samples == 5 && archive.lost == 0);
    end();
    options.keep_for = 60;
    begin(EIGHT);
    add(5 * 60, 4), cut();
    CHECK(strstr(contents(), "20:03:00Z") == NULL && strstr(contents(), "20:04:00Z") != NULL);
    end();
    clean();
}

TEST("a slice that cannot be written is lost and counted, and those before and after are whole")
{
    tempfolder_make();
    begin(EIGHT);
    add(0, 4), cut();
    mkdir(tempfolder_path("a/.unfinished"), 0700);
    add(60, 4), add(61, 4), cut();
    add(120, 4), cut();
    rmdir(tempfolder_path("a/.unfinished"));
    add(180, 4), cut();
    CHECK(archive.lost == 3 && archive.lost_slices == 2 && diag.status == 1);
    CHECK(archive.samples == 2 && archive.slices == 2);
    CHECK_TEXT(span_cstr(contents()), "2026-11-27T20:00:00Z.folded:\n"
                                      "@1795809600.000;web1;node-4/4;main 1\n"
                                      "2026-11-27T20:03:00Z.folded:\n"
                                      "@1795809780.000;web1;node-4/4;main 1\n");
    end();
    clean();
}

TEST("a slice ends with the hour, whatever its length, and no name is that of a slice in an hour")
{
    tempfolder_make();
    tempfolder_write("a/2026-11-27T20Z-2.folded", "@1795809600.000;web1;node-4/4;main 7\n");
    tempfolder_write("a/2026-11-27T20:56:05Z.folded", "@1795812960.000;web1;node-4/4;main 7\n");
    options.slice = 7 * 60;
    begin(EIGHT + 56 * 60 + 5);
    add(0, 4), add(3 * 60 + 54, 4), add(3 * 60 + 55, 4);
    end();
    begin(EIGHT);
    CHECK(strstr(contents(),
                 "T20:56:05Z-3.folded:\n"
                 "@1795812960.000/10:1,,,,,,,,,,,,,,,,,,,,,,,1;web1;node-4/4;main 2\n") != NULL);
    CHECK(strstr(contents(), "T21:00:00Z.folded:\n@1795813200.000;web1;node-4/4;main 1\n") != NULL);
    end();
    clean();
}

TEST("a folder that has more than it may is trimmed at once, and the name of a host is one frame")
{
    tempfolder_make();
    tempfolder_write("a/.unfinished", "@17");
    tempfolder_write("a/2026-11-27T19:00:00Z.folded", "@1795806000.000;web1;node-4/4;main 7\n");
    tempfolder_write("a/2026-11-27T19:01:00Z.folded", "@1795806060.000;web1;node-4/4;main 7\n");
    options.keep = 4096;
    begin(EIGHT);
    CHECK_TEXT(span_cstr(contents()), "2026-11-27T19:01:00Z.folded:\n"
                                      "@1795806060.000;web1;node-4/4;main 7\n");
    archive_begin(&archive, &frames, SPAN("a;b 1\n"));
    add(0, 4), cut();
    CHECK_TEXT(span_cstr(contents()), "2026-11-27T20:00:00Z.folded:\n"
                                      "@1795809600.000;a_b_1_;node-4/4;main 1\n");
    end();
    clean();
}

TEST("a slice whose stacks take too much memory ends early, and loses nothing")
{
    tempfolder_make();
    begin(EIGHT);
    for (int64_t tid = 0; tid < 10000; tid++)
        add(0, tid);
    end();
    CHECK(archive.early > 0 && archive.slices > archive.early);
    CHECK(archive.samples == 10000 && archive.lost == 0 && diag.status == 0);
    clean();
}

TEST("a folder that others can write to is refused, and so is a second recorder")
{
    struct archivefolder second;
    tempfolder_make();
    begin(EIGHT);
    const char *problem = archivefolder_open(&second, options.folder);
    CHECK(problem != NULL && strstr(problem, "another recorder") != NULL);
    close(second.fd);
    chmod(options.folder, 0770);
    problem = archivefolder_open(&second, options.folder);
    CHECK(problem != NULL && strstr(problem, "other users") != NULL);
    close(second.fd);
    end();
    clean();
}
