# jobs.sh  For the scripts beside it: a work folder, jobs under mpirun, and what is left of them. They source it in the
# project's folder, and are in the work folder then.
root=$PWD
# In memory, where there is room for the data of two tests and for what ranks share, and where programs may run.
work=
if [ -w /dev/shm ] && [ "$(df -Pk /dev/shm | awk 'END { print $4 }')" -gt 1000000 ]; then
	work=$(mktemp -d /dev/shm/knng-mpi.XXXXXX) && printf '#!/bin/sh\n' >"$work/runs" && chmod +x "$work/runs" && "$work/runs" && rm "$work/runs" ||
		{ rm -rf "$work" && work=; }
fi
work=${work:-$(mktemp -d "${TMPDIR:-/tmp}/knng-mpi.XXXXXX")} || exit 1
# Copies, which no build takes away while a test runs. Where there is a GPU they find the toolbox, and so the CUDA plugin,
# from their place beside a link to it; elsewhere each process would load that, which takes longer than most searches here.
knng=$work/build/knng
mpi=$work/build/knng-mpi
patience=600 # seconds after which a job is taken to hang; the machine may be busy
passed=0
failed=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # tests run as root in containers
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
# From Open MPI 5 on the last two have other names, and from 6 on others again, which complains of those of 5. -q leaves
# out what mpirun itself has to say.
quiet=()
case $(mpirun --version 2>/dev/null) in
*'(Open MPI) '[1-4].*) quiet=(-q) ;;
*'(Open MPI) 5.'*) export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none ;;
*) export PRTE_MCA_mapby=:oversubscribe PRTE_MCA_bindto=none ;;
esac
# On one machine nothing goes by a network, of which Open MPI 5 says here and there that it reaches nobody. To look for what
# libfabric may reach, among all symbols of the kernel, takes each process longer than all else that it begins with.
export OMPI_MCA_btl=^tcp,ofi OMPI_MCA_mtl=^ofi
export HWLOC_COMPONENTS=-x86 # which binds mpirun to each processor in turn, and waits long for busy ones

reports=
check() { # check STATUS WHAT
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		reports+="FAILED $2"$'\n'
		[ -n "$deadline" ] || say_reports
	fi
}
say_reports() {
	printf '%s' "$reports"
	reports=
}

# trial SECONDS COMMAND [ARGUMENT...]  for checks in which seconds decide: the command makes them. It has the seconds in
# $deadline, and cleans up before it begins. A machine that stands still, or has much else to do, can make them fail, too.
# So a witness looks on (tests/fakes/witness.c). Where it saw such a thing a failure says nothing: the command is repeated
# with twice the seconds, four times at most. Where the machine had time the first failure counts, and anywhere the last.
deadline=
witness=
again=0 # how often the present trial was repeated
trials=0
repeated=0
trial() {
	[ -x witness ] || ${CC:-cc} -O2 -pthread -o witness "$root/tests/fakes/witness.c" >cc.said 2>&1 || check 1 "a witness: $(cat cc.said)"
	local counts=("$passed" "$failed") since=$SECONDS late busy
	deadline=$1
	again=0
	trials=$((trials + 1))
	while :; do
		rm -f seen # of the trial before
		./witness >seen 2>&1 &
		witness=$!
		"${@:2}"
		kill "$witness" 2>/dev/null
		wait "$witness"
		read -r late busy <seen || late=600000 busy=0 # it had no time to begin
		witness=
		[ -z "${KNNG_SHOW:-}" ] || printf '    %s, %d s: late %s ms, busy %s %%\n' "${*:2}" "$deadline" "$late" "$busy"
		if [ "$failed" = "${counts[1]}" ] || [ "$again" = 4 ] || [ $((SECONDS - since)) -gt 900 ] || steady "$late" "$busy"; then
			break
		fi
		printf '    %s, %d s: this says nothing, since a processor stood still for %d ms, or took %d %% of its time:\n' "${*:2}" "$deadline" "$late" "$busy"
		sed 's/^FAILED/       /' <<<"${reports%$'\n'}"
		reports=
		passed=${counts[0]} failed=${counts[1]}
		again=$((again + 1))
		repeated=$((repeated + 1))
		deadline=$((2 * deadline))
		end_jobs
	done
	deadline=
	say_reports
}
# Whether the machine had time. Ranks say something once a second, which leaves them most of the deadline. Those of a job
# take time, too: on a machine that does nothing else the work of the witness took up to 131 %.
steady() { # MS PER_CENT
	[ "$1" -lt $((deadline * 1000 / 8)) ] && [ "$2" -lt 200 ]
}

