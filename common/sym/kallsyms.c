/* A line is an address, a type, a name, and the module if there is one (kernel/kallsyms.c in the
 * Linux source):
 *
 *     ffffffff81000000 T _text
 *     ffffffffc0201000 t ext4_iget<TAB>[ext4]
 *
 * The types are those of nm(1). As perf does, we take functions, weak symbols and data, whichever
 * case the letter has, and no names that start with "$", which ARM's tools put between code and
 * data. */
#include "common/sym/kallsyms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* One line, without its newline. */
struct kallsyms_line {
    uint64_t addr;
    char type;
    struct span name; /* to the end of the line, so with the module */
};

/* The value of a hexadecimal digit, or 16. */
static unsigned
digit_value(char c)
{
    if (is_digit(c))
        return (unsigned)(c - '0');
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

static bool
parse_line(struct span s, struct kallsyms_line *line)
{
    size_t at = 0;
    line->addr = 0;
    for (unsigned digit; at < s.len && at < 17 && (digit = digit_value(s.ptr[at])) < 16; at++)
        line->addr = line->addr << 4 | digit;
    if (at == 0 || at > 16 || s.len < at + 4 || s.ptr[at] != ' ' || s.ptr[at + 2] != ' ')
        return false;
    line->type = s.ptr[at + 1];
    line->name = span_from(s, at + 3);
    return true;
}

static bool
is_wanted(const struct kallsyms_line *line)
{
    return line->type != '\0' && strchr("TtWwDdBb", line->type) != NULL && line->name.ptr[0] != '$';
}

/* Ends the name with a NUL byte, as symtab wants it, before the module if there is one. */
static void
add_symbol(struct kallsyms *k, const struct kallsyms_line *line)
{
    size_t tab = span_find(line->name, '\t');
    size_t len = tab != SPAN_NONE ? tab : line->name.len;
    size_t offset = (size_t)(line->name.ptr - k->text);
    k->text[offset + len] = '\0';
    symtab_add(tab != SPAN_NONE ? &k->modules : &k->kernel, line->addr, 0, (uint32_t)offset, 0);
}

/* Adds the symbols of the text, whose every line ends with a newline. False if no address in it is
 * other than 0. */
static bool
add_symbols(struct kallsyms *k, struct span text)
{
    struct kallsyms_line line;
    bool any_address = false;
    for (size_t number = 1, end; text.len > 0; number++, text = span_from(text, end + 1)) {
        end = span_find(text, '\n');
        if (!parse_line(span_head(text, end), &line)) {
            if (k->skipped++ == 0)
                k->first_skipped = number;
            continue;
        }
        any_address |= line.addr != 0;
        if (is_wanted(&line))
            add_symbol(k, &line);
    }
    return any_address;
}

/* Reads all of the file into k->text and returns it, ended by a newline. */
static const char *
read_text(struct kallsyms *k, int fd, struct span *text)
{
    size_t len = 0, cap = 0;
    ssize_t n;
    do {
        k->text = mem_grow(k->text, &cap, len + (1 << 16), 1);
        n = read(fd, k->text + len, cap - len - 1);
        len += n > 0 ? (size_t)n : 0;
        if (len > KALLSYMS_MAX)
            return "is too large for a list of the kernel's symbols";
    } while (n > 0 || (n < 0 && errno == EINTR));
    if (n < 0)
        return strerror(errno);
    if (len > 0 && k->text[len - 1] != '\n')
        k->text[len++] = '\n';
    *text = span_of(k->text, len);
    return NULL;
}

static const char *
read_symbols(struct kallsyms *k, int fd)
{
    struct span text = SPAN("");
    const char *problem = read_text(k, fd, &text);
    if (problem != NULL)
        return problem;
    k->kernel.names = k->modules.names = text;
    bool any_address = add_symbols(k, text);
    if (k->kernel.count + k->modules.count == 0)
        return "holds no symbols";
    if (!any_address)
        return "shows no addresses: reading them needs root, or sysctl kernel.kptr_restrict=0";
    symtab_finish(&k->kernel);
    symtab_finish(&k->modules);
    return NULL;
}

const char *
kallsyms_read(struct kallsyms *k, int fd)
{
    *k = (struct kallsyms){0};
    const char *problem = read_symbols(k, fd);
    if (problem != NULL)
        kallsyms_free(k);
    return problem;
}

const char *
kallsyms_load(struct kallsyms *k, const char *path)
{
    *k = (struct kallsyms){0};
    int fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return strerror(errno);
    const char *problem = kallsyms_read(k, fd);
    close(fd);
    return problem;
}

bool
kallsyms_find(const void *table, uint64_t addr, struct span *name, uint64_t *start)
{
    const struct kallsyms *k = table;
    struct span module_name;
    uint64_t module_start;
    bool found = symtab_find(&k->kernel, addr, name, start);
    /* A kernel symbol has no end of its own, and may seem to go on up to one behind the modules. */
    if (!symtab_find(&k->modules, addr, &module_name, &module_start) ||
        (found && module_start < *start))
        return found;
    *name = module_name;
    *start = module_start;
    return true;
}

struct span
kallsyms_module(const struct kallsyms *k, struct span name)
{
    size_t at = (size_t)(name.ptr - k->text) + name.len + 1;
    struct span rest = span_from(k->kernel.names, at);
    size_t end = span_find(rest, ']');
    if (rest.len == 0 || rest.ptr[0] != '[' || end == SPAN_NONE)
        return SPAN("");
    return span_of(rest.ptr + 1, end - 1);
}

void
kallsyms_free(struct kallsyms *k)
{
    symtab_free(&k->kernel);
    symtab_free(&k->modules);
    free(k->text);
    *k = (struct kallsyms){0};
}
