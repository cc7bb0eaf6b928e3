/* The legacy mangling is a C++ nested name with lengths and identifiers. It ends with a hash, and
 * characters that C++ does not allow in identifiers are written between dollars
 * (rustc_symbol_mangling, src/legacy.rs):
 *
 *     _ZN71_$LT$Test$u20$as$u20$foo..Bar$GT$4test17h930b740aa94f1d3aE.llvm.42
 *     <Test as foo::Bar>::test
 *
 * C++ demanglers keep the escapes and the hash; Rust demanglers may keep the hash:
 *
 *     _$LT$Test$u20$as$u20$foo..Bar$GT$::test::h930b740aa94f1d3a (.llvm.42)
 *     <Test as foo::Bar>::test::h930b740aa94f1d3a
 */
#include "common/demangle/demangle_rust.h"

#include "common/base/num.h"
#include "common/demangle/rust_v0.h"

/* The hash is "17h930b740aa94f1d3a". */
enum { HASH_DIGITS = 16, HASH_LEN = 3 + HASH_DIGITS };

/* "1a" becomes "::a": the text is at most one and a half times as long as the name. */
enum { LEGACY_MAX = DEMANGLE_MAX / 3 * 2 };

static bool
is_legacy(char c)
{
    return is_word(c) || c == '$' || c == '.' || c == ':' || c == '@';
}

/* Remove the E that ends the identifiers, and a ".suffix" after it. Return false if there is no
 * such E. */
static bool
cut_end(struct span *s)
{
    bool at_end = true;
    for (; s->len > 0; s->len--) {
        char last = s->ptr[s->len - 1];
        if (at_end && last == 'E') {
            s->len--;
            return true;
        }
        at_end = last == '.';
    }
    return false;
}

/* Return true for "h930b740aa94f1d3a". C++ names may have an identifier of this form, but a real
 * hash has at least five different digits. */
static bool
is_hash(struct span s)
{
    unsigned seen = 0, different = 0;
    if (s.len != 1 + HASH_DIGITS || s.ptr[0] != 'h' || span_run(s, 1, is_hex) != HASH_DIGITS)
        return false;
    for (size_t i = 1; i < s.len; i++) {
        unsigned bit = 1u << num_hex_digit(s.ptr[i]);
        different += (seen & bit) == 0;
        seen |= bit;
    }
    return different >= 5;
}

/* Remove "4test" from *s. Return false if it does not begin with an identifier. */
static bool
take_identifier(struct span *s, struct span *identifier)
{
    size_t at = 0, len = 0;
    if (s->len == 0 || s->ptr[0] == '0')
        return false;
    for (; at < s->len && is_digit(s->ptr[at]) && len < s->len; at++)
        len = len * 10 + (size_t)(s->ptr[at] - '0');
    if (at == 0 || len > s->len - at)
        return false;
    *identifier = span_of(s->ptr + at, len);
    *s = span_from(*s, at + len);
    return true;
}

/* Return true if s consists of at least two identifiers, the last of them a hash. */
static bool
is_path(struct span s)
{
    struct span last = SPAN("");
    if (s.len <= HASH_LEN)
        return false;
    while (s.len > 0)
        if (!take_identifier(&s, &last))
            return false;
    return is_hash(last);
}

/* Remove an escape from *s, and append its character. $u20$ is a printable ASCII character by its
 * number. Return false if the escape is unknown. */
static bool
print_escape(struct span *s, struct text *out)
{
    static const struct span codes[] = {SPAN("$C$"),  SPAN("$SP$"), SPAN("$BP$"), SPAN("$RF$"),
                                        SPAN("$LT$"), SPAN("$GT$"), SPAN("$LP$"), SPAN("$RP$")};
    static const char characters[] = ",@*&<>()";
    size_t i = 0, count = sizeof codes / sizeof *codes, len = 5;
    char c = '\0';
    if (s->len >= len && s->ptr[1] == 'u' && span_run(*s, 2, is_hex) == 2 && s->ptr[4] == '$')
        c = (char)(num_hex_digit(s->ptr[2]) << 4 | num_hex_digit(s->ptr[3]));
    if (c < ' ') {
        while (i < count && !span_starts(*s, codes[i]))
            i++;
        if (i == count)
            return false;
        c = characters[i];
        len = codes[i].len;
    }
    text_add(out, span_of(&c, 1));
    *s = span_from(*s, len);
    return true;
}

