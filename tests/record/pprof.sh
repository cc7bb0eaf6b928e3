#!/usr/bin/env bash
# Makes the inputs of the format pprof in tests/data/stackcollapse/pprof again: profiles of a program in Go, gzipped as
# Go writes them, and one that pprof.py writes. What is expected of them comes from "go tool pprof -raw".
#
# usage: pprof.sh [-o FOLDER] NAME ...      (cpu heap documented)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$here/../data/stackcollapse/pprof
if [ "${1-}" = -o ]; then
    folder=$(realpath "$2")
    shift 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$here/app/profile.go" .
go build -trimpath -o profile profile.go
./profile
for name; do
    case $name in
    documented) "$here/pprof.py" "$name" >"$folder/$name" ;;
    *) cp "$name" "$folder/$name" ;;
    esac
    # No user has settings here, and the profile is not looked for under another name.
    HOME=$work go tool pprof -symbolize=none -raw "$folder/$name" 2>/dev/null | "$here/pprof.py" fold >"$folder/$name.own"
done
