#include "common/v8/lineends.h"

#include <stdlib.h>

enum { LONGEST = INT32_MAX };

/* Return true if the budget has room for `more` further line ends. */
static bool
has_room(const struct lineends *l, size_t more, struct lineends_budget *budget)
{
    bool has = (l->n + more) * sizeof *l->at <= budget->room;
    budget->full |= !has;
    return has;
}

static void
add(struct lineends *l, uint32_t end)
{
    MEM_ADD(l->at, l->n, l->cap, end);
}

void
lineends_free(struct lineends *l)
{
    free(l->at);
    *l = (struct lineends){0};
}

/* Release unused memory. There must be at least one line end. */
static void
shrink(struct lineends *l)
{
    uint32_t *smaller = realloc(l->at, l->n * sizeof *l->at);
    if (smaller == NULL)
        return;
    l->at = smaller;
    l->cap = l->n;
}

/* The state of reading a source. */
struct scan {
    struct lineends *ends;
    uint32_t at; /* offset of the next character */
    bool after_cr;
};

/* ECMAScript's line terminators: LF, CR, CR LF, U+2028, U+2029. CR LF ends at its LF. */
static inline void
scan_character(struct scan *s, uint32_t c)
{
    if (s->after_cr && c != '\n')
        add(s->ends, s->at - 1);
    s->after_cr = c == '\r';
    if (c == '\n' || c == 0x2028 || c == 0x2029)
        add(s->ends, s->at);
    s->at++;
}

static void
scan_bytes(struct scan *s, const char *bytes, size_t n, bool wide)
{
    if (wide)
        for (size_t i = 0; i + 2 <= n; i += 2)
            scan_character(s, load_u16(bytes + i));
    else
        for (size_t i = 0; i < n; i++)
            scan_character(s, (unsigned char)bytes[i]);
}

static enum v8status
scan_piece(struct scan *s, struct heap *h, const struct string_piece *p, char *buffer,
           struct lineends_budget *budget)
{
    uint64_t left = (uint64_t)p->count * (p->wide ? 2 : 1), addr = p->addr;
    enum v8status status = V8_OK;
    while (left > 0 && status == V8_OK) {
        size_t n = left < V8BLOCK_MAX ? (size_t)left : V8BLOCK_MAX;
        status = has_room(s->ends, 0, budget) ? snapshot_read(&h->memory, addr, n, buffer)
                                              : (enum v8status)V8_BAD;
        if (status == V8_OK)
            scan_bytes(s, buffer, n, p->wide);
        addr += n;
        left -= n;
    }
    return status;
}

/* Charge the bytes of all pieces to the budget. Return false if it is too small. */
static bool
pay(struct lineends_budget *budget, const struct string_pieces *p)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < p->of.n; i++)
        bytes += (uint64_t)p->of.at[i].count * (p->of.at[i].wide ? 2 : 1);
    if (bytes > budget->left)
        return false;
    budget->left -= bytes;
    return true;
}

static enum v8status
count_in_source(struct lineends *l, struct heap *h, uint64_t source, struct lineends_budget *budget)
{
    struct string_pieces pieces = {0};
    struct scan s = {.ends = l};
    enum v8status status = string_pieces(h, source, LONGEST, &pieces);
    if (status == V8_OK && (pieces.count > LONGEST || !pay(budget, &pieces)))
        status = V8_BAD;
    char *buffer = status == V8_OK ? mem_alloc(V8BLOCK_MAX) : NULL;
    for (size_t i = 0; i < pieces.of.n && status == V8_OK; i++)
        status = scan_piece(&s, h, &pieces.of.at[i], buffer, budget);
    if (s.after_cr)
        add(l, s.at - 1);
    add(l, s.at);
    free(buffer);
    string_pieces_free(&pieces);
    return status;
}

/* Append numbers of V8's array of line ends. Return false if they do not ascend. */
static bool
take_smis(struct lineends *l, const char *bytes, size_t n)
{
    int32_t end;
    for (size_t i = 0; i < n; i += 8) {
        if (!heap_smi(load_u64(bytes + i), &end) || end < 0 ||
            (l->n > 0 && (uint32_t)end < l->at[l->n - 1]))
            return false;
        add(l, (uint32_t)end);
    }
    return true;
}

static enum v8status
read_array(struct lineends *l, struct heap *h, uint64_t array, struct lineends_budget *budget)
{
    char header[16];
    int32_t count;
    enum v8status status = heap_typed(h, array, h->layout->type_fixed_array, sizeof header, header);
    if (status != V8_OK)
        return status;
    if (!heap_smi(load_u64(header + h->layout->array_length), &count) || count <= 0 ||
        (uint64_t)count * 8 > budget->left || !has_room(l, (size_t)count, budget))
        return V8_BAD;
    budget->left -= (uint64_t)count * 8;
    char *buffer = mem_alloc(V8BLOCK_MAX);
    uint64_t addr = heap_address(array) + h->layout->array_data, left = (uint64_t)count * 8;
    while (left > 0 && status == V8_OK) {
        size_t n = left < V8BLOCK_MAX ? (size_t)left : V8BLOCK_MAX;
        status = snapshot_read(&h->memory, addr, n, buffer);
        if (status == V8_OK && !take_smis(l, buffer, n))
            status = V8_BAD;
        addr += n;
        left -= n;
    }
    free(buffer);
    return status;
}

enum v8status
lineends_read(struct lineends *l, struct heap *h, uint64_t array, uint64_t source,
              struct lineends_budget *budget)
{
    enum v8status status = read_array(l, h, array, budget);
    if (status == V8_BAD) {
        l->n = 0;
        status = count_in_source(l, h, source, budget);
    }
    if (status != V8_OK)
        lineends_free(l);
    else
        shrink(l);
    return status;
}

void
lineends_position(const struct lineends *l, uint32_t offset, uint32_t *line, uint32_t *column)
{
    size_t low = 0, high = l->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->at[middle] < offset)
            low = middle + 1;
        else
            high = middle;
    }
    *line = (uint32_t)low;
    *column = low > 0 ? offset - (l->at[low - 1] + 1) : offset;
}
