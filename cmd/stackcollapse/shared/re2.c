/* An expression becomes a program, which is run for all ways to match at once: Thompson, "Regular
 * Expression Search Algorithm", 1968. The expression a(b|c)* is
 *
 *     0  SET a
 *     1  SPLIT 2, 7
 *     2  SPLIT 3, 5
 *     3  SET b
 *     4  JUMP 6
 *     5  SET c
 *     6  JUMP 1
 *     7  MATCH
 *
 * Targets are relative, so that code can be moved. */
#include "cmd/stackcollapse/shared/re2.h"

#include <stdlib.h>

/* Limits, since expressions come from files. pprof's own lists have 2 KB. */
enum { LONGEST = 16 * 1024, MOST_WORK = 50 * 1000 * 1000, SET_BYTES = 256 / 8 };

enum re2_operation { SET, SPLIT, JUMP, BEGIN, END, MATCH };

struct re2_instruction {
    enum re2_operation operation;
    uint32_t set;   /* of SET: offset in `sets` */
    int32_t target; /* of JUMP; for SPLIT the second target, while the first is 1 */
};

/* A group that is being compiled. */
struct re2_group {
    size_t start, branch; /* first instructions of the group, and of its last alternative */
    size_t jumps;         /* number of entries of compiler.jumps before those of the group */
};

struct re2_compiler {
    struct re2 *re;
    struct span rest;
    VEC(struct re2_group) groups; /* open groups; the first one is the whole expression */
    VEC(size_t) jumps;            /* from the ends of alternatives to the end of their group */
    size_t atom;                  /* first instruction of what a repetition would repeat */
    bool has_atom;
};

static const char unknown_escape[] = "it has an escape that is not supported";

static void
emit(struct re2_compiler *c, enum re2_operation operation, int32_t target)
{
    VEC_ADD(c->re->code, (struct re2_instruction){.operation = operation, .target = target});
}

/* Insert a SPLIT before the instruction at `at`. */
static void
insert_split(struct re2_compiler *c, size_t at, size_t target)
{
    emit(c, SPLIT, 0);
    struct re2_instruction *code = c->re->code.at;
    memmove(code + at + 1, code + at, (c->re->code.n - 1 - at) * sizeof *code);
    code[at] = (struct re2_instruction){.operation = SPLIT, .target = (int32_t)(target - at)};
}

static void
set_add(char *set, unsigned first, unsigned last)
{
    for (unsigned c = first; c <= last; c++)
        set[c / 8] |= (char)(1 << c % 8);
}

static void
set_invert(char *set)
{
    for (int i = 0; i < SET_BYTES; i++)
        set[i] = (char)~set[i];
}

/* Add the class of an escape, such as "d" of "\d". Return false if it is no class. */
static bool
set_add_class(char *set, char letter)
{
    static const struct {
        char letter;
        const char *ranges;
    } classes[] = {{'d', "09"}, {'w', "09AZaz__"}, {'s', "\t\n\f\r  "}};
    char members[SET_BYTES] = {0};
    bool negated = letter >= 'A' && letter <= 'Z', found = false;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        for (const char *r = classes[i].ranges; classes[i].letter == (letter | ' ') && *r; r += 2) {
            set_add(members, (unsigned char)r[0], (unsigned char)r[1]);
            found = true;
        }
    if (negated)
        set_invert(members);
    for (int i = 0; i < SET_BYTES && found; i++)
        set[i] |= members[i];
    return found;
}

/* Parse the escape after a backslash, and add what it matches. Set *c to the character if it
 * matches exactly one, else to -1. */
static const char *
take_escape(struct span *rest, char *set, int *c)
{
    static const char controls[] = "t\tn\nf\fr\rv\v";
    if (rest->len == 0)
        return "it ends in a backslash";
    char letter = rest->ptr[0], lower = (char)(letter | ' ');
    const char *control = letter != '\0' ? strchr(controls, letter) : NULL;
    bool plain = !is_digit(letter) && (lower < 'a' || lower > 'z');
    *c = plain ? (unsigned char)letter : control != NULL ? control[1] : -1;
    *rest = span_from(*rest, 1);
    if (*c >= 0)
        set_add(set, (unsigned)*c, (unsigned)*c);
    else if (!set_add_class(set, letter))
        return unknown_escape;
    return NULL;
}

