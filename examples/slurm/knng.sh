#!/bin/bash
# knng.sh  A job for Slurm that makes the graph of a large file and puts itself back into the queue until it is done:
#
#     sbatch examples/slurm/knng.sh images.npy images.knn -k 200 -m pearson
#
# Ten minutes before its time is over, Slurm sends SIGUSR1 to this script, which hands it to the program; the program
# saves what it has found and ends with status 75. docs/clusters.md has the rest. Set the lines below to your cluster's.
#SBATCH --job-name=knng
#SBATCH --nodes=1
#SBATCH --gpus-per-node=1
#SBATCH --time=04:00:00
#SBATCH --signal=B:USR1@600
#SBATCH --requeue
#SBATCH --open-mode=append
in=$1
out=$2
shift 2
"${KNNG:-build/knng}" -C "$out.kept" -o "$out" "$@" "$in" &
program=$!
trap 'kill -USR1 $program' USR1
trap 'kill -TERM $program' TERM
wait $program
status=$?
while kill -0 $program 2>/dev/null; do # a signal ends the first wait before the program has saved
	wait $program
	status=$?
done
[ $status = 75 ] && scontrol requeue "$SLURM_JOB_ID"
exit $status
