/* Scans the strings of JSON, sixteen bytes at a time. */
#ifndef BASE_JSONRUN_H
#define BASE_JSONRUN_H

#include "common/base/bytes.h"

/* The length of the run of characters from p on that are no quote, backslash or control character.
 */
static inline size_t
json_plain_run(const char *p, const char *end)
{
    const char *start = p;
    for (; end - p >= (ptrdiff_t)sizeof(bytes); p += sizeof(bytes)) {
        bytes x = bytes_load(p), found = (bytes)((x == '"') | (x == '\\') | (x < ' '));
        if (bytes_any(found))
            return (size_t)(p - start) + bytes_first(found);
    }
    while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= ' ')
        p++;
    return (size_t)(p - start);
}

#endif
