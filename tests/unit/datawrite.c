/* Writing perf.data: recordings of tests/data are copied, and read again. */
#define _GNU_SOURCE /* memfd_create */
#include "common/event/datawrite.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/bytes.h"
#include "tests/unit/test.h"

static struct perfdata from, to;
static struct lines from_lines, to_lines;

static void
open_from(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "tests/data/%s", name);
    lines_start(&from_lines, open(path, O_RDONLY));
    CHECK(perfdata_open(&from, &from_lines));
}

static void
close_both(void)
{
    close(from_lines.fd);
    close(to_lines.fd);
    perfdata_free(&from);
    perfdata_free(&to);
}

static struct datawrite_about
about_from(void)
{
    return (struct datawrite_about){
        .events = &from.events,
        .tracing = from.tracing,
        .build_ids = from.build_ids,
        .nbuild_ids = from.nbuild_ids,
        .hostname = SPAN("host"),
        .os_release = SPAN("6.18"),
        .arch = SPAN("x86_64"),
        .version = SPAN("flamepipe 1"),
        .arguments = SPAN("stackrecord\0-p\0\0001\0"),
        .cpus = 4,
        .cpus_online = 2,
        .clock_resolution = 1,
    };
}

/* Copies the records of `from` to a new file, which is complete or not, and opens it. */
static void
copy(bool pipe, bool complete)
{
    struct datawrite w;
    struct span record;
    uint64_t offset;
    int fd = memfd_create("perf.data", MFD_CLOEXEC);
    CHECK(perfdata_next(&from, &record, &offset)); /* a pipe's events are known from here on */
    struct datawrite_about about = about_from();
    CHECK(datawrite_open(&w, dup(fd), pipe, &about));
    do {
        if (load_u32(record.ptr) == PERF_RECORD_FINISHED_ROUND)
            CHECK(datawrite_round(&w));
        else
            CHECK(datawrite_record(&w, record));
    } while (perfdata_next(&from, &record, &offset));
    if (complete)
        CHECK(datawrite_close(&w));
    else
        CHECK(datawrite_round(&w));
    if (!complete) {
        close(w.fd);
        free(w.buffer.ptr);
        free(w.table.ptr);
    }
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    lines_start(&to_lines, fd);
    CHECK(perfdata_open(&to, &to_lines));
    CHECK(to.pipe == pipe && to.killed == !(pipe || complete));
}

static void
check_event(const struct event *a, const struct event *b)
{
    char x[ATTR_SIZE], y[ATTR_SIZE];
    size_t nx, ny;
    uint64_t *ids_x = eventset_ids(&from.events, a, &nx), *ids_y = eventset_ids(&to.events, b, &ny);
    attr_encode(a, x);
    attr_encode(b, y);
    CHECK(memcmp(x, y, sizeof x) == 0);
    CHECK(b->named && span_eq(a->name, b->name));
    CHECK(nx == ny && nx > 0 && memcmp(ids_x, ids_y, nx * sizeof *ids_x) == 0);
    free(ids_x);
    free(ids_y);
}

/* Reads both recordings: the same records, and the same description of them. */
static void
check_same(const char *name)
{
    struct span x, y = SPAN("");
    uint64_t offset;
    size_t n = 0;
    perfdata_free(&from);
    open_from(name);
    while (perfdata_next(&from, &x, &offset)) {
        CHECK(perfdata_next(&to, &y, &offset) && span_eq(x, y));
        n++;
    }
    CHECK(n > 10);
    while (perfdata_next(&to, &y, &offset))
        CHECK(load_u32(y.ptr) == PERF_RECORD_FINISHED_ROUND);
    CHECK(to.fault.what == NULL && to.section.what == NULL);
    CHECK(to.events.count == from.events.count);
    for (size_t i = 0; i < to.events.count && i < from.events.count; i++)
        check_event(&from.events.events[i], &to.events.events[i]);
    CHECK(from.tracing.len == 0 || span_starts(to.tracing, from.tracing));
    CHECK(to.tracing.len < from.tracing.len + 8);
    CHECK(to.nbuild_ids == from.nbuild_ids);
    for (size_t i = 0; i < to.nbuild_ids && i < from.nbuild_ids; i++)
        CHECK(span_eq(to.build_ids[i].id, from.build_ids[i].id) &&
              span_eq(to.build_ids[i].file, from.build_ids[i].file) &&
              to.build_ids[i].pid == from.build_ids[i].pid);
    CHECK_TEXT(to.os_release, "6.18");
}

TEST("what is written to a file and to a pipe is read again")
{
    static const char *const names[] = {"two-events.data", "tracepoints.pipe.data", "stack.data"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int pipe = 0; pipe < 2; pipe++) {
            open_from(names[i]);
            copy(pipe != 0, true);
            check_same(names[i]);
            close_both();
        }
}

