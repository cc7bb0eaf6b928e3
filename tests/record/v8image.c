/* Samples a node process that it starts, finds names with common/v8, and writes what was read,
 * handed over and reported: an image for tests/unit/v8image.c, whose format tests/unit/v8image.h
 * describes.
 *
 *     v8image MAJOR.MINOR NODE SCRIPT IMAGE      prints each name that was reported, and when it ended
 *
 * It samples for itself, by perf_event_open(2) on the main thread, so that it needs nothing of
 * stackrecord. An image ends after BYTES. */
#define _GNU_SOURCE
#include "tests/unit/v8image.h"

#include <asm/perf_regs.h>
#include <elf.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    BYTES = 78000,
    RING = 256 * 4096,
    STACK = 8192,
    HZ = 97,
    DRAIN = 20 * 1000, /* microseconds */
    START = 200 * 1000,
    FRAMES = 60
};

static pid_t pid;
static FILE *image;
static struct text reported; /* since the last round */
static struct text pending;  /* records before the R */
static struct addresses lines;
static VEC(struct line) known;
static unsigned round_number = 1;

struct line {
    char bytes[64];
    unsigned round; /* in which it was read last, */
    unsigned reads; /* and how often */
};

static _Noreturn void
fail(const char *what)
{
    perror(what);
    if (pid > 0)
        kill(pid, SIGKILL);
    exit(1);
}

static void
put(struct text *to, char kind, const uint64_t *numbers, size_t n)
{
    text_add(to, span_of(&kind, 1));
    for (size_t i = 0; i < n; i++)
        v8image_put(to, numbers[i]);
}

/* The metadata */

static char *elf;

static bool
elf_symbol(void *ctx, const char *symbol, int64_t *value)
{
    const Elf64_Ehdr *header = (const void *)elf;
    const Elf64_Shdr *sections = (const void *)(elf + header->e_shoff);
    (void)ctx;
    for (unsigned i = 0; i < header->e_shnum; i++) {
        const Elf64_Sym *symbols = (const void *)(elf + sections[i].sh_offset);
        const char *names = elf + sections[sections[i].sh_link].sh_offset;
        size_t n = sections[i].sh_type == SHT_DYNSYM ? sections[i].sh_size / sizeof *symbols : 0;
        for (size_t s = 0; s < n; s++) {
            const Elf64_Shdr *in = &sections[symbols[s].st_shndx];
            int32_t v = 0;
            if (strcmp(names + symbols[s].st_name, symbol) != 0)
                continue;
            if (in->sh_type != SHT_NOBITS)
                memcpy(&v, elf + in->sh_offset + (symbols[s].st_value - in->sh_addr), sizeof v);
            *value = v;
            return true;
        }
    }
    return false;
}

/* The same, and write it. */
static bool
write_symbol(void *ctx, const char *symbol, int64_t *value)
{
    uint8_t len = (uint8_t)strlen(symbol);
    if (!elf_symbol(ctx, symbol, value))
        return false;
    put(&pending, 'S', &(uint64_t){(uint64_t)*value}, 1);
    TEXT_ADD(&pending, SPAN_BYTES(len), span_cstr(symbol));
    return true;
}

static void
open_elf(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    elf = size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (elf == MAP_FAILED)
        fail(path);
}

/* The memory */

static bool
copy(uint64_t addr, void *to, size_t len)
{
    struct iovec local = {to, len}, remote = {(void *)addr, len};
    return process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)len;
}

/* Write what was read of a line, if that was not known. */
static void
write_line(uint64_t number, const char *bytes)
{
    uint32_t i;
    bool is_new = addresses_put(&lines, number, &i);
    if (is_new)
        VEC_ADD(known, (struct line){{0}, 0, 0});
    struct line *line = &known.at[i];
    line->reads = line->round == round_number ? line->reads + 1 : 1;
    line->round = round_number;
    if (!is_new && memcmp(line->bytes, bytes, 64) == 0)
        return;
    uint8_t reads = (uint8_t)(line->reads < UINT8_MAX ? line->reads : UINT8_MAX);
    memcpy(line->bytes, bytes, 64);
    put(&pending, 'M', &number, 1);
    TEXT_ADD(&pending, SPAN_BYTES(reads), span_of(bytes, 64));
}

