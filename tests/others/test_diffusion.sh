#!/usr/bin/env bash
# test_diffusion.sh PYTHON  pydiffmap makes the same diffusion maps. PYTHON has it. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
octave-cli --norc -H -q --path "$PWD" --path "$PWD/tests/others" --eval "write_diffusion ('$work')" || exit 1
"$1" -W ignore tests/others/compare_diffusion.py "$work"
