#!/usr/bin/env bash
# build.sh FOLDER [CXXFLAGS...]  Builds the CUDA backend for emulated GPUs (cuda_runtime.h here) into a copy of the toolbox
# in FOLDER. Launches and shared memory are all that is written in another way for it.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder/+knng" "$folder/cuda"
cp knngraph.m "$folder/"
cp -r +knng/. "$folder/+knng/"
flags=(-std=c++17 -O2 -march=native -fPIC -w -fpermissive -fno-strict-aliasing -U_FORTIFY_SOURCE -ffp-contract=off -fvisibility=hidden -D__CUDACC__ -DKNNG_PLAIN -include cuda_runtime.h
	-Itests/emulate -I. -Icore "-DKNNG_ABI=$(tools/abi.sh)" "$@")
objects=()
for source in cuda/*.cu cuda/*/*.cu; do
	to=${source#cuda/}
	to=$folder/cuda/$(tr / - <<<"${to%.cu}")
	perl -0pe 's/extern __shared__ (?:__align__\(\d+\) )?([\w ]+?) (\w+)\[\];/$1 *$2 = ($1 *)emulated::shared;/g;
		s/^(\t+)__shared__ ((?:\w+ )+)([^;]+);/my ($tabs, $type, $list) = ($1, $2, $3);
			"$tabs" . "static $type$list;" . join("", map { m{^\s*(\w+)} ? " emulated::fresh(&$1, sizeof $1);" : "" } split(",", $list))/gme;
		s/([\w.]+(?:\[[^\[\]]*\])*(?:\.\w+)?(?:<\w+>)?)<<<(.*?)>>>\s*\(/EMULATED_LAUNCH(($1), $2)(/gs' \
		"$source" >"$to.cc"
	objects+=("$to.o")
done
printf '%s\0' "$folder"/cuda/*.cc tests/emulate/emulate.cc | to=$folder/cuda xargs -0 -P "$(nproc)" -I{} sh -c \
	'"$@" -o "$to/$(basename "$0" .cc).o"' {} "${CXX:-g++}" "${flags[@]}" -c {}
"${CXX:-g++}" -shared "$@" -o "$folder/+knng/+internal/knng_cuda.so" "${objects[@]}" "$folder/cuda/emulate.o"
