#include "tests/unit/test.h"

#include "common/tracepoint/tracing.h"
#include "tests/unit/tracedata.h"

#define COMMON                                                                                     \
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                         \
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char fork_format[] =
    "name: process_fork\nID: 367\nformat:\n" COMMON
    "\tfield:__data_loc char[] parent_comm;\toffset:8;\tsize:4;\tsigned:0;\n"
    "\tfield:pid_t parent_pid;\toffset:12;\tsize:4;\tsigned:1;\n"
    "\tfield:unsigned long args[3];\toffset:16;\tsize:24;\tsigned:0;\n"
    "\tfield:const char * where;\toffset:40;\tsize:8;\tsigned:0;\n"
    "\tfield:__rel_loc u32[] cpus;\toffset:48;\tsize:4;\tsigned:0;\n"
    "\nprint fmt: \"comm=%s pid=%d\", __get_str(parent_comm), REC->parent_pid\n";
static const char exit_format[] =
    "name: process_exit\nID: 12\nformat:\n" COMMON "\nprint fmt: \"pid=%d\", REC->common_pid\n";

/* Two systems, of two events and of one. */
static void
make(struct text *data)
{
    tracedata_start(data, 8);
    tracedata_number(data, 2, 4);
    text_add(data, SPAN("process\0"));
    tracedata_number(data, 2, 4);
    tracedata_text(data, span_cstr(fork_format), 8);
    tracedata_text(data, span_cstr(exit_format), 8);
    text_add(data, SPAN("empty\0"));
    tracedata_number(data, 0, 4);
    tracedata_end(data, SPAN("0xffffffff82000020 : \"second\"\n0xffffffff82000010 : \"first\"\n"));
}

TEST("formats are found by their id")
{
    struct text data = {0};
    struct tracing t = {0};
    make(&data);
    CHECK(tracing_read(&t, text_span(&data)) == NULL);
    CHECK(t.formats.n == 2 && t.long_size == 8);
    const struct event_format *f = tracing_find(&t, 367);
    CHECK_TEXT(f->system, "process");
    CHECK_TEXT(f->name, "process_fork");
    CHECK_TEXT(f->print, "\"comm=%s pid=%d\", __get_str(parent_comm), REC->parent_pid");
    CHECK_TEXT(tracing_find(&t, 12)->name, "process_exit");
    CHECK(tracing_find(&t, 13) == NULL);
    tracing_free(&t);
    free(data.ptr);
}

TEST("a field has its place, and the type of a number or of an array's elements")
{
    struct text data = {0};
    struct tracing t = {0};
    make(&data);
    tracing_read(&t, text_span(&data));
    const struct event_format *f = tracing_find(&t, 367);
    CHECK(f->nfields == 7 && f->ncommon == 2);
    const struct event_field *comm = eventformat_field(f, SPAN("parent_comm"));
    CHECK(comm->is_array && comm->is_dynamic && !comm->is_relative && comm->is_text);
    CHECK(comm->offset == 8 && comm->size == 4 && comm->type.size == 1);
    const struct event_field *pid = eventformat_field(f, SPAN("parent_pid"));
    CHECK(!pid->is_array && pid->type.size == 4 && !pid->type.is_unsigned && !pid->is_long);
    const struct event_field *args = eventformat_field(f, SPAN("args"));
    CHECK(args->is_array && !args->is_dynamic && !args->is_text && args->is_long);
    CHECK(args->size == 24 && args->type.size == 8 && args->type.is_unsigned);
    CHECK(eventformat_field(f, SPAN("where"))->is_pointer);
    const struct event_field *cpus = eventformat_field(f, SPAN("cpus"));
    CHECK(cpus->is_dynamic && cpus->is_relative && cpus->type.size == 4);
    CHECK(eventformat_field(f, SPAN("pid")) == NULL);
    tracing_free(&t);
    free(data.ptr);
}

