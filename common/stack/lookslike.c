/* The first bytes of files that are often given by mistake:
 *
 *     \x7f ELF 02 01 01 00 00 00 00 00 ...                           a program
 *     0a 63 32 5a 10 03 0a 0a 08 06 10 bb ...                        chromium --trace-startup
 *     {"nodes":[{"id":1,"callFrame":{"functionName":"(root)",...     node --cpu-prof
 *     {"traceEvents":[{"args":{"name":"swapper"},...                 Chrome's developer tools
 *     {"version":1.2,"mode":"cpu",...                          stackprof, and others in JSON
 *     <?xml version="1.0" standalone="no"?><svg version="1.1" ...    a flame graph
 *     # Samples: 2K of event 'cycles'                                perf report --stdio
 *      self       %  total       %  kind     function                 stackreport
 *      before    after   change  certain  function                    stackdiff --format=table
 *              3,887  samples                                         perf-script --check
 *     v8-version,11,3,244,8,-node.38,0                               node --prof
 *     Statistical profiling result from isolate-0x41a8-v8.log, ...   node --prof-process
 *     node 4123 [001] 81.273451:   250000 cycles:                    perf script
 *             55d0c1a2 uv_run+0x1a (/usr/bin/node)
 *           7 main;parse                                             uniq -c
 *     main;parse                                                     a list without counts */
#include "common/stack/lookslike.h"

#include <strings.h>

#include "common/base/num.h"
#include "common/stack/foldedtext.h"
#include "common/stack/perfline.h"

static bool
starts_nocase(struct span s, struct span prefix)
{
    return s.len >= prefix.len && strncasecmp(s.ptr, prefix.ptr, prefix.len) == 0;
}

/* Whether one byte in 16 is a control character that text does not have; a few stand in text too.
 */
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

/* Return whether it is a message of Protocol Buffers whose fields are all of number 1, and have
 * lengths: packets, of which the last may be cut.
 * https://perfetto.dev/docs/reference/trace-packet-proto */
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

/* What is known by the text that it begins with, and two more in its first bytes. */
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
    {NONE, SPAN("# Samples:"), NONE, perf_table},
    {NONE, SPAN("# Overhead"), NONE, perf_table},
};

static const char chrome_trace[] =
    "a trace of Chrome or a similar program, which is JSON: fold it with stackcollapse";
static const char firefox[] =
    "a profile of Firefox (JSON): show it at https://profiler.firefox.com";

static const struct kind jsons[] = {
    {NONE, SPAN("\"traceEvents\""), NONE, chrome_trace},
    {NONE, SPAN("\"ph\""), SPAN("\"ts\""), chrome_trace},
    {NONE, SPAN("\"nodes\""), SPAN("\"callFrame\""),
     "a V8 CPU profile (.cpuprofile), which is JSON: fold it with stackcollapse"},
    {NONE, SPAN("\"meta\""), SPAN("\"processType\""),
     "a profile of Firefox (JSON): fold it with stackcollapse"},
    {NONE, SPAN("\"label\""), SPAN("\"markers\""), firefox},
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

/* "        3,887  samples" */
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

/* "{" or "[" that a key, a value or the end follows; a frame's name may begin with a bracket too.
 */
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

/* "\t55d0c1a2 uv_run+0x1a (/usr/bin/node)" */
static bool
is_perf_frame(struct span line)
{
    struct span text = span_trim(line);
    size_t hex = span_run(text, 0, is_hex);
    return line.len > 0 && is_space(line.ptr[0]) && hex >= 4 && hex < text.len &&
           text.ptr[hex] == ' ' && text.ptr[text.len - 1] == ')';
}

/* "node 4123 [001] 81.273451:   250000 cycles:" */
static bool
is_perf_header(struct span line)
{
    struct perf_header h;
    return perf_line_parse(line, &h) == PERF_LINE_HEADER;
}

/* "      7 main;parse" */
static bool
is_count_first(struct span line)
{
    struct span text = span_trim(line);
    size_t digits = span_run(text, 0, is_digit);
    return digits > 0 && digits < text.len && text.ptr[digits] == ' ';
}

/* "main;parse", "main": one name, or several with semicolons between them. */
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

/* Return whether a blank and digits are at the end: a line with a count, as folded stacks have. */
static bool
ends_in_count(struct span line)
{
    struct span text = span_trim(line);
    size_t end = text.len;
    while (end > 0 && (is_digit(text.ptr[end - 1]) || text.ptr[end - 1] == '.'))
        end--;
    return end > 0 && end < text.len && is_space(text.ptr[end - 1]);
}

/* What the head is; NULL: folded stacks, or unknown. */
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
    if (any_line(head, is_perf_header) || any_line(head, is_perf_frame))
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

/* Set *format if the line shows it; false if it does not. */
static bool
shows_format(void *format, struct span line)
{
    struct folded f;
    bool perf = perf_line_is_perf(line);
    *(enum input_format *)format = perf ? INPUT_PERF : INPUT_FOLDED;
    return perf || (!folded_is_comment(line) && folded_parse(line, 0, &f));
}

enum input_format
looks_format(struct lines *l)
{
    enum input_format format;
    if (lines_peek(l, PERF_GUESS_MOST, shows_format, &format))
        return format;
    /* perf cuts names, so a line that does not end within that limit is a folded stack. */
    struct span head = lines_buffered(l);
    bool is_short = head.len < PERF_GUESS_MOST;
    return is_short || span_has(span_head(head, PERF_GUESS_MOST), '\n') ? INPUT_PERF : INPUT_FOLDED;
}

struct span
looks_head(struct lines *l)
{
    struct span head = lines_ahead(l, LOOKSLIKE_BYTES);
    return span_head(head, head.len < LOOKSLIKE_BYTES ? head.len : LOOKSLIKE_BYTES);
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

#define LOOKS_SKIPPED "%.*s of %.*s lines could not be used: is this the right file?"

void
looks_report_skipped(const struct input *in, struct span looks, size_t used, bool is_error)
{
    char some[NUM_COMMAS], all[NUM_COMMAS];
    struct place file = {in->name, 0};
    size_t skipped = in->skipped - in->skipped_before;
    struct span part = num_commas(some, skipped), whole = num_commas(all, in->lines.number);
    if (in->as_is || skipped <= used || skipped > in->lines.number)
        return;
    if (looks.len > 0)
        diag_error(in->diag, file, "%.*s of %.*s lines could not be used: this looks like %.*s",
                   SPAN_ARG(part), SPAN_ARG(whole), SPAN_ARG(looks));
    else if (is_error)
        diag_error(in->diag, file, LOOKS_SKIPPED, SPAN_ARG(part), SPAN_ARG(whole));
    else
        diag_warn(in->diag, NULL, file, LOOKS_SKIPPED, SPAN_ARG(part), SPAN_ARG(whole));
}
