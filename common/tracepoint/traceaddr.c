/* The forms are those of the kernel's Documentation/core-api/printk-formats.rst. */
#include "common/tracepoint/traceaddr.h"

#include <stdint.h>
#include <stdio.h>

enum { ADDRESS_BYTES = 28, IP6_WORDS = 8 }; /* the bytes of a struct sockaddr_in6 */

/* include/linux/socket.h */
enum { FAMILY_INET = 2, FAMILY_INET6 = 10 };

typedef const uint8_t address[ADDRESS_BYTES];

static void
add_hex(struct text *out, uint8_t byte, bool capitals)
{
    const char *digits = capitals ? "0123456789ABCDEF" : "0123456789abcdef";
    char two[2] = {digits[byte >> 4], digits[byte & 15]};
    text_add(out, span_of(two, 2));
}

static void
add_number(struct text *out, const char *format, unsigned value)
{
    char number[32];
    int n = snprintf(number, sizeof number, format, value);
    text_add(out, span_of(number, (size_t)n));
}

static unsigned
word(const uint8_t *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

static void
add_ip4(struct text *out, const uint8_t *bytes)
{
    for (int i = 0; i < 4; i++)
        add_number(out, i > 0 ? ".%u" : "%u", bytes[i]);
}

static void
add_ip6(struct text *out, const uint8_t *bytes, bool colons)
{
    for (int i = 0; i < IP6_WORDS; i++)
        add_number(out, i > 0 && colons ? ":%04x" : "%04x", word(bytes + 2 * i));
}

/* Return true for ::ffff:a.b.c.d and for ISATAP addresses (RFC 5214), whose last 4 bytes are an
 * IPv4 address. */
static bool
ends_in_ip4(const uint8_t *bytes)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    static const uint8_t isatap[3] = {0x00, 0x5e, 0xfe};
    return memcmp(bytes, mapped, sizeof mapped) == 0 ||
           ((bytes[8] | 2) == 2 && memcmp(bytes + 9, isatap, sizeof isatap) == 0);
}

/* The first of the longest runs of at least two words that are 0: where it begins, and its length;
 * 0: there is none. */
static int
longest_zeros(const uint8_t *bytes, int words, int *start)
{
    int longest = 1;
    for (int i = 0, run = 0; i < words; i++) {
        run = word(bytes + 2 * i) == 0 ? run + 1 : 0;
        if (run > longest) {
            longest = run;
            *start = i + 1 - run;
        }
    }
    return longest > 1 ? longest : 0;
}

static void
add_ip6_short(struct text *out, const uint8_t *bytes)
{
    bool ip4 = ends_in_ip4(bytes);
    int words = ip4 ? IP6_WORDS - 2 : IP6_WORDS, start = words;
    int zeros = longest_zeros(bytes, words, &start);
    bool colon = false; /* before the next word */
    for (int i = 0; i < words; i++) {
        if (zeros > 0 && i == start) {
            text_add(out, SPAN("::"));
            colon = false;
            i += zeros - 1;
            continue;
        }
        add_number(out, colon ? ":%x" : "%x", word(bytes + 2 * i));
        colon = true;
    }
    if (ip4) {
        text_add(out, colon ? SPAN(":") : SPAN(""));
        add_ip4(out, bytes + 12);
    }
}

static void
add_sockaddr(struct text *out, struct span letters, address bytes)
{
    uint16_t family;
    memcpy(&family, bytes, sizeof family);
    bool port = span_has(letters, 'p');
    if (family == FAMILY_INET) {
        add_ip4(out, bytes + 4);
    } else if (family == FAMILY_INET6) {
        text_add(out, port ? SPAN("[") : SPAN(""));
        if (span_has(letters, 'c'))
            add_ip6_short(out, bytes + 8);
        else
            add_ip6(out, bytes + 8, true);
        text_add(out, port ? SPAN("]") : SPAN(""));
    } else {
        text_add(out, SPAN("(einval)")); /* as the kernel does */
        return;
    }
    if (port)
        add_number(out, ":%u", word(bytes + 2));
}

static void
add_mac(struct text *out, struct span letters, address bytes)
{
    struct span separator = letters.ptr[0] == 'm'    ? SPAN("")
                            : span_has(letters, 'F') ? SPAN("-")
                                                     : SPAN(":");
    for (int i = 0; i < 6; i++) {
        if (i > 0)
            text_add(out, separator);
        add_hex(out, bytes[span_has(letters, 'R') ? 5 - i : i], false);
    }
}

static void
add_uuid(struct text *out, struct span letters, address bytes)
{
    static const uint8_t little_endian[8] = {3, 2, 1, 0, 5, 4, 7, 6};
    bool little = span_has(letters, 'l') || span_has(letters, 'L');
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text_add(out, SPAN("-"));
        add_hex(out, bytes[little && i < 8 ? little_endian[i] : i],
                span_has(letters, 'L') || span_has(letters, 'B'));
    }
}

/* Return `from` plus the number of letters from there on that are among these, at most `most`. */
static size_t
options(struct span letters, size_t from, const char *among, size_t most)
{
    size_t n = from;
    while (n < letters.len && n < from + most && strchr(among, letters.ptr[n]) != NULL &&
           letters.ptr[n] != '\0')
        n++;
    return n;
}

size_t
traceaddr_letters(struct span letters)
{
    if (letters.len == 0)
        return 0;
    switch (letters.ptr[0]) {
    case 'M':
    case 'm':
        return options(letters, 1, "RF", 1);
    case 'U':
        return options(letters, 1, "bBlL", 1);
    case 'I':
    case 'i':
        break;
    default:
        return 0;
    }
    switch (letters.len > 1 ? letters.ptr[1] : '\0') {
    case '4':
        return 2;
    case '6':
        return options(letters, 2, "c", 1);
    case 'S':
        return options(letters, 2, "pc", 2);
    default:
        return 0;
    }
}

void
traceaddr_print(struct text *out, struct span letters, struct span bytes)
{
    uint8_t copy[ADDRESS_BYTES] = {0};
    if (bytes.len > 0)
        memcpy(copy, bytes.ptr, bytes.len < sizeof copy ? bytes.len : sizeof copy);
    char kind = letters.ptr[0];
    if (kind == 'M' || kind == 'm')
        add_mac(out, letters, copy);
    else if (kind == 'U')
        add_uuid(out, letters, copy);
    else if (letters.ptr[1] == 'S')
        add_sockaddr(out, letters, copy);
    else if (letters.ptr[1] == '4')
        add_ip4(out, copy);
    else if (span_has(letters, 'c'))
        add_ip6_short(out, copy);
    else
        add_ip6(out, copy, kind == 'I');
}
