/* name: sched_process_fork
 * ID: 367
 * format:
 * 	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
 * 	field:int common_pid;	offset:4;	size:4;	signed:1;
 *
 * 	field:__data_loc char[] parent_comm;	offset:8;	size:4;	signed:0;
 * 	field:pid_t parent_pid;	offset:12;	size:4;	signed:1;
 *
 * print fmt: "comm=%s pid=%d", __get_str(parent_comm), REC->parent_pid
 *
 * These are the files /sys/kernel/tracing/events/SYSTEM/EVENT/format, described in the kernel's
 * Documentation/trace/events.rst. An empty line ends the common fields. */
#include "common/tracepoint/eventformat.h"

#include "common/base/num.h"

/* C's keywords and the kernel's type names. LONG stands for the size of a long. */
enum { LONG = 0 };
static const struct {
    struct span name;
    struct field_type type;
} types[] = {
    {SPAN("char"), {1, false}},        {SPAN("bool"), {1, true}},
    {SPAN("_Bool"), {1, true}},        {SPAN("short"), {2, false}},
    {SPAN("int"), {4, false}},         {SPAN("u8"), {1, true}},
    {SPAN("u16"), {2, true}},          {SPAN("u32"), {4, true}},
    {SPAN("u64"), {8, true}},          {SPAN("s8"), {1, false}},
    {SPAN("s16"), {2, false}},         {SPAN("s32"), {4, false}},
    {SPAN("s64"), {8, false}},         {SPAN("__u8"), {1, true}},
    {SPAN("__u16"), {2, true}},        {SPAN("__u32"), {4, true}},
    {SPAN("__u64"), {8, true}},        {SPAN("__s8"), {1, false}},
    {SPAN("__s16"), {2, false}},       {SPAN("__s32"), {4, false}},
    {SPAN("__s64"), {8, false}},       {SPAN("__le16"), {2, true}},
    {SPAN("__le32"), {4, true}},       {SPAN("__le64"), {8, true}},
    {SPAN("__be16"), {2, true}},       {SPAN("__be32"), {4, true}},
    {SPAN("__be64"), {8, true}},       {SPAN("uint8_t"), {1, true}},
    {SPAN("uint16_t"), {2, true}},     {SPAN("uint32_t"), {4, true}},
    {SPAN("uint64_t"), {8, true}},     {SPAN("int8_t"), {1, false}},
    {SPAN("int16_t"), {2, false}},     {SPAN("int32_t"), {4, false}},
    {SPAN("int64_t"), {8, false}},     {SPAN("uint"), {4, true}},
    {SPAN("ushort"), {2, true}},       {SPAN("ulong"), {LONG, true}},
    {SPAN("size_t"), {LONG, true}},    {SPAN("ssize_t"), {LONG, false}},
    {SPAN("uintptr_t"), {LONG, true}}, {SPAN("loff_t"), {8, false}},
    {SPAN("off_t"), {LONG, false}},    {SPAN("pgoff_t"), {LONG, true}},
    {SPAN("ino_t"), {LONG, true}},     {SPAN("sector_t"), {8, true}},
    {SPAN("blkcnt_t"), {8, true}},     {SPAN("ktime_t"), {8, false}},
    {SPAN("dma_addr_t"), {8, true}},   {SPAN("phys_addr_t"), {8, true}},
    {SPAN("gfp_t"), {4, true}},        {SPAN("pid_t"), {4, false}},
    {SPAN("uid_t"), {4, true}},        {SPAN("gid_t"), {4, true}},
    {SPAN("dev_t"), {4, true}},        {SPAN("umode_t"), {2, true}},
    {SPAN("clockid_t"), {4, false}},
};

static bool
type_named(struct span word, size_t long_size, struct field_type *type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!span_eq(word, types[i].name))
            continue;
        *type = types[i].type;
        if (type->size == LONG)
            type->size = (uint8_t)long_size;
        return true;
    }
    return false;
}

/* Remove the first word, of letters, digits and "_", from the text, and return it. */
static struct span
take_word(struct span *text)
{
    while (text->len > 0 && !is_word(text->ptr[0]))
        *text = span_from(*text, 1);
    struct span word = span_head(*text, span_run(*text, 0, is_word));
    *text = span_from(*text, word.len);
    return word;
}

struct field_type
eventformat_type(struct span words, size_t long_size)
{
    struct field_type type = {0, false}, named;
    int longs = 0;
    bool is_unsigned = false, is_signed = false;
    for (struct span word; (word = take_word(&words)).len > 0;) {
        if (span_eq(word, SPAN("struct")) || span_eq(word, SPAN("union")))
            return (struct field_type){0, false};
        if (span_eq(word, SPAN("unsigned")))
            is_unsigned = true;
        else if (span_eq(word, SPAN("signed")))
            is_signed = true;
        else if (span_eq(word, SPAN("long")))
            longs++;
        else if (span_eq(word, SPAN("enum")))
            type = (struct field_type){4, false};
        else if (type_named(word, long_size, &named) && !(type.size == 2 && named.size == 4))
            type = named; /* "short int" is still a short */
    }
    if (longs > 0)
        type.size = longs > 1 ? 8 : (uint8_t)long_size;
    else if (type.size == 0 && (is_unsigned || is_signed))
        type.size = 4;
    type.is_unsigned |= is_unsigned;
    return type;
}

/* Remove the text up to and including the character from *text. Return false if there is none. */
static bool
take_until(struct span *text, char end, struct span *part)
{
    size_t at = span_find(*text, end);
    if (at == SPAN_NONE)
        return false;
    *part = span_head(*text, at);
    *text = span_from(*text, at + 1);
    return true;
}

