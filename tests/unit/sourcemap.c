#define _GNU_SOURCE /* memfd_create */
#include "common/filter/sourcemap/sourcemap.h"

#include <sys/mman.h>
#include <unistd.h>

#include "common/filter/sourcemap/funcname.h"
#include "common/filter/sourcemap/jstext.h"
#include "common/filter/sourcemap/sourcepath.h"
#include "common/filter/sourcemap/vlq.h"
#include "tests/unit/test.h"

/* Return the number that the text is; INT32_MIN if it is none, or more than one. */
static int32_t
number(const char *text)
{
    struct span s = span_cstr(text);
    int32_t value = 0;
    return vlq_take(&s, &value) && s.len == 0 ? value : INT32_MIN;
}

TEST("the digits of a number hold five bits each, and the lowest bit is the sign")
{
    CHECK(number("A") == 0);
    CHECK(number("C") == 1);
    CHECK(number("D") == -1);
    CHECK(number("gB") == 16);
    CHECK(number("hB") == -16);
    CHECK(number("6rB") == 701);
    CHECK(number("+/////D") == INT32_MAX);
    CHECK(number("//////D") == -INT32_MAX);
    CHECK(number("B") == 0);
}

TEST("a number without its last digit, of more than 32 bits or with another character is none")
{
    CHECK(number("") == INT32_MIN);
    CHECK(number("g") == INT32_MIN);
    CHECK(number("gggggggA") == INT32_MIN);
    CHECK(number("ggggggE") == INT32_MIN);
    CHECK(number("A=") == INT32_MIN);
    CHECK(number("\xc3\xa9") == INT32_MIN);
}

static bool
decodes(const char *base64, const char *wanted)
{
    struct text t = {0};
    bool same = base64_decode(span_cstr(base64), &t) && span_eq(text_span(&t), span_cstr(wanted));
    free(t.ptr);
    return same;
}

TEST("base64 is decoded with and without its padding")
{
    CHECK(decodes("eyJhIjoxfQ==", "{\"a\":1}"));
    CHECK(decodes("eyJhIjoxfQ", "{\"a\":1}"));
    CHECK(decodes("Zm9vYmFy", "foobar"));
    CHECK(decodes("", ""));
    CHECK(!decodes("Zm9vY", "foo"));
    CHECK(!decodes("Zm 9", "foo"));
}

static char why[SOURCEMAP_WHY];

/* Read a map; NULL if it is not understood: then `why` says why. */
static struct sourcemap *
read_map(const char *json)
{
    static struct sourcemap m;
    struct lines lines = {0};
    struct span text = span_cstr(json);
    int fd = memfd_create("map", MFD_CLOEXEC);
    sourcemap_free(&m);
    CHECK(write(fd, text.ptr, text.len) == (ssize_t)text.len && lseek(fd, 0, SEEK_SET) == 0);
    lines_start(&lines, fd);
    bool understood = sourcemap_read(&m, &lines, why);
    close(fd);
    lines_free(&lines);
    return understood ? &m : NULL;
}

/* Return "b.ts:3:5 name", counted from 0, or "". */
static const char *
find(const struct sourcemap *m, uint32_t line, uint32_t column)
{
    static char text[256];
    const struct segment *s = m != NULL ? sourcemap_find(m, line, column) : NULL;
    if (s == NULL)
        return "";
    struct span name = s->name != SOURCEMAP_NONE ? m->names.list[s->name] : SPAN("-");
    snprintf(text, sizeof text, "%.*s:%u:%u %.*s", SPAN_ARG(m->sources[s->source].path),
             s->original_line, s->original_column, SPAN_ARG(name));
    return text;
}

#define CHECK_FIND(m, line, column, wanted) CHECK_TEXT(span_cstr(find(m, line, column)), wanted)

