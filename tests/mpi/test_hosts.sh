#!/usr/bin/env bash
# test_hosts.sh  knng-mpi on three machines, which are played by network and UTS namespaces on a bridge: the same
# checksum; where the link of one fails, the job ends by its own deadline, and goes on later. It has to be root. Prints
# 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/mpi/jobs.sh
patience=120

tag=kn$$ # of all that this test makes; names of links are short
if [ "$(id -u)" != 0 ] || ! command -v ip >/dev/null || ! ip netns add "$tag-try" 2>/dev/null; then
	echo 'not run: it needs root, ip (Debian: iproute2), and network namespaces'
	finish
fi
ip netns del "$tag-try"

# h0 is where mpirun runs. Every machine has its own name, by a process that keeps the UTS namespace.
hosts=(0 1 2)
keepers=()
clean() {
	local h pid
	end_jobs
	[ -z "$witness" ] || kill "$witness" 2>/dev/null
	for h in "${hosts[@]}"; do
		for pid in $(ip netns pids "$tag-h$h" 2>/dev/null); do
			kill -9 "$pid" 2>/dev/null
		done
		ip netns del "$tag-h$h" 2>/dev/null
	done
	ip netns del "$tag-b" 2>/dev/null
	rm -rf "$work"
}
trap clean EXIT
make_hosts() {
	local h
	ip netns add "$tag-b" && ip -n "$tag-b" link add br0 type bridge && ip -n "$tag-b" link set br0 up || return
	for h in "${hosts[@]}"; do
		ip netns add "$tag-h$h" && ip -n "$tag-h$h" link set lo up &&
			ip -n "$tag-b" link add "p$h" type veth peer name eth0 netns "$tag-h$h" &&
			ip -n "$tag-b" link set "p$h" master br0 && ip -n "$tag-b" link set "p$h" up &&
			ip -n "$tag-h$h" addr add "10.77.0.1$h/24" dev eth0 && ip -n "$tag-h$h" link set eth0 up || return
		ip netns exec "$tag-h$h" unshare -u sh -c "hostname h$h; exec sleep 3600" >/dev/null 2>&1 &
		keepers+=($!)
		disown
		echo "10.77.0.1$h slots=8" >>machines
	done
	wait_for 20 named
}
keeper_of() { # HOST  the process whose UTS namespace is the machine's
	pgrep -P "${keepers[$1]}" sleep || echo "${keepers[$1]}"
}
named() {
	local h
	for h in "${hosts[@]}"; do
		[ "$(nsenter "--uts=/proc/$(keeper_of "$h")/ns/uts" hostname 2>/dev/null)" = "h$h" ] || return 1
	done
}
make_hosts
check $? 'three machines'
on() { # HOST COMMAND...
	ip netns exec "$tag-h$1" nsenter "--uts=/proc/$(keeper_of "$1")/ns/uts" "${@:2}"
}
# What mpirun takes for ssh: HOST COMMAND…
{
	echo '#!/bin/bash'
	for h in "${hosts[@]}"; do
		echo "[ \"\$1\" != 10.77.0.1$h ] || exec ip netns exec $tag-h$h nsenter --uts=/proc/$(keeper_of "$h")/ns/uts /bin/sh -c \"\${*:2}\""
	done
	echo 'exit 1'
} >agent
chmod +x agent
ranks() { # N ARGUMENTS...  spread over all machines; mpirun may wait for what is gone, and is ended then
	on 0 timeout -k 5 "$patience" mpirun "${quiet[@]}" -n "$1" --hostfile machines --map-by node --mca plm_rsh_agent "$work/agent" \
		--mca btl_tcp_if_include eth0 --mca oob_tcp_if_include eth0 --mca btl self,vader,tcp "${net[@]}" "$mpi" "${@:2}"
}
net=()
reached() { # from the third machine the first answers, if only that nothing listens
	[[ $(on 2 timeout 1 bash -c ': </dev/tcp/10.77.0.10/9' 2>&1) = *refused* ]]
}
mend() { # HOST  its link
	ip -n "$tag-b" link set "p$1" up
	wait_for 30 reached
	check $? "the link of h$1 is not there again"
}