# The processes of this test's jobs: they run in its folder. They are looked for all the time, so by one program: one
# for each name took as long as the jobs.
jobs_left() {
	local pid name
	for pid in $(pgrep '^[kmopt]'); do
		[ "/proc/$pid/cwd" -ef "$work" ] && read -r name 2>/dev/null <"/proc/$pid/comm" || continue
		case $name in
		mpirun | orted | prterun | prted | knng | knng-mpi | test_ranks*) echo "$pid" ;;
		esac
	done
}

end_jobs() {
	local pid
	for pid in $(jobs_left); do
		kill -9 "$pid" 2>/dev/null
	done
}
cd "$work" || exit 1
# What a killed job leaves goes with the folder.
export OMPI_MCA_btl_vader_backing_directory=$work OMPI_MCA_orte_tmpdir_base=$work
export OMPI_MCA_btl_sm_backing_directory=$work PRTE_MCA_prte_tmpdir_base=$work
clean() {
	end_jobs
	[ -z "$witness" ] || kill "$witness" 2>/dev/null
	rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM
if nvidia-smi -L 2>/dev/null | grep -q .; then
	ln -s "$root/+knng" +knng
fi
mkdir build && cp "$root/build/knng" "$root/build/knng-mpi" build || exit 1

# ranks N ARGUMENTS...  knng-mpi under mpirun, not for ever: mpirun itself may hang.
ranks() {
	timeout -k 5 "$patience" mpirun "${quiet[@]}" -n "$1" "$mpi" "${@:2}"
}

# begin NAME N ARGUMENTS...  in the background; N of 0: knng itself. Its words go to NAME.out and NAME.err, its status to
# NAME.status; see `ended`. Sets pid.
begin() {
	local name=$1 n=$2
	shift 2
	rm -f "$name.status"
	: >"$name.begun"
	(
		if [ "$n" = 0 ]; then
			timeout -k 5 "$patience" "$knng" "$@"
		else
			ranks "$n" "$@"
		fi >"$name.out" 2>"$name.err"
		echo $? >"$name.status.now"
		mv "$name.status.now" "$name.status"
	) &
	pid=$!
}

ended() { # NAME
	[ -f "$1.status" ]
}

status_of() { # NAME
	cat "$1.status"
}

said() { # NAME  all of it, for a message
	echo "status $(status_of "$1" 2>/dev/null): $(head -c 1000 "$1.out" "$1.err" | tr '\n' '|')"
	[ "$(status_of "$1" 2>/dev/null)" != 126 ] || ls -lZd / "$work" "$work/build" "$knng" "$mpi" # it was not let run
}

# Waits until a command succeeds, for so many seconds: longer than any job may take, where it is the end of one that is
# awaited or something that comes before.
wait_for() { # SECONDS COMMAND...  after fifty looks it looks less often, since that is work, too
	local until=$((SECONDS + $1)) looks=0
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$until" ] || return 1
		[ $((looks++)) -lt 50 ] && sleep 0.02 || sleep 0.2
	done
}

# Those of one program: mpirun, knng-mpi or knng. The mpirun of Open MPI from 5 on becomes prterun.
processes() { # PROGRAM
	local pid name
	for pid in $(jobs_left); do
		name=
		read -r name 2>/dev/null <"/proc/$pid/comm"
		[ "${name/#prterun/mpirun}" = "$1" ] && echo "$pid"
	done
}

# Whether a job has put something into its checkpoint, or has ended.
has_saved() { # NAME FOLDER
	local files
	mapfile -t files < <(find "$2" -name 'block-*' -newer "$1.begun" 2>/dev/null)
	ended "$1" || { [ "${#files[@]}" -gt 0 ] && grep -qs 'knng checkpoint' "${files[@]}"; }
}

# Lines of our program's; mpirun has its own, and theirs begin otherwise.
our_lines() { # NAME
	grep -a '^knng' "$1.err"
}

# Whether a job has written this checksum, and nothing else there. An empty one is none.
printed() { # NAME CHECKSUM
	[ "${#2}" = 64 ] && [ "$(cat "$1.out")" = "$2" ]
}

finish() {
	end_jobs
	[ "$trials" = 0 ] || echo "    $trials trials in which seconds decide, $repeated of them again on a busy machine"
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ]
	exit
}
