/* CPU profiles of gperftools (CPUPROFILE=file, ProfilerStart), which other programs write too. They
 * are numbers of the machine's size and byte order, and then text:
 *
 *     0 3 0 10000 0            a header of 3 more numbers: the version, the period in microseconds
 *     2 3 0x40115a 0x40117d 0x4011ec    2 samples of a stack of 3 addresses, leaf first
 *     ...
 *     0 1 0                    the end
 *     00401000-00402000 r-xp 00001000 fe:00 291102     /srv/app       /proc/self/maps
 *
 * https://gperftools.github.io/gperftools/cpuprofile-fileformat.html */
#include "cmd/stackcollapse/shared/addresses.h"

struct gperftools {
    struct stacker base;
    struct addresses addresses;
    struct span rest; /* what is not read yet */
    size_t size;      /* bytes of a number: 4 or 8 */
    bool big;         /* big-endian */
    uint64_t period;
};

/* Read a number. Return false, and consume nothing, if the rest is too short. */
static bool
take_number(struct gperftools *f, uint64_t *number)
{
    if (f->rest.len < f->size)
        return false;
    *number = 0;
    for (size_t i = 0; i < f->size; i++) {
        size_t at = f->big ? i : f->size - 1 - i;
        *number = *number << 8 | (unsigned char)f->rest.ptr[at];
    }
    f->rest = span_from(f->rest, f->size);
    return true;
}

/* Read the header. Set the size and byte order of numbers. */
static bool
take_header(struct gperftools *f, struct span head)
{
    enum { COUNT, MORE, FORMAT_VERSION, PERIOD, PADDING, HEADER };
    for (int way = 0; way < 4; way++) {
        uint64_t n[HEADER] = {0};
        size_t i = 0;
        f->rest = head;
        f->size = way < 2 ? 8 : 4;
        f->big = way % 2 == 1;
        while (i < HEADER && take_number(f, &n[i]))
            i++;
        f->period = n[PERIOD];
        if (i == HEADER && n[COUNT] == 0 && n[MORE] == 3 && n[FORMAT_VERSION] == 0 &&
            n[PERIOD] > 0 && n[PERIOD] < UINT32_MAX && n[PADDING] == 0)
            return true;
    }
    return false;
}

static bool
is_gperftools(struct span head)
{
    if (!span_starts(head, SPAN("\0\0\0\0"))) /* the struct is large, and every file is tested */
        return false;
    struct gperftools f = {.size = 0};
    return take_header(&f, head);
}

/* Read the count and the depth of a stack. */
static bool
take_start(struct gperftools *f, uint64_t *count, uint64_t *depth)
{
    struct span rest = f->rest;
    if (take_number(f, count) && take_number(f, depth) && *depth <= f->rest.len / f->size)
        return true;
    f->rest = rest;
    return false;
}

/* Return true if such a stack marks the end. */
static bool
is_end(struct gperftools *f, uint64_t count, uint64_t depth)
{
    struct span rest = f->rest;
    uint64_t address;
    bool end = count == 0 && depth == 1 && take_number(f, &address) && address == 0;
    f->rest = end ? f->rest : rest;
    return end;
}

/* Read the maps, which come after the stacks, and return to the first stack. Return false if the
 * stacks have no end, and so no maps after them. */
static bool
take_maps(struct gperftools *f)
{
    struct span stacks = f->rest;
    uint64_t count, depth;
    bool end = false;
    while (!end && take_start(f, &count, &depth)) {
        end = is_end(f, count, depth);
        if (!end)
            f->rest = span_from(f->rest, (size_t)depth * f->size);
    }
    while (end && f->rest.len > 0)
        addresses_map(&f->addresses, span_take(&f->rest, '\n'));
    f->rest = stacks;
    return end;
}

/* Return true for a function that takes samples in a signal handler. If the library does not leave
 * these out, they come between the leaf and its caller. */
static bool
is_handler(struct span function)
{
    static const struct span names[] = {
        SPAN("ProfileData::Add"), SPAN("ProfileHandler::SignalHandler"),
        SPAN("CpuProfiler::prof_handler"), SPAN("__restore_rt"), SPAN("__pthread_sighandler")};
    return span_eq_any(function, names, sizeof names / sizeof *names);
}

/* Read the addresses of a stack, and push their frames, leaf first. */
static void
push_stack(struct gperftools *f, uint64_t depth)
{
    enum { HANDLERS = 8 };
    struct stacker *b = &f->base;
    uint64_t leaf = 0, address = 0;
    size_t leaf_frames = 0;
    for (uint64_t i = 0; i < depth && take_number(f, &address); i++) {
        bool again = i == 1 && address == leaf; /* a leaf from both the signal and the stack */
        leaf = i == 0 ? address : leaf;
        leaf_frames = i == 1 ? b->n : leaf_frames;
        if (i > 0 && i < HANDLERS && is_handler(addresses_symbol(&f->addresses, address, true)))
            b->n = leaf_frames;
        else if (!again)
            addresses_push(&f->addresses, b, address, i > 0);
    }
}

static void
fold(struct stacker *r)
{
    struct gperftools *f = (struct gperftools *)r;
    struct span all = lines_ahead(&r->c->input.lines, SIZE_MAX);
    const struct options *o = r->c->options;
    uint64_t count, depth;
    if (!take_header(f, all)) {
        diag_error(r->c->diag, stacker_file(r), "this is no CPU profile of gperftools");
        return;
    }
    addresses_begin(&f->addresses, r->c);
    uint64_t period = o->weight_given && o->weight == WEIGHT_PERIOD ? f->period : 1;
    bool whole = take_maps(f);
    while (take_start(f, &count, &depth) && !is_end(f, count, depth)) {
        push_stack(f, depth);
        if (depth == 0)
            stacker_add_empty(r, 1);
        count = count <= UINT64_MAX / period ? count * period : UINT64_MAX;
        stacker_emit(r, LEAF_FIRST, (struct decimal){count, 0});
    }
    if (!whole)
        diag_error(r->c->diag, stacker_file(r),
                   "at byte %zu: the profile is cut, and its memory maps are missing: end the "
                   "program by exit(3), or call ProfilerStop()",
                   all.len - f->rest.len);
}

static void
end(struct stacker *r)
{
    addresses_end(&((struct gperftools *)r)->addresses);
}

const struct format format_gperftools = {.is_binary = is_gperftools,
                                         .fold = fold,
                                         .per_file = true,
                                         .state_size = sizeof(struct gperftools),
                                         .end = end};
