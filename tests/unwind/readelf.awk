# What holds from which address on, by readelf -W --debug-dump=frames-interp, sorted, in the words of build/tool/cfitable:
#
#     26000 rsp+16 ra=c-8
#     26370 none
#
# Of the registers only the frame pointer and the return address; x30 of arm64 is "ra".
#
# usage: readelf -W --debug-dump=frames-interp FILE | awk -f readelf.awk | sort -s -k1,2 | awk -v join=1 -f readelf.awk

function flush() {
    if (at != "" && text != said) {
        sub(/^0+/, "", at)
        print at, text
        said = text
    }
}

BEGIN {
    said = "none"
}
join {
    if (($1 "") != (at "")) {
        flush()
        at = $1
    }
    text = $2 == 0 ? "none" : substr($0, length($1) + 4)
    next
}
/ CIE / {
    cie = $1
    fde = 0
    columns = 0
    next
}
/ FDE / {
    match($0, /cie=[0-9a-f]+/)
    cie = substr($0, RSTART + 4, RLENGTH - 4)
    match($0, /pc=[0-9a-f]+\.\.[0-9a-f]+/)
    split(substr($0, RSTART + 3, RLENGTH - 3), range, /\.\./)
    fde = (range[1] "") < (range[2] "") ? 1 : 2
    if (fde == 1) {
        print range[2], 0
        print range[1], 1, row[cie]
    }
    columns = 0
    next
}
/^ *LOC / {
    columns = split($0, name, " ")
    next
}
/^[0-9a-f]+ / && columns > 0 {
    while (match($0, /r[0-9]+ \([a-z0-9]+\)/)) { # "r9 (r9)": in another register
        found = substr($0, RSTART, RLENGTH)
        sub(/^.*\(/, "", found)
        sub(/\)$/, "", found)
        $0 = substr($0, 1, RSTART - 1) found substr($0, RSTART + RLENGTH)
    }
    text = $2
    for (i = 3; i <= columns; i++)
        if ($i != "u" && name[i] ~ /^(rbp|x29|ra)$/)
            text = text " " name[i] "=" $i
    if (fde == 0)
        row[cie] = text
    else if (fde == 1)
        print $1, 2, text
}
END {
    if (join)
        flush()
}
