#!/bin/sh
# Makes a package out of what `make install` has put into a folder. The same build makes the same bytes.
#
# usage: VERSION=N make.sh dist OUT                      the sources, of the last commit
#        VERSION=N make.sh tarball|npm FOLDER OUT        of the programs in FOLDER
#        VERSION=N MAINTAINER='NAME <ADDRESS>' make.sh deb FOLDER OUT
#
# All files have the date SOURCE_DATE_EPOCH, which is the last commit's where it is not set.
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")

# Outside of a git repository it is the date of config.mk.
: "${SOURCE_DATE_EPOCH:=$(git -C "$top" log -1 --format=%ct 2> /dev/null || stat -c %Y "$top/config.mk")}"
export SOURCE_DATE_EPOCH

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# Packs the folder $scratch/NAME.
pack() { # NAME OUT
    tar -C "$scratch" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
        --mode=u+rw,go+r-w,a+X --format=ustar -cf - "$1" | gzip -9n > "$2.new"
    mv "$2.new" "$2"
    echo "$2: $(($(wc -c < "$2") / 1000)) kB"
}

dist() {
    name=flamepipe-$VERSION
    mkdir "$scratch/$name"
    git -C "$top" archive HEAD | tar -xf - -C "$scratch/$name"
    pack "$name" "$1"
}

tarball() {
    name=flamepipe-$VERSION-linux-$(uname -m)
    cp -a "$1" "$scratch/$name"
    cp "$top/README.md" "$top/LICENSE" "$scratch/$name"
    pack "$name" "$2"
}

# What npm calls the processor.
npm_cpu() {
    case $(uname -m) in
    x86_64) echo x64 ;;
    aarch64) echo arm64 ;;
    i?86) echo ia32 ;;
    armv7*) echo arm ;;
    *) uname -m ;;
    esac
}

# A list of the files in a folder of the package, as JSON.
json_list() { # FOLDER FORMAT
    (cd "$scratch/package" && find "$1" -type f) | LC_ALL=C sort | awk -v format="$2" '
        { name = $0; sub(/.*\//, "", name); printf "%s\n    ", n++ ? "," : ""; printf format, name, $0 }
        END { print "" }'
}

npm() {
    mkdir "$scratch/package"
    cp -a "$1/bin" "$1/share/man" "$top/README.md" "$top/LICENSE" "$scratch/package"
    cat > "$scratch/package/package.json" << EOF
{
  "name": "flamepipe",
  "version": "$(echo "$VERSION" | awk -F. '{ print $1 "." $2 "." $3 + 0 }')",
  "description": "Records where programs on Linux, Node.js first of all, spend their time, and draws it as flame graphs",
  "keywords": ["flamegraph", "flame graph", "profiler", "profiling", "perf", "cpu", "performance"],
  "license": "ISC",
  "os": ["linux"],
  "cpu": ["$(npm_cpu)"],
  "bin": {$(json_list bin '"%s": "%s"')  },
  "man": [$(json_list man '"%.0s./%s"')  ]
}
EOF
    pack package "$2"
}

# The version of glibc that the programs need: the newest version of a symbol that they use.
glibc() { # FOLDER
    find "$1" -type f -perm -100 -exec objdump -T {} + 2> /dev/null | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1 |
        cut -d _ -f 2
}

# The folder has PREFIX /usr, and completions where Debian's zsh looks for them.
deb() {
    mkdir "$scratch/deb"
    cp -a "$1/." "$scratch/deb"
    root=$scratch/deb
    docs=$root/usr/share/doc/flamepipe
    mkdir -p "$docs" "$root/DEBIAN"
    # perf has a perf-script(1) too. With this suffix both can be installed: man shows ours if perf's is not there, else
    # "man 1flamepipe perf-script" does.
    mv "$root/usr/share/man/man1/perf-script.1" "$root/usr/share/man/man1/perf-script.1flamepipe"
    find "$root/usr/share/man" -type f -exec gzip -9n {} +
    cp "$top/README.md" "$docs"
    {
        echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
        echo 'Upstream-Name: flamepipe'
        echo
        echo 'Files: *'
        sed -n 's/^Copyright (c) \(.*\)/Copyright: \1/p' "$top/LICENSE"
        echo 'License: ISC'
        sed -n '/^Permission/,$s/^$/./p; /^Permission/,$p' "$top/LICENSE" | sed 's/^/ /'
    } > "$docs/copyright"
    {
        printf 'flamepipe (%s) unstable; urgency=medium\n\n  * Version %s.\n\n' "$VERSION" "$VERSION"
        printf ' -- %s  %s\n' "$MAINTAINER" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")"
    } | gzip -9n > "$docs/changelog.gz"
    (cd "$root" && find usr -type f | LC_ALL=C sort | xargs md5sum) > "$root/DEBIAN/md5sums"
    cat > "$root/DEBIAN/control" << EOF
Package: flamepipe
Version: $VERSION
Architecture: $(dpkg --print-architecture)
Maintainer: $MAINTAINER
Installed-Size: $(du -k -s --apparent-size "$root/usr" | cut -f 1)
Depends: libc6 (>= $(glibc "$root/usr/bin"))
Suggests: zstd, xz-utils, linux-perf
Section: devel
Priority: optional
Description: flame graphs of programs, Node.js first of all
 Small programs that record where programs on Linux spend their time, and draw
 it as flame graphs. Each does one step, and pipes connect them. They do what
 the FlameGraph scripts do, under the scripts' names too, in a fraction of the
 time, and record by themselves, without the perf package.
EOF
    chmod -R u+rwX,go+rX,go-w "$root"
    dpkg-deb --root-owner-group --build "$root" "$2.new" > /dev/null
    mv "$2.new" "$2"
    echo "$2: $(($(wc -c < "$2") / 1000)) kB"
}

"$@"
