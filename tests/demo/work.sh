#!/bin/sh
# Work for a profile where there is no node: counts, sorts and compresses.
count() {
    i=0
    while [ "$i" -lt 200000 ]; do
        i=$((i + 1))
    done
}

numbers() {
    awk 'BEGIN { for (i = 0; i < 400000; i++) print i * 7919 % 1000003 }'
}

count
numbers | sort | gzip -9 | wc -c
numbers | grep '7$' | sort -n | uniq -c | wc -l
