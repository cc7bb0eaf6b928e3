#!/usr/bin/env bats
# The packages that make static, npm, deb and dist make: installed, used and removed.
load ../lib

setup_file() {
    export OUT=$BATS_FILE_TMPDIR/build
    mkdir "$OUT"
    # What make check-all has compiled with musl is not compiled again.
    [ ! -e "$BUILD/musl/built" ] || copy_build "$BUILD/musl" "$OUT/static"
    copy_build "$BUILD" "$OUT/deb"
    make_packages
}

# Compiled as the build and the port to musl are, so that they are only linked again.
make_packages() {
    local also=()
    ! command -v dpkg-deb > /dev/null || also+=(deb)
    ! git -C "$ROOT" rev-parse HEAD > /dev/null 2>&1 || also+=(dist)
    make -s -j2 -C "$ROOT" BUILD="$OUT" VERSION=1.2 STATIC_CFLAGS='-Og -Werror' DEB_CFLAGS="${CFLAGS--O2 -g}" \
        static npm "${also[@]}" > "$OUT.said"
}

deb() {
    DEB=$(echo "$OUT"/flamepipe_1.2_*.deb)
    [ -e "$DEB" ] || skip 'no dpkg-deb'
}

# Unpacks the static programs into the folder flamepipe.
unpack_static() {
    cd "$BATS_TEST_TMPDIR"
    tar -xzf "$OUT"/flamepipe-1.2-linux-*.tar.gz
    mv flamepipe-1.2-linux-* flamepipe
}

@test "the static programs have all in one file, and are no more than 6 MB" {
    unpack_static
    for program in perf-script stackfilter stackcollapse flamesvg stackdiff stackreport stackexport stackstat stackrecord stackfiles jmaps; do
        same "$program (flamepipe) 1.2" "$(flamepipe/bin/$program --version)"
        try readelf -lW "flamepipe/bin/$program"
        [[ $output != *INTERP* && $output != *DYNAMIC* ]]
    done
    [ "$(stat -c %s "$OUT"/flamepipe-1.2-linux-*.tar.gz)" -le 6000000 ]
    for file in README.md LICENSE share/man/man7/flamepipe.7 share/bash-completion/completions/flamesvg \
        share/zsh/site-functions/_flamesvg share/fish/vendor_completions.d/flamesvg.fish \
        libexec/flamepipe/flamegraph.pl; do
        [ -s "flamepipe/$file" ]
    done
}

@test "the static programs draw a picture where there is nothing else, not even a C library" {
    unpack_static
    gunzip -c "$ROOT/tests/data/node-http.perf.txt.gz" > flamepipe/perf
    local enter=chroot
    [ "$(id -u)" = 0 ] || enter='unshare -r chroot'
    $enter flamepipe /bin/stackcollapse --version || skip 'no other root'
    $enter flamepipe /bin/stackfilter --node perf | $enter flamepipe /bin/stackcollapse |
        $enter flamepipe /bin/flamesvg -o f.svg
    grep -q '</svg>' flamepipe/f.svg
    gunzip -c "$ROOT/tests/data/node-http.perf.txt.gz" | stackfilter --node | stackcollapse | flamesvg > ours.svg
    cmp ours.svg flamepipe/f.svg
}

@test "the Perl scripts' names work in the static folder, wherever it is" {
    unpack_static
    mv flamepipe 'a new place'
    try 'a new place/libexec/flamepipe/flamegraph.pl' <<<'a;b 1'
    [ "$status" -eq 0 ]
    [[ $output == *'</svg>'* ]]
}

# Installs an npm package here, without the network.
npm_install() { # PACKAGE
    HOME=$PWD npm install --offline --no-audit --no-fund "$1" > said 2>&1
}

@test "the npm package has all programs, and npx flamepipe draws a node program" {
    command -v npm || skip 'no npm'
    cd "$BATS_TEST_TMPDIR"
    echo '{}' > package.json
    npm_install "$OUT/flamepipe-1.2.tgz"
    for program in perf-script stackfilter stackcollapse flamesvg stackdiff stackreport stackexport stackstat stackrecord stackfiles jmaps \
        flamepipe; do
        same "$program (flamepipe) 1.2" "$(node_modules/.bin/$program --version)"
    done
    echo 'function work() { let n = 0; for (let i = 0; i < 1e6; i++) n += Math.sqrt(i); return n }
        const end = Date.now() + 1500; while (Date.now() < end) work()' > app.js
    HOME=$PWD try npx --offline flamepipe -- node app.js
    [ "$status" -eq 0 ] || needs_recording <(echo "$stderr")
    grep -q 'work .*/app.js' flame.svg
}

