#include "tests/fuzz/fuzz.h"

#include "common/sym/procmaps.h"

enum { PIDS = 4, SPACE = 256 };

static struct procmaps p;
static uint32_t wanted[PIDS][SPACE]; /* the offset in the file, plus 1; 0: no map */

static void
add_map(unsigned pid, unsigned start, unsigned len, uint32_t pgoff)
{
    struct procmap map = {.start = start, .len = len, .pgoff = pgoff, .name = SPAN("/bin/a")};
    uint32_t dso = procmaps_map(&p, (int32_t)pid, &map);
    MUST((dso == INTERN_NONE) == (len == 0));
    for (unsigned i = start; i < start + len && i < SPACE; i++)
        wanted[pid][i] = pgoff + i - start + 1;
}

static void
fork_process(unsigned pid, unsigned parent, bool synthesized)
{
    procmaps_fork(&p, (int32_t)pid, (int32_t)parent, (int32_t)pid, (int32_t)parent, synthesized);
    if (pid != parent && synthesized)
        memset(wanted[pid], 0, sizeof wanted[pid]);
    else if (pid != parent)
        memcpy(wanted[pid], wanted[parent], sizeof wanted[pid]);
}

/* Each 3 bytes are a map or a fork; afterwards every address has the map that was added last. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    p = (struct procmaps){0};
    memset(wanted, 0, sizeof wanted);
    for (size_t i = 0; i + 3 <= size; i += 3) {
        unsigned pid = data[i] & (PIDS - 1), parent = data[i + 1] & (PIDS - 1);
        if (data[i] & 0x80)
            fork_process(pid, parent, data[i] & 0x40);
        else
            add_map(pid, data[i + 1], data[i + 2] >> (data[i] >> 2 & 7), (uint32_t)i << 9);
    }
    for (unsigned pid = 0; pid < PIDS; pid++) {
        const struct procspace *space = procmaps_space(&p, (int32_t)pid);
        for (unsigned addr = 0; addr < SPACE; addr++) {
            const struct map *m = procmaps_find(space, addr);
            MUST((m != NULL ? map_address(m, addr) + 1 : 0) == wanted[pid][addr]);
        }
    }
    procmaps_free(&p);
    return 0;
}
