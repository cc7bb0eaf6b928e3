/* Records that perf adds to those of the kernel, from type 64 on (perf_event_type of
 * tools/lib/perf/include/perf/event.h). RECORD_FINISHED_ROUND is one too. */
#ifndef EVENT_ADDED_H
#define EVENT_ADDED_H

enum {
    ADDED_ATTR = 64,         /* perf_event_attr, u64 ids[] */
    ADDED_TRACING_DATA = 66, /* u32 size; the tracing data follow the record */
    ADDED_BUILD_ID = 67,     /* i32 pid, build-id[24], file */
    ADDED_AUXTRACE_INFO = 70,
    ADDED_AUXTRACE_ERROR = 72,
    ADDED_EVENT_UPDATE = 78, /* u64 kind, u64 id, and of UPDATE_NAME a name */
    ADDED_FEATURE = 80,      /* u64 feature, its data */
    ADDED_COMPRESSED = 81,
    ADDED_COMPRESSED2 = 83,
};

enum { UPDATE_NAME = 2 };

#endif
