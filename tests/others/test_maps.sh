#!/usr/bin/env bash
# test_maps.sh PYTHON  knng.umap makes maps on which as many neighbours stay as on those of umap-learn, from the same
# memberships, knng.tsne maps as good as scikit-learn's, and knng.pca finds its components. PYTHON has both. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$1" -W ignore tests/others/compare_maps.py digits "$work" || exit 1
octave-cli --norc -H -q --path "$PWD" --path "$PWD/tests/others" --eval "write_maps ('$work')" || exit 1
"$1" -W ignore tests/others/compare_maps.py compare "$work"
