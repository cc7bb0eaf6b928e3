#include "common/machine/probearg.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/num.h"
#include "common/machine/message.h"
#include "common/machine/similar.h"

/* Limits of the kernel: MAX_TRACE_ARGS, MAX_ARGSTR_LEN and MAX_ARG_NAME_LEN (31 bytes, of which
 * four are kept for "_128") in kernel/trace/trace_probe.h. */
enum { ARGUMENTS_MAX = 128, FETCH_MAX = 63, NAME_MAX_LEN = 27 };

/* The kernel's names of registers by DWARF's numbers: regs_query_register_offset() in the Linux
 * source, and the psABI of x86-64. */
static const char *const registers[] = {"ax", "dx", "cx",  "bx",  "si",  "di",  "bp",  "sp",
                                        "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"};

static bool
add_register(struct text *out, unsigned machine, uint64_t number)
{
    char name[8];
    const uint64_t arm_sp = 31;
    if (machine == EM_X86_64 && number < sizeof registers / sizeof *registers)
        snprintf(name, sizeof name, "%s", registers[number]);
    else if (machine == EM_AARCH64 && number < arm_sp)
        snprintf(name, sizeof name, "x%u", (unsigned)number);
    else if (machine == EM_AARCH64 && number == arm_sp)
        snprintf(name, sizeof name, "sp");
    else
        return false;
    TEXT_ADD(out, SPAN("%"), span_cstr(name));
    return true;
}

/* A value on the way from a variable to a member. */
struct fetched {
    const struct probearg_site *site;
    struct arena *arena;
    struct span whole; /* the argument, for messages */
    struct span name;  /* of the variable or member: it becomes the name of the argument */
    struct type type;
    const struct die_value *location;
    uint64_t part; /* offset in the variable, before its place is known */
    bool placed;
    struct varplace place;
    uint64_t in_register;    /* offset in a register that holds several members */
    struct type_member bits; /* of the last member, if it is a bit field */
};

/* Find the place of what was named so far. */
static const char *
settle(struct fetched *f)
{
    if (f->placed)
        return NULL;
    uint64_t rest;
    const char *wrong = varplace_find(&f->place, f->location, f->part, &rest, &f->site->frame);
    f->placed = true;
    if (wrong != NULL)
        return message(f->arena, "'%.*s' %s", SPAN_ARG(f->name), wrong);
    if (f->place.hops > 0)
        f->place.offsets[f->place.hops - 1] += (int64_t)rest;
    else
        f->in_register = rest;
    return NULL;
}

/* Go to where the value points. */
static const char *
load(struct fetched *f, int64_t offset)
{
    const char *wrong = settle(f);
    if (wrong != NULL)
        return wrong;
    if (f->in_register > 0)
        return message(f->arena, "'%.*s' is in a part of a register", SPAN_ARG(f->name));
    if (!varplace_load(&f->place, offset))
        return message(f->arena, "'%.*s' has too many steps", SPAN_ARG(f->whole));
    f->bits.bits = 0;
    return NULL;
}

static const char *
follow_reference(struct fetched *f)
{
    if (f->type.kind != TYPE_REFERENCE)
        return NULL;
    struct type target;
    type_target(&target, f->site->dwarf, &f->type);
    f->type = target;
    return load(f, 0);
}

static void
offer(void *ctx, struct span name)
{
    similar_offer(ctx, name);
}

static const char *
no_member(const struct fetched *f, struct span name)
{
    struct similar s;
    struct text text = {0};
    similar_start(&s, name, f->arena);
    type_each_member(f->site->dwarf, &f->type, offer, &s);
    similar_explain(&s, &text);
    const char *wrong = message(f->arena, "'%.*s' has no member '%.*s'%.*s", SPAN_ARG(f->name),
                                SPAN_ARG(name), SPAN_ARG(text_span(&text)));
    free(text.ptr);
    return wrong;
}

