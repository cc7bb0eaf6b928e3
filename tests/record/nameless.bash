# What takes the names of this machine out of a recording.

# A sed command that replaces a text by another with as many NULs as it is shorter.
replace() { # OLD NEW
    local i new=$2
    for ((i = ${#2}; i < ${#1}; i++)); do
        new+='\x00'
    done
    printf 's|%s|%s|g\n' "$1" "$new"
}

processor() { # FIELD
    sed -n "s/^$1[^:]*: //p" /proc/cpuinfo | head -n 1
}

# Takes the names of the kernel and the processor out of a perf.data.
nameless() { # FILE
    sed -i -e "$(replace "$(uname -r)" 6.18)" -e "$(replace "$(processor 'model name')" cpu)" \
        -e "$(replace "$(processor vendor_id)" any)" "$1"
}
