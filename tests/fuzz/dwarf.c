#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/nosubprocess.h"

#include "common/dwarf/copies.h"
#include "common/dwarf/scope.h"
#include "common/dwarf/type.h"
#include "common/dwarf/varplace.h"

enum { CALLS_MAX = 64 * 1024 };

static void
check_address(struct dwarf *d, uint64_t address)
{
    const struct dwarf_call *calls;
    size_t n = dwarf_find(d, address, &calls);
    MUST(n <= CALLS_MAX);
    for (size_t i = 0; i < n; i++) {
        MUST(calls[i].function.len <= VIEW_STRING_MAX && calls[i].file.len <= VIEW_STRING_MAX);
        MUST(!span_has(calls[i].function, '\0') && !span_has(calls[i].file, '/'));
    }
}

static void
check_variable(struct dwarf *d, const struct scope *s, const struct variable *v, uint64_t address)
{
    const struct varplace_frame frame = {address, NULL, &s->frame};
    struct varplace place;
    struct type type;
    struct type_member member;
    struct text name = {0};
    uint64_t rest;
    varplace_find(&place, &v->die.values[DIE_LOCATION], 0, &rest, &frame);
    MUST(place.hops <= VARPLACE_HOPS);
    type_find(&type, d, &v->die.values[DIE_TYPE]);
    if (type.kind == TYPE_STRUCT)
        type_member(&member, d, &type, SPAN("x"));
    type_name(&name, d, &v->die.values[DIE_TYPE]);
    free(name.ptr);
}

static void
check_scope(struct dwarf *d, uint64_t address)
{
    struct scope s = {0};
    if (scope_find(&s, d, address, false))
        for (size_t i = 0; i < s.count; i++)
            check_variable(d, &s, &s.list[i], address);
    scope_free(&s);
}

static bool
is_any(void *ctx, struct span name)
{
    return ctx == NULL && name.len <= VIEW_STRING_MAX;
}

static void
check_copies(struct dwarf *d)
{
    enum { MOST = 100 };
    struct copies copies = {0};
    struct scope s = {0};
    const struct copies_name any = {SPAN("inner"), is_any, NULL};
    copies_find(&copies, d, &any, MOST);
    MUST(copies.count <= MOST);
    for (size_t i = 0; i < copies.count; i++)
        if (scope_find_copy(&s, d, &copies.list[i]))
            for (size_t k = 0; k < s.count; k++)
                check_variable(d, &s, &s.list[k], copies.list[i].address);
    scope_free(&s);
    copies_free(&copies);
}

/* The bytes are an ELF file. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct elffile file = {.content = content_of(fuzz_span(data, size))};
    struct dwarf_cache cache = {0};
    if (elf_open(&file.elf, &file.content) != NULL)
        return 0;
    struct dwarf *d = dwarf_open(&file, &cache);
    for (uint64_t at = 0; d != NULL && at < 0x80; at++) {
        check_address(d, 0x4000b0 + at);
        check_address(d, at << 56 | at << 12);
        if (at % 16 == 0)
            check_scope(d, 0x4000b0 + at);
    }
    if (d != NULL)
        check_copies(d);
    dwarf_close(d);
    MUST(cache.used == 0 && cache.newest == NULL && cache.oldest == NULL);
    elf_close(&file.elf);
    return 0;
}