/* Parse a member of a set in brackets: "a", "\.", "\d". Set *c as take_escape does. */
static const char *
take_member(struct span *rest, char *set, int *c)
{
    if (span_starts(*rest, SPAN("[:")))
        return "it has a class such as [:alpha:], which is not supported";
    *c = (unsigned char)rest->ptr[0];
    *rest = span_from(*rest, 1);
    if (*c == '\\')
        return take_escape(rest, set, c);
    set_add(set, (unsigned)*c, (unsigned)*c);
    return NULL;
}

/* Parse a set after its bracket: "^a-z\d_]". */
static const char *
take_set(struct span *rest, char *set)
{
    const char *why = NULL;
    bool negated = span_skip(rest, SPAN("^"));
    for (bool first = true; why == NULL && (first || !span_starts(*rest, SPAN("]")));
         first = false) {
        int low, high;
        if (rest->len == 0)
            return "a bracket is not closed";
        why = take_member(rest, set, &low);
        bool range = rest->len > 1 && rest->ptr[0] == '-' && rest->ptr[1] != ']';
        if (why != NULL || !range)
            continue;
        *rest = span_from(*rest, 1);
        why = take_member(rest, set, &high);
        if (why == NULL && (low < 0 || high < low))
            return "it has a range that ends before it begins";
        set_add(set, (unsigned)low, why == NULL ? (unsigned)high : 0);
    }
    span_skip(rest, SPAN("]"));
    if (negated)
        set_invert(set);
    return why;
}

/* Parse one byte or one set, and emit it. */
static const char *
take_atom(struct re2_compiler *c)
{
    char set[SET_BYTES] = {0}, byte = c->rest.ptr[0];
    const char *why = NULL;
    int one;
    c->rest = span_from(c->rest, 1);
    c->atom = c->re->code.n;
    c->has_atom = true;
    emit(c, SET, 0);
    c->re->code.at[c->atom].set = (uint32_t)c->re->sets.len;
    if (byte == '\\')
        why = take_escape(&c->rest, set, &one);
    else if (byte == '[')
        why = take_set(&c->rest, set);
    else if (byte == '.')
        set_add(set, 0, UINT8_MAX);
    else
        set_add(set, (unsigned char)byte, (unsigned char)byte);
    text_add(&c->re->sets, span_of(set, SET_BYTES));
    return why;
}

/* Repeat the last atom. */
static const char *
repeat(struct re2_compiler *c, char how)
{
    size_t n = c->re->code.n, length = n - c->atom;
    if (!c->has_atom)
        return "it repeats nothing";
    if (how == '+')
        emit(c, SPLIT, -(int32_t)length);
    else
        insert_split(c, c->atom, n + (how == '*' ? 2 : 1));
    if (how == '*')
        emit(c, JUMP, -(int32_t)length - 1);
    span_skip(&c->rest, SPAN("?")); /* prefer the shorter match: a whole text has only one */
    return NULL;
}

static void
open_group(struct re2_compiler *c)
{
    size_t n = c->re->code.n;
    VEC_ADD(c->groups, (struct re2_group){n, n, c->jumps.n});
    c->has_atom = false;
}

/* End an alternative: after a match of it, go on behind the group. */
static void
next_branch(struct re2_compiler *c)
{
    struct re2_group *g = &c->groups.at[c->groups.n - 1];
    insert_split(c, g->branch, c->re->code.n + 2);
    VEC_ADD(c->jumps, c->re->code.n);
    emit(c, JUMP, 0);
    g->branch = c->re->code.n;
    c->has_atom = false;
}

static void
close_group(struct re2_compiler *c)
{
    const struct re2_group *g = &c->groups.at[--c->groups.n];
    for (; c->jumps.n > g->jumps; c->jumps.n--) {
        size_t at = c->jumps.at[c->jumps.n - 1];
        c->re->code.at[at].target = (int32_t)(c->re->code.n - at);
    }
    c->atom = g->start;
    c->has_atom = true;
}

