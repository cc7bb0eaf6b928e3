#include "cmd/flamesvg/palette.h"

#include "common/base/utf8.h"
#include "common/stack/frames/runtime.h"
#include "common/stack/frames/waitkind.h"

enum { EDGE = 3 }; /* number of characters at each end that are hashed */

/* srand48 and drand48 as defined by POSIX: 48 bits, X' = (0x5deece66d X + 0xb) mod 2^48. */
static uint64_t
rand_start(uint32_t seed)
{
    return (uint64_t)seed << 16 | 0x330e;
}

static double
rand_next(uint64_t *x)
{
    *x = (*x * 0x5deece66du + 0xb) & 0xffffffffffffu;
    return (double)*x * 0x1p-48;
}

void
shade_init(struct shade *s, enum shade_rule rule, uint32_t seed)
{
    *s = (struct shade){rule, rand_start(seed)};
}

static uint32_t
next_char(struct span *s)
{
    size_t len = 1;
    uint32_t c = (unsigned char)s->ptr[0];
    if (c >= 0x80)
        c = utf8_decode(*s, &len);
    *s = span_from(*s, len);
    return c == UTF8_BAD ? 0xfffd : c;
}

static uint32_t
sum_of_chars(struct span name)
{
    uint32_t sum = 0;
    while (name.len > 0)
        sum += next_char(&name);
    return sum;
}

/* Hash characters to a number; earlier ones weigh more. The constants are flamegraph.pl's. */
static double
vector(const uint32_t *chars, size_t n)
{
    double sum = 0, max = 1, weight = 1;
    for (size_t i = 0; i < n; i++, weight *= 0.7) {
        sum += (double)(chars[i] % (10 + i)) / (double)(9 + i) * weight;
        max += weight;
    }
    return 1 - sum / max;
}

/* Hash the first characters; after a module, as in "libc`malloc". */
static double
hash_front(struct span name)
{
    uint32_t chars[EDGE] = {0};
    size_t first = utf8_offset(name, 1), n = 0;
    size_t tick = span_find(span_from(name, first), '`');
    if (tick != SPAN_NONE)
        name = span_from(name, first + tick + 1);
    while (n < EDGE && name.len > 0)
        chars[n++] = next_char(&name);
    return vector(chars, n);
}

/* Hash the last characters, backwards. flamegraph.pl reverses the name and then removes the part
 * before a "`" as if that were the module; in fact it is the part after the last one. */
static double
hash_back(struct span name)
{
    uint32_t chars[EDGE] = {0};
    size_t n = 0;
    size_t tick = name.len > 0 ? span_rfind(span_head(name, name.len - 1), '`') : SPAN_NONE;
    if (tick != SPAN_NONE)
        name = span_head(name, tick);
    while (name.len > 0) {
        chars[2] = chars[1];
        chars[1] = chars[0];
        chars[0] = next_char(&name);
        n += n < EDGE;
    }
    return vector(chars, n);
}

void
shade_of(struct shade *s, struct span name, double v[static 3])
{
    uint64_t x;
    switch (s->rule) {
    case SHADE_SUM:
        x = rand_start(sum_of_chars(name));
        v[0] = v[1] = v[2] = rand_next(&x);
        break;
    case SHADE_HASH:
        v[0] = hash_front(name);
        v[1] = v[2] = hash_back(name);
        break;
    case SHADE_RANDOM:
        for (int i = 0; i < 3; i++)
            v[i] = rand_next(&s->random);
    }
}

/* A channel is base + spread * v[which], truncated. All values except those of kinds are
 * flamegraph.pl's, so that pictures of both can be compared. */
struct hue {
    struct channel {
        short base, spread, which;
    } r, g, b;
};

