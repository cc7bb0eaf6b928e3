#include "common/demangle/demangle.h"

#include "common/demangle/demangle_cxx.h"
#include "common/demangle/demangle_rust.h"

bool
demangle(struct arena *a, struct span name, enum demangle_style style, struct text *out)
{
    if (style == DEMANGLE_NONE)
        return false;
    if (demangle_rust_rest(name, out))
        return true;
    if (!span_starts(name, SPAN("_")))
        return false;
    /* Linkers append a version, as in "_ZNSo3putEc@@GLIBCXX_3.4", or "@plt". */
    struct span mangled = span_before(name, '@'), suffix = span_from(name, mangled.len);
    /* Try Rust first: a legacy name is also a valid C++ name, but with a hash at its end. */
    if (!demangle_rust(mangled, out) && !demangle_cxx(a, mangled, style, out))
        return false;
    /* c++filt -p drops the suffix of a name. */
    if (style == DEMANGLE_FULL || span_eq(suffix, SPAN("@plt")))
        text_add(out, suffix);
    return true;
}
