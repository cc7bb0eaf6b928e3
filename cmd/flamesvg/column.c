#include "cmd/flamesvg/column.h"

#include "cmd/flamesvg/base32.h"
#include "common/base/jsontext.h"

void
column_start(const struct canvas *c, const char *key)
{
    out_text(c->xml.out, ",\n\"");
    out_cstr(c->xml.out, key);
    out_text(c->xml.out, "\":");
}

void
column_string(const struct canvas *c, struct span s)
{
    jsontext_embedded(c->xml.out, s, c->xml.ascii);
}

void
column_strings(const struct canvas *c, const char *key, const struct intern *texts)
{
    column_start(c, key);
    out_char(c->xml.out, '[');
    for (uint32_t i = 0; i < texts->count; i++) {
        out_cstr(c->xml.out, i > 0 ? "," : "");
        column_string(c, intern_text(texts, i));
    }
    out_char(c->xml.out, ']');
}

void
column_numbers(const struct canvas *c, const char *key, const uint32_t *numbers, size_t count)
{
    column_start(c, key);
    out_char(c->xml.out, '"');
    for (size_t i = 0; i < count; i++)
        base32_put(c->xml.out, numbers[i]);
    out_char(c->xml.out, '"');
}
