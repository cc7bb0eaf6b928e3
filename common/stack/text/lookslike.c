/* The first bytes of files that are often given by mistake:
 *
 *     \x7f ELF 02 01 01 00 00 00 00 00 ...                           a program
 *     0a 63 32 5a 10 03 0a 0a 08 06 10 bb ...                        chromium --trace-startup
 *     {"nodes":[{"id":1,"callFrame":{"functionName":"(root)",...     node --cpu-prof
 *     {"traceEvents":[{"args":{"name":"swapper"},...                 Chrome's developer tools
 *     {"version":1.2,"mode":"cpu",...                          stackprof, and others in JSON
 *     <?xml version="1.0" standalone="no"?><svg version="1.1" ...    a flame graph
 *     # Samples: 2K of event 'cycles'                                perf report --stdio
 *     .  0000:  01 00 00 00 01 00 78 00 ff ff ff ff 00 00 00 00      perf script -D
 *      self       %  total       %  kind     function                 stackreport
 *      before    after   change  certain  function                    stackdiff --format=table
 *              3,887  samples                                         perf-script --check
 *     v8-version,11,3,244,8,-node.38,0                               node --prof
 *     Statistical profiling result from isolate-0x41a8-v8.log, ...   node --prof-process
 *     7f14ce2d9000 40 LazyCompile:*sum /srv/app.js:12                a perf map
 *     openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3                  strace, ltrace
 *     [    0.004561] Memory: 16303428K/16715776K available           dmesg
 *     node 4123 [001] 81.273451:   250000 cycles:                    perf script
 *             55d0c1a2 uv_run+0x1a (/usr/bin/node)
 *     . ... raw event: size 80 bytes                                 perf script -D
 *                bash-99    [000] ..... 12345.678905: sys_enter: NR  ftrace, trace-cmd report
 *           7 main;parse                                             uniq -c
 *     main;parse                                                     a list without counts */
#include "common/stack/text/lookslike.h"

#include <strings.h>

#include "common/base/num.h"
#include "common/stack/text/foldedtext.h"
#include "common/stack/text/perfline.h"

static bool
starts_nocase(struct span s, struct span prefix)
{
    return s.len >= prefix.len && strncasecmp(s.ptr, prefix.ptr, prefix.len) == 0;
}

/* Return true if one byte in 16 is a control character that is rare in text; text may have a
 * few. */
bool
looks_binary(struct span head)
{
    enum { SHARE = 16 };
    size_t controls = 0;
    for (size_t i = 0; i < head.len; i++) {
        unsigned char c = (unsigned char)head.ptr[i];
        controls += (c < ' ' && !is_space((char)c) && c != '\b' && c != '\x1b') || c == '\x7f';
    }
    return controls >= SHARE && controls >= head.len / SHARE;
}

/* Return true for a message of Protocol Buffers whose fields all have number 1 and a length:
 * packets. The last one may be cut. https://perfetto.dev/docs/reference/trace-packet-proto */
static bool
is_perfetto(struct span head)
{
    size_t packets = 0;
    while (span_starts(head, SPAN("\n"))) {
        size_t len = 0, at = 1;
        unsigned char byte = 0x80;
        for (unsigned shift = 0; at < head.len && byte >= 0x80 && shift < 32; shift += 7) {
            byte = (unsigned char)head.ptr[at++];
            len |= (size_t)(byte & 0x7f) << shift;
        }
        head = span_from(head, at);
        head = span_from(head, len < head.len ? len : head.len);
        packets++;
    }
    return packets > 1 && head.len == 0;
}

static const char *
binary(struct span head)
{
    if (span_starts(head, SPAN("\x7f"
                               "ELF")))
        return "a program or library (ELF): give a profile of it";
    if (looks_binary(head) && is_perfetto(head))
        return "a Perfetto trace in Protocol Buffers: record it as JSON "
               "(chromium --trace-startup-format=json), and fold that with stackcollapse";
    if (looks_binary(head) || span_has(head, '\0'))
        return "binary data: samples and stacks are lines of text";
    return NULL;
}

