#include "common/sym/demangle.h"

#include "common/sym/demangle_cxx.h"
#include "common/sym/demangle_rust.h"

/* The name without the version that linkers append: "_ZNSo3putEc@@GLIBCXX_3.4". */
static struct span
without_version(struct span name)
{
    size_t at = span_find(name, '@');
    return at != SPAN_NONE ? span_head(name, at) : name;
}

bool
demangle(struct arena *a, struct span name, enum demangle_style style, struct text *out)
{
    if (style == DEMANGLE_NONE || !span_starts(name, SPAN("_")))
        return false;
    /* First Rust: a legacy name is also a valid name of C++, but with a hash at its end. */
    if (demangle_rust(name, out))
        return true;
    if (style == DEMANGLE_SHORT)
        name = without_version(name);
    return demangle_cxx(a, name, style, out);
}
