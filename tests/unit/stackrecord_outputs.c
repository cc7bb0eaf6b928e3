/* What stackrecord writes, from records that are made here. */
#include <fcntl.h>

#include "cmd/stackrecord/output/dataout.h"
#include "cmd/stackrecord/output/textout.h"
#include "common/event/recording.h"
#include "tests/unit/bytes.h"
#include "tests/unit/child.h"
#include "tests/unit/tempfolder.h"

static struct session session;
static struct diag diag;

/* One event, with the fields of a usual sample. */
static void
begin(void)
{
    struct event e = {.name = SPAN("cpu-clock"),
                      .type = PERF_TYPE_SOFTWARE,
                      .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                                     PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
                                     PERF_SAMPLE_CALLCHAIN};
    event_set(&e, FLAG_SAMPLE_ID_ALL);
    session = (struct session){0};
    eventset_add_id(&session.events, 77, eventset_add(&session.events, &e, &session.names));
    diag = (struct diag){.quiet = true};
    tempfolder_make();
}

/* The bytes of a record with the name of thread 5, good until the next call. */
static struct span
comm(void)
{
    static struct text record;
    struct text f = {0};
    put_u32(&f, 4);
    put_u32(&f, 5);
    put_text(&f, SPAN("worker"));
    for (int i = 0; i < 4; i++)
        put_u64(&f, 0);
    record.len = 0;
    put_record(&record, PERF_RECORD_COMM, 0, text_span(&f));
    free(f.ptr);
    return text_span(&record);
}

/* The bytes of a sample with a caller. */
static struct span
sample(uint64_t time, uint16_t misc)
{
    static struct text record;
    struct text f = {0};
    put_u64(&f, 77);
    put_u64(&f, 0x401000);
    put_u32(&f, 4);
    put_u32(&f, 5);
    put_u64(&f, time);
    put_u32(&f, 3);
    put_u32(&f, 0);
    put_u64(&f, 1000);
    put_u64(&f, 3);
    put_u64(&f, PERF_CONTEXT_USER);
    put_u64(&f, 0x401000);
    put_u64(&f, 0x402000);
    record.len = 0;
    put_record(&record, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER | misc, text_span(&f));
    free(f.ptr);
    return text_span(&record);
}

static void
give(struct recordsink *sink, struct span bytes)
{
    struct record r;
    CHECK(record_decode(&session.events, bytes, &r) == NULL);
    sink->record(sink, &r);
}

static struct span
file_text(const char *below)
{
    static char text[4096];
    FILE *file = fopen(tempfolder_path(below), "r");
    CHECK(file != NULL);
    size_t len = file != NULL ? fread(text, 1, sizeof text, file) : 0;
    if (file != NULL)
        fclose(file);
    return span_of(text, len);
}

/* Gives text() three samples, and ends it. */
static void
print(struct recordsource_options *options, bool folded)
{
    static struct textout text;
    static struct out out;
    tempfolder_write("text", "");
    out_open(&out, open(tempfolder_path("text"), O_WRONLY | O_CLOEXEC), "text");
    textout_init(&text, &session, options, &out, &diag);
    text.folded = folded;
    give(&text.sink, comm());
    give(&text.sink, sample(1000000000, 0));
    give(&text.sink, sample(2000000000, RECORD_MISC_UNWOUND | RECORD_MISC_CUT));
    if (!folded) {
        text.sink.round(&text.sink);
        CHECK(span_starts(file_text("text"), SPAN("worker     4/5     [003]     1.000000:")));
    }
    give(&text.sink, sample(3000000000, RECORD_MISC_LOST));
    text.sink.finish(&text.sink);
    out_close(&out);
}

