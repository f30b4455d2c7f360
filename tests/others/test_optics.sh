#!/usr/bin/env bash
# test_optics.sh PYTHON  knng.optics finds the order and the clusters that scikit-learn finds. PYTHON has it. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$1" tests/others/compare_optics.py digits "$work" || exit 1
octave-cli --norc -H -q --path "$PWD" --path "$PWD/tests/others" --eval "write_optics ('$work')" || exit 1
"$1" -W ignore tests/others/compare_optics.py compare "$work"
