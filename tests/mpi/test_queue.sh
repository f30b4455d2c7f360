#!/usr/bin/env bash
# test_queue.sh  The jobs of knng-mpi for batch systems (examples/slurm, examples/pbs), whose commands are played: stopped,
# they put themselves back into the queue, and the next time they end with the graph that knng makes. mpirun is the real
# one, but for the machines, which it is told to find here. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck disable=SC2154 # it sets root, work, knng, mpi, passed, failed
. tests/mpi/jobs.sh

octave-cli --norc -H -q --eval "rand ('twister', 3); X = rand (20000, 200); X(7:7:70, :) = repmat (X(1, :), 10, 1);
        f = fopen ('x.fbin', 'w'); fwrite (f, fliplr (size (X'))(:), 'uint32'); fwrite (f, X', 'single'); fclose (f);" || exit 1
options=(-k 6 -t 1 -m cityblock)
"$knng" -q "${options[@]}" -o whole.knn x.fbin
check $? "the graph of knng"
options+=(--save-every 1e-3)

mkdir bin
for name in scontrol qsub; do
	printf '#!/bin/sh\necho "%s $*" >>"%s/queue"\n' "$name" "$work" >bin/$name
done
real=$(command -v mpirun)
# Says what it is told, and runs two ranks here.
cat >bin/mpirun <<SCRIPT
#!/bin/bash
echo "\$*" >>"$work/asked"
while [ \$# -gt 0 ]; do
	case \$1 in
	--hostfile) cp "\$2" "$work/hosts"; shift 2 ;;
	--map-by | --bind-to) shift 2 ;;
	*) break ;;
	esac
done
exec env -u SLURM_JOB_ID -u PBS_JOBID "$real" ${quiet[*]} -n 2 "\$@" # which it would ask for the machines
SCRIPT
chmod +x bin/*
export PATH=$work/bin:$PATH KNNG=$mpi

# No job that is to be stopped ends before, however slow what sends the signal (tests/fakes/hold.c).
said=$(${CC:-cc} -shared -fPIC -o hold.so "$root/tests/fakes/hold.c" -ldl 2>&1)
check $? "a library: $said"
hold=(env KNNG_HOLD=never LD_PRELOAD="$work/hold.so")

stopped() { # NAME STATUS
	[ "$2" = 75 ] && [ ! -e "$1.knn" ] && grep -qs 'is saved in' said
}
same() { # NAME WHAT
	cmp -s whole.knn "$1.knn"
	check $? "$2: another graph: $(cat said)"
}

# ---- Slurm
SLURM_JOB_ID=42 "${hold[@]}" "$root/examples/slurm/knng-mpi.sh" x.fbin slurm.knn "${options[@]}" 2>said &
job=$!
: >first.begun
wait_for "$patience" has_saved first slurm.knn.kept
kill -USR1 $job
wait $job
stopped slurm $? && [ "$(cat queue)" = 'scontrol requeue 42' ] && grep -q '^--map-by ppr:1:node --bind-to none ' asked
check $? "Slurm: $(cat queue asked said 2>&1)"
rm -f queue
SLURM_JOB_ID=42 timeout -k 5 "$patience" "$root/examples/slurm/knng-mpi.sh" x.fbin slurm.knn "${options[@]}" 2>said
[ $? = 0 ] && [ ! -e queue ] && grep -q 'went on from' said
check $? "Slurm, the second time: $(cat said)"
same slurm Slurm

# ---- PBS: every machine has a rank, however often its name stands in the file
printf 'b.cluster\na\nb.cluster\na\na\n' >nodes
pbs() { # STOP [COMMAND...]  before the job
	(cd / && PBS_O_WORKDIR=$work PBS_NODEFILE=$work/nodes IN=x.fbin OUT=pbs.knn OPTIONS="${options[*]}" STOP=$1 \
		timeout -k 5 "$patience" "${@:2}" "$root/examples/pbs/knng-mpi.sh" 2>"$work/said")
}
rm -f asked
stop=0.4
for ((i = 0; i < 12; i++)); do # on a busy machine nothing was kept yet
	rm -rf pbs.knn.kept queue
	pbs "$stop" "${hold[@]}"
	status=$?
	[ $status = 0 ] || grep -qs ' [0-9.]*[1-9][0-9.]* % of the work is saved in' said && break
	stop=$(awk -v s="$stop" 'BEGIN { print 1.5 * s }')
done
stopped pbs $status && [ "$(cat hosts)" = $'b.cluster\na' ] && grep -q '^--hostfile [^ ]* --map-by ppr:1:node --bind-to none ' asked
check $? "PBS: status $status, $(cat hosts asked said 2>&1)"
[ "$(cat queue)" = "qsub -v IN=x.fbin,OUT=pbs.knn,OPTIONS=${options[*]},STOP=$stop,KNNG=$mpi $root/examples/pbs/knng-mpi.sh" ]
check $? "PBS, the queue: $(cat queue)"
rm -f queue
pbs 1000
[ $? = 0 ] && [ ! -e queue ] && grep -q 'went on from' said
check $? "PBS, the second time: $(cat said)"
same pbs PBS
[ ! -e "$(sed -n 's/^--hostfile \([^ ]*\) .*/\1/p' asked | head -n 1)" ]
check $? "PBS: the file of hosts stays"

# Who is stopped by somebody else, or fails, is not submitted again; and without PBS it says so.
cp bin/mpirun mpirun.kept
printf '#!/bin/sh\nexit 75\n' >bin/mpirun
pbs 1000
[ $? = 75 ] && [ ! -e queue ]
check $? "PBS, stopped before its time: $(cat queue said 2>&1)"
printf '#!/bin/sh\nexit 1\n' >bin/mpirun
for stop in 0.1 1 10 100; do # on a busy machine the signal may come before it has failed
	pbs $stop
	status=$?
	[ $status -gt 128 ] || break
done
[ $status = 1 ] && [ ! -e queue ]
check $? "PBS, an error: status $status, $(cat queue said 2>&1)"
IN=x OUT=y "$root/examples/pbs/knng-mpi.sh" 2>said
[ $? != 0 ] && grep -q 'submit this by qsub' said
check $? "PBS, without qsub: $(cat said)"
finish
