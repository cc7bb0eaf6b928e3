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

/* The items are the same wherever in the text a block ends, and a value that is skipped ends where
 * one does that is read. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lines lines = {0};
    struct json j;
    uint64_t first = 0;
    enum json_item last = JSON_END;
    for (size_t round = 0; round < 4; round++) {
        size_t blanks = round == 1 && size / 2 < BLOCK ? BLOCK - size / 2 : 0;
        int fd = file_of(blanks, data, size);
        lines_start(&lines, fd);
        json_start(&j, &lines);
        if (round >= 2) {
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