/* Formats that are recognized by the beginning of the text, and by up to two other texts in its
 * first bytes. */
struct kind {
    struct span start, one, other;
    const char *what;
};

static const char *
find_kind(const struct kind *kinds, size_t n, struct span text)
{
    for (size_t i = 0; i < n; i++)
        if (span_starts(text, kinds[i].start) && span_holds(text, kinds[i].one) &&
            span_holds(text, kinds[i].other))
            return kinds[i].what;
    return NULL;
}

#define NONE SPAN("")

static const char stackreport_table[] =
    "a table of stackreport, which has no stacks: give the profile that it was made from";
static const char perf_table[] =
    "a table of perf report: fold what perf script prints with stackcollapse";

static const char a_log[] = "a log, which has no samples";
static const char web_log[] = "a log of a web server, which has no stacks";
static const char one_stack[] =
    "the stack trace of one error, which is no profile: sample with perf or stackrecord";
static const char disassembly[] = "a disassembly, which has no stacks";

static const struct kind tables[] = {
    {SPAN("v8-version,"), NONE, NONE,
     "a log of node --prof: run node --prof-process --preprocess -j FILE, and fold what it prints "
     "with stackcollapse"},
    {SPAN("Statistical profiling result from "), NONE, NONE,
     "a table of node --prof-process, which has no stacks: run it with --preprocess -j, and fold "
     "what it prints with stackcollapse"},
    {SPAN("self       %  "), SPAN("total       %"), NONE, stackreport_table},
    {SPAN("self\tself_percent\t"), NONE, NONE, stackreport_table},
    {SPAN("depth\tself\t"), NONE, NONE, stackreport_table},
    {SPAN("before    after   change  certain  "), NONE, NONE,
     "a table of stackdiff, which has no stacks: give the profiles that it was made from"},
    {NONE, SPAN("... raw event: size "), NONE,
     "a dump of perf script -D: print the recording without -D"},
    {NONE, SPAN("# Samples:"), NONE, perf_table},
    {NONE, SPAN("# Overhead"), NONE, perf_table},
    {NONE, SPAN("Source code & Disassembly of "), NONE,
     "a table of perf annotate: fold what perf script prints with stackcollapse"},
    {NONE, SPAN("Disassembly of section "), NONE, disassembly},
    {NONE, SPAN("== Memcheck, "), NONE,
     "what Valgrind's memcheck prints, which is no profile: sample with perf or stackrecord"},
    {NONE, SPAN(" HTTP/1."), SPAN("\" 200 "), web_log},
    {NONE, SPAN("\"GET "), SPAN(" HTTP/"), web_log},
    {NONE, SPAN("Traceback (most recent call last):"), NONE, one_stack},
    {NONE, SPAN("\ngoroutine "), SPAN(" [running]:"), one_stack},
    {NONE, SPAN("panicked at "), SPAN("stack backtrace:"), one_stack},
    {SPAN("-----BEGIN "), NONE, NONE, "a key or certificate (PEM)"},
    {SPAN("\\documentclass"), NONE, NONE, "a document of LaTeX"},
    {SPAN("#!/"), NONE, NONE, "a script: give what it prints"},
};

static const char chrome_trace[] =
    "a trace of Chrome or a similar program, which is JSON: fold it with stackcollapse";
static const char firefox[] = "a profile of Firefox (JSON): fold it with stackcollapse";

