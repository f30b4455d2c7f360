#!/usr/bin/env bash
# check-rooms.sh  Draws which folder of the sources includes from which, and fails where an arrow goes up or round.
#
# The rooms, from the ground up, in floors: a file may include from its own room and from the floors below, and nothing
# from the rooms beside it. mex.h is for mex/ alone, MPI and CUDA's headers for theirs.
set -euo pipefail
cd "$(dirname "$0")/.."

floors='
core/base
core/search core/topk core/graph core/io
core/search/cpu core/io/formats
core/rows
core
cuda/base
cuda/search cuda/topk
cuda
mex cli
'
shopt -s globstar nullglob
declare -A floor
n=0
while read -r -a rooms; do
	[ ${#rooms[@]} = 0 ] && continue
	n=$((n + 1))
	for room in "${rooms[@]}"; do
		floor[$room]=$n
	done
done <<<"$floors"

# The arrows: FROM TO, one line each with how often.
arrows=$(for f in core/**/*.[ch] cuda/**/*.{h,cu} mex/*.[ch] cli/*.c; do
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
printf '%-20s includes from\n' room
while read -r from; do
	printf '%-20s%s\n' "$from" "$(awk -v r="$from" '$1 == r { printf " %s (%d)", $2, $3 }' <<<"$arrows")"
done < <(awk '{ print $1 }' <<<"$arrows" | sort -u)
while read -r from to _; do
	if [ -z "${floor[$from]:-}" ]; then
		echo "check-rooms: $from is no room: give it a floor in tools/check-rooms.sh" >&2
	elif [ "$to" = . ]; then
		[ "$from" = mex ] && continue # mex.h
		echo "check-rooms: $from includes a header that is not here" >&2
	elif [ "${floor[$to]:-99}" -lt "${floor[$from]}" ]; then
		continue
	else
		echo "check-rooms: $from includes from $to, which is not below it:" >&2
		grep -nE "^#include \"${to#core/}/" "$from"/*.* | sed 's/^/    /' >&2 || true
	fi
	problems=$((problems + 1))
done <<<"$arrows"

# No header includes itself by way of others, in whatever rooms they are.
round=$(for f in core/**/*.[ch] cuda/**/*.{h,cu}; do
	sed -n 's/^#include "\(.*\)"$/\1/p' "$f" | while read -r h; do
		[ -f "core/$h" ] && echo "$f core/$h" || echo "$f $h"
	done
done | tsort 2>&1 >/dev/null || true)
if [ -n "$round" ]; then
	echo "check-rooms: headers include each other: $round" >&2
	problems=$((problems + 1))
fi
[ "$problems" = 0 ]
