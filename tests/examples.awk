# Prints the displays of a manual page's section EXAMPLES as shell commands, an empty line between them.
# A display is .Dl or .Bd -literal; a prompt "$ " is removed. See mdoc(7).

function text(line) { # what mandoc would print for it
    gsub(/\\\(dq/, "\"", line)
    gsub(/\\\(aq/, "'", line)
    gsub(/\\\(ti/, "~", line)
    gsub(/\\\(ha/, "^", line)
    gsub(/\\&/, "", line)
    gsub(/\\-/, "-", line)
    gsub(/\\e/, "\\", line)
    sub(/^\$ /, "", line)
    return line
}

/^\.Sh / { examples = /^\.Sh EXAMPLES/ }
!examples { next }
/^\.Ed/ { display = 0; print "" }
display { print text($0) }
/^\.Bd -literal/ { display = 1 }
/^\.Dl / {
    sub(/^\.Dl /, "")
    gsub(/"/, "") # quotes only join arguments of the macro
    print text($0) "\n"
}