static bool
is_plain(char c)
{
    return c != '$' && c != '.';
}

static void
print_identifier(struct span s, struct text *out)
{
    if (span_starts(s, SPAN("_$"))) /* the underscore makes it a valid identifier */
        s = span_from(s, 1);
    while (s.len > 0) {
        size_t plain = span_run(s, 0, is_plain);
        if (plain == 0 && s.ptr[0] == '$') {
            if (print_escape(&s, out))
                continue;
            plain = s.len; /* an unknown escape: leave the rest unchanged */
        } else if (span_starts(s, SPAN(".."))) {
            text_add(out, SPAN("::"));
            s = span_from(s, 2);
            continue;
        } else if (plain == 0) {
            plain = 1; /* a single dot */
        }
        text_add(out, span_head(s, plain));
        s = span_from(s, plain);
    }
}

/* Demangle the text after "_ZN". */
static bool
legacy(struct span s, struct text *out)
{
    struct span identifier;
    if (s.len > LEGACY_MAX || span_run(s, 0, is_legacy) != s.len || !cut_end(&s) || !is_path(s))
        return false;
    s.len -= HASH_LEN;
    for (bool first = true; take_identifier(&s, &identifier); first = false) {
        if (!first)
            text_add(out, SPAN("::"));
        print_identifier(identifier, out);
    }
    return true;
}

/* Return the position of an offset, "+0x1f" or "+31", or the end of the frame. */
static size_t
offset_at(struct span frame)
{
    size_t plus = span_rfind(frame, '+');
    if (plus == SPAN_NONE)
        return frame.len;
    size_t digits = span_starts(span_from(frame, plus), SPAN("+0x")) ? plus + 3 : plus + 1;
    return digits + span_run(frame, digits, is_hex) == frame.len ? plus : frame.len;
}

/* Print a path with escapes left by a C++ demangler: "_$LT$T$GT$::f". */
static void
print_path(struct span path, struct text *out)
{
    for (size_t colons; (colons = span_search(path, SPAN("::"))) != SPAN_NONE;) {
        print_identifier(span_head(path, colons), out);
        text_add(out, SPAN("::"));
        path = span_from(path, colons + 2);
    }
    print_identifier(path, out);
}

bool
demangle_rust_rest(struct span name, struct text *out)
{
    /* Suffixes by the compiler, as demanglers print them after the hash. */
    static const struct span clones[] = {SPAN(" [clone ."), SPAN(" (."), SPAN(".llvm.")};
    enum { HASH = 1 + HASH_DIGITS };
    size_t colon = span_rfind(name, ':');
    if (colon == SPAN_NONE || colon < 2 || name.ptr[colon - 1] != ':' || colon > LEGACY_MAX)
        return false;
    struct span path = span_head(name, colon - 1), hash = span_from(name, colon + 1);
    if (hash.len < HASH || !is_hash(span_head(hash, HASH)))
        return false;
    struct span end = span_from(hash, HASH), offset = span_from(end, offset_at(end));
    if (end.len > offset.len && !span_starts_any(end, clones, sizeof clones / sizeof *clones))
        return false;
    if (span_run(path, 0, is_legacy) == path.len)
        print_path(path, out);
    else /* its escapes are already demangled */
        text_add(out, path);
    text_add(out, offset);
    return true;
}

bool
demangle_rust_frame(struct span frame, struct text *out)
{
    size_t start = out->len, tick = span_rfind(frame, '`');
    size_t module = tick != SPAN_NONE ? tick + 1 : 0;
    struct span name = span_from(frame, module);
    text_add(out, span_head(frame, module));
    if (span_starts(name, SPAN("_"))) {
        size_t end = offset_at(name), extra = span_starts(name, SPAN("__")); /* on macOS */
        if (demangle_rust(span_of(name.ptr + extra, end - extra), out)) {
            text_add(out, span_from(name, end));
            return true;
        }
    }
    if (demangle_rust_rest(name, out))
        return true;
    out->len = start;
    return false;
}

bool
demangle_rust(struct span name, struct text *out)
{
    if (span_starts(name, SPAN("_R")))
        return rust_v0_demangle(span_from(name, 2), out);
    return span_starts(name, SPAN("_ZN")) && legacy(span_from(name, 3), out);
}
