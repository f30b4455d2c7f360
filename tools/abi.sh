#!/bin/sh
# abi.sh [FOLDER]  A number that changes with every header that core and CUDA plugin share, in the sources in FOLDER
# (these): each of the two is built with it, and a plugin of another build is known by it.
set -eu
cd "${1:-$(dirname "$0")/..}"
echo "0x$(cat core/base/*.h core/search/*.h core/topk/*.h | sha256sum | cut -c 1-16)ull"
