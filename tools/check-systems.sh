#!/usr/bin/env bash
# check-systems.sh [SUITE...]            `make demo` and `make check` in new Debian systems; without SUITE bookworm, trixie and forky
# check-systems.sh --in SUITE COMMAND    one command of the shell in the system that the last run of SUITE has left
#
# For root, on Debian with debootstrap. debootstrap makes a system once, with only git and make added, in KNNG_SYSTEMS
# (/var/tmp/knng-systems). Every run takes a new copy of it, SUITE.run, which stays until the next one. A clone of this
# repository goes there, with the changes to tracked files, into a folder whose name has blanks. The mirror, proxies
# and other settings of downloads are those of this machine's apt-get. Mounts and processes are in namespaces that end
# with the run, so nothing has to be cleaned up, after Ctrl-C either. The output goes to build/systems/SUITE-demo.log
# and SUITE-check.log, what docs/testing.md has of it to build/systems/SUITE.txt. Status 1 if anything failed.
# KNNG_TEST_LANES=1 runs one test at a time there, too.
set -euo pipefail
cd "$(dirname "$0")/.."
systems=${KNNG_SYSTEMS:-/var/tmp/knng-systems}
clone='/root/a clone of knng' # in the system
logs=build/systems

fail() {
	echo "check-systems: $*" >&2
	exit 1
}

# apart COMMAND...  in namespaces of its own for mounts and processes, which end with it, and at Ctrl-C. It runs in the
# background, but with job control, so that its processes do not ignore the signal.
apart() {
	local pid
	set -m
	unshare --mount --pid --fork --kill-child -- "$@" &
	pid=$!
	set +m
	# shellcheck disable=SC2064 # this pid
	trap "kill -KILL $pid; exit 130" INT TERM HUP
	wait "$pid"
}

# The first archive of Debian itself that apt-get has.
mirror() {
	# shellcheck disable=SC2016 # apt's variables
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' 'Component: main' | sed 1q
}

make_base() { # SUITE
	local base=$systems/$1 from script=$1 http_proxy=${http_proxy:-} https_proxy=${https_proxy:-}
	[ -d "$base" ] && return
	command -v debootstrap >/dev/null || fail "there is no debootstrap: apt-get install debootstrap"
	from=$(mirror)
	[ -n "$from" ] || fail "apt-get of this machine has no archive of Debian"
	eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
	export http_proxy https_proxy
	[ -e "/usr/share/debootstrap/scripts/$1" ] || script=sid # of a suite that is newer than this debootstrap
	echo "== $1: debootstrap"
	mkdir -p "$systems" "$logs"
	rm -rf --one-file-system "$base.new"
	apart debootstrap --variant=minbase --include=git,make,ca-certificates "$1" "$base.new" "$from" "$script" \
		>"$logs/$1-debootstrap.log" 2>&1 || fail "debootstrap failed: $logs/$1-debootstrap.log"
	apt-config dump | grep -E '^Acquire::(http|https|Retries|Check)' >"$base.new/etc/apt/apt.conf.d/90check-systems" || true
	mv "$base.new" "$base"
}

# inside SUITE COMMAND  in the clone of SUITE.run, as root, with the environment of a login
inside() {
	apart bash -euc '
		mount -t proc proc "$1/proc"
		mount --rbind /dev "$1/dev"
		mount -t sysfs -o ro sysfs "$1/sys" # where Open MPI looks for processors and networks
		mount -t tmpfs tmpfs "$1/tmp"
		exec chroot "$1" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			TERM=dumb ${4:+KNNG_TEST_LANES="$4"} bash -c "cd \"\$1\" && eval \"\$2\"" bash "$2" "$3"' bash "$systems/$1.run" "$clone" "$2" "${KNNG_TEST_LANES:-}"
}

put_clone() { # SUITE
	local to=$systems/$1.run$clone
	if [ ! -d "$to" ]; then
		git clone -q --no-hardlinks . "$to"
	else
		git -C "$to" fetch -q "$PWD" HEAD
		git -C "$to" reset -q --hard FETCH_HEAD
	fi
	git ls-files -z -m | xargs -0 -r -I{} cp --parents {} "$to"
}

versions() { # SUITE  in words
	# shellcheck disable=SC2016 # for the shell inside
	inside "$1" 'echo "Octave $(octave-cli --version | sed -n "1s/.*version //p"), gcc $(gcc -dumpfullversion)," \
		"igraph $(pkg-config --modversion igraph), OpenBLAS $(pkg-config --modversion openblas)," \
		"gnuplot $(gnuplot --version | sed "s/gnuplot //; s/ patchlevel /./")"'
}

timed() { # SUITE NAME COMMAND  sets seconds; the output goes to a log
	local start=$SECONDS status=0
	echo "== $1: $3"
	inside "$1" "$3" </dev/null >"$logs/$1-$2.log" 2>&1 || status=$?
	seconds=$((SECONDS - start))
	tail -n 1 "$logs/$1-$2.log"
	return "$status"
}

check_system() { # SUITE
	local demo=passed check seconds ok=0
	make_base "$1"
	rm -rf --one-file-system "$systems/$1.run"
	cp -a "$systems/$1" "$systems/$1.run"
	cp -L /etc/resolv.conf "$systems/$1.run/etc/resolv.conf"
	put_clone "$1"
	timed "$1" demo 'make demo' || { demo=failed ok=1; }
	demo="$demo, $seconds s"
	timed "$1" check 'make check' || ok=1
	check=$(grep -aE '^[0-9]+ passed, [0-9]+ failed$' "$logs/$1-check.log" | tail -n 1)
	echo "| $1 ($(cat "$systems/$1.run/etc/debian_version")), $(date -u +%Y-%m-%d) | $(versions "$1") | $demo | ${check:-did not end}, $seconds s |" |
		tee "$logs/$1.txt"
	return "$ok"
}

# The shell reads the whole file before it runs, so that it may be edited meanwhile.
{
	[ "$(id -u)" = 0 ] || fail "only root may make a system and go into it"
	mkdir -p "$logs"
	if [ "${1:-}" = --in ]; then
		[ -d "$systems/$2.run" ] || fail "there is no $systems/$2.run: run tools/check-systems.sh $2 before"
		put_clone "$2"
		inside "$2" "${*:3}"
		exit
	fi
	[ $# != 0 ] || set -- bookworm trixie forky
	status=0
	for suite in "$@"; do
		check_system "$suite" || status=1
	done
	exit "$status"
}
