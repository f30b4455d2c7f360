#!/usr/bin/env bash
# test_ways.sh PYTHON  networkx finds the same ways, bridges and ranks in graphs, scikit-learn the same labels, and igraph no
# better clusters by the method of Louvain. PYTHON has all three. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
octave-cli --norc -H -q --path "$PWD" --path "$PWD/tests/others" --eval "write_ways ('$work')" || exit 1
"$1" -W ignore tests/others/read_ways.py "$work"
