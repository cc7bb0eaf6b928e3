/* Writes samples as perf script text, as perf 6.1 prints them, from their parts. Anybody can give a
 * command, file or function a name such as "a\nnode 1 [000] 1.0: 1 cycles:", so names are masked by
 * utf8_mask. If a header would be parsed with other fields because of the name of its thread or
 * event, white space in the name is written as "_", and so is the first byte of a name that begins
 * like a comment or a record: perf_line_parse then reads the fields that were written. */
#ifndef STACK_PERFWRITE_H
#define STACK_PERFWRITE_H

#include "common/base/out.h"
#include "common/base/text.h"
#include "common/stack/model/frametab.h"
#include "common/stack/model/sample.h"

/* Parts of a frame. */
enum {
    PERFWRITE_ADDR = 1,
    PERFWRITE_SYM = 2,
    PERFWRITE_OFFSET = 4,
    PERFWRITE_DSO = 8,
    PERFWRITE_SRCLINE = 16
};

/* Whether a command's name can be written with its blanks, in headers with these fields. */
struct perfwrite_name {
    char text[16];
    unsigned fields;
    enum { PERFWRITE_UNDECIDED, PERFWRITE_AS_IT_IS, PERFWRITE_PLAIN } decision;
};

enum { PERFWRITE_NAMES = 64 };

/* A writer for samples whose frames are in one frametab. The text of each frame is composed
 * once. */
struct perfwrite {
    struct out *out;
    const struct frametab *frames;
    /* Parts that are not written: header fields, bits 1 << enum perf_field, which may change
     * between samples; and parts of frames, PERFWRITE_* bits. Without addresses no frame is
     * written. */
    unsigned hidden, hidden_parts;
    bool as_perf; /* names as perf prints them, even if the header is then parsed differently */
    bool sample_flags; /* perf -F flags: columns that are blank except for hardware traces */

    /* private from here */
    struct span *lines; /* by frame number; ptr NULL: not composed yet */
    size_t count, cap;
    uint32_t generation; /* of the frames */
    struct arena arena;
    char *header; /* text of the sample's header */
    size_t header_len, header_cap;
    char numbers[PERF_FIELDS][PERF_NUMBER];
    struct text masked, plain;
    struct perfwrite_name names[PERFWRITE_NAMES]; /* a cache, by a hash of the name */
};

/* Initialize; both are borrowed. */
void perfwrite_init(struct perfwrite *w, struct out *out, const struct frametab *frames);

/* Write the header, the frames and, after a stack or if the sample has it, a blank line. A sample
 * without anything to write gets no line. */
void perfwrite_sample(struct perfwrite *w, const struct sample *s);

/* Write a record that is not a sample, "PERF_RECORD_COMM: node:42/42", after the header's
 * fields. */
void perfwrite_record(struct perfwrite *w, const struct perf_header *h, struct span text);

/* Write a line that is neither, such as a comment. */
void perfwrite_line(struct perfwrite *w, struct span line);

#endif