static const char *
go_to_member(struct fetched *f, struct span name)
{
    struct type_member m;
    if (f->type.kind != TYPE_STRUCT)
        return message(f->arena, "'%.*s' is no struct, so it has no member '%.*s'%s",
                       SPAN_ARG(f->name), SPAN_ARG(name),
                       f->type.kind == TYPE_POINTER ? ": it is a pointer, write '->'" : "");
    if (!type_member(&m, f->site->dwarf, &f->type, name))
        return no_member(f, name);
    if (!f->placed)
        f->part += m.offset;
    else if (f->place.hops > 0)
        f->place.offsets[f->place.hops - 1] += (int64_t)m.offset;
    else
        f->in_register += m.offset;
    f->bits = m;
    type_find(&f->type, f->site->dwarf, &m.type);
    f->name = name;
    return NULL;
}

static const char *
go_to_pointed_member(struct fetched *f, struct span name)
{
    struct type target;
    const char *wrong = follow_reference(f);
    if (wrong != NULL)
        return wrong;
    if (f->type.kind != TYPE_POINTER)
        return message(f->arena, "'%.*s' is no pointer%s", SPAN_ARG(f->name),
                       f->type.kind == TYPE_STRUCT ? ": write '.'" : "");
    type_target(&target, f->site->dwarf, &f->type);
    wrong = load(f, 0);
    f->type = target;
    return wrong != NULL ? wrong : go_to_member(f, name);
}

static const char *
go_to_element(struct fetched *f, uint64_t index)
{
    struct type target;
    const char *wrong = follow_reference(f);
    if (wrong != NULL)
        return wrong;
    if (f->type.kind != TYPE_POINTER && f->type.kind != TYPE_ARRAY)
        return message(f->arena, "'%.*s' is neither a pointer nor an array", SPAN_ARG(f->name));
    type_target(&target, f->site->dwarf, &f->type);
    if (target.size == 0 || target.size > INT32_MAX || index > INT32_MAX)
        return message(f->arena, "the size of the elements of '%.*s' is not known",
                       SPAN_ARG(f->name));
    uint64_t offset = index * target.size;
    if (f->type.kind == TYPE_POINTER)
        wrong = load(f, (int64_t)offset);
    else if (!f->placed)
        f->part += offset;
    else if (f->place.hops > 0)
        f->place.offsets[f->place.hops - 1] += (int64_t)offset;
    else
        f->in_register += offset;
    f->type = target;
    return wrong;
}

/* Follow the steps ".member", "->member" and "[2]", and remove them from *rest. */
static const char *
follow_steps(struct fetched *f, struct span *rest)
{
    const char *wrong = NULL;
    uint64_t index;
    while (wrong == NULL && rest->len > 0) {
        if (span_skip(rest, SPAN("->"))) {
            wrong = go_to_pointed_member(f, span_take_run(rest, is_word));
        } else if (span_skip(rest, SPAN("."))) {
            struct span name = span_take_run(rest, is_word);
            wrong = follow_reference(f);
            wrong = wrong != NULL ? wrong : go_to_member(f, name);
        } else if (span_skip(rest, SPAN("["))) {
            if (!num_u64(span_take_run(rest, is_digit), &index) || !span_skip(rest, SPAN("]")))
                return message(f->arena, "'%.*s': a number and ']' must follow '['",
                               SPAN_ARG(f->whole));
            wrong = go_to_element(f, index);
        } else {
            break;
        }
    }
    return wrong;
}

/* Types */

/* Return true for u, s or x, or for these with a number of bits, and set *bits; 0: none. */
static bool
is_number_type(struct span type, uint64_t *bits)
{
    *bits = 0;
    return type.len > 0 && strchr("usx", type.ptr[0]) != NULL &&
           (type.len == 1 || (num_u64(span_from(type, 1), bits) &&
                              (*bits == 8 || *bits == 16 || *bits == 32 || *bits == 64)));
}

static const char *
no_number(const struct fetched *f)
{
    const char *name = arena_cstr(f->arena, f->name);
    switch (f->type.kind) {
    case TYPE_STRUCT:
        return message(f->arena, "'%s' is a struct: name a member of it", name);
    case TYPE_ARRAY:
        return message(f->arena,
                       "'%s' is an array: name an element, as in '%s[0]', or if it is "
                       "text, '%s:string'",
                       name, name, name);
    default:
        return message(f->arena, "'%s' has no type that the kernel can print", name);
    }
}

