#!/bin/bash
# knng.sh  A job for PBS that makes the graph of a large file and submits itself again until it is done:
#
#     qsub -v IN=images.npy,OUT=images.knn,OPTIONS="-k 200 -m pearson" examples/pbs/knng.sh
#
# PBS sends SIGTERM when the time of a job is over, and SIGKILL some seconds later: too late to save much. So this script
# stops the program itself after STOP seconds (default 13800, ten minutes less than the time below); the program saves
# what it has found and ends with status 75. docs/clusters.md has the rest. Set the lines below to your cluster's.
#PBS -N knng
#PBS -l select=1:ncpus=16:ngpus=1
#PBS -l walltime=04:00:00
#PBS -j oe
cd "${PBS_O_WORKDIR:-.}" || exit 1
# shellcheck disable=SC2086 # OPTIONS is a list of words
timeout --preserve-status --signal=USR1 "${STOP:-13800}" "${KNNG:-build/knng}" -C "$OUT.kept" -o "$OUT" $OPTIONS "$IN"
status=$?
[ $status = 75 ] && qsub -v "IN=$IN,OUT=$OUT,OPTIONS=$OPTIONS,STOP=${STOP:-13800}" "$0"
exit $status