TEST("a position belongs to the last segment of its line that begins at it or before")
{
    struct sourcemap *m =
        read_map("{\"version\":3,\"sources\":[\"a.ts\",\"b.ts\"],\"names\":[\"f\"],"
                 "\"mappings\":\"CAAA,GCEIA;;EAAE\"}");
    CHECK_FIND(m, 0, 0, "");
    CHECK_FIND(m, 0, 1, "a.ts:0:0 -");
    CHECK_FIND(m, 0, 3, "a.ts:0:0 -");
    CHECK_FIND(m, 0, 4, "b.ts:2:4 f");
    CHECK_FIND(m, 0, 4000000000u, "b.ts:2:4 f");
    CHECK_FIND(m, 1, 0, "");
    CHECK_FIND(m, 2, 1, "");
    CHECK_FIND(m, 2, 2, "b.ts:2:6 -");
    CHECK_FIND(m, 3, 0, "");
}

TEST("a segment of one number says that what follows comes from no source")
{
    struct sourcemap *m = read_map(
        "{\"version\":3,\"sources\":[\"a.ts\"],\"names\":[],\"mappings\":\"AAAA,E,CAAC\"}");
    CHECK_FIND(m, 0, 1, "a.ts:0:0 -");
    CHECK_FIND(m, 0, 2, "");
    CHECK_FIND(m, 0, 3, "a.ts:0:1 -");
}

TEST("segments may be in any order within a line, and members in any order in the map")
{
    struct sourcemap *m = read_map(")]}'\n{\"mappings\":\"KAAA,FACA,CACA\",\"names\":[],"
                                   "\"sourcesContent\":[null,{\"x\":[1]}],"
                                   "\"x_y\":{\"mappings\":\"!\"},\"sources\":[\"a.ts\",null],"
                                   "\"version\":3}");
    CHECK_FIND(m, 0, 3, "a.ts:1:0 -");
    CHECK_FIND(m, 0, 4, "a.ts:2:0 -");
    CHECK_FIND(m, 0, 2, "");
    CHECK_FIND(m, 0, 5, "a.ts:0:0 -");
}

TEST("sections are moved to their offsets, and a section's text is not that of the one before")
{
    struct sourcemap *m =
        read_map("{\"version\":3,\"sections\":["
                 "{\"offset\":{\"line\":0,\"column\":2},\"map\":{\"version\":3,\"sources\":[\"a\"],"
                 "\"names\":[\"x\"],\"mappings\":\"AAAAA;CAAC\"}},"
                 "{\"map\":{\"version\":3,\"sources\":[\"b\"],\"names\":[\"y\"],"
                 "\"mappings\":\"EAAAA;CAAC\"},\"offset\":{\"line\":1,\"column\":4}}]}");
    CHECK_FIND(m, 0, 1, "");
    CHECK_FIND(m, 0, 2, "a:0:0 x");
    CHECK_FIND(m, 1, 3, "a:0:1 -");
    CHECK_FIND(m, 1, 4, "");
    CHECK_FIND(m, 1, 6, "b:0:0 y");
    CHECK_FIND(m, 2, 1, "b:0:1 -");
}

TEST("a line comes from a line if all of its segments do")
{
    struct sourcemap *m = read_map("{\"version\":3,\"sources\":[\"a\"],\"names\":[],"
                                   "\"mappings\":\"EAEA,EAAC;AAAA,EACA;;A\"}");
    CHECK(sourcemap_line(m, 0) != NULL && sourcemap_line(m, 0)->original_line == 2);
    CHECK(sourcemap_line(m, 1) == NULL);
    CHECK(sourcemap_line(m, 2) == NULL);
    CHECK(sourcemap_line(m, 3) == NULL);
}

/* A map whose members after the version are these. */
#define BAD(members, wanted)                                                                       \
    do {                                                                                           \
        CHECK(read_map("{\"version\":3," members "}") == NULL);                                    \
        CHECK_TEXT(span_cstr(why), wanted);                                                        \
    } while (0)
#define SOURCES "\"sources\":[\"a\"],\"names\":[],"

