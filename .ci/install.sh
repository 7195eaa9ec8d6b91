#!/bin/sh
# Installs the newest release of astragal: curl -LsSf https://github.com/astragal-games/astragal/releases/latest/download/install.sh | sh
# ASTRAGAL_URL names another folder of archives, ASTRAGAL_BIN another place for the program than ~/.local/bin.
set -eu

url=${ASTRAGAL_URL:-https://github.com/astragal-games/astragal/releases/latest/download}
bin=${ASTRAGAL_BIN:-$HOME/.local/bin}

stop() {
    echo "astragal is not installed: $1" >&2
    exit 1
}

case $(uname -m) in
    x86_64 | amd64) machine=x86_64 ;;
    arm64 | aarch64) machine=aarch64 ;;
    *) stop "there is no program for $(uname -m); build it from the sources" ;;
esac
case $(uname -s) in
    Linux) target=$machine-unknown-linux-musl ;;
    Darwin) target=$machine-apple-darwin ;;
    *) stop "there is no program for $(uname -s); on Windows use install.ps1" ;;
esac

if command -v curl >/dev/null; then
    fetch() { curl --proto-redir =https -LsSf -o "$2" "$1"; }
elif command -v wget >/dev/null; then
    fetch() { wget -qO "$2" "$1"; }
else
    stop "it needs curl or wget"
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
archive=astragal-$target.tar.gz
fetch "$url/$archive" "$folder/$archive" || stop "cannot fetch $url/$archive"
fetch "$url/$archive.sha256" "$folder/$archive.sha256" || stop "cannot fetch $url/$archive.sha256"
cd "$folder"
if command -v sha256sum >/dev/null; then
    sum=$(sha256sum "$archive")
else
    sum=$(shasum -a 256 "$archive")
fi
[ "${sum%% *}" = "$(cut -d ' ' -f 1 "$archive.sha256")" ] || stop "the checksum of $archive is wrong"
tar -xzf "$archive"
mkdir -p "$bin"
# A program that runs cannot be written over, but replaced.
mv -f "astragal-$target/astragal" "$bin/astragal"
echo "$("$bin/astragal" --version) is in $bin"
case :$PATH: in
    *:"$bin":*) echo "Try: astragal play tice" ;;
    *) echo "Add it to your path:  export PATH=\"$bin:\$PATH\"  Then try: astragal play tice" ;;
esac
