#!/usr/bin/env bash
# build.sh FOLDER [-DKNNG_PLANT_...]  Builds the CUDA backend for emulated GPUs (cuda_runtime.h here) into a copy of the
# toolbox in FOLDER, or one with these faults. Launches and shared memory are all that is written in another way for it.
# KNNG_EMULATED_LIKE is the folder of a backend without faults, of the same sources: what has none of the faults is not
# compiled again. KNNG_EMULATED_IN: of the sources that a header brings the faults into, the one that shall have them.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder/+knng" "$folder/cuda"
cp knngraph.m "$folder/"
cp -r +knng/. "$folder/+knng/"
like=${KNNG_EMULATED_LIKE:-}
faults=("${@#-D}")
# What every source includes is compiled once, before all others: gcc takes that in place of the header that it lies beside.
ready=${like:-$folder}/cuda/ready
flags=(-MMD -std=c++17 -O1 -march=native -fPIC -w -fpermissive -fno-strict-aliasing -U_FORTIFY_SOURCE -ffp-contract=off -fvisibility=hidden -D__CUDACC__ -DKNNG_PLAIN
	"-I$ready" -Itests/emulate -I. -Icore "-DKNNG_ABI=$(tools/abi.sh)" "$@")
if [ ! -d "$ready" ]; then
	mkdir -p "$ready"
	cp tests/emulate/cuda_runtime.h "$ready/"
	"${CXX:-g++}" "${flags[@]}" -x c++-header -o "$ready/cuda_runtime.h.gch" "$ready/cuda_runtime.h"
fi
flags+=(-include cuda_runtime.h)

# Whether the source, or a header that it includes, has one of the faults.
differs() { # SOURCE NAME
	local headers
	[ -n "$like" ] && [ "${#faults[@]}" != 0 ] || return 0
	[ "$1" = "${KNNG_EMULATED_IN:-$1}" ] || return 1
	mapfile -t headers < <(tr -s ' \\' '\n' <"$like/cuda/$2.d" | grep -E '^(core|cuda|tests)/')
	grep -qwF -f <(printf '%s\n' "${faults[@]}") -- "$1" tests/emulate/*.h "${headers[@]}"
}

objects=() sources=()
mapfile -t all < <(ls -S cuda/*.cu cuda/*/*.cu tests/emulate/emulate.cc) # the largest first, so that no core waits for one at the end
for source in "${all[@]}"; do
	name=$(tr / - <<<"${source#cuda/}")
	[ "$source" != tests/emulate/emulate.cc ] || name=emulate
	name=${name%.cu}
	to=$folder/cuda/$name
	objects+=("$to.o")
	if ! differs "$source" "$name"; then
		cp "$like/cuda/$name.o" "$to.o"
		continue
	fi
	if [ "$name" = emulate ]; then
		cp "$source" "$to.cc"
	else
		perl -0pe 's/extern __shared__ (?:__align__\(\d+\) )?([\w ]+?) (\w+)\[\];/$1 *$2 = ($1 *)emulated::shared;/g;
			s/^(\t+)__shared__ ((?:\w+ )+)([^;]+);/my ($tabs, $type, $list) = ($1, $2, $3);
				"$tabs" . "static $type$list;" . join("", map { m{^\s*(\w+)} ? " emulated::fresh(&$1, sizeof $1);" : "" } split(",", $list))/gme;
			s/([\w.]+(?:\[[^\[\]]*\])*(?:\.\w+)?(?:<\w+>)?)<<<(.*?)>>>\s*\(/EMULATED_LAUNCH(($1), $2)(/gs' \
			"$source" >"$to.cc"
	fi
	sources+=("$to.cc")
done
# All that threads do together goes through emulate.cc, so that one is compiled for speed.
printf '%s\0' "${sources[@]}" | to=$folder/cuda xargs -0 -P "$(nproc)" -I{} sh -c \
	'[ "${0##*/}" != emulate.cc ] || set -- "$@" -O3; "$@" -o "$to/$(basename "$0" .cc).o"' {} "${CXX:-g++}" "${flags[@]}" -c {}
"${CXX:-g++}" -shared "$@" -o "$folder/+knng/+internal/knng_cuda.so" "${objects[@]}"
