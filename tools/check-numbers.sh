#!/usr/bin/env bash
# check-numbers.sh  Checks that the inequalities of docs/canonical.md are numbered without a gap, and that the page has
# every number that the sources cite, as in (6.4). Prints what is wrong; status 1 if anything is.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
page=docs/canonical.md
problems=0

problem() {
	echo "check-numbers: $*" >&2
	problems=$((problems + 1))
}

# An inequality is indented by four blanks and ends with its number.
numbers=$(sed -nE 's/^    .* \((([5-9]|1[0-9])\.[0-9]+)\)$/\1/p' "$page")
expected=$(awk -F . '{ printf "%s.%d\n", $1, ++last[$1] }' <<<"$numbers")
[ "$numbers" = "$expected" ] || problem "$page: the numbers are not 1, 2, 3, … of each section: $(echo $numbers)"

cited=0
while IFS=: read -r file number; do
	cited=$((cited + 1))
	grep -qx "$number" <<<"$numbers" || problem "$file cites ($number), which $page does not have"
done < <(find core cuda mex cli mpi tests docs -name '*.[ch]' -o -name '*.cu' -o -name '*.md' | sort |
	xargs grep -oE '\(([5-9]|1[0-9])\.[0-9]+\)' | tr -d '()' | sort -u)
[ "$cited" -gt 20 ] || problem "only $cited numbers are cited: has the way to cite them changed?"

[ "$problems" = 0 ]
