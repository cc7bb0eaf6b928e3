#!/usr/bin/env bash
# Records what the Perl scripts answer to the conformance cases.
# usage: FLAMEGRAPH_DIR=folder record.sh     (a checkout of https://github.com/brendangregg/FlameGraph)
set -euo pipefail
: "${FLAMEGRAPH_DIR:?must be a checkout of FlameGraph}"
here=$(cd "$(dirname "$0")" && pwd)
"$here/answers.sh" "$FLAMEGRAPH_DIR" | gzip -9n >"$here/answers.gz.new"
mv "$here/answers.gz.new" "$here/answers.gz"
ls -l "$here/answers.gz"