TEST("what is wrong with a map is told")
{
    BAD(SOURCES "\"mappings\":\"AAAA,!\"", "mappings: the segment at character 6 is wrong");
    BAD(SOURCES "\"mappings\":\"AA\"", "mappings: the segment at character 1 is wrong");
    BAD(SOURCES "\"mappings\":\"AAAAAA\"", "mappings: the segment at character 1 is wrong");
    BAD(SOURCES "\"mappings\":\"DAAA\"", "mappings: the segment at character 1 is wrong");
    BAD(SOURCES "\"mappings\":\"ACAA\"", "mappings: source 1 of 1, counted from 0");
    BAD(SOURCES "\"mappings\":\"AAAAA\"", "mappings: name 0 of 0, counted from 0");
    BAD("\"sources\":[]", "not a source map: it has no mappings");
    BAD("\"sections\":[{\"offset\":{\"line\":1,\"column\":0},\"map\":{\"version\":3,"
        "\"mappings\":\"\"}},{\"offset\":{\"line\":0,\"column\":9}}]",
        "sections that are not in order");
    BAD("\"sections\":[{\"offset\":{\"line\":1,\"column\":-1}}]",
        "a section's offset is not a line and a column");
    BAD("\"sections\":[{\"offset\":{\"line\":1,\"column\":0},\"url\":\"x\"}]",
        "a section without a map");
    BAD("\"sections\":[{\"map\":{\"version\":3,\"sections\":[]}}]", "sections in a section");
    BAD("\"sections\":[],\"mappings\":\"\"", "not a source map: it has both mappings and sections");
    CHECK(read_map("{\"version\":2}") == NULL);
    CHECK_TEXT(span_cstr(why), "not a source map of version 3");
    CHECK(read_map("[3]") == NULL);
    CHECK_TEXT(span_cstr(why), "not a source map: it is no JSON object");
    CHECK(read_map("{\"mappings\":\"\"}") == NULL);
    CHECK_TEXT(span_cstr(why), "not a source map: it has no version");
    CHECK(read_map("{\"version\":3,\"mappings\":\"AAAA") == NULL);
    CHECK_TEXT(span_cstr(why),
               "byte 30: the JSON text ends where the rest of a string should follow");
}

static const char *
shown(const char *root, const char *path)
{
    static struct text t;
    t.len = 0;
    struct mapsource source = {.root = span_cstr(root), .path = span_cstr(path)};
    sourcepath_of_source(&source, SPAN("/p/dist/js/main.js.map"), &t);
    text_add(&t, span_of("", 1));
    return t.ptr;
}

#define CHECK_SHOWN(root, path, wanted) CHECK_TEXT(span_cstr(shown(root, path)), wanted)

TEST("a source's path relates to the folder of its map")
{
    CHECK_SHOWN("", "a.ts", "/p/dist/js/a.ts");
    CHECK_SHOWN("", "../../src/./a.ts", "/p/src/a.ts");
    CHECK_SHOWN("", "../../../../../../etc/a.ts", "/etc/a.ts");
    CHECK_SHOWN("../..", "src//a.ts", "/p/src/a.ts");
    CHECK_SHOWN("../../", "/src/a.ts", "/p/src/a.ts");
    CHECK_SHOWN("", "/q/a.ts", "/q/a.ts");
    CHECK_SHOWN("/q", "a.ts", "/q/a.ts");
    CHECK_SHOWN("", "file:///q/my%20a.ts?x#y", "/q/my a.ts");
    CHECK_SHOWN("file:///q/", "a.ts", "/q/a.ts");
    CHECK_SHOWN("", "https://h/a.ts", "https://h/a.ts");
}

TEST("webpack's URLs become readable paths")
{
    CHECK_SHOWN("", "webpack:///./src/a.ts", "./src/a.ts");
    CHECK_SHOWN("", "webpack://name/./src/a.ts?ab12", "./src/a.ts");
    CHECK_SHOWN("", "webpack://_N_E/src/a.ts", "./src/a.ts");
    CHECK_SHOWN("webpack:///", "../shared/a.ts", "../shared/a.ts");
    CHECK_SHOWN("", "webpack:///./node_modules/e/i.js", "./node_modules/e/i.js");
    CHECK_SHOWN("", "webpack:////q/a.ts", "/q/a.ts");
    CHECK_SHOWN("", "webpack:///webpack/bootstrap", "webpack/bootstrap");
    CHECK_SHOWN("", "webpack:///(webpack)/b.js", "webpack/b.js");
    CHECK_SHOWN("", "webpack://n/external commonjs \"fs\"", "webpack/external commonjs \"fs\"");
}

