# Lists what must be the same in two pictures of the same stacks, fields apart by tabs:
#     canvas WIDTH HEIGHT, title and subtitle, the colours of the background
#     frame X Y WIDTH HEIGHT COLOUR TITLE TEXT LINK
# Input is an SVG as flamegraph.pl and flamesvg write it:
#     <g id="frames"> <g> <title>..</title><rect x=.. y=.. width=.. height=.. fill=../> <text>..</text> </g> .. </g>
BEGIN { RS = "<" } # a record is a tag and the text after it

function attribute(name) {
    if (!match($0, "[ \t\n]" name "=\"[^\"]*\""))
        return ""
    return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
}

function text(s) { # after the tag; characters that one of the two escapes as they are
    s = $0
    sub(/^[^>]*>/, "", s)
    gsub(/&lt;/, "<", s)
    gsub(/&gt;/, ">", s)
    gsub(/&quot;/, "\"", s)
    gsub(/&(apos|#39);/, "'", s)
    gsub(/&amp;/, "\\&", s)
    gsub(/\t/, " ", s)
    gsub(/^ +| +$/, "", s)
    return s
}

/^svg / { print "canvas\t" attribute("width") "\t" attribute("height") }
/^stop / { print "background\t" attribute("stop-color") }
/^text / && attribute("id") ~ /title$/ { print attribute("id") "\t" text() }
/^text / && !in_frames && attribute("id") == "" { print "text\t" text() }
/^g / && attribute("id") == "frames" { in_frames = 1; next }
!in_frames { next }

/^a / { link = attribute("xlink:href") attribute("href") }
/^title>/ { title = text() }
/^rect / {
    place = attribute("x") "\t" attribute("y") "\t" attribute("width") "\t" attribute("height")
    colour = attribute("fill")
    gsub(/ /, "", colour)
}
/^text / { label = text() }
/^\/(g|a)>/ {
    if (place == "")
        exit # the end of all frames
    print "frame\t" place "\t" colour "\t" title "\t" label "\t" link
    place = link = ""
}
