#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/nosubprocess.h"

#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmd/perf-script/datasource.h"
#include "common/sym/perfmap.h"
#include "common/symbolize/showrecord.h"
#include "common/stack/text/perfline.h"

/* Each frame is an address in the record, or a return address in its copy of the stack. */
enum { FRAMES_MAX = RECORD_MAX / sizeof(uint64_t) };

/* These take the place of common/base/diag.c: messages are composed, but not printed, since most
 * inputs have some. */

static void
compose(const char *format, va_list args)
{
    char text[2048];
    MUST(vsnprintf(text, sizeof text, format, args) > 0);
}

#define COMPOSE(format)                                                                            \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        compose(format, args);                                                                     \
        va_end(args);                                                                              \
    } while (0)

void
diag_init(struct diag *d, const char *program)
{
    *d = (struct diag){.program = program};
}

void
diag_error(struct diag *d, struct place at, const char *format, ...)
{
    MUST(at.file != NULL);
    COMPOSE(format);
    d->status = 1;
}

void
diag_warn(struct diag *d, const char *kind, struct place at, const char *format, ...)
{
    (void)d;
    (void)kind;
    (void)at;
    COMPOSE(format);
}

void
diag_note(struct diag *d, const char *format, ...)
{
    (void)d;
    COMPOSE(format);
}

/* Reads a text to its end, which AddressSanitizer watches. A newline in it is no fault: names are
 * masked where they are printed. */
static void
check_text(struct span s)
{
    static volatile char last;
    for (size_t i = 0; i < s.len; i++)
        last = s.ptr[i];
    MUST(s.len == 0 || last == s.ptr[s.len - 1]);
}

static void
check_sample(const struct sample *s, const struct frametab *frames)
{
    for (int i = 0; i < PERF_FIELDS; i++)
        check_text(s->header.field[i]);
    MUST(s->nframes <= FRAMES_MAX);
    for (size_t i = 0; i < s->nframes; i++) {
        MUST(s->frames[i] < frametab_count(frames));
        const struct frame *f = frametab_frame(frames, s->frames[i]);
        check_text(f->addr);
        check_text(f->sym);
        check_text(f->offset);
        check_text(f->dso);
        check_text(f->srcline);
    }
}

/* Returns how many items the source gave. */
static size_t
check_items(struct source *s)
{
    size_t n = 0;
    for (enum source_item item; (item = source_next(s)) != ITEM_END; n++) {
        if (item == ITEM_SAMPLE) {
            check_sample(&s->sample, s->frames);
        } else if (item == ITEM_SKIPPED) {
            MUST(s->why != NULL);
        } else {
            MUST(item == ITEM_RECORD);
            check_text(s->text);
        }
    }
    return n;
}

/* Adds lines to one map, whichever process they are of. */
static void
take_lines(void *map, const struct maplines *lines)
{
    struct span name;
    uint64_t start;
    MUST(lines->pid > 0 && lines->lines.len < RECORD_MAX);
    perfmap_add(map, lines->lines);
    if (perfmap_find(map, 0x1000, &name, &start))
        MUST(start <= 0x1000);
}

/* Reads the recording as perf-script does, but without names from the files of this machine. */
static void
read_recording(int fd, size_t size, struct recordsource_options *options,
               const struct derive_options *derive)
{
    struct perfmap map = {0};
    struct frametab frames;
    struct datasource d;
    struct lines lines = {0};
    struct diag diag = {0};
    frametab_init(&frames, perf_frame_parse);
    options->take_lines = take_lines;
    options->ctx = &map; /* cppcheck-suppress autoVariables */
    datasource_init(&d, options, derive, &diag, &frames);
    lines_start(&lines, fd);
    if (datasource_open(&d, &lines, "input"))
        MUST(check_items(&d.records.source) <= size / 8);
    else
        MUST(diag.status == 1);
    recordsource_explain(&d.records);
    datasource_free(&d);
    perfmap_free(&map);
    recording_free(&d.recording);
    frametab_free(&frames);
    lines_free(&lines);
}

/* Every input ends, and no name in it ends a line of the output. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    struct recordsource_options options = {
        .symbols = {.demangle = DEMANGLE_SHORT,
                    .kallsyms = "/dev/null",
                    .files = {.symfs = "/dev/null", .cache = "", .debug = ""}},
        .show = SHOW_LOST | SHOW_MMAP | SHOW_TASK};
    for (int as_perf = 0; as_perf < 2; as_perf++) {
        options.symbols.as_perf = options.symbols.files.as_perf = as_perf != 0;
        MUST(lseek(fd, 0, SEEK_SET) == 0);
        read_recording(fd, size, &options, &(struct derive_options){0});
    }
    static const struct derive_options derived[] = {
        {.off_cpu = true}, {.wall = true}, {.wall = true, .turns = 2}, {.syscalls = true}};
    for (size_t i = 0; i < sizeof derived / sizeof *derived; i++) {
        MUST(lseek(fd, 0, SEEK_SET) == 0);
        read_recording(fd, size, &options, &derived[i]);
    }
    close(fd);
    return 0;
}