/* Append the kernel's type of a string, and go to its first byte. */
static const char *
add_string(struct fetched *f, struct span type, struct text *out)
{
    const char *wrong = NULL;
    if (f->type.kind == TYPE_POINTER)
        wrong = load(f, 0);
    else if (f->type.kind != TYPE_ARRAY || f->place.hops == 0)
        return message(f->arena, "'%.*s' is neither a pointer nor an array, so it is no string",
                       SPAN_ARG(f->name));
    text_add(out, type);
    return wrong;
}

/* Append the kernel's type: that which the user wants, or else the one of the debug information. */
static const char *
add_type(struct fetched *f, struct span wanted, struct text *out)
{
    uint64_t bits, size = f->type.size;
    char text[64];
    if (span_eq(wanted, SPAN("string")) || span_eq(wanted, SPAN("ustring")))
        return add_string(f, wanted, out);
    if (wanted.len > 0 && !is_number_type(wanted, &bits))
        return message(f->arena,
                       "the type '%.*s' is not known: u8, s8, x8 and so on up to 64 bits, "
                       "u, s, x, string and ustring are",
                       SPAN_ARG(wanted));
    char letter = wanted.len > 0                  ? wanted.ptr[0]
                  : f->type.kind == TYPE_SIGNED   ? 's'
                  : f->type.kind == TYPE_UNSIGNED ? 'u'
                                                  : 'x';
    if (wanted.len > 1)
        size = bits / 8;
    else if (f->type.kind == TYPE_NONE || f->type.kind >= TYPE_ARRAY)
        return no_number(f);
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return no_number(f);
    if (f->bits.bits > 0 && wanted.len <= 1)
        snprintf(text, sizeof text, "b%u@%u/%u", (unsigned)f->bits.bits,
                 (unsigned)(f->bits.bit + 8 * f->in_register),
                 (unsigned)(f->place.hops > 0 ? 8 * f->bits.container : 64));
    else if (f->in_register > 0 || (f->place.bits > 0 && f->place.bits < 8 * size))
        snprintf(text, sizeof text, "b%u@%u/64",
                 f->place.bits > 0 && f->place.bits < 8 * size ? f->place.bits
                                                               : (unsigned)(8 * size),
                 (unsigned)(8 * f->in_register));
    else
        snprintf(text, sizeof text, "%c%u", letter, (unsigned)(8 * size));
    if (f->in_register > 8 - size)
        return message(f->arena, "'%.*s' is in a register that the kernel does not read",
                       SPAN_ARG(f->name));
    text_add(out, span_cstr(text));
    return NULL;
}

/* Places */

/* Append "+8(+0(%di))". */
static const char *
add_place(const struct fetched *f, struct text *out)
{
    const struct varplace *p = &f->place;
    char number[32];
    bool is_static = p->base == VARPLACE_STATIC;
    if (is_static && p->hops == 0)
        return message(f->arena,
                       "'%.*s' is an address that the kernel does not compute: if it is that of a "
                       "text, write '%.*s:string'",
                       SPAN_ARG(f->name), SPAN_ARG(f->name));
    for (size_t i = p->hops; i > (is_static ? 1 : 0); i--) {
        snprintf(number, sizeof number, "%+lld(", (long long)p->offsets[i - 1]);
        text_add(out, span_cstr(number));
    }
    if (p->base == VARPLACE_RETURN)
        text_add(out, SPAN("$retval"));
    else if (p->base == VARPLACE_REGISTER && !add_register(out, f->site->machine, p->number))
        return message(f->arena, "'%.*s' is in a register that the kernel does not read",
                       SPAN_ARG(f->name));
    if (is_static) {
        if ((uint64_t)p->offsets[0] < f->site->bias)
            return message(f->arena, "'%.*s' is in memory that the kernel does not find",
                           SPAN_ARG(f->name));
        snprintf(number, sizeof number, "@+0x%llx",
                 (unsigned long long)((uint64_t)p->offsets[0] - f->site->bias));
        text_add(out, span_cstr(number));
    } else if (p->base == VARPLACE_CONSTANT) {
        snprintf(number, sizeof number, "\\%lld", (long long)p->number);
        text_add(out, span_cstr(number));
    }
    for (size_t i = is_static ? 1 : 0; i < p->hops; i++)
        text_add(out, SPAN(")"));
    return NULL;
}

/* Arguments */

