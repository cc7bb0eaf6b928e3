#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "common/base/hash.h"
#include "common/base/json.h"

enum { BLOCK = 256 * 1024 };

static int
file_of(size_t blanks, const uint8_t *data, size_t size)
{
    static char blank[BLOCK];
    memset(blank, ' ', sizeof blank);
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, blank, blanks) == (ssize_t)blanks);
    MUST(write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

static uint64_t
mix(uint64_t h, uint64_t v)
{
    return hash_number(h ^ v, hash_key());
}

static uint64_t
mix_double(uint64_t h, double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return mix(h, bits);
}

/* A hash of all items, after checking each. */
static uint64_t
read_items(struct json *j, size_t size)
{
    uint64_t h = 0;
    size_t depth = 0, n = 0;
    do {
        enum json_item item = json_next(j);
        struct decimal d;
        double real;
        MUST(++n <= size + 1);
        h = mix(h, item);
        depth += item == JSON_OBJECT || item == JSON_ARRAY;
        depth -= item == JSON_OBJECT_END || item == JSON_ARRAY_END;
        MUST(j->depth == depth);
        if (item == JSON_KEY || item == JSON_STRING || item == JSON_NUMBER) {
            MUST(j->text.len <= size);
            h = mix(h, hash_bytes(j->text, hash_key()));
        }
        if (json_decimal(j, 6, &d))
            h = mix(mix(h, d.whole), d.fraction);
        if (json_double(j, &real))
            h = mix_double(h, real);
    } while (j->item != JSON_END && j->item != JSON_ERROR);
    MUST(j->item == JSON_ERROR || depth == 0);
    MUST((j->item == JSON_ERROR) == (j->why[0] != '\0'));
    return h;
}

/* The items of text in memory are those of a file, with strings as they are written, and all that is
 * kept lies in the text. */
static void
read_both(struct json *j, const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size);
    struct text decoded = {0};
    struct json written;
    json_start_text(&written, text);
    for (;;) {
        enum json_item item = json_next(j), other = json_next(&written);
        if (item == JSON_ERROR)
            break;
        MUST(item == other);
        if (item == JSON_END)
            break;
        if (item == JSON_STRING || item == JSON_KEY || item == JSON_NUMBER)
            MUST(fuzz_inside(written.text, text));
        if (item == JSON_STRING)
            MUST(json_decode(&decoded, json_raw(&written)) &&
                 span_eq(text_span(&decoded), j->text));
        if (item == JSON_NUMBER)
            MUST(span_eq(json_raw(&written), j->text));
    }
    free(decoded.ptr);
}

/* Each value that is taken out of the text lies in it, after the one before. */
static void
take_values(const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size);
    struct json j;
    const char *end = text.ptr;
    json_start_text(&j, text);
    enum json_item first = json_next(&j);
    if (first != JSON_OBJECT && first != JSON_ARRAY)
        return;
    while (first == JSON_OBJECT ? json_member(&j) : json_element(&j)) {
        if (first == JSON_OBJECT)
            json_next(&j);
        struct span value = json_raw(&j);
        if (j.item == JSON_ERROR)
            return;
        MUST(fuzz_inside(value, text) && value.len > 0 && value.ptr >= end);
        end = value.ptr + value.len;
    }
}

/* The items are the same wherever in the text a block ends, and a value that is skipped ends where
 * one does that is read. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lines lines = {0};
    struct json j;
    uint64_t first = 0;
    enum json_item last = JSON_END;
    take_values(data, size);
    for (size_t round = 0; round < 5; round++) {
        size_t blanks = round == 1 && size / 2 < BLOCK ? BLOCK - size / 2 : 0;
        int fd = file_of(blanks, data, size);
        lines_start(&lines, fd);
        json_start(&j, &lines);
        if (round == 4) {
            read_both(&j, data, size);
        } else if (round >= 2) {
            j.strict = round == 3;
            json_scalar(&j);
            json_next(&j);
            MUST(j.item == last || (!j.strict && last == JSON_ERROR));
        } else {
            uint64_t h = read_items(&j, size);
            MUST(round == 0 || h == first);
            first = h;
            last = j.item;
        }
        close(fd);
    }
    lines_free(&lines);
    return 0;
}