static const struct kind jsons[] = {
    {NONE, SPAN("\"traceEvents\""), NONE, chrome_trace},
    {NONE, SPAN("\"ph\""), SPAN("\"ts\""), chrome_trace},
    {NONE, SPAN("\"nodes\""), SPAN("\"callFrame\""),
     "a V8 CPU profile (.cpuprofile), which is JSON: fold it with stackcollapse"},
    {NONE, SPAN("\"meta\""), SPAN("\"processType\""), firefox},
    {NONE, SPAN("\"label\""), SPAN("\"markers\""), firefox},
    {NONE, SPAN("\"stack_id\""), SPAN("\"thread_id\""),
     "a profile of Sentry (JSON): fold it with stackcollapse"},
    {NONE, SPAN("\"root_frame\""), SPAN("\"file_path_short\""),
     "a call tree of pyinstrument (JSON): fold it with stackcollapse"},
    {NONE, SPAN("\"recording\""), SPAN("\"instrumentTypes\""),
     "a timeline of Safari (JSON): show it in Safari's Web Inspector"},
    {NONE, SPAN("\"gc_samples\""), SPAN("\"missed_samples\""),
     "a profile of stackprof (JSON): fold it with stackcollapse"},
    {NONE, SPAN("\"head\""), SPAN("\"selfSize\""),
     "a heap profile of V8 (.heapprofile, JSON): fold it with stackcollapse"},
    {NONE, SPAN("\"head\""), SPAN("\"hitCount\""),
     "a CPU profile of V8 before 2017 (JSON): fold it with stackcollapse"},
    {NONE, SPAN("\"snapshot\""), SPAN("\"node_fields\""),
     "a heap snapshot of V8 (JSON), which has no stacks: show it in Chrome's developer tools"},
    {NONE, SPAN("\"program\""), SPAN("\"rts_arguments\""),
     "a profile of GHC's +RTS -pj (JSON): fold it with stackcollapse"},
    {NONE, SPAN("\"resourceProfiles\""), SPAN("\"scopeProfiles\""),
     "a profile of OpenTelemetry (JSON): convert it to pprof, and fold that with stackcollapse"},
};

/* Recognize "        3,887  samples". */
static bool
is_check_report(struct span text)
{
    struct span line = span_trim(span_before(text, '\n')), count = line;
    while (count.len > 0 && (is_digit(count.ptr[0]) || count.ptr[0] == ','))
        count = span_from(count, 1);
    return count.len < line.len && span_eq(count, SPAN("  samples"));
}

static const char *
table(struct span text)
{
    if (is_check_report(text))
        return "a report of perf-script --check, which has no stacks: give the recording that it "
               "was made from";
    return find_kind(tables, sizeof tables / sizeof *tables, text);
}

static bool
is_blank_line(struct span line)
{
    return span_trim(line).len == 0;
}

static const char *
markup(struct span text)
{
    if (starts_nocase(text, SPAN("<!doctype html")) || starts_nocase(text, SPAN("<html")))
        return "HTML: save the profile's text instead of the page that shows it";
    bool xml = starts_nocase(text, SPAN("<?xml"));
    if (starts_nocase(text, SPAN("<svg")) || (xml && span_holds(text, SPAN("<svg"))))
        return "an SVG picture: give the folded stacks that it was drawn from";
    if (xml && span_holds(text, SPAN("<trace-query-result")))
        return "an export of xctrace, which is XML: fold it with stackcollapse";
    return xml ? "XML: folded stacks are lines of text" : NULL;
}

/* Recognize "{" or "[" followed by a key, a value or the end. A frame's name may begin with a
 * bracket, too. */
static const char *
json(struct span text)
{
    struct span inside = text.len > 0 ? span_trim(span_from(text, 1)) : text;
    bool object = span_starts(text, SPAN("{"));
    if (!object && !span_starts(text, SPAN("[")))
        return NULL;
    if (inside.len > 0 && !span_has(object ? SPAN("\"}") : SPAN("{[\"]"), inside.ptr[0]))
        return NULL;
    const char *what = find_kind(jsons, sizeof jsons / sizeof *jsons, text);
    return what != NULL ? what : "JSON of a format that is not known (see stackcollapse(1))";
}

/* Recognize "           bash-99    [000] ..... 12345.678905: sys_enter: NR 1 (...)".
 * https://www.kernel.org/doc/html/latest/trace/ftrace.html */