static bool
read_memory(void *ctx, struct v8block *blocks, size_t n)
{
    char line[64];
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        blocks[i].ok = copy(blocks[i].addr, blocks[i].to, blocks[i].len);
        uint64_t end = blocks[i].addr + blocks[i].len;
        for (uint64_t at = blocks[i].addr / 64; blocks[i].ok && at * 64 < end; at++) {
            bool whole = at * 64 >= blocks[i].addr && at * 64 + 64 <= end;
            if (whole)
                write_line(at, (const char *)blocks[i].to + (at * 64 - blocks[i].addr));
            else if (copy(at * 64, line, sizeof line))
                write_line(at, line);
        }
    }
    return true;
}

static uint64_t
now(void *ctx)
{
    struct timespec t;
    (void)ctx;
    clock_gettime(CLOCK_MONOTONIC, &t);
    uint64_t time = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
    put(&pending, 'N', &time, 1);
    return time;
}

static void
on_code(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span label)
{
    uint16_t len = (uint16_t)label.len;
    (void)ctx;
    put(&reported, 'C', (const uint64_t[]){since, start, size}, 3);
    TEXT_ADD(&reported, SPAN_BYTES(len), label);
    if (label.len > 0)
        printf("%.*s\n", SPAN_ARG(label));
}

static void
on_inlined(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span labels)
{
    uint16_t len = (uint16_t)labels.len;
    (void)ctx;
    put(&reported, 'I', (const uint64_t[]){since, start, size}, 3);
    TEXT_ADD(&reported, SPAN_BYTES(len), labels);
    printf("%.*s\n", SPAN_ARG(labels));
}

static void
on_trampoline(void *ctx, uint64_t since, uint64_t addr)
{
    (void)ctx;
    put(&reported, 'T', (const uint64_t[]){since, addr}, 2);
}

/* Samples */

/* Set *in_file for an address in executable memory. */
static bool
is_code(uint64_t addr, bool *in_file)
{
    char path[64], row[4096], permissions[8];
    unsigned long start, end, inode;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "r");
    while (maps != NULL && !found && fgets(row, sizeof row, maps) != NULL) {
        if (sscanf(row, "%lx-%lx %7s %*s %*s %lu", &start, &end, permissions, &inode) != 4)
            continue;
        found = addr >= start && addr < end && permissions[2] == 'x';
        *in_file = inode != 0;
    }
    if (maps != NULL)
        fclose(maps);
    return found;
}

static void
hand_over(struct v8names *names, const struct v8frame *f)
{
    uint8_t flags = (uint8_t)((f->leaf ? V8IMAGE_LEAF : 0) | (f->has_words ? V8IMAGE_WORDS : 0) |
                              (f->in_file ? V8IMAGE_FILE : 0) | (f->guessed ? V8IMAGE_GUESSED : 0) |
                              (f->has_context ? V8IMAGE_CONTEXT : 0));
    bool javascript = f->has_words && (f->context & 3) == 1;
    if (f->in_file && (f->leaf || !javascript))
        return; /* no name can come of it: it would only take room */
    put(&pending, 'F',
        (const uint64_t[]){f->time, f->pc, f->context, f->function, f->bytecode, f->offset}, 6);
    TEXT_ADD(&pending, SPAN_BYTES(f->tid), SPAN_BYTES(flags));
    v8names_add(names, f);
}

struct stack {
    const char *bytes;
    uint64_t sp, len;
};

static bool
word_at(const struct stack *s, uint64_t addr, uint64_t *word)
{
    bool inside = addr >= s->sp && addr - s->sp <= s->len && s->len - (addr - s->sp) >= 8;
    if (inside)
        memcpy(word, s->bytes + (addr - s->sp), sizeof *word);
    return inside;
}

