#!/usr/bin/env bash
# test_hdbscan.sh PYTHON  knng.hdbscan finds the clusters of the package hdbscan, with its probabilities and scores of outliers,
# from a tree of the same lengths. PYTHON has it, and scikit-learn. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$1" -W ignore tests/others/compare_hdbscan.py digits "$work" || exit 1
octave-cli --norc -H -q --path "$PWD" --path "$PWD/tests/others" --eval "write_hdbscan ('$work')" || exit 1
"$1" -W ignore tests/others/compare_hdbscan.py compare "$work"
