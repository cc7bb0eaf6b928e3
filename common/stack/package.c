#include "common/stack/package.h"

#include <stdio.h>

#include "common/stack/v8name.h"

struct span
package_of(struct span name, enum frame_kind kind, char text[static PACKAGE_TEXT])
{
    struct v8name js;
    if (kind == KIND_DEP && (v8name_parse(name, &js) || v8name_parse_clean(name, &js)))
        return v8name_package(js.file);
    int n = snprintf(text, PACKAGE_TEXT, "(%s)", frame_kind_name(kind));
    return span_of(text, (size_t)n);
}