static bool
is_ftrace(struct span line)
{
    size_t cpu = span_search(line, SPAN(" [")), end, task;
    if (cpu == SPAN_NONE)
        return false;
    end = cpu + 2 + span_run(line, cpu + 2, is_digit);
    if (end == cpu + 2 || !span_starts(span_from(line, end), SPAN("] ")))
        return false;
    task = span_run_before(line, span_run_before(line, cpu, is_space), is_digit);
    struct span time = span_from(line, end + 1);
    size_t colon = span_search(time, SPAN(": "));
    return task > 0 && line.ptr[task - 1] == '-' && colon != SPAN_NONE && colon > 0 &&
           is_digit(time.ptr[colon - 1]) && span_has(span_head(time, colon), '.');
}

/* Recognize "7f14ce2d9000 40 LazyCompile:*sum /srv/app.js:12". */
static bool
is_map_line(struct span line)
{
    size_t address = span_take_run(&line, is_hex).len, blank = span_skip(&line, SPAN(" "));
    size_t size = span_take_run(&line, is_hex).len;
    return address >= 6 && blank && size > 0 && span_starts(line, SPAN(" ")) && line.len > 1;
}

/* Recognize "openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3" and "[pid 42] 06:31:54 close(7)   =
 * 0". */
static bool
is_call(struct span line)
{
    size_t equals = span_rsearch(line, SPAN(" = "));
    bool call = equals != SPAN_NONE && span_ends(span_trim(span_head(line, equals)), SPAN(")"));
    return (call && span_find(line, '(') != SPAN_NONE) ||
           span_ends(line, SPAN("<unfinished ...>")) || span_starts(line, SPAN("+++ exited "));
}

/* Recognize "[    0.004561] Memory: 16303428K/16715776K available". */
static bool
is_kernel_message(struct span line)
{
    if (!span_skip(&line, SPAN("[")))
        return false;
    span_take_run(&line, is_space);
    return span_take_run(&line, is_digit).len > 0 && span_skip(&line, SPAN(".")) &&
           span_take_run(&line, is_digit).len == 6 && span_starts(line, SPAN("] "));
}

/* Recognize a date followed by a time: "2026-01-05 06:31:54,844 INFO", "Jan  5 06:31:54 web1". */
static bool
is_dated(struct span line)
{
    struct span time = span_head(line, line.len < 24 ? line.len : 24);
    size_t colon = span_find(time, ':');
    bool is_time = colon != SPAN_NONE && colon >= 6 && colon + 5 < time.len &&
                   is_digit(time.ptr[colon - 1]) && is_digit(time.ptr[colon - 2]) &&
                   is_digit(time.ptr[colon + 1]) && is_digit(time.ptr[colon + 2]) &&
                   time.ptr[colon + 3] == ':' && is_digit(time.ptr[colon + 4]);
    struct span word = span_take_word(&line);
    bool date = word.len >= 10 && is_digit(word.ptr[0]) && word.ptr[4] == '-';
    return is_time && (date || word.len == 3);
}

/* Return true if a word of the text is a log level. */
static bool
has_level(struct span text)
{
    static const struct span levels[] = {SPAN("TRACE"), SPAN("DEBUG"),   SPAN("INFO"),
                                         SPAN("WARN"),  SPAN("WARNING"), SPAN("ERROR")};
    while (text.len > 0) {
        struct span word = span_take_run(&text, is_word);
        if (span_eq_any(word, levels, sizeof levels / sizeof *levels))
            return true;
        text = span_from(text, word.len == 0);
    }
    return false;
}

/* Formats that are recognized by most of their lines. */
static const struct shape {
    bool (*is)(struct span line);
    const char *what;
} shapes[] = {
    {is_map_line, "a perf map (perf-PID.map), which names JIT-compiled code and has no samples: "
                  "give the recording that it belongs to"},
    {is_call, "calls that strace or ltrace prints, which have no stacks: sample with perf trace "
              "--call-graph or stackrecord"},
    {is_kernel_message, "a log of the kernel (dmesg), which has no samples"},
    {is_dated, a_log},
    {has_level, a_log},
};

