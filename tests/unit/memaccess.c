/* The words for what an instruction read or wrote. */
#include "common/event/memaccess.h"

#include <stdlib.h>

#include "tests/unit/test.h"

static struct text text;

/* The words, after the number. */
static struct span
words(uint64_t data_src)
{
    text.len = 0;
    memaccess_add(&text, data_src);
    return span_from(text_span(&text), 17);
}

TEST("the bits of a data source are named as perf names them")
{
    CHECK_TEXT(words(0x68100142), "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A");
    CHECK_TEXT(words(0x50100c44),
               "|OP STORE|LVL L2 or L3 hit|SNP None|TLB L2 miss|LCK No|BLK  N/A");
    CHECK_TEXT(words((uint64_t)13 << 33 | 4 << 19 | 0x400 << 5 | 8),
               "|OP PFETCH|LVL Remote Cache (1 hop) or RAM|SNP Hit|TLB N/A|LCK No|BLK  N/A");
    CHECK_TEXT(words((uint64_t)1 << 43 | (uint64_t)1 << 37 | (uint64_t)2 << 33 | 0x42),
               "|OP LOAD|LVL Remote core, same node L2 hit|SNP N/A|TLB N/A|LCK No|BLK  N/A");
    CHECK_TEXT(words((uint64_t)6 << 40 | (uint64_t)1 << 38 | 3 << 24 | 1),
               "|OP N/A|LVL N/A|SNP Fwd|TLB N/A|LCK N/A|BLK  Data Addr");
    CHECK_TEXT(words(2 << 24 | 16), "|OP EXEC|LVL N/A|SNP N/A|TLB N/A|LCK Yes|BLK  N/A");
    CHECK_TEXT(words(0), "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A");
}

TEST("all bits of a data source, and each of them alone, have words")
{
    CHECK(words(UINT64_MAX).len > 100);
    for (unsigned bit = 0; bit < 64; bit++)
        CHECK(span_starts(words((uint64_t)1 << bit), SPAN("|OP ")));
    CHECK_TEXT(span_head(text_span(&text), 17), "8000000000000000 ");
    free(text.ptr);
    text = (struct text){0};
}
