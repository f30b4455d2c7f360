#!/usr/bin/env bash
# predictions.sh  Prints the table of predictions of docs/performance.md, by build/tools/scale_model: two searches of
# 15 876 columns on machines with 8 H200 and 1.8 TB of memory each, with a rank for every GPU and with one for every machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
model=build/tools/scale_model

# What a simulation says in its line of that name.
said() { # LINE OPTIONS...
	"$model" "${@:2}" | sed -n "s/^$1[^0-9]*\([0-9.e+]*\).*/\1/p"
}

seconds() {
	"$model" "$@" | awk '/^time/ { t = $2 } /IT DOES NOT END/ { t = "inf" } END { print t }'
}

mean() {
	"$model" "$@" --times 100 | awk '{ print $2 }'
}

show() { # SECONDS
	awk -v s="$1" 'BEGIN { if (s == "inf") print "never"; else if (s < 600) printf "%.0f s\n", s; else printf "%.0f min\n", s / 60 }'
}

echo '| rows | GPUs | ranks | time | checkpoint | slow | failures | runs | memory | received |'
echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
for rows in 2000000 20000000; do
	for gpus in 8 32 256; do
		for each in 1 8; do
			ranks=$((gpus / each))
			job=(--rows "$rows" --columns 15876 -k 200 --ranks "$ranks" --ranks-a-machine $((8 / each)) --gpus "$each"
				--memory "$((1800 * each / 8))e9" --network 50e9 --disk 50e9 --output)
			kept=("${job[@]}" --checkpoint)
			slow=-
			[ "$gpus" = 8 ] || slow=$(show "$(mean "${kept[@]}" --slow 0.125 --speed 0.5)")
			received=-
			[ "$gpus" = 8 ] || received="$(said 'between machines' "${job[@]}" | awk '{ printf $1 < 9950 ? "%.1f TB" : "%.0f TB", $1 / 1000 }')"
			printf '| %s | %d | %d | %s | %s | %s | %s | %s | %.0f GB | %s |\n' \
				"$(sed 's/000000$/ 000 000/' <<<"$rows")" "$gpus" "$ranks" "$(show "$(seconds "${job[@]}")")" \
				"$(show "$(seconds "${kept[@]}")")" "$slow" "$(show "$(mean "${kept[@]}" --failures 24)")" \
				"$(show "$(seconds "${kept[@]}" --limit 3600 --queue 600)")" "$(said 'memory of a rank' "${job[@]}")" \
				"$received"
		done
	done
done
