#include "common/stack/package.h"

#include "common/stack/v8name.h"

struct span
package_of(struct span name, enum frame_kind kind, char text[static PACKAGE_TEXT])
{
    struct v8name js;
    if (kind == KIND_DEP && (v8name_parse(name, &js) || v8name_parse_clean(name, &js)))
        return v8name_package(js.file);
    struct span label = span_cstr(frame_kind_name(kind));
    text[0] = '(';
    memcpy(text + 1, label.ptr, label.len);
    text[1 + label.len] = ')';
    return span_of(text, label.len + 2);
}
