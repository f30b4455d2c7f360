#!/bin/bash
# knng.sh  A job for PBS that makes the graph of a large file and submits itself again until it is done:
#
#     qsub -v IN=images.npy,OUT=graph.h5,OPTIONS="-k 200 -m pearson" examples/pbs/knng.sh
#
# PBS sends SIGTERM when the time of a job is over, and SIGKILL some seconds later: too late to save much. So this script
# stops the program itself after STOP seconds (default 13800, ten minutes less than the time below); the program saves
# what it has found and ends with status 75. docs/clusters.md has the rest. Set the lines below to your cluster's: memory
# as `build/knng --plan` says, and some GB; no GPU where there is none. KNNG names the program, if it is not build/knng
# below the folder in which the job was submitted. No name may have a comma in it.
#PBS -N knng
#PBS -l select=1:ncpus=16:ngpus=1:mem=64gb
#PBS -l walltime=04:00:00
#PBS -j oe
: "${IN:?usage: qsub -v IN=FILE,OUT=GRAPH,OPTIONS=... knng.sh}" "${OUT:?usage: qsub -v IN=FILE,OUT=GRAPH knng.sh}"
cd "${PBS_O_WORKDIR:-.}" || exit 1
export OPENBLAS_NUM_THREADS=1 # knng has threads of its own; a limit of address space stops OpenBLAS's for ever
begin=$SECONDS
STOP=${STOP:-13800}
# shellcheck disable=SC2086 # OPTIONS is a list of words
timeout --foreground --preserve-status --signal=USR1 "$STOP" \
	"${KNNG:-build/knng}" -C "$OUT.kept" -o "$OUT" $OPTIONS -- "$IN"
status=$?
# A job that is ended by somebody before that is not submitted again.
[ $status = 75 ] && [ $((SECONDS - begin + 1)) -ge "${STOP%.*}" ] &&
	qsub -v "IN=$IN,OUT=$OUT,OPTIONS=$OPTIONS,STOP=$STOP${KNNG:+,KNNG=$KNNG}" "$0"
exit $status
