#include "common/sym/demangle.h"

#include "common/sym/demangle_rust.h"

bool
demangle(struct arena *a, struct span name, enum demangle_style style, struct text *out)
{
    (void)a;
    return style != DEMANGLE_NONE && demangle_rust(name, out);
}
