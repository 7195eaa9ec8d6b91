#!/usr/bin/env bash
# Checks the grammars with what is installed: the generated parsers are those of the grammars, the samples and
# all valid files of the project parse (`tree-sitter` 0.27), and Neovim reads the parsers and their queries.
set -euo pipefail
cd "$(dirname "$0")"

root=$PWD/../../..
list() { git -C "$root" ls-files --full-name "*.$1" | grep -v '^tests/diagnostics/' | sed "s|^|$root/|"; }

if [[ $(tree-sitter --version 2>/dev/null) == "tree-sitter 0.27"* ]]; then
    generated=$(cat ./*/src/parser.c ./*/src/grammar.json | cksum)
    node generate.js
    if [[ $(cat ./*/src/parser.c ./*/src/grammar.json | cksum) != "$generated" ]]; then
        echo "the parsers were not those of the grammars; they are generated anew"
        exit 1
    fi
    for language in astragal:game astragal_script:script; do
        files=$(mktemp)
        list "${language#*:}" >"$files"
        (
            cd "${language%:*}"
            tree-sitter test >/dev/null
            tree-sitter parse --quiet --stat --paths "$files" </dev/null | grep '^Total'
        )
        rm "$files"
    done
else
    echo "left out: tree-sitter 0.27 is not installed"
fi

if command -v nvim >/dev/null && command -v cc >/dev/null; then
    ./build.sh
    { list game; list script; } >parser/files
    nvim -u NONE --headless --cmd "set runtimepath+=$PWD" -c "luafile test.lua"
else
    echo "left out: Neovim or a C compiler is not installed"
fi
