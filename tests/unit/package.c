#include "tests/unit/test.h"

#include "common/stack/frames/framekind.h"

static struct span
package(struct span name)
{
    static char text[PACKAGE_TEXT];
    return frame_package(name, frame_kind(name, SPAN("")), text);
}

TEST("the package of a function below node_modules is the innermost one, with its scope")
{
    CHECK_TEXT(package(SPAN("JS:*f /p/node_modules/lodash/get.js:7:1")), "lodash");
    CHECK_TEXT(package(SPAN("f /p/node_modules/a/node_modules/@b/c/x.js:7:1_[j]")), "@b/c");
}

TEST("of all else it is the kind")
{
    CHECK_TEXT(package(SPAN("malloc")), "(native)");
    CHECK_TEXT(package(SPAN("do_syscall_64_[k]")), "(kernel)");
    CHECK_TEXT(package(SPAN("JS:~main /p/main.js:1:1")), "(app)");
}
