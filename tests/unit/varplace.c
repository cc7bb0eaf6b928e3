/* Where variables and inlined copies are, from debug information that is made here, whole and
 * hostile. What compilers write is in tests/probes.bats. */
#include "common/dwarf/varplace.h"

#include "common/dwarf/copies.h"
#include "common/dwarf/dw.h"
#include "common/dwarf/scope.h"
#include "common/dwarf/type.h"
#include "tests/unit/makeelf.h"

struct bytes {
    unsigned char at[1024];
    size_t n;
};

static void
put(struct bytes *b, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) /* the tests run on little-endian machines */
        b->at[b->n++] = (unsigned char)(value >> 8 * i);
}

static void
put_all(struct bytes *b, const char *s, size_t n)
{
    memcpy(b->at + b->n, s, n);
    b->n += n;
}

/* The codes of the abbreviations below. */
enum {
    UNIT = 1,
    FUNCTION,
    VARIABLE,
    LISTED,
    TYPEDEF,
    STRUCT,
    NAMELESS,
    ORIGIN,
    COPY,
    ENTERED_COPY,
    OFFSET_COPY,
    PARAMETER,
    NAMESPACE,
    NAMELESS_SPACE,
    LINKED
};

static const char abbreviations[] = "\x01\x11\x01\x11\x01\x12\x07\0\0"         /* low_pc, high_pc */
                                    "\x02\x2e\x01\x11\x01\x12\x07\x40\x18\0\0" /* frame_base */
                                    "\x03\x34\0\x03\x08\x02\x18\0\0"           /* name, location */
                                    "\x04\x34\0\x03\x08\x02\x17\0\0"
                                    "\x05\x16\0\x03\x08\x49\x13\0\0" /* name, type */
                                    "\x06\x13\x01\0\0"               /* its members follow */
                                    "\x07\x0d\0\x49\x13\x38\x0b\0\0" /* type, member_location */
                                    "\x08\x2e\0\x03\x08\0\0"         /* name */
                                    /* abstract_origin, low_pc, high_pc, and entry_pc */
                                    "\x09\x1d\x01\x31\x13\x11\x01\x12\x07\0\0"
                                    "\x0a\x1d\x01\x31\x13\x11\x01\x12\x07\x52\x01\0\0"
                                    "\x0b\x1d\x01\x31\x13\x11\x01\x12\x07\x52\x0b\0\0"
                                    "\x0c\x05\0\x03\x08\x1c\x0b\0\0" /* name, const_value */
                                    "\x0d\x39\x01\x03\x08\0\0"       /* name */
                                    "\x0e\x39\x01\0\0"
                                    "\x0f\x2e\0\x03\x08\x6e\x08\0\0" /* name, linkage_name */
                                    "\0";

/* Begins a unit of version 4 with a function from 0x1000 on, whose frame base is the CFA. */
static void
begin(struct bytes *b)
{
    put(b, 0, 4);
    put(b, 4, 2);
    put(b, 0, 4);
    put(b, 8, 1);
    put(b, UNIT, 1);
    put(b, 0x1000, 8);
    put(b, 0x100, 8);
    put(b, FUNCTION, 1);
    put(b, 0x1000, 8);
    put(b, 0x100, 8);
    put_all(b, "\x01\x9c", 2);
}

struct opened {
    struct makeelf elf;
    struct elffile file;
    struct dwarf_cache cache;
    struct dwarf *dwarf;
    struct scope scope;
};

/* Ends the unit, and opens it with a location list. */
static void
open_unit(struct opened *o, struct bytes *info, const struct bytes *lists)
{
    put(info, 0, 2); /* ends the children of the function and of the unit */
    uint32_t size = (uint32_t)info->n - 4;
    memcpy(info->at, &size, sizeof size);
    *o = (struct opened){.elf = {.is64 = true, .type = ET_EXEC, .machine = EM_X86_64}};
    makeelf_start(&o->elf);
    const Elf64_Shdr section = {.sh_type = SHT_PROGBITS};
    makeelf_section(&o->elf, ".debug_info", section, info->at, info->n);
    makeelf_section(&o->elf, ".debug_abbrev", section, abbreviations, sizeof abbreviations - 1);
    makeelf_section(&o->elf, ".debug_loc", section, lists->at, lists->n);
    o->file = (struct elffile){.content = content_of(makeelf_finish(&o->elf))};
    CHECK(elf_open(&o->file.elf, &o->file.content) == NULL);
    o->dwarf = dwarf_open(&o->file, &o->cache);
    CHECK(o->dwarf != NULL && scope_find(&o->scope, o->dwarf, 0x1010, true));
}

static void
close_unit(struct opened *o)
{
    scope_free(&o->scope);
    dwarf_close(o->dwarf);
    elf_close(&o->file.elf);
}

