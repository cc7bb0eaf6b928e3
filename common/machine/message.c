#include "common/machine/message.h"

#include <stdarg.h>
#include <stdio.h>

const char *
message(struct arena *a, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    size_t size = len < 0 ? 1 : (size_t)len + 1;
    char *text = arena_text(a, size);
    text[0] = '\0';
    vsnprintf(text, size, format, again);
    va_end(again);
    va_end(args);
    return text;
}
