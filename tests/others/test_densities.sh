#!/usr/bin/env bash
# test_densities.sh PYTHON  knng.lof and knng.mutualinfo give what scikit-learn gives, and knng.intrinsicdim the
# dimensions of scikit-dimension. PYTHON has both. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
octave-cli --norc -H -q --path "$PWD" --path "$PWD/tests/others" --eval "write_densities ('$work')" || exit 1
"$1" -W ignore tests/others/compare_densities.py "$work"
