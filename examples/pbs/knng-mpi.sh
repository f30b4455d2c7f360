#!/bin/bash
# knng-mpi.sh  A job for PBS that makes the graph of a large file on several machines, and submits itself again until it
# is done:
#
#     qsub -v IN=images.npy,OUT=graph.h5,OPTIONS="-k 200 -m pearson" examples/pbs/knng-mpi.sh
#
# PBS sends SIGTERM when the time of a job is over, and SIGKILL some seconds later: too late to save much. So this script
# sends SIGUSR1 to mpirun after STOP seconds (default 13800, ten minutes less than the time below), and mpirun hands it to
# all ranks; they save what they have found and end with status 75. docs/clusters.md has the rest. Set the lines below to
# your cluster's: memory as `build/knng-mpi --plan --ranks 2` says, and some GB; no GPU where there is none. A job that is
# submitted again has these lines, and not what the command line of qsub said beside -v. KNNG names the program, if it is
# not build/knng-mpi below the folder in which the job was submitted. No name may have a comma in it.
#
# mpirun finds the machines in a file of hosts, since Debian's Open MPI does not know PBS. It starts ranks there by ssh,
# which must not ask for a password; if your PBS has pbs_tmrsh, OMPI_MCA_plm_rsh_agent=pbs_tmrsh does it without ssh.
#PBS -N knng-mpi
#PBS -l select=2:ncpus=16:mpiprocs=1:ngpus=1:mem=64gb
#PBS -l place=scatter
#PBS -l walltime=04:00:00
#PBS -j oe
: "${IN:?usage: qsub -v IN=FILE,OUT=GRAPH,OPTIONS=... knng-mpi.sh}" "${OUT:?usage: qsub -v IN=FILE,OUT=GRAPH knng-mpi.sh}"
: "${PBS_NODEFILE:?PBS did not say which machines there are: submit this by qsub}"
cd "${PBS_O_WORKDIR:-.}" || exit 1
export OPENBLAS_NUM_THREADS=1 # knng has threads of its own; a limit of address space stops OpenBLAS's for ever
begin=$SECONDS
STOP=${STOP:-13800}
hosts=$(mktemp) || exit 1
trap 'rm -f "$hosts"' EXIT
awk '!seen[$1]++ { print $1 }' "$PBS_NODEFILE" >"$hosts" # each machine once: a rank drives all of it
# shellcheck disable=SC2086 # OPTIONS is a list of words
timeout --foreground --preserve-status --signal=USR1 "$STOP" \
	mpirun --hostfile "$hosts" --map-by ppr:1:node --bind-to none -x OPENBLAS_NUM_THREADS \
	"${KNNG:-build/knng-mpi}" -C "$OUT.kept" -o "$OUT" $OPTIONS -- "$IN"
status=$?
# A job that is ended by somebody before that is not submitted again.
[ $status = 75 ] && [ $((SECONDS - begin + 1)) -ge "${STOP%.*}" ] &&
	qsub -v "IN=$IN,OUT=$OUT,OPTIONS=$OPTIONS,STOP=$STOP${KNNG:+,KNNG=$KNNG}" "$0"
exit $status
