#include "tests/fuzz/fuzz.h"

#include "common/unwind/cfi.h"
#include "common/base/cursor.h"

struct rows {
    const struct cfi *c;
    const struct cfi_fde *fde;
    uint64_t last;
    bool any;
};

static void
check_rule(const struct cfi *c, struct cfi_rule rule)
{
    MUST(rule.how <= CFI_VALUE_EXPRESSION);
    if (rule.how == CFI_EXPRESSION || rule.how == CFI_VALUE_EXPRESSION) {
        MUST(rule.n >= 0 && (size_t)rule.n < c->bytes.len);
        struct cursor r = cursor_of(span_from(c->bytes, (size_t)rule.n));
        cursor_take(&r, cursor_uleb(&r));
        MUST(!r.cut);
    }
}

/* Rows come in the order of addresses, inside the entry, and their expressions in the section. */
static void
check_row(void *ctx, uint64_t start, const struct cfi_row *row)
{
    struct rows *rows = ctx;
    MUST(start >= rows->fde->start && start < rows->fde->end);
    MUST(!rows->any || start > rows->last);
    rows->last = start;
    rows->any = true;
    check_rule(rows->c, row->cfa);
    for (size_t i = 0; i < CFI_REGISTERS; i++)
        if ((row->set >> i & 1) != 0) {
            MUST(row->regs[i].target == i);
            check_rule(rows->c, row->regs[i]);
        }
}

/* A byte of flags and a section. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cfi_fde fde;
    if (size == 0)
        return 0;
    struct cfi *c = malloc(sizeof *c);
    MUST(c != NULL);
    *c = (struct cfi){.bytes = fuzz_span(data + 1, size - 1),
                      .addr = 0x2000,
                      .text = 0x1000,
                      .data = 0x3000,
                      .keep = (data[0] & 8) != 0 ? UINT64_MAX : 1 << 6 | 1 << 16,
                      .is_debug = (data[0] & 1) != 0,
                      .is64 = (data[0] & 2) == 0,
                      .terminated = (data[0] & 4) != 0};
    for (size_t at = 0, next = 0; at < c->bytes.len; at = next) {
        bool read = cfi_read(c, &next, &fde);
        MUST(next > at && next <= c->bytes.len);
        struct rows rows = {.c = c, .fde = &fde};
        if (read)
            cfi_run(c, &fde, check_row, &rows);
    }
    free(c);
    return 0;
}