octave-cli --norc -H -q --eval "rand ('twister', 3); X = rand (30000, 200); f = fopen ('x.fbin', 'w');
        fwrite (f, fliplr (size (X'))(:), 'uint32'); fwrite (f, X', 'single'); fclose (f);" || exit 1
options=(-t 1 -k 6 -m cityblock -c)
keeps=(--save-every 1e-3 -C kept)
sum=$("$knng" -q "${options[@]}" x.fbin)

for n in 3 5; do
	begin "all$n" "$n" "${options[@]}" x.fbin
	wait_for 150 ended "all$n"
	printed "all$n" "$sum" && our_lines "all$n" | grep -q "by $n ranks on 3 machines"
	check $? "$n ranks on three machines: $(said "all$n")"
done

# A link fails: that of another machine, or of rank 0's. Seconds decide, of the deadline and of TCP, so these are trials.
unlinked() { # HOST
	local h=$1 since silence
	rm -rf kept
	patience=$((55 + deadline))
	begin "link$h" 3 "${options[@]}" "${keeps[@]}" --deadline "$deadline" x.fbin
	wait_for 60 has_saved "link$h" kept
	ip -n "$tag-b" link set "p$h" down
	since=$SECONDS
	wait_for $((45 + deadline)) eval "ended link$h || [ -z \"\$(processes knng-mpi)\" ]"
	check $? "ranks are still there after $((45 + deadline)) s: $(said "link$h")"
	silence=$((SECONDS - since))
	wait_for $((85 + deadline)) ended "link$h"
	check $? "mpirun is still there: $(said "link$h")"
	echo "    a link failed: ranks had ended after $silence s, mpirun after $((SECONDS - since)) s (it is ended at $patience)"
	our_lines "link$h" | grep -q "^knng:mpi:silent: rank [0-2], on h[0-2], has said nothing for $deadline seconds: .*; the same command goes on from what was saved$" &&
		[ "$(our_lines "link$h" | grep -c '^knng:mpi:silent: ')" = 1 ] && [ ! -s "link$h.out" ] && [ "$(status_of "link$h")" != 0 ]
	check $? "a link failed: $(said "link$h")"
	end_jobs
	mend "$h"
}
for h in 2 0; do
	trial 5 unlinked "$h"
	patience=120
	begin "later$h" 5 "${options[@]}" "${keeps[@]}" x.fbin
	wait_for 150 ended "later$h"
	printed "later$h" "$sum" && our_lines "later$h" | grep -q 'went on from'
	check $? "going on after that: $(said "later$h")"
done
# A link fails before the search: all wait for their data, from a pipe.
mkfifo pipe.csv
unlinked_early() {
	local since
	patience=$((55 + deadline))
	begin early 3 "${options[@]}" --deadline "$deadline" pipe.csv
	wait_for 30 eval '[ "$(processes knng-mpi | wc -l)" = 3 ]'
	sleep 3 # they have met
	ip -n "$tag-b" link set p2 down
	since=$SECONDS
	wait_for $((45 + deadline)) eval "ended early || [ -z \"\$(processes knng-mpi)\" ]"
	check $? "ranks are still there after $((45 + deadline)) s: $(said early)"
	echo "    a link failed before the search: ranks had ended after $((SECONDS - since)) s"
	wait_for $((85 + deadline)) ended early
	our_lines early | grep -q "^knng:mpi:silent: rank [0-2], on h[0-2], has said nothing for $deadline seconds: .*; nothing was kept$" && [ ! -s early.out ]
	check $? "a link failed before the search: $(said early)"
	end_jobs
	mend 2
}
trial 5 unlinked_early
patience=120

# With a short keepalive mpirun itself sees that a machine is gone, before the ranks' deadline, and ends.
net=(--mca oob_tcp_keepalive_time 2 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3)
rm -rf kept
begin alive 3 "${options[@]}" "${keeps[@]}" --deadline 60 x.fbin
wait_for 60 has_saved alive kept
ip -n "$tag-b" link set p2 down
since=$SECONDS
wait_for 90 ended alive
[ "$(status_of alive)" != 0 ] && [ "$(status_of alive)" != 124 ] && [ ! -s alive.out ]
check $? "mpirun with a keepalive: $(said alive)"
echo "    with a keepalive of 5 s mpirun had ended after $((SECONDS - since)) s"
end_jobs
mend 2
begin lateralive 3 "${options[@]}" "${keeps[@]}" x.fbin
wait_for 150 ended lateralive
printed lateralive "$sum"
check $? "going on after that: $(said lateralive)"
finish