static const char *
no_variable(const struct fetched *f, struct span name)
{
    struct similar s;
    struct text text = {0};
    similar_start(&s, name, f->arena);
    for (size_t i = 0; i < f->site->scope->count; i++)
        similar_offer(&s, die_text(&f->site->scope->list[i].die, f->site->dwarf, DIE_NAME));
    similar_explain(&s, &text);
    if (s.count == 0)
        text_add(&text, SPAN("; --list-vars prints the variables"));
    const char *wrong = message(f->arena, "there is no variable '%.*s'%.*s", SPAN_ARG(name),
                                SPAN_ARG(text_span(&text)));
    free(text.ptr);
    return wrong;
}

/* Start with a variable. */
static const char *
start_variable(struct fetched *f, const struct variable *v)
{
    const struct die_value *constant = &v->die.values[DIE_CONSTANT];
    f->location = &v->die.values[DIE_LOCATION];
    type_find(&f->type, f->site->dwarf, &v->die.values[DIE_TYPE]);
    if (f->location->v.form == 0 && value_is_constant(&constant->v)) {
        f->place = (struct varplace){.base = VARPLACE_CONSTANT, .number = constant->v.number};
        f->placed = true;
    }
    return NULL;
}

static const char *
start_return(struct fetched *f)
{
    const struct probearg_site *s = f->site;
    if (!s->returns)
        return "$retval is known when the function has returned: write %return after its name";
    type_find(&f->type, s->dwarf, &s->scope->function.values[DIE_TYPE]);
    if (f->type.kind == TYPE_NONE)
        return "the function returns nothing";
    if (f->type.kind == TYPE_STRUCT || f->type.kind == TYPE_FLOAT || f->type.kind == TYPE_ARRAY)
        return "the function does not return a number or pointer, so there is no $retval";
    f->place = (struct varplace){.base = VARPLACE_RETURN};
    f->placed = true;
    return NULL;
}

static const char *
start(struct fetched *f, struct span *rest)
{
    if (span_skip(rest, SPAN("$retval"))) {
        f->name = SPAN("retval");
        return start_return(f);
    }
    f->name = span_take_run(rest, is_word);
    if (f->name.len == 0)
        return message(f->arena, "'%.*s' is not the name of a variable", SPAN_ARG(f->whole));
    if (f->site->returns)
        return message(f->arena,
                       "'%.*s' is not known when the function has returned: only $retval is",
                       SPAN_ARG(f->name));
    const struct variable *v = scope_variable(f->site->scope, f->site->dwarf, f->name);
    return v != NULL ? start_variable(f, v) : no_variable(f, f->name);
}

static bool
has_name(const struct probeargs *p, struct span name)
{
    for (struct span rest = text_span(&p->names); rest.len > 0;)
        if (span_eq(span_take(&rest, ' '), name))
            return true;
    return false;
}

/* Return a name of letters, digits and underscores, which no other argument has. */
static struct span
make_name(struct probeargs *p, struct span wanted, struct arena *a)
{
    struct span name =
        arena_copy(a, span_head(wanted, wanted.len < NAME_MAX_LEN ? wanted.len : NAME_MAX_LEN));
    struct span made = name;
    if (name.len > 0 && is_digit(name.ptr[0])) /* the members of tuples in Rust */
        made = name = span_cstr(message(a, "_%.*s", SPAN_ARG(name)));
    for (unsigned n = 2; has_name(p, made); n++)
        made = span_cstr(message(a, "%.*s_%u", SPAN_ARG(name), n));
    TEXT_ADD(&p->names, made, SPAN(" "));
    return made;
}

/* Append an argument, after its variable was found and its steps were followed. */
static const char *
finish(struct probeargs *p, struct fetched *f, struct span name, struct span type)
{
    struct text kernel_type = {0}, fetch = {0};
    const char *wrong = follow_reference(f);
    wrong = wrong != NULL ? wrong : settle(f);
    wrong = wrong != NULL ? wrong : add_type(f, type, &kernel_type);
    wrong = wrong != NULL ? wrong : add_place(f, &fetch);
    if (wrong == NULL && fetch.len + kernel_type.len + 1 > FETCH_MAX)
        wrong = message(f->arena, "'%.*s' has too many steps", SPAN_ARG(f->whole));
    if (wrong == NULL) {
        TEXT_ADD(&p->text, SPAN(" "), name, SPAN("="), text_span(&fetch), SPAN(":"),
                 text_span(&kernel_type));
        TEXT_ADD(&p->types, p->count > 0 ? SPAN(" ") : SPAN(""), name, SPAN(":"),
                 text_span(&kernel_type));
        p->count++;
        p->framed |= f->place.framed;
    }
    free(kernel_type.ptr);
    free(fetch.ptr);
    return wrong;
}

