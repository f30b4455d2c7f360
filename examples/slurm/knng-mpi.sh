#!/bin/bash
# knng-mpi.sh  A job for Slurm that makes the graph of a large file on several machines, and puts itself back into the
# queue until it is done:
#
#     sbatch -N 4 examples/slurm/knng-mpi.sh images.npy graph.h5 -k 200 -m pearson
#
# Ten minutes before its time is over, Slurm sends SIGUSR1 to this script, which hands it to mpirun, and that to all
# ranks; they save what they have found and end with status 75. docs/clusters.md has the rest. Set the lines below to
# your cluster's: memory as `mpirun knng-mpi --plan` says, and some GB; no GPU where there is none. KNNG names the
# program, if it is not build/knng-mpi below the folder in which the job was submitted.
#SBATCH --job-name=knng-mpi
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --gpus-per-node=1
#SBATCH --mem=64G
#SBATCH --time=04:00:00
#SBATCH --signal=B:USR1@600
#SBATCH --requeue
#SBATCH --open-mode=append
in=${1:?usage: knng-mpi.sh FILE GRAPH [options of knng]}
out=${2:?usage: knng-mpi.sh FILE GRAPH [options of knng]}
shift 2
export OPENBLAS_NUM_THREADS=1 # knng has threads of its own; a limit of address space stops OpenBLAS's for ever
program=''
over='' # set when the time is nearly over; a job that is cancelled is not queued again
trap 'over=1; [ -n "$program" ] && kill -USR1 "$program" 2>/dev/null' USR1
trap '[ -n "$program" ] && kill -TERM "$program" 2>/dev/null' TERM
mpirun --map-by ppr:1:node --bind-to none -x OPENBLAS_NUM_THREADS \
	"${KNNG:-build/knng-mpi}" -C "$out.kept" -o "$out" "$@" -- "$in" &
program=$!
wait $program
while kill -0 $program 2>/dev/null; do # a signal ends a wait before the program has ended
	wait $program
done
wait $program # bash remembers how it ended
status=$?
[ $status = 75 ] && [ -n "$over" ] && scontrol requeue "$SLURM_JOB_ID"
exit $status
