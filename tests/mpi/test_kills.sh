#!/usr/bin/env bash
# test_kills.sh [KILLS [PART...]]  knng-mpi goes on from what it saved, with other numbers of ranks: killed at random
# moments (5 unless KILLS says so), a rank at a time or mpirun; stopped ranks and full disks. The checksum is always that
# of a search that nobody disturbed, and nothing of a job stays. PART: trials, kills, stopped, silent, early, stuck, lost, disk or
# full, and not all. KNNG_SEED: other moments. KNNG_SHOW: what the witnesses saw. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
kills=${1:-5}
parts=("${@:2}")
[ ${#parts[@]} != 0 ] || parts=(trials kills stopped silent early stuck lost disk full)
. tests/mpi/jobs.sh
RANDOM=${KNNG_SEED:-7}
limit=300 # seconds after a kill in which all of a job is gone, on a busy machine: half of what it would have otherwise

octave-cli --norc -H -q --eval "rand ('twister', 3); X = rand (11000, 200); X(7:7:70, :) = repmat (X(1, :), 10, 1);
        f = fopen ('x.fbin', 'w'); fwrite (f, fliplr (size (X'))(:), 'uint32'); fwrite (f, X', 'single'); fclose (f);
        f = fopen ('lists.fbin', 'w'); fwrite (f, [6000; 8], 'uint32'); fwrite (f, rand (8, 6000), 'single'); fclose (f);" || exit 1
options=(-t 1 -k 6 -m cityblock -c)
sum=$("$knng" -q "${options[@]}" x.fbin)
[ "${#sum}" = 64 ]
check $? "the search that nobody disturbs"

# No job ends before it is stopped or killed, however fast it is (tests/fakes/hold.c): once something is saved it waits for
# the file NAME.go.
said=$(${CC:-cc} -shared -fPIC -o hold.so "$root/tests/fakes/hold.c" -ldl 2>&1)
check $? "a library: $said"
start() { # NAME RANKS OPTIONS...  0 ranks: knng
	begin "$1" "$2" "${options[@]}" --save-every 1e-3 -C kept "${@:3}" x.fbin
}
held() { # NAME RANKS OPTIONS...
	rm -f "$1.go"
	KNNG_HOLD=$1.go LD_PRELOAD=$work/hold.so${preloaded:+:$preloaded} "${begins:-start}" "$@"
	wait_for "$patience" has_saved "$1" kept
}
gone() {
	[ -z "$(jobs_left)" ]
}
longest=0
# All of a job ends by itself, within the limit. Sets took.
ends() { # NAME
	local since=$SECONDS
	wait_for "$limit" ended "$1" && wait_for $((limit - SECONDS + since)) gone
	check $? "$1: after $limit s: $(ps -o pid=,stat=,args= -p "$(jobs_left | paste -sd,)" 2>/dev/null | cut -c 1-60 | tr '\n' '|')"
	took=$((SECONDS - since))
	end_jobs
	[ "$took" -le "$longest" ] || longest=$took
}
# Goes on with so many ranks to the end.
completes() { # NAME RANKS
	start "$1" "$2"
	wait "$pid"
	printed "$1" "$sum"
	check $? "$1, by $2 ranks (0: knng): $(said "$1")"
	end_jobs
	rm -rf kept
}
pick() { # ITEM...
	shift $((RANDOM % $#))
	printf '%s\n' "$1"
}

# How long a job takes here that nothing keeps, from its start to its end; what should take seconds may take more where
# that does.
octave-cli --norc -H -q --eval "X = mod ((1:300)' * (1:7) * 0.618, 1); dlmwrite ('t.csv', X, 'precision', 6);"
short=$("$knng" -q -k 6 -c t.csv)
usual=
measure() {
	local since=$SECONDS
	begin usual 2 -k 6 -c t.csv
	ends usual
	printed usual "$short"
	check $? "a short job: $(said usual)"
	[ $((SECONDS - since)) -le "${usual:--1}" ] || usual=$((SECONDS - since))
}
# Before a trial: nothing of the one before is there, and the machine may have become slower.
afresh() {
	rm -rf kept hangs slept
	[ "$again" = 0 ] && [ -n "$usual" ] || measure
}
in_time() {
	[ "$took" -lt $((16 + deadline + 10 * usual)) ]
}
process_of() { # RANK
	local process
	for process in $(processes knng-mpi); do
		! tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$1" || echo "$process"
	done
}

# ---- the trials themselves (jobs.sh): with a witness that says what it is told, and with the real one, stopped for a second
tries() { # FAILURES  before it succeeds
	until [ -s seen ]; do sleep 0.01; done
	echo "$deadline" >>tried
	[ "$(wc -l <tried)" -gt "$1" ]
	check $? "not yet"
}
tries_real() {
	until [ -d "/proc/$witness/task" ] && [ "$(find "/proc/$witness/task" -mindepth 1 -maxdepth 1 | wc -l)" -gt 1 ]; do sleep 0.01; done
	kill -STOP "$witness"
	sleep 1
	kill -CONT "$witness"
	echo "$deadline" >>tried
	[ "$(wc -l <tried)" -gt 1 ]
	check $? "not yet"
}
part_trials() {
	local row words got
	mkdir trials
	# MS PER_CENT FAILURES: the deadlines that it had; passed, failed, reports
	for row in '10 100 1: 4; 0 1 1' '499 199 1: 4; 0 1 1' '500 100 1: 4 8; 1 0 0' '10 200 1: 4 8; 1 0 0' '500 100 9: 4 8; 0 1 1' \
		'99999 100 9: 4 8 16 32 64; 0 1 1' '99999 900 0: 4; 1 0 0' real; do
		read -ra words <<<"${row%%:*}"
		got=$(
			cd trials && rm -f witness tried && passed=0 failed=0
			if [ "$row" = real ]; then
				trial 4 tries_real >reported
			else
				printf '#!/bin/sh\necho %d %d\n' "${words[@]:0:2}" >witness && chmod +x witness
				trial 4 tries "${words[2]}" >reported
			fi
			echo "$(paste -sd ' ' tried); $passed $failed $(grep -c '^FAILED not yet$' reported)"
		)
		[ "$row" != real ] || row='real: 4 8; 1 0 0'
		[ "$got" = "${row#*: }" ]
		check $? "trials: $row: $got"
	done
}

# ---- kills
part_kills() {
	longest=0 killed=0 late=0 trial=0
	while [ "$killed" -lt "$kills" ] && [ "$late" -lt $((kills + 10)) ]; do
		trial=$((trial + 1))
		name=kill$trial
		ranks=$((RANDOM % 6))
		# Where searches end too soon, or what kills is too slow, they wait for it.
		if [ "$late" -lt 5 ]; then start "$name" "$ranks"; else KNNG_HOLD=never LD_PRELOAD=$work/hold.so start "$name" "$ranks"; fi
		[ $((RANDOM % 3)) = 0 ] || wait_for "$patience" has_saved "$name" kept
		pause=$((RANDOM % 6))
		[ "$late" -lt 3 ] && sleep 0.$pause || sleep 0.0$pause # sooner where searches end so soon
		mapfile -t victims < <(processes mpirun; processes knng-mpi; processes knng)
		[ ${#victims[@]} = 0 ] || kill -9 "$(pick "${victims[@]}")" 2>/dev/null
		ends "$name"
		if [ -s "$name.out" ]; then # it was done before
			late=$((late + 1))
			printed "$name" "$sum"
			check $? "$name, by $ranks ranks: $(said "$name")"
			rm -rf kept
		else
			killed=$((killed + 1))
			[ "$(status_of "$name")" != 0 ]
			check $? "$name, by $ranks ranks, ends well without an end: $(said "$name")"
			[ $((killed % 4)) != 0 ] || completes "after$name" $((RANDOM % 6))
		fi
		rm -f "$name".*
	done
	[ "$killed" = "$kills" ]
	check $? "only $killed of $trial were killed in time"
	completes last 3
	printf '    %d killed, and %d had ended; all of it was gone after %d s at most\n' "$killed" "$late" "$longest"
}

# ---- a rank that is stopped for a while
stopped() {
	local process
	afresh
	held while 3 --deadline "$deadline"
	for process in $(processes knng-mpi); do
		kill -STOP "$process"
		sleep 1
		kill -CONT "$process"
	done
	: >while.go
	wait "$pid"
	printed while "$sum"
	check $? "ranks that are stopped for a while: $(said while)"
	rm -rf kept
}
part_stopped() {
	trial 60 stopped
}

# ---- a rank that is stopped for longer: the first, and another
silent() { # WHICH
	local name=silent$1 ranks
	afresh
	held "$name" 3 --deadline "$deadline"
	mapfile -t ranks < <(processes knng-mpi | sort -n)
	kill -STOP "${ranks[$1]}"
	: >"$name.go"
	ends "$name"
	[ "$(status_of "$name")" != 0 ] && [ ! -s "$name.out" ] &&
		[ "$(our_lines "$name" | grep -cE "^knng:mpi:silent: (rank [0-2], on .*, has said nothing|MPI has not answered rank [0-2], on .*,) for $deadline seconds: .*; the same command goes on from what was saved$")" = 1 ] &&
		! our_lines "$name" | grep -v '^knng:mpi:silent\|^knng: [0-9]'
	check $? "a rank that says nothing: $(said "$name")"
	grep -q 'went on from\|search' "$name.err"
	[ $? = 1 ]
	check $? "it ended meanwhile: $(said "$name")"
}
part_silent() {
	local which
	longest=0
	for which in 0 1; do
		trial 5 silent $which
		completes "aftersilence$which" 2
	done
	printf '    ended by their deadline of 5 s, after %d s at most\n' "$longest"
}

# ---- the same before the search, and what only takes long. Rank 1 reads its data from a pipe; 0 waits for it, or both do.
mkfifo pipe.csv
# (By a shell each, since mpirun 5.0.7 crashes where it is given two programs.)
early() { # NAME DATA_OF_RANK_0 [DATA_OF_RANK_1]
	local name=$1
	rm -f "$name.status"
	: >"$name.begun"
	(
		# shellcheck disable=SC2016 # for the shell of each
		timeout -k 5 "$patience" mpirun "${quiet[@]}" -n 2 bash -c 'exec "$0" "${@:3}" "${@:OMPI_COMM_WORLD_RANK + 1:1}"' \
			"$mpi" "$2" "${3:-pipe.csv}" -k 6 -c --deadline "$deadline" >"$name.out" 2>"$name.err"
		echo $? >"$name.status.now"
		mv "$name.status.now" "$name.status"
	) &
}
# So many have opened the pipe: they have met before, and those that read it have nothing else to do.
reading() { # NAME COUNT
	local process count=0
	for process in $(processes knng-mpi); do
		! find "/proc/$process/fd" -lname '*/pipe.csv' 2>/dev/null | grep -q . || count=$((count + 1))
	done
	ended "$1" || [ "$count" = "$2" ]
}
slow_reader() { # NAME DATA_OF_RANK_0 DATA_OF_RANK_1
	local name=$1 feeder
	afresh
	early "$@"
	wait_for "$patience" reading "$name" 1
	{
		sleep $((2 * deadline + 1))
		exec cat t.csv >pipe.csv
	} &
	feeder=$!
	wait_for "$patience" ended "$name"
	printed "$name" "$short"
	check $? "a rank that reads for longer than the deadline, $name: $(said "$name")"
	kill "$feeder" 2>/dev/null
	wait "$feeder"
	end_jobs
}
# The one that waits for it asks MPI all the time, so that its second thread finds the lock taken each time
# (tests/fakes/starve.c).
starved_reader() {
	KNNG_STARVE=1 LD_PRELOAD=$work/starve.so slow_reader starved pipe.csv t.csv
}
silent_early() { # DATA_OF_RANK_0
	afresh
	early "early$1" "$1"
	wait_for "$patience" reading "early$1" $([ "$1" = pipe.csv ] && echo 2 || echo 1)
	kill -STOP $(process_of 1)
	ends "early$1"
	[ "$(status_of "early$1")" != 0 ] && [ ! -s "early$1.out" ] && in_time &&
		our_lines "early$1" |
		grep -qxE "knng:mpi:silent: (rank 1, on .*, has said nothing|MPI has not answered rank 0, on .*,) for $deadline seconds: .*; nothing was kept"
	check $? "a rank that says nothing before the search, $1: after $took s, $(said "early$1")"
}
part_early() {
	local data
	trial 5 slow_reader slow t.csv pipe.csv
	if ${CC:-cc} -shared -fPIC -o starve.so "$root/tests/fakes/starve.c" >cc.said 2>&1; then
		trial 5 starved_reader
	else
		check 1 "a library: $(cat cc.said)"
	fi
	for data in t.csv pipe.csv; do
		trial 3 silent_early $data
	done
}

# ---- MPI that does not end, of all ranks or of one; that does not come back, or takes long to end all
cc=${CC:-cc}
echo '#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int PMPI_Abort (void *all, int status);
int MPI_Abort (void *all, int status)
{
	sleep (getenv ("FAREWELL") != NULL ? atoi (getenv ("FAREWELL")) : 0);
	return PMPI_Abort (all, status);
}
int PMPI_Testall (int count, void *request, int *through, void *status);
int MPI_Testall (int count, void *request, int *through, void *status)
{
	while (access ("hangs", F_OK) == 0)
		pause ();
	return PMPI_Testall (count, request, through, status);
}
int PMPI_Finalize (void);
int MPI_Finalize (void)
{
	const char *rank = getenv ("OMPI_COMM_WORLD_RANK"), *stuck = getenv ("STUCK");
	while (rank != NULL && strchr (stuck, *rank) != NULL)
		pause ();
	return PMPI_Finalize ();
}
ssize_t __pwrite64 (int fd, const void *from, size_t bytes, off_t at);
ssize_t pwrite64 (int fd, const void *from, size_t bytes, off_t at)
{
	static int calls;
	const char *slow = getenv ("SLOW");
	if (slow != NULL && ++calls == atoi (slow))
		sleep (atoi (getenv ("LASTS")));
	return __pwrite64 (fd, from, bytes, at);
}
ssize_t pwrite (int fd, const void *from, size_t bytes, off_t at)
{
	return pwrite64 (fd, from, bytes, at);
}' | $cc -shared -fPIC -x c -o stuck.so - -Wl,--unresolved-symbols=ignore-all 2>cc.said
check $? "a library: $(cat cc.said)"
# A disk that takes longer than the deadline for a block.
slow_disk() { # WRITE MORE  seconds
	local name=slow$1
	afresh
	rm -f "$name.h5"
	SLOW=$1 LASTS=$((deadline + $2)) STUCK=x LD_PRELOAD=$work/stuck.so begin "$name" 2 -k 6 -o "$name.h5" --deadline "$deadline" t.csv
	ends "$name"
	[ "$(status_of "$name")" = 0 ] && [ "$took" -ge $((deadline + $2)) ] && [ -s "$name.h5" ]
	check $? "write $1 of the graph is slow: after $took s, $(said "$name")"
	rm -f "$name.h5"
}
stuck() { # RANKS
	local name=stuck$1
	afresh
	STUCK=$1 LD_PRELOAD=$work/stuck.so begin "$name" 2 -k 6 -c --deadline "$deadline" t.csv
	ends "$name"
	printed "$name" "$short" && in_time
	check $? "MPI does not end at rank $1: after $took s, $(said "$name")"
	[ "$1" = 1 ] || our_lines "$name" | grep -qx "knng: MPI does not end for $deadline seconds; all that was to be done is done"
	check $? "MPI does not end at rank $1: $(said "$name")"
}
part_stuck() {
	local which
	# Of 49, all by rank 0: twelve for each block, one before; of a block of its own and of another one's. Nobody else gives up
	# rank 0 before twelve more seconds.
	trial 4 slow_disk 2 3
	trial 4 slow_disk 30 15
	for which in 01 1 0; do
		trial 4 stuck $which
	done
}

# Rank 0 is stopped, and one of the others says so: where all is not ended at once, and where MPI answers neither. The
# search would go on for much longer.
begin_long() { # NAME RANKS OPTIONS...
	begin "$1" "$2" "${options[@]}" --save-every 1e-3 -C kept "${@:3}" long.fbin
}
stop_first() { # NAME  when something is saved
	local begins=begin_long preloaded=$work/stuck.so
	afresh
	STUCK=x held "$1" 3 --deadline "$deadline"
	kill -STOP $(process_of 0)
}
is_said() { # NAME MESSAGES
	[ "$(status_of "$1")" != 0 ] && [ ! -s "$1.out" ] && [ "$(our_lines "$1" | grep -c '^knng:mpi:silent: ')" = "$2" ]
	check $? "a rank that says nothing, after $took s: $(said "$1")"
	rm -rf kept hangs
}
lost() { # NAME
	[ "$1" != farewell ] || local -x FAREWELL=5
	stop_first "$1"
	[ "$1" = farewell ] || : >hangs
	: >"$1.go"
	ends "$1"
	is_said "$1" 1
}
alone() { # nobody ends them; both say so, and end
	local launcher
	stop_first alone
	: >hangs
	launcher=$(processes mpirun)
	kill -STOP $launcher
	: >alone.go
	wait_for "$limit" eval '[ "$(processes knng-mpi | wc -l)" = 1 ]'
	check $? "ranks that nobody ends: $(said alone)"
	kill -CONT $launcher
	ends alone
	is_said alone 2
}
part_lost() {
	octave-cli --norc -H -q --eval "f = fopen ('x.fbin'); fseek (f, 8, 0); X = fread (f, Inf, 'single=>single');
	        f = fopen ('long.fbin', 'w'); fwrite (f, [44000; 200], 'uint32'); fwrite (f, repmat (X, 4, 1), 'single');"
	trial 5 lost farewell
	trial 5 lost hangs
	trial 5 alone
	rm -f long.fbin
}

# ---- a disk that fails under the lists of neighbours: from the nth read or write of a file without a name, at one rank
part_disk() {
	if cat <<-'C' | $cc -shared -fPIC -x c -o failing.so - -Wl,--unresolved-symbols=ignore-all 2>cc.said; then
		#define _GNU_SOURCE
		#include <errno.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		#include <sys/stat.h>
		#include <unistd.h>
		static int fails (int fd, const char *what, int *calls)
		{
			const char *rank = getenv ("OMPI_COMM_WORLD_RANK"), *of = getenv ("FAILING"), *at = getenv (what);
			struct stat st;
			if (rank == NULL || of == NULL || strcmp (rank, of) != 0 || fstat (fd, &st) != 0 || !S_ISREG (st.st_mode) || st.st_nlink > 0)
				return 0;
			int n = __atomic_add_fetch (calls, 1, __ATOMIC_SEQ_CST);
			FILE *f = fopen (what, "w");
			fprintf (f, "%d\n", n);
			fclose (f);
			return at != NULL && n >= atoi (at);
		}
		ssize_t __pread64 (int fd, void *to, size_t bytes, off_t at);
		ssize_t __pwrite64 (int fd, const void *from, size_t bytes, off_t at);
		ssize_t pread64 (int fd, void *to, size_t bytes, off_t at)
		{
			static int calls;
			errno = EIO;
			return fails (fd, "READ", &calls) ? -1 : __pread64 (fd, to, bytes, at);
		}
		ssize_t pwrite64 (int fd, const void *from, size_t bytes, off_t at)
		{
			static int calls;
			errno = EIO;
			return fails (fd, "WRITE", &calls) ? -1 : __pwrite64 (fd, from, bytes, at);
		}
		ssize_t pread (int fd, void *to, size_t bytes, off_t at) { return pread64 (fd, to, bytes, at); }
		ssize_t pwrite (int fd, const void *from, size_t bytes, off_t at) { return pwrite64 (fd, from, bytes, at); }
	C
		lists=(-t 1 -k 100 -M 55e5 --save-every 1e-3 -C kept -c lists.fbin)
		found=$("$knng" -q -t 1 -k 100 -c lists.fbin)
		fails() { # NAME READ|WRITE  and goes on, to the end or for another failure
			[ "$(status_of "$1")" = 1 ] && [ ! -s "$1.out" ] && [ "$(our_lines "$1" | grep -vc 'knng: ')" = 1 ] &&
				our_lines "$1" | grep -q "^knng:io:$2: the neighbours found so far cannot be .* beside kept/lists: .* (rank $FAILING, on "
			check $? "a disk that fails at rank $FAILING: $(said "$1")"
		}
		for FAILING in 1 0; do
			export FAILING
			WRITE=40 LD_PRELOAD=$work/failing.so begin "written$FAILING" 3 "${lists[@]}"
			ends "written$FAILING"
			fails "written$FAILING" write
			READ=40 LD_PRELOAD=$work/failing.so begin "read$FAILING" 2 "${lists[@]}"
			ends "read$FAILING"
			fails "read$FAILING" open
			begin "rest$FAILING" 2 "${lists[@]}"
			ends "rest$FAILING"
			printed "rest$FAILING" "$found"
			check $? "after a disk that failed at rank $FAILING: $(said "rest$FAILING")"
			LD_PRELOAD=$work/failing.so begin "all$FAILING" 2 "${lists[@]}"
			ends "all$FAILING" # only reads; the last of them for the graph
			printed "all$FAILING" "$found"
			check $? "all is there: $(said "all$FAILING")"
			READ=$(($(cat READ) - 4)) LD_PRELOAD=$work/failing.so begin "gathered$FAILING" 2 "${lists[@]}"
			ends "gathered$FAILING"
			fails "gathered$FAILING" open
			rm -rf kept
		done
		unset FAILING
	else
		check 1 "a library: $(cat cc.said)"
	fi
}

# ---- a disk that is full, for the checkpoint and for the graph
part_full() {
	mkdir small
	if mount -t tmpfs -o size=200k tmpfs small 2>/dev/null; then
		trap 'end_jobs; umount "$work/small"; clean' EXIT
		begin full 3 "${options[@]}" -C small/kept x.fbin
		ends full
		[ "$(status_of full)" = 1 ] && [ ! -s full.out ] && [ "$(our_lines full | wc -l)" = 1 ] &&
			our_lines full | grep -q '^knng:checkpoint:folder: '
		check $? "a disk that is full: $(said full)"
		start written 3 -o small/x.knn
		ends written
		[ "$(status_of written)" = 1 ] && [ ! -s written.out ] && [ "$(our_lines written | grep -c '^knng:io:write: ')" = 1 ] &&
			[ ! -e small/x.knn ]
		check $? "no room for the graph: $(said written)"
		completes room 2
	else
		echo '    a full disk: not run: no file system can be mounted here'
	fi
}

for part in "${parts[@]}"; do
	[ -z "${KNNG_SHOW:-}" ] || echo "$SECONDS s: $part"
	"part_$part"
done
finish
