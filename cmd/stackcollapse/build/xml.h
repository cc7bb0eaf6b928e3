/* XML text, read tag by tag: memory holds the longest tag, at most a megabyte. Made for what
 * programs write: the names of start and end tags are not compared, and there is no DTD. */
#ifndef STACKCOLLAPSE_XML_H
#define STACKCOLLAPSE_XML_H

#include "common/base/lines.h"
#include "common/base/text.h"

enum xml_item {
    XML_END, /* of the text */
    XML_ERROR,
    XML_OPEN,  /* <name attribute="value"> */
    XML_EMPTY, /* <name attribute="value"/> */
    XML_CLOSE, /* </name> */
    XML_TEXT,  /* between two tags, or a part of it */
};

struct xml {
    struct lines *lines;
    enum xml_item item; /* given last */
    /* Valid until the next call: */
    struct span name;       /* of a tag */
    struct span attributes; /* of a tag, as they are written */
    struct span text;       /* XML_TEXT, as it is written */
    const char *why;        /* after XML_ERROR */
    size_t depth;           /* how many elements are open */
};

/* Start on the text that `lines` is at the start of, which is borrowed. From now on lines->number
 * is the line of the end of what was read last, for messages. */
void xml_start(struct xml *x, struct lines *lines);

/* Read the next item; pass over comments, declarations and processing instructions. After
 * XML_END and XML_ERROR return the same again. */
enum xml_item xml_next(struct xml *x);

/* Set *value to the value of an attribute of the tag given last, its entities and character
 * references decoded. Return false, with *value empty, if there is no attribute of this name. */
bool xml_attribute(const struct xml *x, struct span name, struct text *value);

/* Return true if the item given last is a tag of this name. */
static inline bool
xml_is(const struct xml *x, struct span name)
{
    return x->item != XML_TEXT && span_eq(x->name, name);
}

#endif