@test "npm does not install the package on another kind of machine, and says what it is for" {
    command -v npm || skip 'no npm'
    cd "$BATS_TEST_TMPDIR"
    echo '{}' > package.json
    tar -xzf "$OUT/flamepipe-1.2.tgz"
    sed -i 's/"cpu": .*/"cpu": ["pdp11"],/' package/package.json
    tar -czf other.tgz package
    run npm_install "$PWD/other.tgz"
    [ "$status" -ne 0 ]
    grep -q 'Unsupported platform for flamepipe.*"linux"' said || { cat said; return 1; }
}

# Calls dpkg for a root of its own, in which nothing is installed.
own_dpkg() {
    dpkg --force-not-root --force-script-chrootless --force-depends --root="$BATS_TEST_TMPDIR/root" "$@"
}

@test "the Debian package installs, runs, and is removed without a trace" {
    deb
    cd "$BATS_TEST_TMPDIR"
    mkdir -p root/var/lib/dpkg/{info,updates,triggers}
    touch root/var/lib/dpkg/{status,available}
    find root -not -path 'root/var*' | sort > before
    own_dpkg -i "$DEB" > said 2>&1 || { [ "$(id -u)" != 0 ] && skip 'dpkg needs root'; }
    for program in root/usr/bin/*; do
        same "${program##*/} (flamepipe) 1.2" "$($program --version)"
    done
    same "$(find "$BIN" -type f | wc -l)" "$(find root/usr/bin -type f | wc -l)"
    printf 'a;b 1\n' | root/usr/libexec/flamepipe/flamegraph.pl > f.svg
    grep -q '</svg>' f.svg
    own_dpkg --purge flamepipe >> said 2>&1
    same "$(cat before)" "$(find root -not -path 'root/var*' | sort)"
}

@test "the Debian package has no file of Debian's perf, and no error that lintian knows" {
    deb
    cd "$BATS_TEST_TMPDIR"
    dpkg-deb -c "$DEB" | sed -n 's/^[^d].* \.\(\/[^ ]*\).*/\1/p' | sort > ours
    grep -qx /usr/share/man/man1/perf-script.1flamepipe.gz ours
    if dpkg -s linux-perf > said 2>&1; then
        # shellcheck disable=SC2046 # one package for each kernel
        dpkg -L $(dpkg-query -W -f '${Package}\n' 'linux-perf*') | sort > perfs
        same '' "$(while read -r file; do [ -d "$file" ] || grep -xF "$file" ours; done < perfs)"
    fi
    command -v lintian || skip 'no lintian'
    same '' "$(lintian "$DEB" 2> said | grep '^E:')"
}

@test "what is packed again has the same bytes, whatever the user's settings are" {
    cd "$OUT"
    sha256sum flamepipe* > "$BATS_TEST_TMPDIR/sums"
    rm flamepipe*
    umask 077
    sleep 1
    TZ=Asia/Tokyo LC_ALL=C.UTF-8 make_packages
    sha256sum -c "$BATS_TEST_TMPDIR/sums"
}

@test "make dist has the committed sources, from which a build can be made" {
    [ -e "$OUT/flamepipe-1.2.tar.gz" ] || skip 'no git, or no repository'
    cd "$BATS_TEST_TMPDIR"
    tar -xzf "$OUT/flamepipe-1.2.tar.gz"
    same "$(git -C "$ROOT" ls-tree -r --name-only HEAD | sort)" "$(cd flamepipe-1.2 && find . -type f -o -type l | cut -c 3- | sort)"
    make -n -C flamepipe-1.2 all unit > plan # no source is missing
    make -s -C flamepipe-1.2 PROGRAMS= SCRIPTS=flamepipe COMPAT=
    flamepipe-1.2/build/bin/flamepipe --version
}
