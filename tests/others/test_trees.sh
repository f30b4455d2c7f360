#!/usr/bin/env bash
# test_trees.sh PYTHON  SciPy makes the same trees of clusters, cuts, coefficients and orders of leaves. PYTHON has SciPy.
# Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
octave-cli --norc -H -q --path "$PWD" --path "$PWD/tests/others" --eval "write_trees ('$work')" || exit 1
"$1" -W ignore tests/others/read_trees.py "$work"