static const struct hue hot = {{205, 50, 2}, {0, 230, 0}, {0, 55, 1}},
                        mem = {{0, 0, 0}, {190, 50, 1}, {0, 210, 0}},
                        io = {{80, 60, 0}, {80, 60, 0}, {190, 55, 1}},
                        red = {{200, 55, 0}, {50, 80, 0}, {50, 80, 0}},
                        green = {{50, 60, 0}, {200, 55, 0}, {50, 60, 0}},
                        blue = {{80, 60, 0}, {80, 60, 0}, {205, 50, 0}},
                        yellow = {{175, 55, 0}, {175, 55, 0}, {50, 20, 0}},
                        purple = {{190, 65, 0}, {80, 60, 0}, {190, 65, 0}},
                        aqua = {{50, 60, 0}, {165, 55, 0}, {165, 55, 0}},
                        orange = {{190, 65, 0}, {90, 65, 0}, {0, 0, 0}};

static const struct kind_colour {
    const char *label;
    struct hue hue;
} kinds[KIND_COUNT + 1] = {
    [KIND_APP] = {"application", {{90, 40, 0}, {200, 40, 0}, {90, 40, 0}}},
    [KIND_DEP] = {"node_modules", {{170, 30, 0}, {205, 30, 0}, {70, 40, 0}}},
    [KIND_CORE] = {"node library", {{90, 40, 0}, {180, 35, 0}, {220, 25, 0}}},
    [KIND_REGEXP] = {"regexp", {{230, 25, 0}, {130, 35, 0}, {195, 30, 0}}},
    [KIND_WASM] = {"wasm", {{175, 30, 0}, {145, 35, 0}, {235, 20, 0}}},
    [KIND_BUILTIN] = {"V8 built-in code", {{235, 20, 0}, {215, 25, 0}, {85, 45, 0}}},
    [KIND_V8] = {"V8", {{235, 20, 0}, {170, 30, 0}, {65, 45, 0}}},
    [KIND_GC] = {"garbage collector", {{205, 20, 0}, {120, 20, 0}, {30, 20, 0}}},
    [KIND_COMPILER] = {"compiler", {{190, 25, 0}, {175, 25, 0}, {110, 25, 0}}},
    [KIND_CPP] = {"node C++", {{225, 25, 0}, {140, 30, 0}, {105, 35, 0}}},
    [KIND_NATIVE] = {"native", {{195, 30, 0}, {180, 30, 0}, {160, 30, 0}}},
    [KIND_KERNEL] = {"kernel", {{215, 30, 0}, {100, 35, 0}, {100, 35, 0}}},
    [KIND_NAMELESS] = {"without names", {{180, 10, 0}, {180, 10, 0}, {180, 10, 0}}},
    [KIND_MARK] = {"callers not known", {{205, 10, 0}, {205, 10, 0}, {205, 10, 0}}},
    [KIND_WAIT] = {"waiting", {{185, 15, 0}, {195, 15, 0}, {215, 15, 0}}},
    [KIND_COUNT] = {"", {{225, 0, 0}, {225, 0, 0}, {225, 0, 0}}},
};

/* The hue of names for which fits() returns true. The first such rule applies. */
struct rule {
    bool (*fits)(struct span name, struct span text);
    struct span text;
    const struct hue *hue;
};

static bool
always(struct span name, struct span text)
{
    (void)name, (void)text;
    return true;
}

/* Return true for "_[j]" at the end of a name with a path: a function of a source file, no
 * builtin. */
static bool
ends_path(struct span name, struct span text)
{
    return span_ends(name, text) && span_has(name, '/');
}

/* Return true if the text occurs after a slash: "/srv/app.js:12". */
static bool
holds_in_path(struct span name, struct span text)
{
    size_t slash = span_find(name, '/');
    return slash != SPAN_NONE && span_holds(span_from(name, slash + 1), text);
}

/* Return true if "java/lang/String", or as a JVM class descriptor "Ljava/lang/String", is of a
 * package in the list. */
static bool
in_package(struct span name, struct span packages)
{
    size_t slash = span_find(name, '/');
    if (slash == SPAN_NONE)
        return false;
    for (size_t skip = 0; skip <= (name.ptr[0] == 'L'); skip++) {
        struct span package = span_from(span_head(name, slash + 1), skip), rest = packages;
        for (size_t end; (end = span_find(rest, '/')) != SPAN_NONE; rest = span_from(rest, end + 1))
            if (span_eq(span_head(rest, end + 1), package))
                return true;
    }
    return false;
}