TEST("a file whose recorder was killed has all records, and all that describes them")
{
    static const char *const names[] = {"two-events.data", "tracepoints.pipe.data"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        open_from(names[i]);
        copy(false, false);
        check_same(names[i]);
        close_both();
    }
}

TEST("a recording without a sample is complete")
{
    struct datawrite w;
    struct datawrite_about about;
    struct span record;
    uint64_t offset;
    int fd = memfd_create("perf.data", MFD_CLOEXEC);
    open_from("two-events.data");
    about = about_from();
    CHECK(datawrite_open(&w, dup(fd), false, &about) && datawrite_close(&w));
    lseek(fd, 0, SEEK_SET);
    lines_start(&to_lines, fd);
    CHECK(perfdata_open(&to, &to_lines) && !to.killed);
    CHECK(to.events.count == 2);
    CHECK(perfdata_next(&to, &record, &offset));
    CHECK(load_u32(record.ptr) == PERF_RECORD_FINISHED_ROUND);
    CHECK(!perfdata_next(&to, &record, &offset) && to.fault.what == NULL);
    close_both();
}

/* Reads the data of a feature of the file. */
static void
read_feature(unsigned feature, char *data, size_t size)
{
    char header[104], section[16];
    CHECK(pread(to_lines.fd, header, sizeof header, 0) == sizeof header);
    uint64_t table = load_u64(header + 40) + load_u64(header + 48);
    uint64_t bits = load_u64(header + 72);
    for (unsigned i = 0; i < feature; i++)
        table += (bits >> i & 1) * 16;
    CHECK((bits >> feature & 1) == 1);
    CHECK(pread(to_lines.fd, section, sizeof section, (off_t)table) == sizeof section);
    CHECK(load_u64(section + 8) >= size);
    CHECK(pread(to_lines.fd, data, size, (off_t)load_u64(section)) == (ssize_t)size);
}

TEST("a file has the times of its first and its last sample")
{
    uint64_t times[2];
    open_from("two-events.data");
    copy(false, true);
    read_feature(HEADER_SAMPLE_TIME, (char *)times, sizeof times);
    CHECK(times[0] > 0 && times[0] < times[1] && times[1] - times[0] < 1000000000);
    close_both();
}

TEST("a file names the machine, the recorder and its arguments")
{
    char data[4 + 4 * 68];
    open_from("two-events.data");
    copy(false, true);
    read_feature(HEADER_HOSTNAME, data, 4 + 64);
    CHECK(load_u32(data) == 64 && strcmp(data + 4, "host") == 0);
    read_feature(HEADER_ARCH, data, 4 + 64);
    CHECK(strcmp(data + 4, "x86_64") == 0);
    read_feature(HEADER_VERSION, data, 4 + 64);
    CHECK(strcmp(data + 4, "flamepipe 1") == 0);
    read_feature(HEADER_NRCPUS, data, 8);
    CHECK(load_u32(data) == 4 && load_u32(data + 4) == 2);
    read_feature(HEADER_CMDLINE, data, sizeof data);
    CHECK(load_u32(data) == 4 && strcmp(data + 8, "stackrecord") == 0);
    CHECK(strcmp(data + 8 + 68, "-p") == 0 && data[8 + 2 * 68] == 0 &&
          strcmp(data + 8 + 3 * 68, "1") == 0);
    close_both();
}

TEST("a write that fails is reported, and nothing is written after it")
{
    struct datawrite w;
    struct datawrite_about about;
    open_from("two-events.data");
    about = about_from();
    CHECK(!datawrite_open(&w, open("/dev/full", O_WRONLY), false, &about));
    CHECK_TEXT(span_cstr(w.fault), "No space left on device");
    CHECK(!datawrite_round(&w));
    CHECK(!datawrite_close(&w));
    CHECK_TEXT(span_cstr(w.fault), "No space left on device");
    close(from_lines.fd);
    perfdata_free(&from);
}

TEST("more counters than a pipe can hold are refused with the remedy, and a file takes them")
{
    struct datawrite w;
    struct datawrite_about about;
    open_from("two-events.data");
    for (uint64_t id = 1; id <= DATAWRITE_PIPE_IDS + 1; id++)
        eventset_add_id(&from.events, id << 32, &from.events.events[0]);
    about = about_from();
    CHECK(!datawrite_open(&w, open("/dev/null", O_WRONLY), true, &about));
    CHECK_TEXT(span_cstr(w.fault), "an event has more counters than the format of a pipe can hold: "
                                   "write to a file");
    CHECK(!datawrite_close(&w));
    CHECK(datawrite_open(&w, open("/dev/null", O_WRONLY), false, &about) && datawrite_close(&w));
    close(from_lines.fd);
    perfdata_free(&from);
}