/* Recognize "node 4123 [001] 81.273451:   250000 cycles:". */
static bool
is_perf_header(struct span line)
{
    struct perf_header h;
    return perf_line_parse(line, &h) == PERF_LINE_HEADER;
}

/* Recognize "      7 main;parse". */
static bool
is_count_first(struct span line)
{
    struct span text = span_trim(line);
    size_t digits = span_run(text, 0, is_digit);
    return digits > 0 && digits < text.len && text.ptr[digits] == ' ';
}

/* Recognize "main;parse" and "main": one name, or several separated by semicolons. */
static bool
is_stack_alone(struct span line)
{
    struct span text = span_trim(line);
    bool word = true;
    for (size_t i = 0; i < text.len; i++)
        word &= !is_space(text.ptr[i]);
    return word || span_find(text, ';') != SPAN_NONE;
}

static bool
every_line(struct span head, bool (*is)(struct span line))
{
    bool all = true;
    while (head.len > 0 && all) {
        struct span line = span_take(&head, '\n');
        all = is_blank_line(line) || is(line);
    }
    return all;
}

static bool
any_line(struct span head, bool (*is)(struct span line))
{
    bool any = false;
    while (head.len > 0 && !any)
        any = is(span_take(&head, '\n'));
    return any;
}

/* Return the format of at least two lines, and of more than half of them, or NULL if there is
 * none. */
static const char *
shape(struct span head)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        size_t all = 0, of_shape = 0;
        for (struct span rest = head; rest.len > 0;) {
            struct span line = span_take(&rest, '\n');
            all += !is_blank_line(line);
            of_shape += shapes[i].is(line);
        }
        if (of_shape >= 2 && of_shape > all / 2)
            return shapes[i].what;
    }
    return NULL;
}

/* Return true if the line ends in a blank and digits: a count, as in folded stacks. */
static bool
ends_in_count(struct span line)
{
    struct span text = span_trim(line);
    size_t end = text.len;
    while (end > 0 && (is_digit(text.ptr[end - 1]) || text.ptr[end - 1] == '.'))
        end--;
    return end > 0 && end < text.len && is_space(text.ptr[end - 1]);
}

/* Return the format of the head, or NULL for folded stacks and unknown formats. */
static const char *
guess(struct span head)
{
    if (span_starts(head, SPAN("\xef\xbb\xbf"))) /* the byte order mark of UTF-8 */
        head = span_from(head, 3);
    struct span text = span_trim(head);
    const char *what;
    if (text.len == 0)
        return NULL;
    if ((what = binary(head)) != NULL || (what = markup(text)) != NULL ||
        (what = json(text)) != NULL || (what = table(text)) != NULL)
        return what;
    if ((what = shape(head)) != NULL)
        return what;
    if (any_line(head, is_ftrace))
        return "a trace of ftrace or trace-cmd: record stacks with perf record -g, and fold what "
               "perf script prints with stackcollapse";
    if (any_line(head, is_perf_header) || any_line(head, perf_line_is_frame))
        return "perf script text: fold it with stackcollapse";
    if (any_line(head, ends_in_count))
        return NULL;
    if (every_line(head, is_count_first))
        return "counts in front of the stacks (uniq -c): a count belongs at the end of its line";
    if (every_line(head, is_stack_alone))
        return "a list of names without counts: a count belongs at the end of each line";
    return NULL;
}

struct span
looks_like(struct span head)
{
    const char *what = guess(head);
    return what != NULL ? span_cstr(what) : SPAN("");
}

struct span
looks_first_lines(struct lines *l)
{
    enum { ENOUGH = 64 * 1024 };
    struct span head = lines_ahead(l, ENOUGH);
    if (head.len >= ENOUGH) /* a line that is cut does not count; SPAN_NONE + 1 is 0 */
        head.len = span_rfind(span_head(head, ENOUGH), '\n') + 1;
    return head;
}