/* Return the last name in "r->in.list[3]:x32": it becomes the name of the argument. */
static struct span
last_name(struct span text)
{
    struct span name = SPAN("");
    span_skip(&text, SPAN("$"));
    while (text.len > 0 && text.ptr[0] != ':') {
        struct span word = span_take_run(&text, is_word);
        if (word.len > 0)
            name = word;
        else if (text.ptr[0] == '[')
            span_take(&text, ']');
        else
            text = span_from(text, 1);
    }
    return name;
}

static const char *
add_one(struct probeargs *p, struct span text, const struct probearg_site *site, struct arena *a)
{
    struct fetched f = {.site = site, .arena = a, .whole = text};
    struct span rest = text, name = SPAN(""), type = SPAN("");
    size_t equals = span_find(text, '=');
    if (equals != SPAN_NONE) {
        name = span_head(text, equals);
        rest = span_from(text, equals + 1);
        if (name.len == 0 || name.len > NAME_MAX_LEN || span_run(name, 0, is_word) != name.len)
            return message(a,
                           "'%.*s' cannot be the name of an argument: it has letters, digits and "
                           "'_', at most %d",
                           SPAN_ARG(name), NAME_MAX_LEN);
    }
    name = make_name(p, name.len > 0 ? name : last_name(rest), a);
    const char *wrong = start(&f, &rest);
    wrong = wrong != NULL ? wrong : follow_steps(&f, &rest);
    if (wrong != NULL)
        return wrong;
    if (span_skip(&rest, SPAN(":")) && rest.len > 0)
        type = span_take_run(&rest, is_word);
    if (rest.len > 0)
        return message(a, "'%.*s' is not understood from '%.*s' on", SPAN_ARG(text),
                       SPAN_ARG(rest));
    return finish(p, &f, name, type);
}

/* Append the parameters that can be fetched. */
static const char *
add_parameters(struct probeargs *p, const struct probearg_site *site, struct arena *a)
{
    if (site->returns)
        return "$params are not known when the function has returned: only $retval is";
    for (size_t i = 0; i < site->scope->count && p->count < ARGUMENTS_MAX; i++) {
        const struct variable *v = &site->scope->list[i];
        struct fetched f = {.site = site, .arena = a};
        if (!v->parameter)
            continue;
        f.whole = f.name = arena_copy(a, die_text(&v->die, site->dwarf, DIE_NAME));
        start_variable(&f, v);
        if (span_run(f.name, 0, is_word) == f.name.len)
            finish(p, &f, make_name(p, f.name, a), SPAN(""));
    }
    return NULL;
}

const char *
probeargs_add(struct probeargs *p, struct span one, const struct probearg_site *site,
              struct arena *a)
{
    return p->count == ARGUMENTS_MAX       ? "a probe can have 128 arguments at most"
           : span_eq(one, SPAN("$params")) ? add_parameters(p, site, a)
                                           : add_one(p, one, site, a);
}

const char *
probeargs_try(const struct variable *v, const struct probearg_site *site, bool *framed,
              struct arena *a)
{
    struct fetched f = {.site = site, .arena = a};
    f.whole = f.name = arena_copy(a, die_text(&v->die, site->dwarf, DIE_NAME));
    start_variable(&f, v);
    const char *wrong = settle(&f);
    struct text ignored = {0};
    if (wrong == NULL && f.type.kind == TYPE_POINTER && f.place.base == VARPLACE_STATIC &&
        f.place.hops == 0) /* what it points to can be fetched */
        wrong = load(&f, 0);
    wrong = wrong != NULL ? wrong : add_place(&f, &ignored);
    free(ignored.ptr);
    *framed = f.place.framed;
    return wrong;
}

void
probeargs_free(struct probeargs *p)
{
    free(p->text.ptr);
    free(p->types.ptr);
    free(p->names.ptr);
    *p = (struct probeargs){0};
}
