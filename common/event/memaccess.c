/* The bits are those of union perf_mem_data_src in linux/perf_event.h:
 *
 *            68100842 |OP LOAD|LVL L3 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A
 */
#include "common/event/memaccess.h"

#include <inttypes.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { HIT = 1 << 1, MISS = 1 << 2 }; /* for a level of the cache, and for the TLB */

static const char *const operations[] = {"N/A", "LOAD", "STORE", "PFETCH", "EXEC"};
static const char *const levels[] = {"N/A",
                                     "HIT",
                                     "MISS",
                                     "L1",
                                     "LFB/MAB",
                                     "L2",
                                     "L3",
                                     "Local RAM",
                                     "Remote RAM (1 hop)",
                                     "Remote RAM (2 hops)",
                                     "Remote Cache (1 hop)",
                                     "Remote Cache (2 hops)",
                                     "I/O",
                                     "Uncached"};
static const char *const snoops[] = {"N/A", "None", "Hit", "Miss", "HitM"};
static const char *const snoops_more[] = {"Fwd", "Peer"};
static const char *const tlbs[] = {"N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault"};

static const char *const hops[8] = {[1] = "core, same node ",
                                    [2] = "node, same socket ",
                                    [3] = "socket, same board ",
                                    [4] = "board "};
static const char *const level_numbers[16] = {
    [1] = "L1",         [2] = "L2",       [3] = "L3",   [4] = "L4",    [5] = "L5",
    [6] = "L6",         [7] = "L7",       [8] = "L8",   [9] = "CXL",   [10] = "I/O",
    [11] = "Any cache", [12] = "LFB/MAB", [13] = "RAM", [14] = "PMEM", [15] = "N/A"};

static void
add(struct text *out, const char *words)
{
    text_add(out, span_cstr(words));
}

/* Append the names of the bits that are set, joined by "or". *n names are already there. */
static void
add_bits(struct text *out, uint64_t bits, const char *const *names, size_t count, unsigned *n)
{
    for (size_t i = 0; i < count; i++) {
        if ((bits >> i & 1) == 0)
            continue;
        add(out, (*n)++ > 0 ? " or " : "");
        add(out, names[i]);
    }
}

static void
add_outcome(struct text *out, uint64_t bits)
{
    add(out, bits & HIT ? " hit" : "");
    add(out, bits & MISS ? " miss" : "");
}

/* Append the first operation that is set. */
static void
add_operation(struct text *out, uint64_t bits)
{
    size_t i = 0;
    while (i < COUNT(operations) && (bits >> i & 1) == 0)
        i++;
    add(out, i < COUNT(operations) ? operations[i] : "No");
}

static void
add_level(struct text *out, uint64_t bits, unsigned number, bool remote, unsigned hop)
{
    size_t start = out->len;
    unsigned n = 0;
    add(out, remote ? "Remote " : "");
    if (hop > 0 && hop < COUNT(hops))
        add(out, hops[hop] != NULL ? hops[hop] : "");
    else
        add_bits(out, bits & ~(uint64_t)(HIT | MISS), levels, COUNT(levels), &n);
    if (number > 0) {
        add(out, n > 0 ? " or " : "");
        add(out, level_numbers[number]);
    }
    add(out, out->len == start ? "N/A" : "");
    add_outcome(out, bits);
}

static void
add_snoop(struct text *out, uint64_t bits, uint64_t more)
{
    unsigned n = 0;
    add_bits(out, bits, snoops, COUNT(snoops), &n);
    add_bits(out, more, snoops_more, COUNT(snoops_more), &n);
    add(out, n == 0 ? "N/A" : "");
}

static void
add_tlb(struct text *out, uint64_t bits)
{
    unsigned n = 0;
    add_bits(out, bits & ~(uint64_t)(HIT | MISS), tlbs, COUNT(tlbs), &n);
    add(out, n == 0 ? "N/A" : "");
    add_outcome(out, bits);
}

void
memaccess_add(struct text *out, uint64_t data_src)
{
    char number[24];
    unsigned lock = data_src >> 24 & 3, block = data_src >> 40 & 7;
    snprintf(number, sizeof number, "%16" PRIx64 " |OP ", data_src);
    add(out, number);
    add_operation(out, data_src & 31);
    add(out, "|LVL ");
    add_level(out, data_src >> 5 & 0x3fff, data_src >> 33 & 15, data_src >> 37 & 1,
              data_src >> 43 & 7);
    add(out, "|SNP ");
    add_snoop(out, data_src >> 19 & 31, data_src >> 38 & 3);
    add(out, "|TLB ");
    add_tlb(out, data_src >> 26 & 127);
    add(out, "|LCK ");
    add(out, lock & 1 ? "N/A" : lock & 2 ? "Yes" : "No");
    add(out, "|BLK ");
    if (block == 0 || (block & 1) != 0)
        add(out, " N/A");
    else
        add(out, block == 2 ? " Data" : block == 4 ? " Addr" : " Data Addr");
}