/* Hand over the frames of a sample: header, pid, tid, time, ABI, BP, SP, IP, size, stack, size. */
static void
take_sample(struct v8names *names, const char *record)
{
    uint64_t abi, fp, pc, size;
    struct v8frame f = {.leaf = true};
    struct stack s;
    memcpy(&f.tid, record + 12, 4);
    memcpy(&f.time, record + 16, 8);
    memcpy(&abi, record + 24, 8);
    if (abi == PERF_SAMPLE_REGS_ABI_NONE)
        return;
    memcpy(&fp, record + 32, 8);
    memcpy(&s.sp, record + 40, 8);
    memcpy(&pc, record + 48, 8);
    memcpy(&size, record + 56, 8);
    s.bytes = record + 64;
    s.len = 0;
    if (size > 0)
        memcpy(&s.len, s.bytes + size, 8);
    for (unsigned i = 0; i < FRAMES; i++, f.leaf = false) {
        bool is_known = is_code(pc, &f.in_file);
        f.pc = pc;
        f.has_context = word_at(&s, fp - 8, &f.context);
        f.has_words = f.has_context && word_at(&s, fp - 16, &f.function) &&
                      word_at(&s, fp - 32, &f.bytecode) && word_at(&s, fp - 40, &f.offset);
        if (is_known)
            hand_over(names, &f);
        struct v8frame guess = f;
        guess.leaf = false;
        guess.guessed = true;
        if (f.leaf && f.in_file && word_at(&s, s.sp, &guess.pc) &&
            is_code(guess.pc, &guess.in_file))
            hand_over(names, &guess);
        uint64_t next;
        if ((!is_known && !f.leaf) || !word_at(&s, fp + 8, &pc) || !word_at(&s, fp, &next) ||
            next <= fp)
            break;
        fp = next;
    }
}

static struct perf_event_mmap_page *
start_sampling(void)
{
    struct perf_event_attr attr = {
        .size = sizeof attr,
        .type = PERF_TYPE_SOFTWARE,
        .config = PERF_COUNT_SW_CPU_CLOCK,
        .freq = 1,
        .sample_freq = HZ,
        .sample_type =
            PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
        .sample_regs_user = 1 << PERF_REG_X86_BP | 1 << PERF_REG_X86_SP | 1 << PERF_REG_X86_IP,
        .sample_stack_user = STACK,
        .use_clockid = 1,
        .clockid = CLOCK_MONOTONIC,
    };
    int fd = (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, 0);
    void *ring =
        fd >= 0 ? mmap(NULL, RING + 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (ring == MAP_FAILED)
        fail("perf_event_open");
    return ring;
}

static void
drain(struct perf_event_mmap_page *page, struct v8names *names)
{
    static char record[1 << 16];
    const char *data = (const char *)page + 4096;
    uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), tail = page->data_tail;
    while (tail < head) {
        struct perf_event_header header;
        for (size_t i = 0; i < sizeof header; i++)
            record[i] = data[(tail + i) % RING];
        memcpy(&header, record, sizeof header);
        for (size_t i = 0; i < header.size; i++)
            record[i] = data[(tail + i) % RING];
        tail += header.size;
        if (header.type == PERF_RECORD_SAMPLE)
            take_sample(names, record);
    }
    __atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
}

/* Write a round, if there is room for it. */
static bool
write_round(void)
{
    text_add(&pending, SPAN("R"));
    text_add(&pending, text_span(&reported));
    bool room = (size_t)ftell(image) + pending.len <= BYTES;
    if (room)
        fwrite(pending.ptr, 1, pending.len, image);
    pending.len = reported.len = 0;
    round_number++;
    return room;
}

int
main(int argc, char **argv)
{
    struct v8layout layout;
    unsigned version[2];
    if (argc != 5 || sscanf(argv[1], "%u.%u", &version[0], &version[1]) != 2)
        return 2;
    open_elf(argv[2]);
    image = fopen(argv[4], "wb");
    if (image == NULL)
        fail(argv[4]);
    fputs(V8IMAGE_HEAD, image);
    put(&pending, 'V', (const uint64_t[]){version[0], version[1]}, 2);
    const char *why = v8layout_init(&layout, version, write_symbol, NULL);
    if (why != NULL) {
        fprintf(stderr, "%s: %s\n", argv[2], why);
        return 1;
    }
    pid = fork();
    if (pid == 0) {
        execl(argv[2], "node", argv[3], (char *)NULL);
        _exit(127);
    }
    usleep(START);
    struct perf_event_mmap_page *ring = start_sampling();
    const struct v8memory memory = {read_memory, now, NULL};
    const struct v8names_sink sink = {on_code, on_trampoline, on_inlined, NULL, NULL};
    struct text constants = pending;
    pending = (struct text){0};
    struct v8names *names = v8names_new(&layout, &memory, &sink, 0);
    fwrite(constants.ptr, 1, constants.len, image);
    pending.len = 0;
    do {
        usleep(DRAIN);
        drain(ring, names);
        v8names_resolve(names);
    } while (write_round());
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return fclose(image) == 0 ? 0 : 1;
}
