#!/bin/sh
set -eu
port=8080
for i in 1 2 3
do
    node worker.js "$i" &
    sleep 1
done
wait
exit 0
