#!/usr/bin/env bash
# check-rooms.sh  Prints which folder of the sources includes from which. Fails where one includes from another folder of
# its own layer or of a higher one, where headers include each other in a circle, and where the repository has a file that
# is no text and no example.
#
# Below are the layers, the lowest first. A file may include from its own folder and from the layers below. mex.h is for
# mex/ alone, CUDA's headers for cuda/.
set -euo pipefail
cd "$(dirname "$0")/.."

layers='
core/base
core/search core/topk core/graph core/io
core/search/cpu core/io/formats
core/rows core/blocks
core
cuda/base
cuda/search cuda/topk cuda/graph
cuda
mpi
mex cli
'
shopt -s globstar nullglob
declare -A layer
n=0
while read -r -a folders; do
	[ ${#folders[@]} = 0 ] && continue
	n=$((n + 1))
	for folder in "${folders[@]}"; do
		layer[$folder]=$n
	done
done <<<"$layers"

# The includes between folders: FROM TO, one line each with how often.
arrows=$(for f in core/**/*.[ch] cuda/**/*.{h,cu} mex/*.[ch] mpi/*.[ch] cli/*.[ch]; do
	sed -n 's/^#include "\(.*\)"$/\1/p' "$f" | while read -r h; do
		for base in "" core/ "$(dirname "$f")/"; do
			if [ -f "$base$h" ]; then
				h=$base$h
				break
			fi
		done
		echo "$(dirname "$f") $(dirname "$h")"
	done
done | awk '$1 != $2' | sort | uniq -c | awk '{ print $2, $3, $1 }')

problems=0
printf '%-20s includes from\n' folder
while read -r from; do
	printf '%-20s%s\n' "$from" "$(awk -v r="$from" '$1 == r { printf " %s (%d)", $2, $3 }' <<<"$arrows")"
done < <(awk '{ print $1 }' <<<"$arrows" | sort -u)
while read -r from to _; do
	if [ -z "${layer[$from]:-}" ]; then
		echo "check-rooms: $from is in no layer: add it in tools/check-rooms.sh" >&2
	elif [ "$to" = . ]; then
		[ "$from" = mex ] && continue # mex.h
		echo "check-rooms: $from includes a header that is not here" >&2
	elif [ "${layer[$to]:-99}" -lt "${layer[$from]}" ]; then
		continue
	else
		echo "check-rooms: $from includes from $to, which is in no layer below:" >&2
		grep -nE "^#include \"${to#core/}/" "$from"/*.* | sed 's/^/    /' >&2 || true
	fi
	problems=$((problems + 1))
done <<<"$arrows"

# No header includes itself by way of others, whatever their folders.
round=$(for f in core/**/*.[ch] cuda/**/*.{h,cu}; do
	sed -n 's/^#include "\(.*\)"$/\1/p' "$f" | while read -r h; do
		[ -f "core/$h" ] && echo "$f core/$h" || echo "$f $h"
	done
done | tsort 2>&1 >/dev/null || true)
if [ -n "$round" ]; then
	echo "check-rooms: headers include each other: $round" >&2
	problems=$((problems + 1))
fi

# No file is in the repository by mistake: data only where data belong.
while IFS= read -r -d '' file; do
	case $file in
	docs/img/*.png | examples/data/*.gz | tests/octave/graph.h5 | tests/octave/cells.h5ad) ;;
	*)
		if [ -s "$file" ] && ! grep -qI . "./$file"; then
			echo "check-rooms: $file is no text: take it out of the repository" >&2
			problems=$((problems + 1))
		fi
		;;
	esac
done < <(git ls-files -z 2>/dev/null)
[ "$problems" = 0 ]
