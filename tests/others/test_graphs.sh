#!/usr/bin/env bash
# test_graphs.sh PYTHON  networkx and igraph read what knng.write writes for Gephi, Cytoscape, yEd and others. PYTHON
# has both. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
octave-cli --norc -H -q --path "$PWD" --path "$PWD/tests/others" --eval "write_graphs ('$work')" || exit 1
"$1" -W ignore tests/others/read_graphs.py "$work"
