/* How perf 6.1 parses lines (dso__load_perf_map in tools/perf/util/symbol.c):
 *
 *     7f1e2215d058 4c LazyCompile:*f     a record
 *      0X10  +4C,name                    a record: strtoull(3), and any character after a number
 *     7f1e2215d058 4c ab                 skipped: the name is shorter than three bytes
 */
#include "common/sym/perftree.h"

#include <stdlib.h>
#include <unistd.h>

#include "common/base/lines.h"
#include "common/base/num.h"

struct perftree_node {
    uint64_t start, end;
    struct span name;
    uint32_t child[2]; /* child with lower addresses, and the other one; 0: none */
    uint32_t parent;
    bool red;
};

/* Parse as strtoull(3) does in base 16. Return the number of bytes read. */
static size_t
read_hex(struct span text, uint64_t *value)
{
    size_t at = span_run(text, 0, is_space), first;
    bool negative = false, overflow = false;
    unsigned digit;
    *value = 0;
    if (at < text.len && (text.ptr[at] == '-' || text.ptr[at] == '+'))
        negative = text.ptr[at++] == '-';
    if (text.len - at > 2 && text.ptr[at] == '0' && (text.ptr[at + 1] | 32) == 'x' &&
        num_hex_digit(text.ptr[at + 2]) < 16)
        at += 2;
    for (first = at; at < text.len && (digit = num_hex_digit(text.ptr[at])) < 16; at++) {
        overflow = overflow || *value >> 60 != 0;
        *value = *value << 4 | digit;
    }
    if (overflow)
        *value = UINT64_MAX;
    else if (negative)
        *value = 0 - *value;
    return at > first ? at : 0;
}

/* Parse a line, without its newline, as perf does. */
static bool
parse_record(struct span line, struct perftree_node *n)
{
    uint64_t size;
    size_t at = read_hex(line, &n->start) + 1;
    if (at + 2 >= line.len)
        return false;
    at += read_hex(span_from(line, at), &size) + 1;
    if (at + 2 >= line.len)
        return false;
    n->end = n->start + size;
    n->name = span_from(line, at);
    size_t nul = span_find(n->name, '\0');
    if (nul != SPAN_NONE)
        n->name.len = nul;
    return true;
}

/* Return the index of a node in its parent's children. */
static int
side_of(const struct perftree *t, uint32_t n)
{
    return t->nodes[t->nodes[n].parent].child[1] == n;
}

/* Move a node down to the given side. Its child on the other side takes its position. */
static void
rotate(struct perftree *t, uint32_t n, int side)
{
    struct perftree_node *nodes = t->nodes;
    uint32_t up = nodes[n].child[!side], parent = nodes[n].parent, inner = nodes[up].child[side];
    if (parent == 0)
        t->root = up;
    else
        nodes[parent].child[side_of(t, n)] = up;
    nodes[up].parent = parent;
    nodes[up].child[side] = n;
    nodes[n].parent = up;
    nodes[n].child[!side] = inner;
    if (inner != 0)
        nodes[inner].parent = n;
}

/* Restore the colours above a new red node. This is RB-INSERT-FIXUP of Cormen et al., "Introduction
 * to Algorithms", as in the kernel's rbtree.c. */
static void
recolour(struct perftree *t, uint32_t n)
{
    struct perftree_node *nodes = t->nodes;
    uint32_t parent;
    while ((parent = nodes[n].parent) != 0 && nodes[parent].red) {
        uint32_t top = nodes[parent].parent;
        int side = side_of(t, parent);
        uint32_t uncle = nodes[top].child[!side];
        nodes[top].red = true;
        if (uncle != 0 && nodes[uncle].red) {
            nodes[parent].red = nodes[uncle].red = false;
            n = top;
            continue;
        }
        if (side_of(t, n) != side) {
            rotate(t, parent, side);
            parent = n;
        }
        nodes[parent].red = false;
        rotate(t, top, !side);
        break;
    }
    nodes[t->root].red = false;
}

/* Insert the node with the highest number. Equal starts go to the right. */
static void
insert(struct perftree *t, uint32_t n)
{
    struct perftree_node *nodes = t->nodes;
    uint32_t parent = 0;
    int side = 0;
    for (uint32_t at = t->root; at != 0; at = nodes[at].child[side]) {
        parent = at;
        side = nodes[n].start >= nodes[at].start;
    }
    nodes[n].parent = parent;
    if (parent == 0)
        t->root = n;
    else
        nodes[parent].child[side] = n;
    recolour(t, n);
}

const char *
perftree_load(struct perftree *t, struct regular_file *f)
{
    struct lines lines = {0};
    struct span line;
    *t = (struct perftree){0};
    regular_lines(f, &lines);
    while (lines_next(&lines, &line)) {
        struct perftree_node n = {.red = true};
        if (lines.unterminated && line.len > 0)
            line.len--; /* perf removes the last byte of a line, even if it is not a newline */
        if (!parse_record(line, &n))
            continue;
        if (t->count >= UINT32_MAX - 1)
            mem_exhausted();
        n.name = arena_copy(&t->names, n.name);
        t->nodes = mem_grow(t->nodes, &t->cap, t->count + 2, sizeof *t->nodes);
        t->nodes[++t->count] = n;
        insert(t, (uint32_t)t->count);
    }
    int error = lines.error;
    lines_free(&lines);
    regular_close(f);
    if (error != 0)
        perftree_free(t);
    return error != 0 ? regular_error(error) : NULL;
}

bool
perftree_find(const struct perftree *t, uint64_t addr, struct span *name, uint64_t *start)
{
    uint32_t at = t->root;
    while (at != 0) {
        const struct perftree_node *n = &t->nodes[at];
        if (addr < n->start) {
            at = n->child[0];
        } else if (addr > n->end || (addr == n->end && addr != n->start)) {
            at = n->child[1];
        } else {
            *name = n->name;
            *start = n->start;
            return true;
        }
    }
    return false;
}

void
perftree_free(struct perftree *t)
{
    free(t->nodes);
    arena_free(&t->names);
    *t = (struct perftree){0};
}