static const struct rule java[] = {
    {span_ends, SPAN("_[j]"), &green}, /* compiled */
    {span_ends, SPAN("_[i]"), &aqua},  /* inlined */
    {in_package, SPAN("java/javax/jdk/net/org/com/io/sun/"), &green},
    {span_holds, SPAN(":::"), &green}, /* perf-map-agent's class:::method */
    {span_holds, SPAN("::"), &yellow}, /* C++ */
    {span_ends, SPAN("_[k]"), &orange},
    {always, SPAN(""), &red},
};

static const struct rule js[] = {
    {ends_path, SPAN("_[j]"), &green},   {span_ends, SPAN("_[j]"), &aqua},
    {span_holds, SPAN("::"), &yellow},   {holds_in_path, SPAN(".js"), &green},
    {span_holds, SPAN(":"), &aqua},      {span_eq, SPAN(" "), &green},
    {span_holds, SPAN("_[k]"), &orange}, {always, SPAN(""), &red},
};

static const struct rule perl[] = {
    {span_holds, SPAN("::"), &yellow}, {span_holds, SPAN("Perl"), &green},
    {span_holds, SPAN(".pl"), &green}, {span_ends, SPAN("_[k]"), &orange},
    {always, SPAN(""), &red},
};

static const struct rule chain[] = {
    {span_holds, SPAN("_[w]"), &aqua}, /* a waker's frame */
    {always, SPAN(""), &blue},
};

/* Return true if the frame means that a thread waits. */
static bool
is_wait(struct span name, struct span text)
{
    (void)text;
    return waitkind_is(name);
}

/* Hues of what threads wait for: CPUs are red, locks are orange, time and events that may come at
 * any time are pale, storage is purple, other programs are green or blue. */
static const struct rule wait[] = {
    {span_eq, WAIT_RUN_QUEUE, &(struct hue){{220, 25, 0}, {75, 25, 0}, {70, 25, 0}}},
    {span_eq, SPAN("[wait: futex]"), &(struct hue){{240, 15, 0}, {150, 20, 0}, {50, 25, 0}}},
    {span_eq, SPAN("[wait: kernel lock]"), &(struct hue){{200, 15, 0}, {120, 15, 0}, {40, 20, 0}}},
    {span_eq, SPAN("[wait: disk]"), &(struct hue){{185, 20, 0}, {125, 20, 0}, {215, 20, 0}}},
    {span_eq, SPAN("[wait: network]"), &(struct hue){{95, 20, 0}, {150, 20, 0}, {230, 20, 0}}},
    {span_eq, SPAN("[wait: pipe]"), &(struct hue){{60, 20, 0}, {185, 20, 0}, {185, 20, 0}}},
    {span_eq, SPAN("[wait: process]"), &(struct hue){{110, 20, 0}, {190, 20, 0}, {110, 20, 0}}},
    {span_eq, SPAN("[wait: signal]"), &(struct hue){{170, 15, 0}, {185, 15, 0}, {75, 20, 0}}},
    {span_eq, SPAN("[wait: terminal]"), &(struct hue){{230, 15, 0}, {140, 15, 0}, {185, 15, 0}}},
    {span_eq, SPAN("[wait: poll]"), &(struct hue){{160, 15, 0}, {205, 15, 0}, {240, 15, 0}}},
    {span_eq, SPAN("[wait: sleep]"), &(struct hue){{205, 15, 0}, {200, 15, 0}, {235, 15, 0}}},
    {span_eq, SPAN("[wait: event loop]"), &(struct hue){{205, 15, 0}, {225, 15, 0}, {220, 15, 0}}},
    {is_wait, SPAN(""), &kinds[KIND_WAIT].hue},
    {always, SPAN(""), &(struct hue){{235, 15, 0}, {220, 20, 0}, {185, 30, 0}}}, /* functions */
};

