/* The files of a device contain the number of its type, the bits of the configuration used by each
 * field, and the fields of each named event:
 *
 *     cpu/type               4
 *     cpu/format/event       config:0-7,32-35
 *     cpu/format/umask       config:8-15
 *     cpu/events/branches    event=0xc4,umask=0x00 */
#include "common/machine/device.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/num.h"
#include "common/machine/message.h"
#include "common/machine/procfs.h"
#include "common/machine/similar.h"

struct device {
    const char *devices;
    struct span name;
    struct event *event;
    struct arena *arena;
};

static const char *
path_of(const struct device *d, const char *folder, struct span file)
{
    return message(d->arena, "%s/%.*s/%s%.*s", d->devices, SPAN_ARG(d->name), folder,
                   SPAN_ARG(file));
}

/* Set *contents to the contents of a file, without the newline. Return false if it cannot be
 * read. */
static bool
read_entry(const struct device *d, const char *folder, struct span file, struct span *contents)
{
    struct text text = {0};
    bool read = span_find(file, '/') == SPAN_NONE && procfs_read(&text, path_of(d, folder, file));
    if (read)
        *contents = span_trim(arena_copy(d->arena, text_span(&text)));
    free(text.ptr);
    return read;
}

bool
device_exists(const char *devices, struct span device)
{
    struct arena arena = {0};
    struct device d = {devices, device, NULL, &arena};
    bool exists = device.len > 0 && access(path_of(&d, "type", SPAN("")), F_OK) == 0;
    arena_free(&arena);
    return exists;
}

/* Store the value's lowest bits in a range of bits, "0-7" or "23". Return the remaining bits. */
static uint64_t
set_bits(uint64_t *config, struct span range, uint64_t value)
{
    uint64_t first = 0, last;
    num_u64(span_take(&range, '-'), &first);
    last = first;
    num_u64(range, &last);
    for (; first <= last && first < 64; first++, value >>= 1)
        *config = (*config & ~((uint64_t)1 << first)) | (value & 1) << first;
    return value;
}

static uint64_t *
config_of(struct event *e, struct span name)
{
    return span_eq(name, SPAN("config"))    ? &e->config
           : span_eq(name, SPAN("config1")) ? &e->config1
           : span_eq(name, SPAN("config2")) ? &e->config2
                                            : NULL;
}

static bool
parse_number(struct span text, uint64_t *value)
{
    return span_starts(text, SPAN("0x")) ? num_hex(text, value) : num_u64(text, value);
}

/* Set a field. `format` is the contents of its file, "config:0-7,32-35". */
static const char *
set_field(const struct device *d, struct span field, struct span format, uint64_t value)
{
    uint64_t *config = config_of(d->event, span_take(&format, ':'));
    uint64_t left = value;
    if (config == NULL)
        return message(d->arena,
                       "the field '%.*s' belongs to a part of the event that is not known",
                       SPAN_ARG(field));
    while (format.len > 0)
        left = set_bits(config, span_take(&format, ','), left);
    if (left != 0)
        return message(d->arena, "0x%llx does not fit the field '%.*s'", (unsigned long long)value,
                       SPAN_ARG(field));
    return NULL;
}

/* Skip files beside a device's events that contain their unit or factor: "energy-pkg.scale". */
static int
is_name(const struct dirent *entry)
{
    return strchr(entry->d_name, '.') == NULL;
}

static void
offer_folder(struct similar *n, const struct device *d, const char *folder)
{
    DIR *dir = opendir(path_of(d, folder, SPAN("")));
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        if (is_name(entry))
            similar_offer(n, span_cstr(entry->d_name));
    if (dir != NULL)
        closedir(dir);
}

static const char *
unknown_term(const struct device *d, struct span term)
{
    struct similar n;
    struct text near = {0};
    similar_start(&n, term, d->arena);
    offer_folder(&n, d, "events/");
    offer_folder(&n, d, "format/");
    similar_explain(&n, &near);
    const char *text = message(d->arena, "the device '%.*s' has no event or field '%.*s'%.*s",
                               SPAN_ARG(d->name), SPAN_ARG(term), SPAN_ARG(text_span(&near)));
    free(near.ptr);
    return text;
}

/* Parse a term: "umask=0x10", "any", "config=0x13c", "period=1000". */
static const char *
apply_field(const struct device *d, struct span term)
{
    struct span value = term, field = span_take(&value, '='), format;
    uint64_t number = 1;
    if (field.len < term.len && !parse_number(value, &number))
        return message(d->arena, "'%.*s' needs a number after the '='", SPAN_ARG(field));
    if (config_of(d->event, field) != NULL)
        *config_of(d->event, field) = number;
    else if (span_eq(field, SPAN("period")))
        d->event->period = number;
    else if (field.len > 0 && read_entry(d, "format/", field, &format))
        return set_field(d, field, format, number);
    else
        return unknown_term(d, field);
    return NULL;
}

static const char *
apply_term(const struct device *d, struct span term)
{
    struct span fields;
    const char *wrong = NULL;
    if (term.len == 0 || !read_entry(d, "events/", term, &fields))
        return apply_field(d, term);
    while (fields.len > 0 && wrong == NULL)
        wrong = apply_field(d, span_take(&fields, ','));
    return wrong;
}

const char *
device_event(const char *devices, struct span device, struct span terms, struct event *e,
             struct arena *a)
{
    struct device d = {devices, device, e, a};
    struct span type;
    uint64_t number;
    const char *wrong = NULL;
    errno = 0;
    if (!read_entry(&d, "", SPAN("type"), &type) || !num_u64(type, &number))
        return message(a, "%s: %s", path_of(&d, "", SPAN("type")),
                       errno != 0 ? strerror(errno) : "not a number");
    e->type = (uint32_t)number;
    do
        wrong = apply_term(&d, span_take(&terms, ','));
    while (wrong == NULL && terms.len > 0);
    return wrong;
}

/* Return the sorted entries of a directory; none if it cannot be read. The caller frees each entry
 * and the array. */
static int
entries_of(const char *path, struct dirent ***entries)
{
    int count = scandir(path, entries, is_name, alphasort);
    if (count < 0 && errno == ENOMEM)
        mem_exhausted();
    return count;
}

static void
each_of_device(const struct device *d, void (*f)(void *ctx, struct span name), void *ctx)
{
    struct dirent **entries;
    int count = entries_of(path_of(d, "events", SPAN("")), &entries);
    for (int i = 0; i < count; i++) {
        f(ctx, span_cstr(message(d->arena, "%.*s/%s/", SPAN_ARG(d->name), entries[i]->d_name)));
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

void
device_each(const char *devices, void (*f)(void *ctx, struct span name), void *ctx)
{
    struct arena arena = {0};
    struct dirent **entries;
    int count = entries_of(devices, &entries);
    for (int i = 0; i < count; i++) {
        struct device d = {devices, span_cstr(entries[i]->d_name), NULL, &arena};
        each_of_device(&d, f, ctx);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    arena_free(&arena);
}