struct looks_share
looks_perf_share(struct lines *l)
{
    struct span head = looks_first_lines(l);
    struct looks_share share = {0, 0};
    size_t empty = 0; /* headers without frames; they count only if others have frames */
    bool in_sample = false;
    while (head.len > 0 && (share.perf < LOOKS_ENOUGH || share.other > 0)) {
        struct perf_header h;
        struct span line = span_take(&head, '\n'), rest = head, next = span_take(&rest, '\n');
        enum perf_line kind = perf_line_parse(line, &h);
        if (kind == PERF_LINE_BLANK || kind == PERF_LINE_COMMENT)
            continue;
        if (kind == PERF_LINE_BARE && is_blank_line(next) && perf_header_is_full(&h)) {
            empty++;
            continue;
        }
        if (kind == PERF_LINE_BARE && perf_line_is_first_frame(next, &h))
            kind = PERF_LINE_HEADER;
        bool below =
            kind == PERF_LINE_FRAME || kind == PERF_LINE_SRCLINE || kind == PERF_LINE_DETAIL;
        bool perf = below ? in_sample || perf_line_is_frame(line)
                          : kind == PERF_LINE_HEADER || kind == PERF_LINE_RECORD;
        in_sample |= kind == PERF_LINE_HEADER;
        share.perf += perf;
        share.other += !perf;
    }
    *(in_sample ? &share.perf : &share.other) += empty;
    return share;
}

/* Return true for prose: at least five words, and no characters that are usual in names of
 * programs. */
static bool
is_prose(struct span text)
{
    size_t words = 0;
    for (size_t i = 0; i < text.len; i++)
        if (span_has(SPAN("()<>[]{}/:.$_"), text.ptr[i]))
            return false;
    while (span_take_word(&text).len > 0)
        words++;
    return words >= 5;
}

/* Return true if the last word of the text is a sign or a number: "timeout =", "cpu0 3". */
static bool
ends_in_sign(struct span text)
{
    size_t at = text.len;
    while (at > 0 && !is_space(text.ptr[at - 1]))
        at--;
    struct span word = span_from(text, at);
    size_t n = 0;
    while (n < word.len &&
           (is_number_part(word.ptr[n]) || span_has(SPAN("=<>|+-*/&:"), word.ptr[n])))
        n++;
    return at > 0 && n == word.len;
}

/* Return true for an item of a list: "* a", "- b", "| c", "3. d". "*sum" is a name from V8. */
static bool
is_item(struct span text)
{
    struct span rest = text;
    bool number = span_take_run(&rest, is_digit).len > 0 && span_starts(rest, SPAN(". "));
    bool star = span_starts(text, SPAN("*")) && (text.len == 1 || !is_word(text.ptr[1]));
    return number || star || span_starts(text, SPAN("- ")) || span_starts(text, SPAN("|"));
}

/* Return true for a pair: "a: 1", "b = 1", "c=1". */
static bool
is_pair(struct span text)
{
    static const struct span code[] = {SPAN("operator"), SPAN("("), SPAN("<")};
    bool is_code = false;
    for (size_t i = 0; i < sizeof code / sizeof *code; i++)
        is_code |= span_holds(text, code[i]);
    return span_ends(text, SPAN(":")) || span_holds(text, SPAN(": ")) ||
           span_holds(text, SPAN(" = ")) || span_holds(text, SPAN(" - ")) ||
           (!is_code && span_find(text, '=') != SPAN_NONE);
}

/* Return true if a semicolon separates frames. In prose and code, each semicolon is followed by a
 * blank. So it is in the output of tracing-flame, but that has no other blanks: "ThreadId(1)-main;
 * app::run". */
static bool
has_frames(struct span stack)
{
    size_t semicolons = 0, spaced = 0, blanks = 0;
    for (size_t i = 0; i < stack.len; i++) {
        blanks += is_blank(stack.ptr[i]);
        semicolons += stack.ptr[i] == ';';
        spaced += span_starts(span_from(stack, i), SPAN("; "));
    }
    return semicolons > spaced || (semicolons > 0 && blanks == spaced);
}

