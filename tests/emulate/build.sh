#!/usr/bin/env bash
# build.sh FOLDER [-DKNNG_PLANT_...]  Builds the CUDA backend for emulated GPUs (cuda_runtime.h here) into a copy of the
# toolbox in FOLDER, or one with these faults. Launches and shared memory are all that is written in another way for it.
# KNNG_EMULATED_LIKE is the folder of a backend without faults, of the same sources: what has none of the faults is not
# compiled again.
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
flags=(-MMD -std=c++17 -O1 -march=native -fPIC -w -fpermissive -fno-strict-aliasing -U_FORTIFY_SOURCE -ffp-contract=off -fvisibility=hidden -D__CUDACC__ -DKNNG_PLAIN -include cuda_runtime.h
	-Itests/emulate -I. -Icore "-DKNNG_ABI=$(tools/abi.sh)" "$@")

# Whether the source, or a header that it includes, has one of the faults.
differs() { # SOURCE NAME
	local headers
	[ -n "$like" ] && [ "${#faults[@]}" != 0 ] || return 0
	mapfile -t headers < <(tr -s ' \\' '\n' <"$like/cuda/$2.d" | grep -E '^(core|cuda|tests)/')
	grep -qwF -f <(printf '%s\n' "${faults[@]}") -- "$1" "${headers[@]}"
}

objects=() sources=()
for source in cuda/*.cu cuda/*/*.cu; do
	name=$(tr / - <<<"${source#cuda/}")
	name=${name%.cu}
	to=$folder/cuda/$name
	objects+=("$to.o")
	if ! differs "$source" "$name"; then
		cp "$like/cuda/$name.o" "$to.o"
		continue
	fi
	perl -0pe 's/extern __shared__ (?:__align__\(\d+\) )?([\w ]+?) (\w+)\[\];/$1 *$2 = ($1 *)emulated::shared;/g;
		s/^(\t+)__shared__ ((?:\w+ )+)([^;]+);/my ($tabs, $type, $list) = ($1, $2, $3);
			"$tabs" . "static $type$list;" . join("", map { m{^\s*(\w+)} ? " emulated::fresh(&$1, sizeof $1);" : "" } split(",", $list))/gme;
		s/([\w.]+(?:\[[^\[\]]*\])*(?:\.\w+)?(?:<\w+>)?)<<<(.*?)>>>\s*\(/EMULATED_LAUNCH(($1), $2)(/gs' \
		"$source" >"$to.cc"
	sources+=("$to.cc")
done
printf '%s\0' "${sources[@]}" tests/emulate/emulate.cc | to=$folder/cuda xargs -0 -P "$(nproc)" -I{} sh -c \
	'"$@" -o "$to/$(basename "$0" .cc).o"' {} "${CXX:-g++}" "${flags[@]}" -c {}
"${CXX:-g++}" -shared "$@" -o "$folder/+knng/+internal/knng_cuda.so" "${objects[@]}" "$folder/cuda/emulate.o"