/* Parse an operator, neither byte nor set. */
static const char *
take_operator(struct re2_compiler *c, char operator)
{
    c->rest = span_from(c->rest, 1);
    if (operator== '(') {
        if (!span_skip(&c->rest, SPAN("?:")) && span_starts(c->rest, SPAN("?")))
            return "it has a flag or a named group";
        open_group(c);
    } else if (operator== ')') {
        if (c->groups.n == 1)
            return "it closes a group that is not open";
        close_group(c);
    } else if (operator== '|') {
        next_branch(c);
    } else if (operator== '^' || operator== '$') {
        emit(c, operator== '^' ? BEGIN : END, 0);
        c->has_atom = false;
    } else {
        return repeat(c, operator);
    }
    return NULL;
}

static const char *
compile(struct re2_compiler *c)
{
    const char *why = c->rest.len > LONGEST ? "it is too long" : NULL;
    open_group(c);
    while (why == NULL && c->rest.len > 0) {
        char next = c->rest.ptr[0];
        if (next == '{' && c->rest.len > 1 && is_digit(c->rest.ptr[1]))
            why = "it has a counted repetition";
        else if (span_has(SPAN("()|*+?^$"), next))
            why = take_operator(c, next);
        else
            why = take_atom(c);
    }
    if (why == NULL && c->groups.n > 1)
        why = "a group is not closed";
    if (why == NULL)
        close_group(c);
    emit(c, MATCH, 0);
    return why;
}

const char *
re2_compile(struct re2 *re, struct span text)
{
    struct re2_compiler c = {.re = re, .rest = text};
    const char *why = compile(&c);
    VEC_REACH(re->marks, re->code.n);
    free(c.groups.at);
    free(c.jumps.at);
    return why;
}

/* Add the instruction to a list, unless it is there already. */
static void
reach(struct re2 *re, size_t list, int64_t at)
{
    if (re->marks.at[at] == re->step)
        return;
    re->marks.at[at] = re->step;
    VEC_ADD(re->states[list], (uint32_t)at);
}

/* Add what the instructions of a list reach without consuming a byte. Return true if MATCH is
 * reached. */
static bool
follow(struct re2 *re, size_t list, bool begin, bool end)
{
    bool match = false;
    for (size_t i = 0; i < re->states[list].n; i++) {
        int64_t at = re->states[list].at[i];
        const struct re2_instruction *in = &re->code.at[at];
        match |= in->operation == MATCH;
        if (in->operation == SPLIT || (in->operation == BEGIN && begin) ||
            (in->operation == END && end))
            reach(re, list, at + 1);
        if (in->operation == SPLIT || in->operation == JUMP)
            reach(re, list, at + in->target);
    }
    re->work += re->states[list].n;
    return match;
}

/* Put the instructions that a list reaches by this byte into the other list. */
static void
take_byte(struct re2 *re, size_t list, unsigned char byte)
{
    re->states[!list].n = 0;
    re->step++;
    for (size_t i = 0; i < re->states[list].n; i++) {
        uint32_t at = re->states[list].at[i];
        const struct re2_instruction *in = &re->code.at[at];
        if (in->operation == SET && re->sets.ptr[in->set + byte / 8] >> byte % 8 & 1)
            reach(re, !list, (int64_t)at + 1);
    }
}

bool
re2_matches(struct re2 *re, struct span s)
{
    size_t list = 0;
    re->states[list].n = 0;
    re->step++;
    reach(re, list, 0);
    bool match = follow(re, list, true, s.len == 0);
    for (size_t i = 0; i < s.len && re->states[list].n > 0; i++, list = !list) {
        if (re2_is_exhausted(re))
            return false;
        take_byte(re, list, (unsigned char)s.ptr[i]);
        match = follow(re, !list, false, i + 1 == s.len);
    }
    return match;
}

bool
re2_is_exhausted(const struct re2 *re)
{
    return re->work > MOST_WORK;
}

void
re2_free(struct re2 *re)
{
    free(re->sets.ptr);
    free(re->code.at);
    free(re->states[0].at);
    free(re->states[1].at);
    free(re->marks.at);
}
