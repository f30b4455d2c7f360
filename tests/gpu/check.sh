#!/usr/bin/env bash
# check.sh  Everything that needs a GPU, under real Octave; `make check-gpu` calls it. Writes tests/gpu/report.txt and ends
# with a status other than 0 if anything failed. Needs nvidia-smi, and compute-sanitizer from the CUDA toolkit.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
work=build/gpu
report=$work/report.txt
mkdir -p "$work"
octave=(octave-cli --norc -H -q --path "$root" --path "$root/tests" --path "$root/tests/octave" --path "$root/tests/gpu")
passed=0
failed=0

say() { echo "$@" | tee -a "$report"; }

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
	passed=$((passed + p))
	failed=$((failed + f))
	say "$(printf '%-22s %6d passed, %d failed  (%d s)' "$name" "$p" "$f" $((SECONDS - t)))"
	[ "$f" = 0 ] || tail -n 30 "$work/$name.log" | sed 's/^/    | /'
}

ours=' in [a-z_]+\.(cu|h):[0-9]+$'
# expect NAME GREEN|OURS|RED COMMAND...  compute-sanitizer must find nothing, or nothing in our own code, which it
# names by file and line, or must find there what was planted
expect() {
	local name=$1 colour=$2 t=$SECONDS rc=0 ok=0 whose=
	shift 2
	timeout -k 10 300 "$@" </dev/null >"$work/$name.log" 2>&1 || rc=$?
	if [ "$colour" = GREEN ]; then
		[ "$rc" = 0 ] && grep -q '^done' "$work/$name.log" && grep -qE 'SUMMARY: 0 (errors|hazards)' "$work/$name.log" && ok=1
	elif [ "$colour" = OURS ]; then
		grep -q '^done' "$work/$name.log" && grep -q 'SUMMARY: ' "$work/$name.log" && ! grep -qE "$ours|Internal Sanitizer" "$work/$name.log" && ok=1
	else
		grep -qE "$ours" "$work/$name.log" && grep -qE 'SUMMARY: [1-9][0-9]* (errors?|hazards?)' "$work/$name.log" && ok=1
	fi
	[ "$colour$ok" != OURS1 ] || whose=" (none in knng's own code)"
	passed=$((passed + ok))
	failed=$((failed + 1 - ok))
	say "$(printf '%-22s %6d passed, %d failed  (%d s)  %s' "$name" "$ok" $((1 - ok)) $((SECONDS - t)) "$(grep -aE 'SUMMARY' "$work/$name.log" | tail -n 1 | tr -d =)$whose")"
	[ "$ok" = 1 ] || tail -n 30 "$work/$name.log" | sed 's/^/    | /'
}

# A copy of the toolbox whose plugin was built with other flags: every buffer an allocation of its own, so that
# compute-sanitizer sees where each ends; and a fault planted.
variant() {
	local name=$1 arch
	shift
	arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i 0 | tr -d '. ')
	rm -rf "$work/$name"
	mkdir -p "$work/$name/+knng"
	cp knngraph.m "$work/$name/"
	cp -r +knng/. "$work/$name/+knng/"
	"${NVCC:-nvcc}" -std=c++17 -O2 -fmad=false -lineinfo -I. -Icore "-DKNNG_ABI=$(tools/abi.sh)" -DKNNG_SEPARATE "$@" -Xcompiler -fPIC -gencode "arch=compute_$arch,code=sm_$arch" \
		-shared -o "$work/$name/+knng/+internal/knng_cuda.so" cuda/*.cu cuda/*/*.cu -lcublas
}

: >"$report"
say "sources: $(make -s source-hash)"
say "date: $(date -u +%Y-%m-%d)"
say "device: $(nvidia-smi --query-gpu=name --format=csv,noheader | sort | uniq -c | sed 's/^ *//' | paste -sd ';')"
[ -z "${CUDA_VISIBLE_DEVICES:-}" ] || say "of which visible: $CUDA_VISIBLE_DEVICES"
say "driver: $(nvidia-smi --query-gpu=driver_version --format=csv,noheader -i 0)"
say "cuda: $("${NVCC:-nvcc}" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
say "octave: $(octave-cli --version | head -n 1)"

for name in ${KNNG_GPU_TESTS:-gpu_cases gpu_blocks gpu_select gpu_large gpu_memory gpu_failures gpu_interrupt}; do
	test "$name" 560 "${octave[@]}" --eval "[p, f] = $name(); exit(f > 0)"
done

# The bound on the sums of tensor cores, against the hardware.
if "${NVCC:-nvcc}" -I. -Icore -o "$work/tensor" tests/gpu/tensor.cu -lcublas; then
	test tensor 120 "$work/tensor"
else
	failed=$((failed + 1))
fi

# Another process on the first card, which leaves so many bytes.
if "${NVCC:-nvcc}" -o "$work/hog" tests/gpu/hog.cu; then
	for left in 2500000000 600000000; do
		coproc HOG { "$work/hog" "$left"; }
		read -r -t 60 _ <&"${HOG[0]}"
		test "gpu_shared_$left" 120 env KNNG_LEFT="$left" CUDA_VISIBLE_DEVICES=0 "${octave[@]}" --eval "[p, f] = gpu_shared(); exit(f > 0)"
		exec {HOG[1]}>&-
		wait "$HOG_PID" 2>/dev/null
	done
fi

hidden='try, knngraph(magic(4), 1, "euclidean", "Device", "gpu"); e.identifier = "none"; catch e, end; [i, d, info] = knngraph(randn(12000, 200), 5); [l, why] = knng.devices(); disp(why); ok = [strcmp(e.identifier, "knng:device:none"), strncmp(info.device, "cpu", 3), ~isempty(info.note), isempty(l) && ~isempty(why)]; fprintf("%d passed, %d failed\n", sum(ok), sum(~ok))'
test no_driver_device 120 env CUDA_VISIBLE_DEVICES= "${octave[@]}" --eval "$hidden"
mkdir -p "$work/bare/+knng" && cp knngraph.m "$work/bare/" && cp -r +knng/. "$work/bare/+knng/" && rm -f "$work/bare/+knng/+internal/knng_cuda.so"
# Octave looks into the current folder first, so copies of the toolbox are used from their own.
test no_plugin 120 env -C "$root/$work/bare" octave-cli --norc -H -q --eval "$hidden"

if [ -z "${KNNG_GPU_NO_SANITIZER:-}" ]; then
	small=(octave-cli --norc -H -q --path "$root/tests/gpu" --eval gpu_small)
	variant sanitize &
	variant oob -DKNNG_PLANT_MEMORY &
	variant race -DKNNG_PLANT_RACE &
	wait
	expect memcheck GREEN env -C "$work/sanitize" compute-sanitizer --tool memcheck --error-exitcode 9 "${small[@]}"
	# It reports kernels of cuBLAS too, whose threads wait for each other in ways that it does not know.
	expect racecheck OURS env -C "$work/sanitize" compute-sanitizer --tool racecheck --print-limit 100000 "${small[@]}"
	expect memcheck_planted RED env -C "$work/oob" compute-sanitizer --tool memcheck "${small[@]}"
	expect racecheck_planted RED env -C "$work/race" compute-sanitizer --tool racecheck "${small[@]}"
fi

say "$passed passed, $failed failed"
cp "$report" tests/gpu/report.txt
[ "$failed" = 0 ]
