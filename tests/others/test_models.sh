#!/usr/bin/env bash
# test_models.sh PYTHON  knng.fitrknn and knng.fitcknn predict what scikit-learn does, which PYTHON has, and
# knng.confusionmat and knng.rocmetrics find the same of it. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
octave-cli --norc -H -q --path "$PWD" --path "$PWD/tests/others" --eval "write_models ('$work')" || exit 1
"$1" -W ignore tests/others/compare_models.py "$work"
