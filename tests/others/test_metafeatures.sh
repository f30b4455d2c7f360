#!/usr/bin/env bash
# test_metafeatures.sh PYTHON  NumPy forms the same pairs of rows, and scikit-learn finds the same neighbours of them. PYTHON has both.
# Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
octave-cli --norc -H -q --path "$PWD" --path "$PWD/tests/others" --eval "write_metafeatures ('$work')" || exit 1
"$1" -W ignore tests/others/compare_metafeatures.py "$work"
