#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "common/stack/text/perftext.h"

/* How many lines, or items that come from one line each, there are of each kind. */
struct tally {
    size_t headers, frames, others, strays, unknown;
};

/* The lines of the text, each parsed by itself. A source line is part of a frame or a stray; which
 * of the two depends on the line above it, so it is counted with neither. */
static struct tally
count_lines(struct span text, size_t *srclines)
{
    struct tally n = {0};
    struct span line;
    struct perf_header h;
    *srclines = 0;
    while (fuzz_line(&text, &line)) {
        enum perf_line kind = perf_line_parse(line, &h);
        n.headers += kind == PERF_LINE_HEADER;
        n.frames += kind == PERF_LINE_FRAME;
        n.others += kind == PERF_LINE_COMMENT || kind == PERF_LINE_RECORD;
        n.unknown += kind == PERF_LINE_UNKNOWN || kind == PERF_LINE_BARE;
        *srclines += kind == PERF_LINE_SRCLINE;
    }
    return n;
}

/* Without headers of few fields, which depend on the line after them, no line is lost and none is
 * counted twice: a header is a sample, a frame line is a frame of a
 * sample or a stray, and a line of any other kind is an item. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
    struct lines lines = {0};
    struct perftext t;
    struct perf_rules rules = perf_rules;
    rules.bare_headers = false;
    const struct sample *s = &t.source.sample;
    struct tally got = {0};
    size_t last = 0, srclines;
    lines_start(&lines, fd);
    perftext_init(&t, &rules, &lines);
    for (enum source_item item; (item = source_next(&t.source)) != ITEM_END;) {
        got.others += item == ITEM_COMMENT || item == ITEM_RECORD;
        got.strays += item == ITEM_STRAY;
        got.unknown += item == ITEM_SKIPPED;
        if (item != ITEM_SAMPLE)
            continue;
        MUST(s->number > last && s->number <= lines.number);
        last = s->number;
        got.headers++;
        got.frames += s->nframes - s->frame_in_header;
        for (size_t i = 0; i < s->nframes; i++)
            MUST(frametab_frame(&t.frames, s->frames[i])->addr.len > 0);
    }
    struct tally wanted = count_lines(fuzz_span(data, size), &srclines);
    MUST(got.headers == wanted.headers && got.others == wanted.others);
    MUST(got.unknown == wanted.unknown && got.frames <= wanted.frames);
    MUST(got.frames + got.strays >= wanted.frames);
    MUST(got.frames + got.strays <= wanted.frames + srclines);
    perftext_free(&t);
    lines_free(&lines);
    close(fd);
    return 0;
}
