#include "common/demangle/demangle.h"

#include "common/demangle/demangle_cxx.h"
#include "common/demangle/demangle_rust.h"

/* Return what linkers append to a name: a version, "_ZNSo3putEc@@GLIBCXX_3.4", or "@plt". */
static struct span
suffix_of(struct span name)
{
    size_t at = span_find(name, '@');
    return span_from(name, at != SPAN_NONE ? at : name.len);
}

bool
demangle(struct arena *a, struct span name, enum demangle_style style, struct text *out)
{
    if (style == DEMANGLE_NONE)
        return false;
    if (demangle_rust_rest(name, out))
        return true;
    if (!span_starts(name, SPAN("_")))
        return false;
    struct span suffix = suffix_of(name), mangled = span_head(name, name.len - suffix.len);
    /* Rust comes first: a legacy name is also a valid name of C++, but with a hash at its end. */
    if (!demangle_rust(mangled, out) && !demangle_cxx(a, mangled, style, out))
        return false;
    /* c++filt -p drops what follows a name. */
    if (style == DEMANGLE_FULL || span_eq(suffix, SPAN("@plt")))
        text_add(out, suffix);
    return true;
}
