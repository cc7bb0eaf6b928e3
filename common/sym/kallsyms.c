/* A line is an address, a type, a name, and the module if there is one (kernel/kallsyms.c in the
 * Linux source):
 *
 *     ffffffff81000000 T _text
 *     ffffffffc0201000 t ext4_iget<TAB>[ext4]
 *
 * The types are those of nm(1). As in perf, the symbols used are functions, weak symbols and data,
 * in either case of the letter, but no names that start with "$", which ARM's tools put between
 * code and data. */
#include "common/sym/kallsyms.h"

#include <errno.h>
#include <stdlib.h>

#include "common/base/num.h"
#include "common/base/regular.h"

/* Add the symbol of a line if it is of use: its name without the module, followed by a NUL for
 * symtab. There are more than a hundred thousand lines, most of the kernel itself, so avoid any
 * search but the one for the newline. */
static void
add_line(struct kallsyms *k, struct span line)
{
    enum { DIGITS_MAX = 16 };
    uint64_t addr = 0;
    size_t at = 0, offset = k->text.len;
    for (unsigned digit; at < line.len && (digit = num_hex_digit(line.ptr[at])) < 16; at++)
        addr = addr << 4 | digit;
    if (at == 0 || at > DIGITS_MAX || line.len < at + 4 || line.ptr[at] != ' ' ||
        line.ptr[at + 2] != ' ')
        return;
    char type = (char)(line.ptr[at + 1] | 0x20); /* in lower case */
    struct span name = span_from(line, at + 3);
    k->any_address |= addr != 0;
    if ((type != 't' && type != 'd' && type != 'b' && type != 'w') || name.ptr[0] == '$' ||
        name.ptr[0] == '[') /* the module of a symbol without a name */
        return;
    size_t tab = name.ptr[name.len - 1] == ']' ? span_find(name, '\t') : SPAN_NONE;
    size_t len = tab != SPAN_NONE ? tab : name.len;
    text_add(&k->text, span_head(name, len));
    text_add(&k->text, SPAN("\0"));
    symtab_add(tab != SPAN_NONE ? &k->modules : &k->kernel, addr, 0, (uint32_t)offset, 0);
}

/* Add the symbols of the complete lines in the text. Return their size in bytes. */
static size_t
add_lines(struct kallsyms *k, struct span text)
{
    size_t at = 0;
    for (size_t len; (len = span_find(span_from(text, at), '\n')) != SPAN_NONE; at += len + 1)
        add_line(k, span_of(text.ptr + at, len));
    return at;
}

/* Read the whole file in pieces: more than half of most lines is not kept. */
static const char *
read_lines(struct kallsyms *k, struct regular_file *f)
{
    char piece[1 << 16];
    size_t len = 0, total = 0;
    ssize_t n;
    do {
        n = regular_read(f, total, piece + len, sizeof piece - 1 - len, NULL);
        if (n < 0)
            return regular_error(errno);
        if (n == 0 && len > 0)
            piece[len++] = '\n'; /* the last line may have no newline */
        len += (size_t)n;
        total += (size_t)n;
        size_t used = add_lines(k, span_of(piece, len));
        len -= used;
        memmove(piece, piece + used, len);
        if (total > KALLSYMS_MAX || len == sizeof piece - 1)
            return "is too large for a list of the kernel's symbols";
    } while (n != 0);
    return NULL;
}

static const char *
read_symbols(struct kallsyms *k, struct regular_file *f)
{
    const char *problem = read_lines(k, f);
    if (problem != NULL)
        return problem;
    k->kernel.names = k->modules.names = view_of(text_span(&k->text));
    if (k->kernel.count + k->modules.count == 0)
        return "holds no symbols";
    if (!k->any_address)
        return "shows no addresses: root sees them unless sysctl kernel.kptr_restrict is 2, others "
               "if it is 0 and kernel.perf_event_paranoid 1 or less";
    symtab_finish(&k->kernel);
    symtab_finish(&k->modules);
    return NULL;
}

const char *
kallsyms_load(struct kallsyms *k, const char *path, struct patience *patience)
{
    struct regular_file f;
    *k = (struct kallsyms){.kernel.patience = patience, .modules.patience = patience};
    const char *problem = regular_open(&f, path, &(struct regular){.kernel = true});
    if (problem != NULL)
        return problem;
    problem = read_symbols(k, &f);
    regular_close(&f);
    if (problem != NULL)
        kallsyms_free(k);
    return problem;
}

bool
kallsyms_find(struct kallsyms *k, uint64_t addr, struct span *name, uint64_t *start)
{
    struct span module_name;
    uint64_t module_start;
    bool found = symtab_find(&k->kernel, addr, name, start);
    /* A kernel symbol has no end, and seems to extend beyond the modules up to the next one. */
    if (!symtab_find(&k->modules, addr, &module_name, &module_start) ||
        (found && module_start < *start))
        return found;
    *name = module_name;
    *start = module_start;
    return true;
}

void
kallsyms_free(struct kallsyms *k)
{
    symtab_free(&k->kernel);
    symtab_free(&k->modules);
    free(k->text.ptr);
    *k = (struct kallsyms){0};
}
