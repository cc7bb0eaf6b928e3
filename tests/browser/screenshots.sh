#!/usr/bin/env bash
# Takes the pictures that the file shots lists, and writes a page with all of them, index.html. Status 1 if any could
# not be taken, or a page threw something.
#
# usage: screenshots.sh BUILD [NAME ...]      in BUILD/screenshots/; only the shots of these names
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
data=$here/../data
bin=$1/bin
out=$1/screenshots
wanted=" ${*:2} "
wait='eval new Promise(done => setTimeout(done, 200))'
mkdir -p "$out/pictures"
browser=${CHROMIUM:-chromium}
[ "${BROWSER-}" != firefox ] || browser=${FIREFOX:-firefox-esr}
for program in node "$browser"; do
    command -v "$program" >/dev/null || { echo "no $program: no screenshots"; exit 0; }
done

folded() { # RECORDING
    if [ "$1" = compare ]; then
        folded node-http | awk '{ own = $NF; $NF = ""; print $0 int(own * (NR % 5 + 1) / 3), own }'
    elif [ "$1" = readme ]; then
        gunzip -c "$data/node-http.perf.txt.gz" | "$bin/stackfilter" -q --node --hide kernel | "$bin/stackcollapse" -q
    else
        gunzip -c "$data/$1.perf.txt.gz" | "$bin/stackfilter" -q --node | "$bin/stackcollapse" -q --all
    fi
}

draw() { # NAME RECORDING OPTION...
    local file=$out/pictures/$1.svg
    [[ " ${*:3} " != *" --html "* ]] || file=$out/pictures/$1.html
    folded "$2" | "$bin/flamesvg" -q "${@:3}" >"$file" || { rm -f "$file"; return 1; }
}

take() { # NAME PICTURE SIZE SCHEME STEP...
    local file
    file=$(find "$out/pictures" -name "$2.*")
    [ -n "$file" ] || return 1
    node "$here/browse.js" "$file" "resize $3" "media prefers-color-scheme=$4" "$wait" "${@:5}" "$wait" \
        "screenshot $out/$1.png" >/dev/null
    [ "$1" != readme ] || node "$here/shrink.js" "$out/$1.png"
    printf '<figure><img src="%s.png" alt="" loading="lazy"><figcaption>%s</figcaption></figure>\n' "$1" "$1"
}

failed=()
while read -r name recording options; do
    read -ra options <<<"$options"
    draw "$name" "$recording" "${options[@]}" || failed+=("$name")
done < <(sed -n 's/^picture *//p' "$here/shots")

echo "<!DOCTYPE html><title>Screenshots</title>" >"$out/index.html"
while read -r name picture size schemes steps; do
    [[ $wanted =~ ^\ +$ || $wanted == *" $name "* ]] || continue
    list=()
    [ -z "$steps" ] || mapfile -t list <<<"${steps// | /$'\n'}"
    for scheme in ${schemes//,/ }; do
        shot=$name
        [ "$scheme" = light ] || shot+=-$scheme
        take "$shot" "$picture" "$size" "$scheme" "${list[@]}" || failed+=("$shot")
    done
done < <(sed -n 's/^shot *//p' "$here/shots") >>"$out/index.html"

echo "$(grep -c '<figure>' "$out/index.html") screenshots in $out, all in index.html"
[ ${#failed[@]} -eq 0 ] || { echo "failed: ${failed[*]}"; exit 1; }
