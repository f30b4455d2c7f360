#!/usr/bin/env bash
# test_hubs.sh PYTHON  knng.hubness counts the hubs that scikit-hubness counts, and knng.mutualproximity has its distances.
# PYTHON has it, with tqdm, scikit-learn and SciPy. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
octave-cli --norc -H -q --path "$PWD" --path "$PWD/tests/others" --eval "write_hubs ('$work')" || exit 1
"$1" -W ignore tests/others/compare_hubs.py "$work"
