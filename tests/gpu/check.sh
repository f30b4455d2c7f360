#!/usr/bin/env bash
# check.sh  Everything that needs a GPU, under real Octave; `make check-gpu` calls it. Writes tests/gpu/report.txt and ends
# with a status other than 0 if anything failed. Needs nvidia-smi, and compute-sanitizer from the CUDA toolkit.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
work=build/gpu
report=$work/report.txt
mkdir -p "$work"
rm -f "$work"/*.line
octave=(octave-cli --norc -H -q --path "$root" --path "$root/tests" --path "$root/tests/octave" --path "$root/tests/gpu")
slowest=900 # seconds that a test may take: on one GPU they share it
names=() # of the tests, in the order of the report

# result NAME PASSED FAILED SECONDS [REMARK]  keeps the line of a test, and shows it; with a failure, the end of its log
result() {
	printf '%-22s %6d passed, %d failed  (%d s)%s\n' "$1" "$2" "$3" "$4" "${5:+  $5}" >"$work/$1.line"
	[ "$3" = 0 ] || tail -n 30 "$work/$1.log" | sed 's/^/    | /' >>"$work/$1.line"
	cat "$work/$1.line"
}

# test NAME SECONDS COMMAND...  a program whose last summary line is 'N passed, N failed'
test() {
	local name=$1 limit=$2 t=$SECONDS rc=0 p=0 f=1 line
	shift 2
	timeout -k 10 "$limit" "$@" </dev/null >"$work/$name.log" 2>&1 || rc=$?
	line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$work/$name.log" | tail -n 1)
	if [ -n "$line" ]; then
		p=${line%% *}
		f=${line#*, }
		f=${f%% *}
	fi
	[ "$rc" = 0 ] || [ "$f" != 0 ] || f=1
	result "$name" "$p" "$f" $((SECONDS - t))
}

ours=' in [a-z_]+\.(cu|h):[0-9]+$'
# expect NAME GREEN|OURS|RED COMMAND...  compute-sanitizer must find nothing, or nothing in our own code, which it
# names by file and line, or must find there what was planted
expect() {
	local name=$1 colour=$2 t=$SECONDS rc=0 ok=0 whose=
	shift 2
	timeout -k 10 "$slowest" "$@" </dev/null >"$work/$name.log" 2>&1 || rc=$?
	if [ "$colour" = GREEN ]; then
		[ "$rc" = 0 ] && grep -q '^done' "$work/$name.log" && grep -qE 'SUMMARY: 0 (errors|hazards)' "$work/$name.log" && ok=1
	elif [ "$colour" = OURS ]; then
		grep -q '^done' "$work/$name.log" && grep -q 'SUMMARY: ' "$work/$name.log" && ! grep -qE "$ours|Internal Sanitizer" "$work/$name.log" && ok=1
	else
		grep -qE "$ours" "$work/$name.log" && grep -qE 'SUMMARY: [1-9][0-9]* (errors?|hazards?)' "$work/$name.log" && ok=1
	fi
	[ "$colour$ok" != OURS1 ] || whose=" (none in knng's own code)"
	result "$name" "$ok" $((1 - ok)) $((SECONDS - t)) "$(grep -aE 'SUMMARY' "$work/$name.log" | tail -n 1 | tr -d =)$whose"
}

# A copy of the toolbox whose plugin was built with other flags: every buffer an allocation of its own, so that
# compute-sanitizer sees where each ends; and a fault planted.
variant() {
	local name=$1 arch fused=
	shift
	arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i 0 | tr -d '. ')
	[ "$arch" != 90 ] || arch=90a fused=-DKNNG_FUSED
	rm -rf "$work/$name"
	mkdir -p "$work/$name/+knng"
	cp knngraph.m "$work/$name/"
	cp -r +knng/. "$work/$name/+knng/"
	# shellcheck disable=SC2016
	printf '%s\n' cuda/*.cu cuda/*/*.cu | xargs -P "$(nproc)" -n 1 sh -c 'dir=$1; shift; for file; do :; done; "$@" -o "$dir/$(basename "$file").o"' sh "$work/$name" \
		"${NVCC:-nvcc}" -std=c++17 -O2 -fmad=false -lineinfo -I. -Icore "-DKNNG_ABI=$(tools/abi.sh)" -DKNNG_SEPARATE $fused "$@" -Xcompiler -fPIC -gencode "arch=compute_$arch,code=sm_$arch" -c
	"${NVCC:-nvcc}" -gencode "arch=compute_$arch,code=sm_$arch" -shared -o "$work/$name/+knng/+internal/knng_cuda.so" "$work/$name"/*.cu.o -lcublas
}

# Of four GPUs or more every second test has two, and the others have two others: there two do as much as four.
cards=$(nvidia-smi --query-gpu=index --format=csv,noheader | wc -l)
turn=0
pair() {
	[ "$cards" -ge 4 ] && [ -z "${CUDA_VISIBLE_DEVICES:-}" ] || return 0
	export CUDA_VISIBLE_DEVICES=$((turn * 2)),$((turn * 2 + 1))
}
other() {
	turn=$((1 - turn))
}

octaves() {
	local name
	pair
	for name; do
		test "$name" "$slowest" "${octave[@]}" --eval "[p, f] = $name(); exit(f > 0)"
	done
}

# The bound on the sums of tensor cores, against the hardware.
sums() {
	"${NVCC:-nvcc}" -I. -Icore -o "$work/tensor" tests/gpu/tensor.cu -lcublas || return
	test tensor 120 "$work/tensor"
}

# Another process on the first card, which leaves so many bytes.
shared() {
	local left
	"${NVCC:-nvcc}" -o "$work/hog" tests/gpu/hog.cu || return
	for left; do
		coproc HOG { "$work/hog" "$left"; }
		read -r -t 60 _ <&"${HOG[0]}"
		test "gpu_shared_$left" 120 env KNNG_LEFT="$left" CUDA_VISIBLE_DEVICES=0 "${octave[@]}" --eval "[p, f] = gpu_shared(); exit(f > 0)"
		exec {HOG[1]}>&-
		wait "$HOG_PID" 2>/dev/null
	done
}

hidden='try, knngraph(magic(4), 1, "euclidean", "Device", "gpu"); e.identifier = "none"; catch e, end; [i, d, info] = knngraph(randn(12000, 200), 5); [l, why] = knng.devices(); disp(why); ok = [strcmp(e.identifier, "knng:device:none"), strncmp(info.device, "cpu", 3), ~isempty(info.note), isempty(l) && ~isempty(why)]; fprintf("%d passed, %d failed\n", sum(ok), sum(~ok))'
absent() {
	test no_driver_device 120 env CUDA_VISIBLE_DEVICES= "${octave[@]}" --eval "$hidden"
	mkdir -p "$work/bare/+knng" && cp knngraph.m "$work/bare/" && cp -r +knng/. "$work/bare/+knng/" && rm -f "$work/bare/+knng/+internal/knng_cuda.so"
	# Octave looks into the current folder first, so copies of the toolbox are used from their own.
	test no_plugin 120 env -C "$root/$work/bare" octave-cli --norc -H -q --eval "$hidden"
}

# A fault in what compares tiles while they are made, planted; gpu_fused must find it, or the search itself, which ends
# the test. Other GPUs do not run that.
found='^[0-9]+ passed, [1-9][0-9]* failed|this is a fault of knng'
fault() {
	local t=$SECONDS ok=0 rc=0
	pair
	variant "$1" "$2"
	timeout -k 10 "$slowest" env -C "$root/$work/$1" octave-cli --norc -H -q --path "$root/tests/gpu" --eval "[~, f] = gpu_fused(${3:-}); exit(f > 0)" \
		</dev/null >"$work/fused_$1.log" 2>&1 || rc=$?
	[ "$rc" = 1 ] && grep -qE "$found" "$work/fused_$1.log" && ok=1
	result "fused_$1" "$ok" $((1 - ok)) $((SECONDS - t)) "$(grep -E "$found" "$work/fused_$1.log" | tail -n 1)"
}

small=(octave-cli --norc -H -q --path "$root/tests/gpu" --eval gpu_small)
green() {
	pair
	variant sanitize
	expect memcheck GREEN env -C "$work/sanitize" compute-sanitizer --tool memcheck --error-exitcode 9 "${small[@]}"
	# It reports kernels of cuBLAS too, whose threads wait for each other in ways that it does not know.
	expect racecheck OURS env -C "$work/sanitize" compute-sanitizer --tool racecheck --print-limit 100000 "${small[@]}"
}
red() {
	pair
	variant "$1" "$2"
	expect "$3_planted" RED env -C "$work/$1" compute-sanitizer --tool "$3" "${small[@]}"
}

parts=$(($(nproc) < 64 ? 8 : 16)) # of gpu_cases, side by side
# What looks at a clock or at what a card holds has the machine, or two of its cards, for itself, later.
for part in $(seq "$parts"); do
	(
		pair
		test "gpu_cases_$part" "$slowest" "${octave[@]}" --eval "[p, f] = gpu_cases($part, $parts); exit(f > 0)"
	) &
	other
	names+=("gpu_cases_$part")
done
octaves gpu_failures &
other
octaves gpu_boxes gpu_sets gpu_within gpu_eigen gpu_separate &
octaves gpu_linkage &
octaves gpu_blocks gpu_select gpu_fused gpu_differences gpu_searchers &
other
sums &
absent &
names+=(gpu_failures gpu_blocks gpu_select gpu_fused gpu_boxes gpu_sets gpu_within gpu_eigen gpu_linkage gpu_differences gpu_searchers gpu_separate tensor no_driver_device no_plugin)
if [ "$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i 0)" = 9.0 ]; then
	fault planted_row -DKNNG_PLANT_ROW &
	other
	fault planted_drop -DKNNG_PLANT_DROP &
	fault planted_layout -DKNNG_PLANT_LAYOUT &
	fault planted_long -DKNNG_PLANT_LONG "'long'" &
	names+=(fused_planted_row fused_planted_drop fused_planted_layout fused_planted_long)
fi
if [ -z "${KNNG_GPU_NO_SANITIZER:-}" ]; then
	green &
	other
	red oob -DKNNG_PLANT_MEMORY memcheck &
	red race -DKNNG_PLANT_RACE racecheck &
	names+=(memcheck racecheck memcheck_planted racecheck_planted)
fi
wait
octaves gpu_large gpu_memory &
[ "$cards" -ge 4 ] || wait
other
(octaves gpu_interrupt)
wait
shared 2500000000 600000000
names+=(gpu_large gpu_memory gpu_interrupt gpu_shared_2500000000 gpu_shared_600000000)

{
	echo "sources: $(make -s source-hash)"
	echo "date: $(date -u +%Y-%m-%d)"
	echo "device: $(nvidia-smi --query-gpu=name --format=csv,noheader | sort | uniq -c | sed 's/^ *//' | paste -sd ';')"
	[ -z "${CUDA_VISIBLE_DEVICES:-}" ] || echo "of which visible: $CUDA_VISIBLE_DEVICES"
	echo "driver: $(nvidia-smi --query-gpu=driver_version --format=csv,noheader -i 0)"
	echo "cuda: $("${NVCC:-nvcc}" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
	echo "octave: $(octave-cli --version | head -n 1)"
	for name in "${names[@]}"; do
		cat "$work/$name.line" || echo "$name 0 passed, 1 failed  (it did not end)"
	done
} >"$report"
read -r passed failed < <(awk '$1 != "|" && $3 == "passed," && $5 == "failed" { p += $2; f += $4 } END { print p, f }' "$report")
echo "$passed passed, $failed failed" | tee -a "$report"
cp "$report" tests/gpu/report.txt
[ "$failed" = 0 ]