/* Remove "offset:8;" from *text. Return false if something else comes next, or if the number
 * exceeds UINT32_MAX. */
static bool
take_number(struct span *text, struct span key, uint32_t *number)
{
    struct span part;
    uint64_t value;
    if (!take_until(text, ';', &part))
        return false;
    part = span_trim(part);
    if (!span_starts(part, key) || !num_u64(span_from(part, key.len), &value) || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}

/* Return true if the text contains this word. */
static bool
has_word(struct span text, struct span wanted)
{
    for (struct span word; (word = take_word(&text)).len > 0;)
        if (span_eq(word, wanted))
            return true;
    return false;
}

/* Split "char comm[16]" into "char", "comm" and 16, "__data_loc char[] name" into "__data_loc
 * char[]", "name" and 0. Return false if there is no name. */
static bool
split_declaration(struct span text, struct span *type, struct span *name, uint64_t *count)
{
    *count = 0;
    text = span_trim(text);
    if (span_ends(text, SPAN("]"))) {
        size_t open = span_rfind(text, '[');
        if (open == SPAN_NONE)
            return false;
        num_u64(span_of(text.ptr + open + 1, text.len - open - 2), count);
        text = span_trim(span_head(text, open));
    }
    size_t start = span_run_before(text, text.len, is_word);
    *type = span_trim(span_head(text, start));
    *name = span_from(text, start);
    return name->len > 0;
}

/* Return the type of the field, a number, or of its elements. `count` is the number of elements in
 * the declaration, or 0 if it has none. */
static struct field_type
element_type(const struct event_field *f, struct span type, uint64_t count, size_t long_size)
{
    struct field_type t = eventformat_type(type, long_size);
    if (!f->is_array)
        t.size = (uint8_t)f->size;
    else if (count > 0 && f->size % count == 0 && f->size / count <= 8)
        t.size = (uint8_t)(f->size / count);
    if (t.size != 1 && t.size != 2 && t.size != 4 && t.size != 8)
        t.size = 1;
    return t;
}

/* Parse a line after "field:". */
static bool
parse_field(struct event_field *f, struct span line, size_t long_size)
{
    struct span declaration, type;
    uint64_t count;
    uint32_t is_signed;
    *f = (struct event_field){0};
    if (!take_until(&line, ';', &declaration) || !take_number(&line, SPAN("offset:"), &f->offset) ||
        !take_number(&line, SPAN("size:"), &f->size) ||
        !split_declaration(declaration, &type, &f->name, &count))
        return false;
    f->is_relative = span_starts(type, SPAN("__rel_loc"));
    f->is_dynamic = f->is_relative || span_starts(type, SPAN("__data_loc"));
    f->is_array = f->is_dynamic || span_ends(span_trim(declaration), SPAN("]")) ||
                  (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8);
    if (f->is_dynamic && f->size != 4)
        return false;
    f->is_pointer = !f->is_array && span_ends(type, SPAN("*"));
    f->is_string = f->is_pointer && span_eq(type, SPAN("const char *"));
    f->is_long = has_word(type, SPAN("long"));
    f->is_text = f->is_array && has_word(type, SPAN("char"));
    f->type = element_type(f, type, count, long_size);
    if (take_number(&line, SPAN("signed:"), &is_signed)) /* missing before Linux 2.6.33 */
        f->type.is_unsigned = is_signed == 0;
    return true;
}

/* Parse the lines after "format:". Return the text after them, "print fmt: ...". Its pointer is
 * NULL if a line is not a field. */
static struct span
parse_fields(struct event_format *f, struct span text, size_t long_size, struct arena *arena)
{
    struct span rest = text, line;
    size_t most = 1;
    while (take_until(&rest, '\n', &line) && !span_starts(line, SPAN("print fmt:")))
        most += span_starts(span_trim(line), SPAN("field:"));
    struct event_field *fields = arena_alloc(arena, most * sizeof *fields);
    f->fields = fields;
    f->nfields = f->ncommon = 0;
    for (rest = text; !span_starts(rest, SPAN("print fmt:")) && take_until(&rest, '\n', &line);) {
        line = span_trim(line);
        if (line.len == 0 && f->ncommon == 0)
            f->ncommon = f->nfields;
        if (line.len == 0)
            continue;
        if (!span_starts(line, SPAN("field:")) ||
            !parse_field(&fields[f->nfields], span_from(line, 6), long_size))
            return span_of(NULL, 0);
        f->nfields++;
    }
    return rest;
}

bool
eventformat_parse(struct event_format *f, struct span text, size_t long_size, struct arena *arena)
{
    struct span name, id, line;
    *f = (struct event_format){0};
    if (!span_starts(text, SPAN("name:")) || !take_until(&text, '\n', &name) ||
        !span_starts(text, SPAN("ID:")) || !take_until(&text, '\n', &id) ||
        !num_u64(span_trim(span_from(id, 3)), &f->id) || !span_starts(text, SPAN("format:")) ||
        !take_until(&text, '\n', &line))
        return false;
    f->name = span_trim(span_from(name, 5));
    text = parse_fields(f, text, long_size, arena);
    bool has_print = span_starts(text, SPAN("print fmt:"));
    f->print = has_print ? span_trim(span_from(text, 10)) : span_head(text, 0);
    return text.ptr != NULL;
}

const struct event_field *
eventformat_field(const struct event_format *f, struct span name)
{
    for (size_t i = 0; i < f->nfields; i++)
        if (span_eq(f->fields[i].name, name))
            return &f->fields[i];
    return NULL;
}
