/* A compressed section has the flag SHF_COMPRESSED and begins with Elf64_Chdr. Older tools name it
 * .zdebug_info; it then begins with "ZLIB" and its size, 8 bytes, big endian. */
#include "common/dwarf/debugfile.h"

#include <stdlib.h>

#include "common/base/inflate.h"
#include "common/base/cursor.h"
#include "common/base/unpack.h"

enum { ZSTD = 2 }; /* ELFCOMPRESS_ZSTD, which older versions of elf.h lack */

const char debugfile_too_large[] = "takes more than its share of memory";

static const char *const names[DEBUG_SECTIONS] = {
    [DEBUG_INFO] = "info",       [DEBUG_TYPES] = "types",       [DEBUG_ABBREV] = "abbrev",
    [DEBUG_LINE] = "line",       [DEBUG_RANGES] = "ranges",     [DEBUG_RNGLISTS] = "rnglists",
    [DEBUG_STR] = "str",         [DEBUG_LINE_STR] = "line_str", [DEBUG_STR_OFFSETS] = "str_offsets",
    [DEBUG_ADDR] = "addr",       [DEBUG_LOC] = "loc",           [DEBUG_LOCLISTS] = "loclists",
    [DEBUG_ARANGES] = "aranges", [DEBUG_CU_INDEX] = "cu_index",
};

/* Find the section with this name: ".debug_info", ".zdebug_info", ".debug_info.dwo". */
static bool
parse_name(struct span name, bool dwo, enum debugsection *s, bool *old)
{
    *old = span_skip(&name, SPAN(".zdebug_"));
    if (!*old && !span_skip(&name, SPAN(".debug_")))
        return false;
    bool index = span_eq(name, SPAN("cu_index"));
    if (dwo && !index) {
        if (!span_ends(name, SPAN(".dwo")))
            return false;
        name.len -= sizeof ".dwo" - 1;
    }
    for (size_t i = 0; i < DEBUG_SECTIONS; i++)
        if (span_eq(name, span_cstr(names[i]))) {
            *s = (enum debugsection)i;
            return true;
        }
    return false;
}

bool
debugfile_open(struct debugfile *f, const struct elf *e, bool dwo, uint64_t most,
               struct patience *patience)
{
    Elf64_Shdr header;
    enum debugsection s;
    bool old;
    *f =
        (struct debugfile){.elf = e, .most = most > 0 ? most : DEBUGFILE_MAX, .patience = patience};
    for (size_t i = 1; elf_section(e, i, &header); i++) {
        if (header.sh_type == SHT_NOBITS ||
            !parse_name(elf_section_name(e, &header), dwo, &s, &old))
            continue;
        if (f->sections[s].state == DEBUG_NONE)
            f->sections[s] = (struct debugfile_section){
                .header = header,
                .state = old || (header.sh_flags & SHF_COMPRESSED) != 0 ? DEBUG_COMPRESSED
                                                                        : DEBUG_PLAIN};
    }
    return f->sections[DEBUG_INFO].state != DEBUG_NONE;
}

void
debugfile_close(struct debugfile *f)
{
    for (size_t i = 0; i < DEBUG_SECTIONS; i++) {
        view_free(&f->sections[i].entries);
        free(f->sections[i].memory);
    }
    *f = (struct debugfile){0};
}

/* Remove the header of a compressed section. Return false if its kind is unknown. */
static bool
take_header(const struct debugfile *f, const struct debugfile_section *s, struct span *bytes,
            uint64_t *size, uint32_t *kind)
{
    Elf64_Chdr wide;
    Elf32_Chdr narrow;
    if ((s->header.sh_flags & SHF_COMPRESSED) == 0) {
        *kind = ELFCOMPRESS_ZLIB;
        *size = 0;
        if (bytes->len < 12 || !span_skip(bytes, SPAN("ZLIB")))
            return false;
        for (size_t i = 0; i < 8; i++)
            *size = *size << 8 | (unsigned char)bytes->ptr[i];
        *bytes = span_from(*bytes, 8);
        return true;
    }
    size_t n = f->elf->is64 ? sizeof wide : sizeof narrow;
    if (bytes->len < n)
        return false;
    if (f->elf->is64) {
        memcpy(&wide, bytes->ptr, n);
        *size = wide.ch_size;
        *kind = wide.ch_type;
    } else {
        memcpy(&narrow, bytes->ptr, n);
        *size = narrow.ch_size;
        *kind = narrow.ch_type;
    }
    *bytes = span_from(*bytes, n);
    return true;
}