const struct palette palettes[] = {
    {"hot", "yellow", .hue = &hot},
    {"mem", "green", .hue = &mem},
    {"io", "blue", .hue = &io},
    {"wakeup", "blue", .hue = &aqua},
    {"chain", "blue", .rules = chain, .wakers = true},
    {"java", "yellow", .rules = java},
    {"js", "yellow", .rules = js},
    {"perl", "yellow", .rules = perl},
    {"red", "grey", .hue = &red},
    {"green", "grey", .hue = &green},
    {"blue", "grey", .hue = &blue},
    {"aqua", "grey", .hue = &aqua},
    {"yellow", "grey", .hue = &yellow},
    {"purple", "grey", .hue = &purple},
    {"orange", "grey", .hue = &orange},
    {"node", "grey", .kinds = true},
    {"wait", "grey", .rules = wait},
    {"diff-cb", "grey", .hue = &hot, .colour_blind = true},
};

enum frame_kind
palette_kind(struct span name)
{
    bool code = name.len > 0 && !span_eq(name, SPAN("-")) && !span_eq(name, SPAN("--"));
    return code ? frame_kind(name, SPAN("")) : KIND_COUNT;
}

static const struct hue *
hue_of(const struct palette *p, struct span name)
{
    const struct rule *rule = p->rules;
    if (p->kinds) {
        enum frame_kind kind = palette_kind(name);
        if (kind != KIND_WAIT)
            return &kinds[kind].hue;
        rule = wait;
    }
    if (rule == NULL)
        return p->hue;
    while (!rule->fits(name, rule->text))
        rule++;
    return rule->hue;
}

static int
channel(struct channel c, const double v[static 3])
{
    return c.base + (int)(c.spread * v[c.which]);
}

static struct colour
mix(const struct hue *h, const double v[static 3])
{
    return (struct colour){channel(h->r, v), channel(h->g, v), channel(h->b, v)};
}

struct colour
palette_colour(const struct palette *p, struct span name, const double v[static 3])
{
    return mix(hue_of(p, name), v);
}

bool
palette_is_quiet(struct span name)
{
    enum runtime runtime;
    return frame_is_mark(name) || runtime_is_nameless(name, &runtime);
}

struct colour
palette_quiet_colour(struct span name, const double v[static 3])
{
    return mix(&kinds[palette_kind(name)].hue, v);
}

const char *
palette_kind_label(enum frame_kind kind)
{
    return kinds[kind].label;
}

struct colour
palette_kind_colour(enum frame_kind kind)
{
    return mix(&kinds[kind].hue, (const double[]){0.5, 0.5, 0.5});
}

/* Return a channel of a faded colour: the smaller `size` is relative to `max`, the nearer to
 * white. */
static int
fade(int channel, double size, double max)
{
    return channel + (int)(210.0 * (255 - channel) / 255 * (max - size) / max);
}

struct colour
palette_delta(const struct palette *p, double value, double max)
{
    static const struct colour full[2][2] = {
        {{255, 0, 0}, {0, 0, 255}},     /* flamegraph.pl's */
        {{230, 97, 1}, {94, 60, 153}}}; /* the ends of ColorBrewer's scale from orange to purple */
    struct colour c = full[p->colour_blind][value < 0];
    double size = value < 0 ? -value : value;
    if (size == 0)
        return (struct colour){255, 255, 255};
    return (struct colour){fade(c.r, size, max), fade(c.g, size, max), fade(c.b, size, max)};
}

/* Write a channel, 0 to 255, in decimal. Return the end of the text. With snprintf, flamesvg would
 * need 10 % more instructions on node-http. */
static char *
put_channel(char *to, int c)
{
    if (c >= 100)
        *to++ = (char)('0' + c / 100);
    if (c >= 10)
        *to++ = (char)('0' + c / 10 % 10);
    *to++ = (char)('0' + c % 10);
    return to;
}

struct span
palette_text(char text[static COLOUR_TEXT], struct colour c)
{
    memcpy(text, "rgb(", 4);
    char *end = put_channel(text + 4, c.r);
    *end++ = ',';
    end = put_channel(end, c.g);
    *end++ = ',';
    end = put_channel(end, c.b);
    *end++ = ')';
    return span_of(text, (size_t)(end - text));
}
