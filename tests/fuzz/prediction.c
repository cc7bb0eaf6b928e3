/* perftext with frame prediction and header cache gives the items that it gives without them, also
 * where the input comes in small pieces. */
#define _GNU_SOURCE /* memfd_create, SOCK_CLOEXEC */
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/stack/text/perftext.h"

struct reader {
    struct lines lines;
    struct perftext text;
    enum source_item item;
};

static void
start(struct reader *r, int fd, bool no_prediction)
{
    r->lines = (struct lines){0};
    lines_start(&r->lines, fd);
    perftext_init(&r->text, &perf_rules, &r->lines);
    r->text.no_prediction = no_prediction;
}

static void
finish(struct reader *r)
{
    close(r->lines.fd);
    perftext_free(&r->text);
    lines_free(&r->lines);
}

static int
whole(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

/* A descriptor that gives the data in eleven packets, one for each read(2). */
static int
in_pieces(const uint8_t *data, size_t size)
{
    int fd[2];
    size_t piece = size / 11 + 1;
    MUST(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) == 0);
    for (size_t at = 0; at < size; at += piece) {
        size_t len = size - at < piece ? size - at : piece;
        MUST(write(fd[1], data + at, len) == (ssize_t)len);
    }
    close(fd[1]);
    return fd[0];
}

static void
check_header(const struct perf_header *a, const struct perf_header *b)
{
    for (int i = 0; i < PERF_FIELDS; i++)
        MUST(span_eq(a->field[i], b->field[i]));
    MUST(a->event_width == b->event_width && a->no_callchain == b->no_callchain);
}

static void
check_sample(const struct source *a, const struct source *b)
{
    const struct sample *s = &a->sample, *t = &b->sample;
    MUST(s->number == t->number && s->nframes == t->nframes && s->blank == t->blank);
    MUST(s->frame_in_header == t->frame_in_header && span_eq(s->tail, t->tail));
    check_header(&s->header, &t->header);
    for (size_t i = 0; i < s->nframes; i++)
        MUST(span_eq(frametab_text(a->frames, s->frames[i]),
                     frametab_text(b->frames, t->frames[i])));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reader a, b;
    start(&a, in_pieces(data, size), false);
    start(&b, whole(data, size), true);
    do {
        a.item = source_next(&a.text.source);
        b.item = source_next(&b.text.source);
        MUST(a.item == b.item && a.lines.number == b.lines.number);
        if (a.item == ITEM_SAMPLE)
            check_sample(&a.text.source, &b.text.source);
        else if (a.item != ITEM_END)
            MUST(span_eq(a.text.source.text, b.text.source.text));
    } while (a.item != ITEM_END);
    finish(&a);
    finish(&b);
    return 0;
}
