#!/usr/bin/env bash
# under.sh RANKS PROGRAM [ARGUMENT...]  Runs a program under mpirun, with a fresh folder as its first argument.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/mpi/jobs.sh
timeout -k 5 1200 mpirun "${quiet[@]}" -n "$1" "$root/$2" "$work" "${@:3}"
