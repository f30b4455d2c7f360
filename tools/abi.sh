#!/bin/sh
# abi.sh [FOLDER]  Prints a number that changes with every header that core and CUDA plugin share, in the sources in
# FOLDER (default: these). Core and plugin are built with it, and so recognise a plugin of another build.
set -eu
cd "${1:-$(dirname "$0")/..}"
echo "0x$(cat core/base/*.h core/search/*.h core/topk/*.h core/graph/*.h | sha256sum | cut -c 1-16)ull"