TEST("a path is in a folder if it begins with the folder's components")
{
    CHECK(sourcepath_is_below(SPAN("/a/b/c"), SPAN("/a/b")));
    CHECK(sourcepath_is_below(SPAN("/a"), SPAN("/")));
    CHECK(!sourcepath_is_below(SPAN("/a/bc"), SPAN("/a/b")));
    CHECK(!sourcepath_is_below(SPAN("/a"), SPAN("/a/b")));
}

TEST("columns count UTF-16 code units, and all that ends a line in JavaScript does")
{
    static const char text[] = "\xef\xbb\xbf"
                               "a\xc3\xa9\xf0\x9f\x98\x80z\r\nb\rc\xe2\x80\xa8"
                               "d\n";
    FREED(jstext_free) struct jstext t;
    size_t at = 0;
    uint32_t line, column;
    jstext_init(&t, span_cstr(text));
    CHECK(jstext_offset(&t, 0, 4, &at) && t.text.ptr[at] == 'z');
    jstext_position(&t, at, &line, &column);
    CHECK(line == 0 && column == 4);
    CHECK(jstext_offset(&t, 1, 0, &at) && t.text.ptr[at] == 'b');
    CHECK(jstext_offset(&t, 2, 0, &at) && t.text.ptr[at] == 'c');
    CHECK(jstext_offset(&t, 3, 0, &at) && t.text.ptr[at] == 'd');
    jstext_position(&t, at, &line, &column);
    CHECK(line == 3 && column == 0);
    CHECK(!jstext_offset(&t, 0, 7, &at));
    CHECK(!jstext_offset(&t, 4, 0, &at));
    CHECK(!jstext_offset(&t, 5, 0, &at));
    CHECK(!jstext_offset(&t, 0, UINT32_MAX, &at));
}

TEST("each character of a long text is found, and its position is the one asked for")
{
    enum { LEN = 30000 };
    static char text[LEN];
    FREED(jstext_free) struct jstext t;
    for (size_t i = 0; i < LEN; i++)
        text[i] = i % 4999 == 0 ? '\n' : 'a';
    memcpy(text + 8190, "\xf0\x9f\x98\x80", 4);
    jstext_init(&t, span_of(text, LEN));
    for (size_t i = 0; i < LEN; i++) {
        uint32_t line, column;
        size_t at = 0;
        if (i > 8190 && i < 8194)
            continue;
        jstext_position(&t, i, &line, &column);
        if (!jstext_offset(&t, line, column, &at) || at != i)
            CHECK(at == i);
    }
}

/* Return the name of the function at "|" in the script, which V8 calls `name`, with the map. */
static const char *
name_of(const char *script, const char *name, struct sourcemap *m)
{
    static struct text got, text;
    struct jstext t;
    size_t bar = span_find(span_cstr(script), '|');
    text.len = got.len = 0;
    TEXT_ADD(&text, span_of(script, bar), span_cstr(script + bar + 1));
    jstext_init(&t, text_span(&text));
    enum funcname found = funcname_find(m, &t, 0, (uint32_t)bar, span_cstr(name), &got);
    text_add(&got, found == FUNCNAME_FOUND  ? SPAN("")
                   : found == FUNCNAME_KEPT ? SPAN(" kept")
                                            : SPAN("impossible"));
    text_add(&got, span_of("", 1));
    jstext_free(&t);
    return got.ptr;
}

/* The same with a map that calls the text from these columns on x, y and z. */
#define CHECK_NAME(script, name, mappings, wanted)                                                 \
    CHECK_TEXT(span_cstr(name_of(script, name,                                                     \
                                 read_map("{\"version\":3,\"sources\":[\"a\"],"                    \
                                          "\"names\":[\"x\",\"y\",\"z\",\"__name\"],"              \
                                          "\"mappings\":\"" mappings "\"}"))),                     \
               wanted)

TEST("a function's name stands before its parameters, and is the segment's that begins there")
{
    CHECK_NAME("function t|(e){}", "t", "SAAAA,EAAC", "x");
    CHECK_NAME("function*t|(e){}", "t", "SAAAA", "x");
    CHECK_NAME("{#t|(e){}}", "#t", "CAAAA", "x");
    CHECK_NAME("{get t|(){}}", "get t", "KAAAA", "get x");
    CHECK_NAME("{work|(e){}}", "work", "CAAA", "work");
}

