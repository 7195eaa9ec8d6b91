#!/bin/sh
# Builds the parsers for Neovim.
set -e
cd "$(dirname "$0")"
mkdir -p parser
for name in astragal astragal_script; do
    cc -O2 -shared -fPIC -I "$name/src" "$name"/src/*.c -o "parser/$name.so"
done
