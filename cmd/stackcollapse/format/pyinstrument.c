/* What "pyinstrument -r json" prints (pyinstrument/renderers/jsonrenderer.py of
 * github.com/joerick/pyinstrument): a call tree with the seconds that each function took, with what
 * it called:
 *
 *     {"start_time": 1732800000.5, "duration": 2.5, "sample_count": 2500,
 *      "target_description": "Program: app.py", "cpu_time": 2.4,
 *      "root_frame": {"function": "<module>", "file_path_short": "app.py",
 *                     "file_path": "/srv/app.py", "line_no": 1, "time": 2.5, "await_time": 0.0,
 *                     "is_application_code": true, "children": [
 *         {"function": "[self]", "file_path_short": "", "line_no": 1, "time": 0.5, "children": []},
 *         {"function": "work", "file_path_short": "app.py", "file_path": "/srv/app.py",
 *          "line_no": 4, "time": 2.0, "children": []}]}}
 *
 * A session that it saved (.pyisession) has other JSON, which only pyinstrument can make a tree of:
 *
 *     {"start_time": 1732800000.5, "duration": 2.5, "sample_count": 2500, "start_call_stack": [],
 *      "frame_records": [[["<module>\u0000/srv/app.py\u00001"], 0.001]]} */
#include "cmd/stackcollapse/shared/jsonfile.h"

/* The parts of a node's frame, which becomes "work (app.py:4)" at the end. Until then the node's
 * `self` is its time with all callees. */
struct py_function {
    uint32_t name, file; /* numbers of jsonfile_string */
    uint64_t line;
};

struct pyinstrument {
    struct jsontree tree;
    VEC(struct py_function) functions; /* for each node */
    struct intern strings;
    bool session; /* the file is a saved session */
};

/* Read a member of a node. */
static void
read_member(void *ctx, struct json *j)
{
    struct pyinstrument *f = ctx;
    struct decimal us;
    bool is_name = json_is(j, SPAN("function")), is_file = json_is(j, SPAN("file_path_short")),
         is_line = json_is(j, SPAN("line_no")), is_time = json_is(j, SPAN("time"));
    VEC_REACH(f->functions, f->tree.nodes.n);
    struct py_function *function = &f->functions.at[f->tree.node - f->tree.nodes.at];
    json_scalar(j);
    if (is_name)
        function->name = jsonfile_string(&f->strings, j);
    else if (is_file)
        function->file = jsonfile_string(&f->strings, j);
    else if (is_line)
        json_u64(j, &function->line);
    else if (is_time && json_decimal(j, 6, &us))
        f->tree.node->self = us.whole;
    else if (is_time)
        stacker_skip(&f->tree.base, "a frame whose time is not a number of seconds");
}

static void
name_nodes(struct pyinstrument *f)
{
    struct stacker *r = &f->tree.base;
    for (size_t i = 0; i < f->tree.nodes.n; i++) {
        const struct py_function *function = &f->functions.at[i];
        struct span name = jsonfile_text(&f->strings, function->name);
        text_set(&r->name, name.len > 0 ? name : SPAN("[unknown]"));
        jsonfile_add_place(&r->name, jsonfile_text(&f->strings, function->file), function->line);
        f->tree.nodes.at[i].name = stacker_name(r, text_span(&r->name));
    }
}

static void
finish(struct stacker *r)
{
    struct pyinstrument *f = (struct pyinstrument *)r;
    if (f->session && f->tree.nodes.n == 0)
        diag_error(r->c->diag, stacker_file(r),
                   "a saved session of pyinstrument: print its call tree with pyinstrument "
                   "--load=FILE -r json, and fold that");
    VEC_REACH(f->functions, f->tree.nodes.n);
    for (size_t i = 0; i < f->tree.nodes.n; i++) {
        struct span name = jsonfile_text(&f->strings, f->functions.at[i].name);
        if (span_eq(name, SPAN("[self]")) && f->tree.nodes.at[i].parent != JSONTREE_NONE)
            f->tree.nodes.at[i].self = 0; /* it belongs to the caller */
    }
    jsonfile_subtract(&f->tree);
    name_nodes(f);
    jsonfile_fold_tree(r);
}

static bool
is_ours(struct span head)
{
    bool tree = jsonfile_has(head, SPAN("file_path_short")) && jsonfile_has(head, SPAN("line_no"));
    bool session =
        jsonfile_has(head, SPAN("frame_records")) && jsonfile_has(head, SPAN("sample_count"));
    return tree || session;
}

static const struct jsonfield members[] = {
    FIELD_TREE("root_frame", read_member),
    FIELD_SEEN("frame_records", struct pyinstrument, session),
    FIELD_END,
};

const struct format format_pyinstrument = {.is_json = is_ours,
                                           .members = members,
                                           .state_size = sizeof(struct pyinstrument),
                                           .finish = finish,
                                           .interns = MEMBERS(struct pyinstrument, strings),
                                           .buffers = MEMBERS(struct pyinstrument, functions)};
