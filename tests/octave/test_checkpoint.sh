#!/usr/bin/env bash
# test_checkpoint.sh  The program and Octave go on from a checkpoint: killed at random moments, stopped by the signals of
# batch systems and by Ctrl-C, on a disk that is full, with another number of threads. The bytes are always those of a
# run that nobody disturbed. KNNG_KILLS: how many kills (default 12). Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
knng=$root/build/knng
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

check() { # check STATUS WHAT
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED $2"
	fi
}

octave() {
	octave-cli --norc -H -q --eval "addpath ('$root'); $1"
}

# Those of long.fbin are for searches that nothing keeps until they are killed.
octave "rand ('twister', 3); X = rand (20000, 160); X(7:7:70, :) = repmat (X(1, :), 10, 1);
        for name = {'long', 'x'}
          f = fopen (['$work/' name{1} '.fbin'], 'w');
          fwrite (f, fliplr (size (X'))(:), 'uint32'); fwrite (f, X', 'single'); fclose (f);
          X = X(1:6000, :);
        end
        dlmwrite ('$work/x.csv', X(1:300, 1:5), 'precision', 6);" || exit 1

# No search ends before its signal comes, however fast it is and however slow what sends it (tests/fakes/hold.c).
said=$(${CC:-cc} -shared -fPIC -o "$work/hold.so" tests/fakes/hold.c -ldl 2>&1)
check $? "a library: $said"
hold=(env --default-signal=INT "KNNG_HOLD=$work/go" "LD_PRELOAD=$work/hold.so")

data=$work/x.fbin
run() { # run TO OPTIONS: the bytes of the graph to a file; its words to $work/said
	local to=$1
	shift
	timeout -k 5 900 "$knng" -k 6 -o "$to" "$@" "$data" 2>"$work/said"
}

run "$work/whole.knn" -q
check $? "without a checkpoint"
whole=$work/whole.knn
same() {
	cmp -s "$whole" "$1"
	check $? "$2: other bytes: $(cat "$work/said")"
}

# Without a disturbance, and again: then all is there.
run "$work/a.knn" --checkpoint "$work/c"
same "$work/a.knn" "with a checkpoint"
run "$work/b.knn" -t 1 -C "$work/c"
same "$work/b.knn" "a second time"
grep -q 'went on from 100.0 %' "$work/said"
check $? "it says that all was there: $(cat "$work/said")"

# Waits until a search has saved something, or has ended.
saved() { # saved PID [FOLDER]
	until grep -qs 'knng checkpoint' "$work/${2:-c}"/block-*.knng || ! kill -0 "$1" 2>/dev/null; do
		sleep 0.02
	done
}

# What it takes is said beforehand, and nothing is done.
"$knng" -k 6 --plan -C "$work/none" "$work/x.fbin" >"$work/plan" 2>&1 && [ ! -e "$work/none" ]
check $? "--plan: $(cat "$work/plan")"
"$knng" --plan -k 6 "$work/x.csv" >"$work/plan2" 2>&1
least=$(sed -n 's/.*-M //p' "$work/plan2")
"$knng" -q -k 6 -c -M "${least:-0}" "$work/x.csv" >/dev/null 2>"$work/said"
check $? "the least that --plan says: $(cat "$work/plan2" "$work/said")"
disk=$(awk '/^disk/ { print $5 * 1e9 }' "$work/plan")
[ "$(stat -c %s "$work"/c/block-*.knng | awk -v disk="$disk" '{ s += $1 } END { print (s > 0.99 * disk && s < 1.01 * disk) }')" = 1 ]
check $? "the disk that --plan says: $(cat "$work/plan")"

# Killed at random moments, five times in a row.
kills=0
RANDOM=7
data=$work/long.fbin whole=$work/long.knn
run "$whole" -q
for ((trial = 0; trial < ${KNNG_KILLS:-12}; trial++)); do
	[ $((trial % 6)) = 0 ] && rm -rf "$work/c" "$work/a.knn"
	"$knng" -q -k 6 -t $((1 + trial % 2)) -C "$work/c" --save-every 1e-3 -o "$work/a.knn" "$data" 2>/dev/null &
	[ $((trial % 2)) = 0 ] && saved $!
	sleep 0.$((RANDOM % 4))
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
	[ $? = 137 ] && kills=$((kills + 1))
	if [ $((trial % 6)) = 5 ]; then
		run "$work/a.knn" -C "$work/c"
		same "$work/a.knn" "after kills"
	fi
done
[ "$kills" -gt $((${KNNG_KILLS:-12} / 4)) ]
check $? "only $kills were killed in time"
printf "    %d killed\n" "$kills"
data=$work/x.fbin whole=$work/whole.knn
rm -f "$work"/long.*

hears() { # hears PID SIGNAL: whether it is our program by now, and has an answer of its own to the signal
	local caught
	caught=$(sed -n '/^Name:/ { /[[:space:]]knng$/!q; }; s/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)
	[ $((0x${caught:-0} >> ($(kill -l "$2") - 1) & 1)) = 1 ]
}

# Stopped as batch systems do: saved, status 75, nothing written; without a checkpoint it ends by the signal.
stop() { # stop SIGNAL OPTIONS: the status
	local signal=$1
	shift
	rm -f "$work/a.knn"
	"${hold[@]}" "$knng" -k 6 -t 1 -o "$work/a.knn" "$@" "$data" 2>"$work/said" &
	local pid=$!
	if [ $# -gt 0 ]; then
		saved $pid
	else
		until hears $pid "$signal" || ! kill -0 $pid 2>/dev/null; do :; done
	fi
	kill -"$signal" $pid 2>/dev/null
	wait $pid 2>/dev/null
}
for signal in TERM USR1 INT HUP; do
	rm -rf "$work/c"
	stop $signal -C "$work/c" --save-every 1e-3
	status=$?
	case $signal in
	TERM | USR1) wanted=75 ;;
	INT) wanted=130 ;;
	HUP) wanted=129 ;;
	esac
	[ $status = $wanted ]
	check $? "SIG$signal: status $status, $(cat "$work/said")"
	[ ! -e "$work/a.knn" ]
	check $? "SIG$signal: something was written"
	grep -q "is saved in $work/c" "$work/said"
	check $? "SIG$signal: $(cat "$work/said")"
	share=$(sed -n 's/.*; \([0-9.]* %\) of the work is saved in .*/\1/p' "$work/said")
	run "$work/a.knn" -C "$work/c"
	same "$work/a.knn" "after SIG$signal"
	[ "$(head -n 2 "$work/said")" = "knng: goes on from $share in $work/c"$'\n'"knng: $share" ]
	check $? "SIG$signal: it goes on from $share: $(cat "$work/said")"
done
# A second signal does not keep the first from saving.
rm -rf "$work/c"
"${hold[@]}" "$knng" -k 6 -t 1 -o "$work/a.knn" -C "$work/c" --save-every 1e-3 "$work/x.fbin" 2>"$work/said" &
pid=$!
saved $pid
for pause in 0 0.001 0.01 0.05 0; do
	kill -TERM $pid 2>/dev/null
	sleep $pause
done
wait $pid
status=$?
[ $status = 75 ]
check $? "several signals: status $status, $(cat "$work/said")"
# A checkpoint that cannot be saved any more is one line when that shows, and one at the end.
rm -rf "$work/gone"
"${hold[@]}" "$knng" -k 6 -t 1 -o "$work/a.knn" -C "$work/gone" --save-every 1e-3 "$work/x.fbin" 2>"$work/said" &
pid=$!
saved $pid gone
rm -rf "$work/gone"
: >"$work/go"
wait $pid
status=$?
rm "$work/go"
[ $status = 0 ] && [ "$(grep -c "^knng: the checkpoint in $work/gone could not be saved: .*; the search goes on, and saving is tried again$" "$work/said")" = 1 ] &&
	[ "$(sed -n 2p "$work/said" | grep -c 'goes on')" = 1 ] && grep -q 'could not be saved: .*; the graph is complete' "$work/said"
check $? "a checkpoint that is taken away: status $status, $(cat "$work/said")"
same "$work/a.knn" "without its checkpoint"
stop TERM
status=$?
[ $status = 143 ]
check $? "SIGTERM without a checkpoint: status $status"

# With a checksum and a file of HDF5: either both are there, and the status is 0, or there is no file, and the same
# command goes on. The file is seen as soon as it has its name, when there was once a checksum to come.
wide() {
	"$knng" -q -k 60 -C "$work/wide" -c -o "$work/wide.h5" "$work/x.fbin" >"$work/sum" 2>"$work/said"
}
if wide; then
	sum=$(cat "$work/sum")
	for pause in named 0 0.02 0.04 0.06 0.1 0.15; do
		rm -f "$work/wide.h5"
		: >"$work/sum"
		"$knng" -q -k 60 -C "$work/wide" -c -o "$work/wide.h5" "$work/x.fbin" >"$work/sum" 2>"$work/said" &
		pid=$!
		if [ $pause = named ]; then
			until [ -e "$work/wide.h5" ] || ! kill -0 $pid 2>/dev/null; do :; done
		else
			until hears $pid TERM || ! kill -0 $pid 2>/dev/null; do :; done
			sleep $pause
		fi
		kill -TERM $pid 2>/dev/null
		wait $pid
		status=$?
		[ $status = 0 ] && [ -e "$work/wide.h5" ] && [ "${#sum}" = 64 ] && [ "$(cat "$work/sum")" = "$sum" ] ||
			{ [ $status = 75 ] && [ ! -e "$work/wide.h5" ] && [ ! -s "$work/sum" ] && [ $pause != named ]; }
		check $? "SIGTERM at the end of a file with a checksum ($pause): status $status, $(ls "$work"/wide.h5 2>&1) $(cat "$work/said")"
	done
else
	grep -q 'knng:io:noHDF' "$work/said"
	check $? "a file of HDF5: $(cat "$work/said")"
fi

# A disk that is full: at the start it is an error, before any work; a limit on files stands for the disk, and where that
# is allowed a small one is made.
full() { # full FOLDER WHAT
	run "$work/a.knn" -C "$1/c"
	[ $? = 1 ] && grep -q 'knng:checkpoint:folder' "$work/said"
	check $? "$2: $(cat "$work/said")"
}
(
	trap '' XFSZ
	ulimit -f 8
	"$knng" -q -k 6 -c -C "$work/limited" "$work/x.fbin" >"$work/sum" 2>"$work/said"
)
[ $? = 1 ] && grep -q 'knng:checkpoint:folder' "$work/said"
check $? "no file may be so large: $(cat "$work/said")"
mkdir "$work/small"
if mount -t tmpfs -o size=200k tmpfs "$work/small" 2>/dev/null; then
	full "$work/small" "a full disk"
	umount "$work/small"
fi

# A disk that is only read: what is finished there is taken, what is not is refused.
mkdir "$work/fixed"
mounted=1
mount -t tmpfs -o size=20m tmpfs "$work/fixed" 2>/dev/null || mounted=0
run "$work/a.knn" -q -C "$work/fixed/all"
mkdir "$work/fixed/some"
cp "$work"/fixed/all/block-*.knng "$work/fixed/some"
head -c 40000 /dev/zero | dd of="$work/fixed/some/block-3.knng" conv=notrunc 2>/dev/null
half=$(($(stat -c %s "$work/fixed/some/block-3.knng") / 2))
head -c 40000 /dev/zero | dd of="$work/fixed/some/block-3.knng" bs=1 seek=$half conv=notrunc 2>/dev/null
if [ $mounted = 1 ]; then
	mount -o remount,ro "$work/fixed"
else
	chmod -R a-w "$work/fixed"
fi
if [ $mounted = 1 ] || [ ! -w "$work/fixed" ]; then
	run "$work/a.knn" -C "$work/fixed/all"
	same "$work/a.knn" "a finished checkpoint on a disk that is only read"
	grep -q 'went on from 100.0 %' "$work/said" && ! grep -q 'could not be saved' "$work/said"
	check $? "a finished checkpoint on a disk that is only read: $(cat "$work/said")"
	run "$work/a.knn" -C "$work/fixed/some"
	[ $? = 1 ] && grep -q '^knng:checkpoint:folder: cannot write the checkpoint in ' "$work/said"
	check $? "an unfinished one there: $(cat "$work/said")"
fi
if [ $mounted = 1 ]; then
	umount "$work/fixed"
else
	chmod -R u+w "$work/fixed"
fi

# Another search, other rows, where all blocks were read before.
run "$work/a.knn" -C "$work/c"
same "$work/a.knn" "after several signals"
run "$work/a.knn" -q -C "$work/c" -m cosine
[ $? = 1 ] && grep -q 'knng:checkpoint:other' "$work/said"
check $? "another metric: $(cat "$work/said")"
cp "$work/x.fbin" "$work/former"
printf '\001' | dd of="$work/x.fbin" bs=1 seek=500000 conv=notrunc 2>/dev/null
run "$work/a.knn" -q -C "$work/c"
[ $? = 1 ] && grep -q 'knng:checkpoint:data' "$work/said"
check $? "other rows: $(cat "$work/said")"
cp "$work/former" "$work/x.fbin"
run "$work/a.knn" -C "$work/c"
same "$work/a.knn" "a copy of the file, of another time"

# The graph never takes the place of its data.
cp "$work/former" "$work/y.fbin"
"$knng" -q -f knn -o "$work/y.fbin" "$work/y.fbin" 2>"$work/said"
[ $? = 2 ] && cmp -s "$work/former" "$work/y.fbin"
check $? "the output is the input: $(cat "$work/said")"

# A table of text, too.
"$knng" -q -k 3 "$work/x.csv" >"$work/csv.knn"
"$knng" -q -k 3 -C "$work/t2" "$work/x.csv" >"$work/csv2.knn"
cmp -s "$work/csv.knn" "$work/csv2.knn"
check $? "a table of text"

# The jobs for batch systems, whose commands are played: stopped, they put themselves back into the queue, and the next
# time they end with the graph.
mkdir "$work/bin"
for name in scontrol qsub; do
	printf '#!/bin/sh\necho "$(basename "$0") $*" >>"%s/queue"\n' "$work" >"$work/bin/$name"
done
chmod +x "$work/bin"/*
export PATH=$work/bin:$PATH KNNG=$knng
rm -f "$work/queue" "$work/job.knn"
SLURM_JOB_ID=42 "${hold[@]}" "$root/examples/slurm/knng.sh" "$work/x.fbin" "$work/job.knn" -k 6 -t 1 \
	--save-every 1e-3 2>"$work/said" &
job=$!
saved $job job.knn.kept
kill -USR1 $job
wait $job
[ $? = 75 ] && [ "$(cat "$work/queue")" = 'scontrol requeue 42' ] && [ ! -e "$work/job.knn" ]
check $? "Slurm: $(cat "$work/queue" "$work/said")"
# A program that saves at once, and says when it can.
printf '#!/bin/bash\ntrap "exit 75" USR1\n: >"%s/ready"\nwhile :; do sleep 0.01; done\n' "$work" >"$work/bin/quick"
chmod +x "$work/bin/quick"
rm -f "$work/queue"
for ((i = 0; i < 10; i++)); do
	rm -f "$work/ready"
	SLURM_JOB_ID=42 KNNG=quick "$root/examples/slurm/knng.sh" in out 2>/dev/null &
	job=$!
	until [ -e "$work/ready" ] || ! kill -0 $job 2>/dev/null; do
		sleep 0.02
	done
	sleep 0.3 # the job waits for it
	kill -USR1 $job
	wait $job
	echo $? >>"$work/statuses"
done
[ "$(sort -u "$work/statuses")" = 75 ] && [ "$(grep -c requeue "$work/queue")" = 10 ]
check $? "Slurm, a program that ends at once: $(tr '\n' ' ' <"$work/statuses")"
rm -f "$work/queue"
SLURM_JOB_ID=42 KNNG=sleep "$root/examples/slurm/knng.sh" in out 2>/dev/null
[ ! -e "$work/queue" ]
check $? "Slurm: a job that was not stopped is not queued again"
SLURM_JOB_ID=42 "$root/examples/slurm/knng.sh" "$work/x.fbin" "$work/job.knn" -k 6 2>"$work/said"
check $? "Slurm, the second time: $(cat "$work/said")"
same "$work/job.knn" "Slurm"
rm -rf "$work/queue" "$work/job.knn" "$work/job.knn.kept"
job() { # job SECONDS [COMMAND...]
	(cd "$work" && PBS_O_WORKDIR=$work IN=x.fbin OUT=job.knn OPTIONS="-k 6 -t 1 --save-every 1e-3" STOP=$1 \
		"${@:2}" "$root/examples/pbs/knng.sh" 2>said)
}
stop=0.2
for ((i = 0; i < 12; i++)); do # on a busy machine the program had not begun
	rm -rf "$work/queue" "$work/job.knn" "$work/job.knn.kept"
	job "$stop" "${hold[@]}"
	status=$?
	[ $status != 75 ] && [ $status != $((128 + $(kill -l USR1))) ] || break
	[ $status = 75 ] || stop=$(awk -v s="$stop" 'BEGIN { print 1.5 * s }')
done
[ $status = 75 ] && grep -q "^qsub -v IN=x.fbin,OUT=job.knn,OPTIONS=-k 6 -t 1 --save-every 1e-3,STOP=$stop,KNNG=$KNNG " "$work/queue"
check $? "PBS: status $status, $(cat "$work/queue" "$work/said")"
job 1000
check $? "PBS, the second time: $(cat "$work/said")"
same "$work/job.knn" "PBS"

# Octave: Ctrl-C leaves what was found, and says how to go on; a full disk in between is a warning.
octave "
X = rand (4000, 300);
[i0, d0] = knngraph (X, 5);
[i, d] = knngraph (X, 5, 'Checkpoint', '$work/o1');
printf ('%d same\n', isequal (i, i0) && isequal (d, d0));
[i, d, info] = knngraph (X, 5, 'euclidean', 'Checkpoint', '$work/o1', 'MaxMemory', 1e8, 'Threads', 1);
printf ('%d again\n', isequal (i, i0) && isequal (d, d0) && info.resumed == 1 && info.refined == 0 && info.points == 4000);
" >"$work/octave" 2>&1
export KNNG_HOLD=$work/go
stops="while kill -0 %d && ! grep -qs 'knng checkpoint' '%s'/block-*.knng; do sleep 0.02; done; kill -%s %d; : >'$work/go'"
LD_PRELOAD=$work/hold.so octave "
X = rand (8000, 300);
id = ''; said = '';
system (sprintf (\"($stops) </dev/null >/dev/null 2>&1 &\", getpid (), '$work/o2', 'INT', getpid ()));
try
  knngraph (X, 10, 'Checkpoint', '$work/o2', 'SaveEvery', 1e-3, 'Threads', 1);
catch e
  id = e.identifier; said = e.message;
end
printf ('%d interrupted: %s %s\n', strcmp (id, 'knng:interrupted') && ~isempty (strfind (said, '$work/o2')), id, said);
[i, d, info] = knngraph (X, 10, 'Checkpoint', '$work/o2');
[i0, d0] = knngraph (X, 10);
printf ('%d went on: %g\n', isequal (i, i0) && isequal (d, d0) && info.resumed >= 0 && info.resumed < 1, info.resumed);
" >>"$work/octave" 2>&1
rm -f "$work/go"
LD_PRELOAD=$work/hold.so octave "
X = rand (8000, 300);
sigterm_dumps_octave_core (false);
system (sprintf (\"($stops) </dev/null >/dev/null 2>&1 &\", getpid (), '$work/o3', 'TERM', getpid ()));
knngraph (X, 10, 'Checkpoint', '$work/o3', 'SaveEvery', 1e-3, 'Threads', 1);
" >"$work/terminated" 2>&1
grep -q "^knng: stopped by SIGTERM; .* of the work is saved in $work/o3, and the same command goes on from there" "$work/terminated"
check $? "Octave says before SIGTERM ends it what is saved: $(cat "$work/terminated")"
while read -r fine what; do
	case $fine in
	0 | 1)
		[ "$fine" = 1 ]
		check $? "Octave: $what"
		;;
	esac
done <"$work/octave"
[ "$(grep -c '^[01] ' "$work/octave")" = 4 ]
check $? "Octave: $(cat "$work/octave")"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