/* The place of the variable "v" at an address: its base, "r5", "static", "=" and a constant, and
 * the offsets, "r7 +8 +0"; the bits; "framed" if it is complete only after the prologue; or what is
 * wrong. The CFA is register 7 plus 8. */
static struct span
place_at(struct opened *o, uint64_t address, uint64_t part)
{
    static char text[256];
    const struct varplace cfa = {.base = VARPLACE_REGISTER, .number = 7, .offsets = {8}, .hops = 1};
    const struct varplace_frame frame = {address, &cfa, &o->scope.frame};
    const struct variable *v = scope_variable(&o->scope, o->dwarf, SPAN("v"));
    struct varplace p;
    uint64_t rest;
    CHECK(v != NULL);
    const char *wrong = varplace_find(&p, &v->die.values[DIE_LOCATION], part, &rest, &frame);
    if (wrong != NULL)
        return span_cstr(wrong);
    const char *base = p.base == VARPLACE_REGISTER ? "r"
                       : p.base == VARPLACE_STATIC ? "static "
                                                   : "=";
    size_t n = (size_t)snprintf(text, sizeof text, "%s%llu", base, (unsigned long long)p.number);
    for (size_t i = 0; i < p.hops; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " %+lld", (long long)p.offsets[i]);
    if (p.bits > 0)
        n += (size_t)snprintf(text + n, sizeof text - n, " bits %u", p.bits);
    if (rest > 0)
        n += (size_t)snprintf(text + n, sizeof text - n, " rest %llu", (unsigned long long)rest);
    if (p.framed)
        n += (size_t)snprintf(text + n, sizeof text - n, " framed");
    return span_of(text, n);
}

/* Checks the place of a variable with an expression of n bytes. */
static void
check_place(const char *expression, size_t n, uint64_t part, const char *wanted)
{
    struct opened o;
    struct bytes b = {.n = 0}, lists = {.n = 0};
    begin(&b);
    put(&b, VARIABLE, 1);
    put_all(&b, "v", 2);
    put(&b, n, 1);
    put_all(&b, expression, n);
    open_unit(&o, &b, &lists);
    CHECK_TEXT(place_at(&o, 0x1010, part), wanted);
    close_unit(&o);
}

#define PLACE(expression, wanted)      check_place(expression, sizeof expression - 1, 0, wanted)
#define PART(expression, part, wanted) check_place(expression, sizeof expression - 1, part, wanted)
#define COMPUTED                       "is computed there in a way that the kernel cannot follow"
#define OPTIMIZED_OUT                  "was optimized out there"

TEST("a variable is in a register, in memory, in the frame, at an address, or a constant")
{
    PLACE("\x55", "r5");
    PLACE("\x90\x13", "r19");
    PLACE("\x75\x08", "r5 +8");
    PLACE("\x92\x05\x78", "r5 -8");
    PLACE("\x91\x6c", "r7 -12 framed");
    PLACE("\x91\x08", "r7 +16"); /* the caller has stored it */
    PLACE("\x75\x08\x06\x23\x04", "r5 +8 +4");
    PLACE("\x03\x10\x20\0\0\0\0\0\0", "static 0 +8208");
    PLACE("\x03\x10\x20\0\0\0\0\0\0\x9f", "static 0"); /* the address itself */
    PLACE("\x31\x9f", "=1");
    PLACE("\x09\xff\x9f", "=18446744073709551615");
    PLACE("\x9e\x02\x01\x02", "=513");
    PLACE("\x75\0\x9f", "r5");
    PLACE("\x75\0\x08\xff\x1a\x31\x1a\x9f", "r5 bits 1");
    PLACE("\x75\x08\x34\x1c", "r5 +4");
}

TEST("a part of a variable is in the piece that has it")
{
    PART("\x55\x93\x08\x54\x93\x08", 0, "r5");
    PART("\x55\x93\x08\x54\x93\x08", 8, "r4");
    PART("\x55\x93\x08\x54\x93\x08", 12, "r4 rest 4");
    PART("\x55\x93\x08\x93\x08", 8, OPTIMIZED_OUT);
    PART("\x55\x93\x08", 8, OPTIMIZED_OUT);
    PART("\x75\x08", 4, "r5 +8 rest 4");
}