TEST("samples are printed when a round ends, with a mark where callers are missing")
{
    struct recordsource_options options = {.symbols.files.symfs = ""};
    begin();
    print(&options, false);
    CHECK_TEXT(file_text("text"), "worker     4/5     [003]     1.000000:       1000 cpu-clock: \n"
                                  "\t          401000 [unknown] ([unknown])\n"
                                  "\t          402000 [unknown] ([unknown])\n\n"
                                  "worker     4/5     [003]     2.000000:       1000 cpu-clock: \n"
                                  "\t          401000 [unknown] ([unknown])\n"
                                  "\t          402000 [unknown] ([unknown])\n"
                                  "\t               0 [cut] ([unknown])\n\n"
                                  "worker     4/5     [003]     3.000000:       1000 cpu-clock: \n"
                                  "\t          401000 [unknown] ([unknown])\n"
                                  "\t          402000 [unknown] ([unknown])\n"
                                  "\t               0 [lost] ([unknown])\n\n");
    tempfolder_remove();
}

TEST("folded stacks are printed at the end, and without marks if that is asked for")
{
    struct recordsource_options options = {.symbols.files.symfs = "", .no_marks = true};
    begin();
    print(&options, true);
    CHECK_TEXT(file_text("text"), "worker;[unknown];[unknown] 3\n");
    tempfolder_remove();
}

static size_t passed;

static void
count(struct recordsink *s, const struct record *r)
{
    (void)s;
    passed += r->type == PERF_RECORD_SAMPLE;
}

TEST("decoded records are written as their bytes, then passed on, and the file gives them again")
{
    static struct dataout data;
    struct outfile file;
    struct recordsink next = {.record = count};
    const struct datawrite_about about = {.events = &session.events};
    begin();
    tempfolder_write("data", "what was there");
    passed = 0;
    CHECK(outfile_open(&file, tempfolder_path("data"), &diag));
    dataout_init(&data, &file, &about, &diag);
    data.decoded.next = &next;
    CHECK(span_starts(file_text("data"), SPAN("what was there")));
    give(&data.decoded, comm());
    give(&data.decoded, sample(5, RECORD_MISC_UNWOUND));
    data.decoded.round(&data.decoded);
    data.decoded.finish(&data.decoded);
    CHECK(passed == 1);

    struct recording recording;
    struct lines lines = {0};
    struct record r;
    int fd = open(tempfolder_path("data"), O_RDONLY | O_CLOEXEC);
    lines_start(&lines, fd);
    CHECK(recording_open(&recording, &lines));
    CHECK(recording_next(&recording, &r) == RECORDING_RECORD && r.type == PERF_RECORD_COMM);
    CHECK(recording_next(&recording, &r) == RECORDING_RECORD && r.type == PERF_RECORD_SAMPLE);
    CHECK(r.time == 5 && r.misc == (PERF_RECORD_MISC_USER | RECORD_MISC_UNWOUND));
    CHECK_TEXT(r.event->name, "cpu-clock");
    CHECK(recording_next(&recording, &r) == RECORDING_END);
    recording_free(&recording);
    lines_free(&lines);
    close(fd);
    tempfolder_remove();
}

/* Ends the process with another status than the failed write would. */
static void
leave(void *ctx)
{
    (void)ctx;
    exit(7);
}

static void
fill_disk(void *arg)
{
    static struct dataout data;
    struct outfile file;
    const struct datawrite_about about = {.events = &session.events};
    (void)arg;
    outfile_open(&file, "/dev/full", &diag);
    dataout_init(&data, &file, &about, &diag);
    data.before_exit = leave;
    data.sink.record(&data.sink, comm());
    data.sink.round(&data.sink);
}

static void
fill_disk_with_text(void *arg)
{
    static struct out out;
    (void)arg;
    out_open(&out, open("/dev/full", O_WRONLY | O_CLOEXEC), "text");
    out.before_exit = leave;
    out_text(&out, "text");
    out_flush(&out);
}

TEST("before a write that fails ends the program, it lets the recorder wait for the command")
{
    begin();
    struct child c;
    child_run(&c, fill_disk, NULL);
    CHECK(c.status == 7);
    child_run(&c, fill_disk_with_text, NULL);
    CHECK(c.status == 7 && span_ends(c.err, SPAN("text: No space left on device\n")));
    tempfolder_remove();
}