static bool
has_room(struct debugfile *f, uint64_t size)
{
    bool room = size <= f->most - f->unpacked;
    if (!room)
        f->refused = debugfile_too_large;
    return room;
}

bool
debugfile_may_read(struct debugfile *f, enum debugsection s, uint64_t size)
{
    return f->sections[s].state == DEBUG_UNPACKED || has_room(f, size);
}

/* Return true if a section of `packed` bytes may unpack to this size. Real sections shrink to a
 * fifth. One that shrinks to less than a sixty-fourth was made to fill memory; none grows. */
static bool
is_plausible(uint64_t packed, uint64_t size)
{
    enum { RATIO = 64, FREE = 1 << 20, BLOCK = 1024 };
    return size > 0 && size / INFLATE_RATIO <= packed && packed <= size + size / BLOCK + BLOCK &&
           (size <= FREE || (size - FREE) / RATIO <= packed);
}

/* Unpack the bytes into s->memory. If they are damaged, it stays empty. */
static void
unpack_section(struct debugfile *f, struct debugfile_section *s, struct span bytes, size_t size,
               uint32_t kind)
{
    struct text text = {0};
    if (kind == ELFCOMPRESS_ZLIB) {
        s->memory = malloc(size);
        if (s->memory == NULL)
            f->refused = debugfile_too_large;
        else if (inflate_zlib(bytes, s->memory, size, f->patience))
            s->size = size;
    } else if (unpack_bytes("zstd", bytes, size, &text, f->patience) && text.len == size) {
        s->memory = text.ptr;
        s->size = size;
    } else {
        free(text.ptr);
        f->refused = "is compressed by zstd, which failed or is not installed";
    }
}

/* Unpack a section into memory, unless it is too large. */
static void
unpack(struct debugfile *f, struct debugfile_section *s)
{
    uint64_t size;
    uint32_t kind;
    struct view packed = elf_section_view(f->elf, &s->header, VIEW_TABLE);
    struct span start = view_at(&packed, 0, sizeof(Elf64_Chdr)), bytes = start;
    s->state = DEBUG_UNPACKED;
    if (take_header(f, s, &bytes, &size, &kind) && (kind == ELFCOMPRESS_ZLIB || kind == ZSTD) &&
        is_plausible(packed.size, size)) {
        size_t skipped = start.len - bytes.len;
        if (has_room(f, size))
            unpack_section(f, s, span_from(view_at(&packed, 0, (size_t)packed.size), skipped),
                           (size_t)size, kind);
    }
    if (s->size == 0) {
        free(s->memory);
        s->memory = NULL;
        if (f->refused == NULL)
            f->refused = "is damaged, or compressed as no compressor does it";
    }
    f->unpacked += s->size;
    view_free(&packed);
}

struct view
debugfile_view(struct debugfile *f, enum debugsection number, size_t block)
{
    struct debugfile_section *s = &f->sections[number];
    if (s->state == DEBUG_COMPRESSED)
        unpack(f, s);
    if (s->state == DEBUG_UNPACKED)
        return view_of(span_of(s->memory, s->size));
    return s->state == DEBUG_PLAIN ? elf_section_view(f->elf, &s->header, block) : (struct view){0};
}

/* Return the view for reading entries, which is kept open. */
static struct view *
entries(struct debugfile *f, enum debugsection number)
{
    struct debugfile_section *s = &f->sections[number];
    if (!s->viewed)
        s->entries = debugfile_view(f, number, VIEW_ENTRIES);
    s->viewed = true;
    return &s->entries;
}

struct span
debugfile_at(struct debugfile *f, enum debugsection s, uint64_t offset, size_t n)
{
    return view_at(entries(f, s), offset, n);
}

bool
debugfile_number(struct debugfile *f, enum debugsection s, uint64_t offset, size_t size,
                 uint64_t *number)
{
    struct span bytes = debugfile_at(f, s, offset, size);
    struct cursor r = cursor_of(bytes);
    *number = cursor_fixed(&r, size);
    return !r.cut;
}

struct span
debugfile_string(struct debugfile *f, enum debugsection s, uint64_t offset)
{
    return view_string(entries(f, s), offset);
}

uint64_t
debugfile_size(struct debugfile *f, enum debugsection s)
{
    return entries(f, s)->size;
}