TEST("what the kernel cannot compute is refused, and so are expressions that are cut or unknown")
{
    PLACE("\x75\x08\x9f", COMPUTED);
    PLACE("\x75\0\x76\0\x22", COMPUTED);
    PLACE("\x75\0\x36\x1a\x9f", COMPUTED); /* not the lowest bits */
    PLACE("\x75\0\x31\x1a", COMPUTED);
    PLACE("\x75\0\x31", COMPUTED);
    PLACE("\x75\0\x1a", COMPUTED);
    PLACE("\xa3\x01\x55\x9f", OPTIMIZED_OUT); /* DW_OP_entry_value */
    PLACE("\xff", COMPUTED);
    PLACE("\x03\x10", COMPUTED);
    PLACE("\x75\x80", COMPUTED);
    PLACE("\x06", COMPUTED);
    PLACE("\x23\x01", COMPUTED);
    PLACE("\x9f", COMPUTED);
    PLACE("\x75\0\x06\x06\x06\x06\x06\x06\x06\x06\x06", COMPUTED); /* more than VARPLACE_HOPS */
    PLACE("\x55\x93\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "r5");
    PLACE("", OPTIMIZED_OUT);
}

TEST("the place of a variable is that of the list at the address")
{
    struct opened o;
    struct bytes b = {.n = 0}, lists = {.n = 0};
    begin(&b);
    put(&b, LISTED, 1);
    put_all(&b, "v", 2);
    put(&b, 0, 4);
    put(&lists, 0, 8); /* from the unit's DW_AT_low_pc on */
    put(&lists, 0x10, 8);
    put_all(&lists, "\x01\0\x55", 3);
    put(&lists, UINT64_MAX, 8);
    put(&lists, 0x2000, 8); /* the new base */
    put(&lists, 0x20, 8);
    put(&lists, 0x30, 8);
    put_all(&lists, "\x02\0\x91\x6c", 4);
    put(&lists, 0, 8);
    put(&lists, 0, 8);
    open_unit(&o, &b, &lists);
    CHECK_TEXT(place_at(&o, 0x1000, 0), "r5");
    CHECK_TEXT(place_at(&o, 0x100f, 0), "r5");
    CHECK_TEXT(place_at(&o, 0x1010, 0), OPTIMIZED_OUT);
    CHECK_TEXT(place_at(&o, 0x2020, 0), "r7 -12");
    close_unit(&o);
}

TEST("types and members that contain themselves end, and have no size")
{
    struct opened o;
    struct bytes b = {.n = 0}, lists = {.n = 0};
    struct type t;
    struct type_member m;
    struct text name = {0};
    begin(&b);
    uint64_t typedefs = b.n;
    put(&b, TYPEDEF, 1);
    put_all(&b, "t", 2);
    put(&b, typedefs, 4);
    uint64_t structs = b.n;
    put(&b, STRUCT, 1);
    for (int i = 0; i < 3; i++) {
        put(&b, NAMELESS, 1);
        put(&b, structs, 4);
        put(&b, 8, 1);
    }
    put(&b, 0, 1);
    open_unit(&o, &b, &lists);
    struct die_value reference = {{.form = DW_FORM_ref4, .number = typedefs}, o.scope.unit.at};
    type_find(&t, o.dwarf, &reference);
    CHECK(t.kind == TYPE_NONE && t.size == 0);
    type_name(&name, o.dwarf, &reference);
    CHECK_TEXT(text_span(&name), "t");
    free(name.ptr);
    reference.v.number = structs;
    type_find(&t, o.dwarf, &reference);
    CHECK(t.kind == TYPE_STRUCT && !type_member(&m, o.dwarf, &t, SPAN("x")));
    close_unit(&o);
}

/* Adds the function without code that inlined copies refer to. Returns its offset. */
static uint64_t
put_origin(struct bytes *b, const char *name)
{
    uint64_t at = b->n;
    put(b, ORIGIN, 1);
    put_all(b, name, strlen(name) + 1);
    return at;
}

enum { EMPTY = 0x10f0 }; /* the address of a copy without code */

/* Begins an inlined copy of 16 bytes of code. The caller adds the entry_pc, if it has one. */
static void
put_copy(struct bytes *b, int code, uint64_t origin, uint64_t address)
{
    put(b, (uint64_t)code, 1);
    put(b, origin, 4);
    put(b, address, 8);
    put(b, address != EMPTY ? 0x10 : 0, 8);
}

static bool
is_mangled(void *ctx, struct span name)
{
    ++*(int *)ctx;
    return span_eq(name, SPAN("_Z4skipv"));
}

/* The addresses of the copies of a function, "1010 1020", at most so many. */
static struct span
addresses(struct opened *o, const char *name, size_t most)
{
    static char text[256];
    size_t n = 0;
    int asked = 0;
    struct copies c = {0};
    const struct copies_name wanted = {span_cstr(name), is_mangled, &asked};
    copies_find(&c, o->dwarf, &wanted, most);
    for (size_t i = 0; i < c.count; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%llx", i > 0 ? " " : "",
                              (unsigned long long)c.list[i].address);
    for (size_t i = 0; i < c.empty; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " empty");
    copies_free(&c);
    return span_of(text, n);
}

TEST(
    "the first instruction of an inlined copy is its entry_pc, if that is in its code, else low_pc")
{
    struct opened o;
    struct bytes b = {.n = 0}, lists = {.n = 0};
    begin(&b);
    uint64_t skip = put_origin(&b, "skip"), other = put_origin(&b, "other");
    put_copy(&b, COPY, skip, 0x1010);
    put_copy(&b, COPY, skip, 0x1014); /* inlined into itself */
    put(&b, 0, 2);
    put_copy(&b, COPY, other, 0x1020);
    put(&b, 0, 1);
    put_copy(&b, ENTERED_COPY, skip, 0x1030);
    put(&b, 0x1034, 8);
    put(&b, 0, 1);
    put_copy(&b, ENTERED_COPY, skip, 0x1040);
    put(&b, 0x1060, 8); /* in other code */
    put(&b, 0, 1);
    put_copy(&b, OFFSET_COPY, skip, 0x1050);
    put(&b, 8, 1);
    put(&b, 0, 1);
    put_copy(&b, COPY, skip, 0x1010); /* at the address of another one */
    put(&b, 0, 1);
    put_copy(&b, COPY, skip, 0); /* removed by the linker */
    put(&b, 0, 1);
    put_copy(&b, COPY, skip, EMPTY);
    put(&b, 0, 1);
    put_copy(&b, COPY, UINT32_MAX, 0x1070); /* of nothing */
    put(&b, 0, 1);
    put_copy(&b, COPY, b.n, 0x1080); /* of itself */
    put(&b, 0, 1);
    open_unit(&o, &b, &lists);
    CHECK_TEXT(addresses(&o, "skip", SIZE_MAX), "1010 1014 1034 1040 1058 empty");
    CHECK_TEXT(addresses(&o, "skip", 2), "1010 1014");
    CHECK_TEXT(addresses(&o, "ski", SIZE_MAX), "");
    close_unit(&o);
}

TEST("a function without a linkage name has the names of the scopes around its declaration")
{
    struct opened o;
    struct bytes b = {.n = 0}, lists = {.n = 0};
    uint64_t origins[4];
    begin(&b);
    origins[0] = put_origin(&b, "skip");
    put(&b, NAMESPACE, 1);
    put_all(&b, "a", 2);
    origins[1] = put_origin(&b, "skip");
    put(&b, NAMELESS_SPACE, 1);
    origins[2] = put_origin(&b, "skip");
    put(&b, 0, 2);
    put(&b, LINKED, 1);
    put_all(&b, "skip\0_Z4skipv", 14);
    origins[3] = b.n - 15;
    for (size_t i = 0; i < 4; i++) {
        put_copy(&b, COPY, origins[i], 0x1010 + 0x10 * i);
        put(&b, 0, 1);
    }
    open_unit(&o, &b, &lists);
    CHECK_TEXT(addresses(&o, "skip", SIZE_MAX), "1010 1040");
    CHECK_TEXT(addresses(&o, "a::skip", SIZE_MAX), "1020 1040");
    CHECK_TEXT(addresses(&o, "a::(anonymous namespace)::skip", SIZE_MAX), "1030 1040");
    CHECK_TEXT(addresses(&o, "b::skip", SIZE_MAX), "1040");
    close_unit(&o);
}

TEST("the variables of an inlined copy are its own, not those of the function around or of calls "
     "in it")
{
    struct opened o;
    struct bytes b = {.n = 0}, lists = {.n = 0};
    struct copies c = {0};
    int asked = 0;
    begin(&b);
    uint64_t skip = put_origin(&b, "skip"), other = put_origin(&b, "other");
    put(&b, PARAMETER, 1);
    put_all(&b, "v\0\x07", 3);
    put_copy(&b, COPY, skip, 0x1010);
    put(&b, PARAMETER, 1);
    put_all(&b, "v\0\x08", 3);
    put_copy(&b, COPY, other, 0x1010);
    put(&b, PARAMETER, 1);
    put_all(&b, "v\0\x09", 3);
    put(&b, 0, 2);
    open_unit(&o, &b, &lists);
    const struct copies_name wanted = {SPAN("skip"), is_mangled, &asked};
    copies_find(&c, o.dwarf, &wanted, 10);
    CHECK(c.count == 1 && scope_find_copy(&o.scope, o.dwarf, &c.list[0]));
    CHECK(o.scope.count == 1 && o.scope.list[0].parameter);
    CHECK(o.scope.list[0].die.values[DIE_CONSTANT].v.number == 8);
    CHECK_TEXT(die_text(&o.scope.function, o.dwarf, DIE_NAME), "skip");
    CHECK(o.scope.code.tag == DW_TAG_subprogram && o.scope.frame.v.form != 0);
    c.list[0].entry = 0;
    CHECK(!scope_find_copy(&o.scope, o.dwarf, &c.list[0]));
    copies_free(&c);
    close_unit(&o);
}