TEST("the map may have a method's name at the parenthesis")
{
    CHECK_NAME("{e|(r){}}", "e", "CAAA,CAAAA", "x");
}

TEST("a parameter's name is not that of the arrow function")
{
    CHECK_NAME("t=|e=>e", "t", "AAAAA,EAACC", "x");
    CHECK_NAME("t=|async e=>e", "t", "AAAAA,EAACC", "x");
    CHECK_NAME("{t:|e=>e}", "t", "CAAAA,EAACC", "x");
}

TEST("a function expression has the name of what it is assigned to")
{
    CHECK_NAME("t=function|(e){}", "t", "AAAAA", "x");
    CHECK_NAME("t = async function* |(e){}", "t", "AAAAA", "x");
    CHECK_NAME("e.prototype.t=function|(e){}", "e.t", "AAAAA,EAAA,UAAC", "x.t");
    CHECK_NAME("e.prototype.t=function|(e){}", "e.t", "AAAAA,EAAA,UAACC", "x.y");
    CHECK_NAME("t=b&&function|(e){}", "t", "AAAAA", "x");
    CHECK_NAME("f(function|(e){})", "", "AAAAA", " kept");
}

TEST("a constructor has the name of its class, and a class its own or the variable's")
{
    CHECK_NAME("class t{a=(t)=>1;constructor|(e){}}", "t", "MAAAA", "x");
    CHECK_NAME("t=class{constructor|(e){}}", "t", "AAAAA", "x");
    CHECK_NAME("t=|class{}", "t", "AAAAA", "x");
    CHECK_NAME("a=|class t{}", "t", "AAAAA,QAACC", "y");
    CHECK_NAME("X=class _X{constructor|(r){}}", "_X", "", "X");
    CHECK_NAME("Y=class _X{constructor|(r){}}", "_X", "", "_X");
    CHECK_NAME("|class{}", "<instance_members_initializer>", "AAAAA",
               "<instance_members_initializer> kept");
}

TEST("what esbuild wraps to keep a name has it, by whatever name it calls the wrapper")
{
    CHECK_NAME("run=__name(|k=>k,\"run\")", "", "AAAA", "run");
    CHECK_NAME("g=o(|k=>k,\"run\")", "", "AAAAA,EAAAG", "x");
    CHECK_NAME("g=o(|k=>k,\"run\")", "", "AAAAA,EAAAC", " kept");
}

/* The same with a map that has the source's text and no names. */
#define CHECK_SOURCE_NAME(script, name, mappings, source, wanted)                                  \
    CHECK_TEXT(span_cstr(name_of(script, name,                                                     \
                                 read_map("{\"version\":3,\"sourcesContent\":[\"" source "\"],"    \
                                          "\"sources\":[\"a\"],\"names\":[],"                      \
                                          "\"mappings\":\"" mappings "\"}"))),                     \
               wanted)

TEST("a name that the map does not have is read in the source's text, if the map has that")
{
    CHECK_SOURCE_NAME("{#e|(r){}}", "#e", "CAEG", "\\n\\nab #secret(n) {}", "#secret");
    CHECK_SOURCE_NAME("f(function|(e){})", "", "EAAA", "function named(e) {}", "named");
    CHECK_SOURCE_NAME("f(async function*|(e){})", "", "EAAA", "async function * named(e) {}",
                      "named");
    CHECK_SOURCE_NAME("f(function|(e){})", "", "EAAA", "function (e) {}", " kept");
    CHECK_SOURCE_NAME("f(function|(e){})", "", "EAAA", "(e) => 1", " kept");
    CHECK_SOURCE_NAME("function t|(e){}", "t", "SAAA", "export default function() {}", "t");
    CHECK_SOURCE_NAME("function t|(e){}", "t", "SAAA", "", "t");
    CHECK_SOURCE_NAME("function t|(e){}", "t", "SAYA", "busy", "t");
}

TEST("where no function can begin the script is another one")
{
    CHECK_NAME("t=1|;f()", "t", "AAAAA", "impossible");
    CHECK_NAME("t=1;f()|", "t", "AAAAA", "impossible");
}