bool
looks_folded(struct span line)
{
    struct folded f;
    if (!folded_parse(line, 0, &f))
        return false;
    if (has_frames(f.stack))
        return true;
    bool other_sign = span_has(line, '\t') || span_has(f.stack, '"') || span_has(f.stack, ';') ||
                      span_ends(f.stack, SPAN(",")) || span_starts(f.stack, SPAN(" "));
    return !other_sign && !is_item(f.stack) && !is_pair(f.stack) && !ends_in_sign(f.stack) &&
           !has_level(f.stack) && !is_prose(f.stack);
}

/* What the lines so far have shown. */
struct shown {
    bool is_folded;
    enum input_format format;
};

/* Return true if the line decides the format. A line that looks like a folded stack decides only
 * together with the next line. If that is a frame, "app 12" is a header of perf script text. */
static bool
shows_format(void *ctx, struct span line)
{
    struct folded f;
    struct shown *s = ctx;
    bool perf = s->is_folded ? perf_line_is_frame(line) : perf_line_is_perf(line);
    s->format = perf ? INPUT_PERF : INPUT_FOLDED;
    if (perf || s->is_folded)
        return true;
    s->is_folded = !folded_is_comment(line) && folded_parse(line, 0, &f);
    return false;
}

enum input_format
looks_format(struct lines *l)
{
    struct shown shown = {0};
    if (lines_peek(l, PERF_GUESS_MAX, shows_format, &shown))
        return shown.format;
    /* perf cuts names, so a line that is longer than this limit is a folded stack. */
    struct span head = lines_buffered(l);
    bool is_short = head.len < PERF_GUESS_MAX;
    bool perf = is_short || span_has(span_head(head, PERF_GUESS_MAX), '\n');
    return perf && !shown.is_folded ? INPUT_PERF : INPUT_FOLDED;
}

struct span
looks_head(struct lines *l)
{
    struct span head = lines_ahead(l, LOOKSLIKE_BYTES);
    return span_head(head, head.len < LOOKSLIKE_BYTES ? head.len : LOOKSLIKE_BYTES);
}

struct span
looks_copy_head(struct lines *l, char *copy)
{
    struct span head = looks_head(l);
    memcpy(copy, head.ptr, head.len);
    return span_of(copy, head.len);
}

static bool
first_is_header(void *header, struct span line)
{
    *(bool *)header = is_perf_header(line);
    return *(bool *)header || (!is_blank_line(line) && line.ptr[0] != '#');
}

struct span
looks_head_unless_perf(struct lines *l)
{
    bool header;
    if (lines_peek(l, LOOKSLIKE_BYTES, first_is_header, &header) && header)
        return SPAN("");
    return looks_head(l);
}

#define LOOKS_SKIPPED "%s of %s lines could not be used: is this the right file?"

void
looks_report_skipped(const struct input *in, struct span looks, size_t used, bool is_error)
{
    struct place file = {in->name, 0};
    size_t skipped = in->skipped - in->skipped_before;
    if (in->as_is || skipped <= used || skipped > in->lines.number)
        return;
    if (looks.len > 0)
        diag_error(in->diag, file, "%s of %s lines could not be used: this looks like %.*s",
                   NUM_TEXT(skipped), NUM_TEXT(in->lines.number), SPAN_ARG(looks));
    else if (is_error)
        diag_error(in->diag, file, LOOKS_SKIPPED, NUM_TEXT(skipped), NUM_TEXT(in->lines.number));
    else
        diag_warn(in->diag, NULL, file, LOOKS_SKIPPED, NUM_TEXT(skipped),
                  NUM_TEXT(in->lines.number));
}

void
looks_report_unusable(const struct input *in, struct span looks)
{
    struct place file = {in->name, 0};
    if (looks.len > 0)
        diag_error(in->diag, file, "no line could be used; this looks like %.*s", SPAN_ARG(looks));
    else
        diag_error(in->diag, file,
                   "no line could be used: neither perf script text nor folded stacks");
}