TEST("types are known by C's words and the kernel's names, long by the recording's machine")
{
    CHECK(eventformat_type(SPAN("unsigned long"), 8).size == 8);
    CHECK(eventformat_type(SPAN("unsigned long"), 4).size == 4);
    CHECK(eventformat_type(SPAN("long long"), 4).size == 8);
    CHECK(!eventformat_type(SPAN("long int"), 8).is_unsigned);
    CHECK(eventformat_type(SPAN("short unsigned int"), 8).size == 2);
    CHECK(eventformat_type(SPAN("unsigned"), 8).size == 4);
    CHECK(eventformat_type(SPAN("const u8"), 8).size == 1);
    CHECK(eventformat_type(SPAN("size_t"), 4).size == 4);
    CHECK(eventformat_type(SPAN("enum zone"), 8).size == 4);
    CHECK(eventformat_type(SPAN("struct page"), 8).size == 0);
    CHECK(eventformat_type(SPAN("mystery_t"), 8).size == 0);
}

TEST("constant strings of the kernel are found by their address")
{
    struct text data = {0};
    struct tracing t = {0};
    struct span text = SPAN("");
    make(&data);
    tracing_read(&t, text_span(&data));
    CHECK(tracing_string(&t, 0xffffffff82000010, &text));
    CHECK_TEXT(text, "first");
    CHECK(tracing_string(&t, 0xffffffff82000020, &text));
    CHECK_TEXT(text, "second");
    CHECK(!tracing_string(&t, 0xffffffff82000011, &text));
    tracing_free(&t);
    free(data.ptr);
}

TEST("data that is cut at any byte is reported, and what was before the cut can be used")
{
    struct text data = {0};
    make(&data);
    size_t found = 0;
    for (size_t len = 0; len < data.len - 8; len++) {
        struct tracing t = {0};
        char *copy =
            malloc(len + 1); /* of that size, so that a sanitizer sees a read past its end */
        memcpy(copy, data.ptr, len);
        const char *wrong = tracing_read(&t, span_of(copy, len));
        CHECK(wrong != NULL);
        CHECK(t.formats.n >= found);
        found = t.formats.n;
        tracing_free(&t);
        free(copy);
    }
    CHECK(found == 2);
    free(data.ptr);
}

static const char *
wrong_with(size_t at, char byte)
{
    struct text data = {0};
    struct tracing t = {0};
    make(&data);
    data.ptr[at] = byte;
    const char *wrong = tracing_read(&t, text_span(&data));
    tracing_free(&t);
    free(data.ptr);
    return wrong != NULL ? wrong : "";
}

TEST("what is not tracing data, or of another machine, is refused by name")
{
    CHECK_TEXT(span_cstr(wrong_with(0, 'x')),
               "the tracing data does not begin with its magic bytes");
    const uint16_t one = 1;
    char other = *(const char *)&one == 1 ? 1 : 0;
    CHECK_TEXT(span_cstr(wrong_with(14, other)),
               "the tracing data is of a machine of the other byte order");
    CHECK_TEXT(span_cstr(wrong_with(15, 2)),
               "the tracing data states a size of long that is neither 4 nor 8");
    CHECK_TEXT(span_cstr(wrong_with(20, 'H')),
               "the tracing data has no header_page and header_event");
}

/* Return true if the event of this format is known. */
static bool
is_known(const char *format)
{
    struct text data = {0};
    struct tracing t = {0};
    tracedata_one(&data, 8, span_cstr(format), SPAN(""));
    CHECK(tracing_read(&t, text_span(&data)) == NULL);
    bool known = t.formats.n == 1;
    tracing_free(&t);
    free(data.ptr);
    return known;
}

TEST("a format that cannot be parsed leaves the event unknown")
{
    CHECK(is_known("name: a\nID: 1\nformat:\n"));
    CHECK(!is_known("nam: a\n"));
    CHECK(!is_known("name: a\nID: x\nformat:\n"));
    CHECK(!is_known("name: a\nID: 1\nfields:\n"));
    static const char *const lines[] = {
        "field:int a;\toffset:x;\tsize:4;",
        "field:int a;\tsize:4;",
        "field:int a;\toffset:4294967296;\tsize:4;",
        "field:;\toffset:0;\tsize:4;",
        "field:__data_loc char[] a;\toffset:0;\tsize:8;",
        "int a;",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char format[100];
        snprintf(format, sizeof format, "name: a\nID: 1\nformat:\n\t%s\n", lines[i]);
        CHECK(!is_known(format));
    }
}
