#!/usr/bin/env bash
# test_package.sh [cuda]  The package and the installed toolbox, as an ordinary user would have them.
#
# The package goes into an empty home whose name has blanks, and so does `make install`; root gives its rights away
# first. With `cuda` the package is built with nvcc, which takes minutes, and otherwise for the CPU alone. Needs what
# `make` has built. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
umask 022 # the other user reads what is written here
root=$PWD
version=$(sed -n 's/^Version: *//p' DESCRIPTION)
passed=0
failed=0
if ! git rev-parse HEAD >/dev/null 2>&1; then
	echo "not tested: the package holds what git tracks, and this is no clone"
	echo "0 passed, 0 failed"
	exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
home="$work/h o m e"
here="$home/elsewhere" # the current folder, not the toolbox's
mkdir -p "$here" "$work/poison" "$work/tmp"
chmod 755 "$work"

as_user=(env -u MAKEFLAGS -u OCTAVE_PATH HOME="$home" TMPDIR="$here" KNNG_VERSION="$version")
[ "${1:-}" = cuda ] || as_user+=(NVCC=)
if [ "$(id -u)" = 0 ]; then
	as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups "${as_user[@]}")
	chown -R 65534:65534 "$home" "$work/tmp"
fi

# A compiler that compiles nothing twice: installations of the same package, each in a folder of its own, have the same
# sources under the same names. So has the checkout. An object of it serves where the flags, the Makefile, the source and
# every header that it was made of are the same here, to the byte; -Werror changes no object. With `cuda` or KNNG_ALL all
# is compiled. What the compiler links, or says, is its own.
mkdir -m 777 "$work/compiled"
[ "${1:-}" = cuda ] || [ -n "${KNNG_ALL:-}" ] || echo "$root" >"$work/checkout"
cat >"$work/cc" <<'SCRIPT'
#!/usr/bin/env bash
to=
for ((i = 1; i < $#; i++)); do
	[ "${!i}" != -o ] || { i=$((i + 1)) to=${!i}; }
done
folder=$(dirname "$0")
case " $* " in
*' -c '*) [ -n "$to" ] || exec cc "$@" ;;
*) exec cc "$@" ;;
esac

built() { # the checkout has made it of the same; sets kept
	local from made stamp word words
	[ -f "$folder/checkout" ] && [ -z "$CPATH" ] && [[ "$*" != *KNNG_ABI* ]] || return # which the Makefile works out anew
	from=$(<"$folder/checkout") made=$(<"$folder/checkout")/$to
	[ -f "$made" ] && [ -f "${made%.o}.d" ] && cmp -s knng.mk "$from/Makefile" || return
	stamp=$(<build/stamp) stamp=${stamp//"$folder/cc"/cc} kept=$(<"$from/build/stamp")
	[ "$stamp" = "${kept// -Werror/}" ] || return
	words=$(sed '/[^\\]$/q' "${made%.o}.d" | tr -d '\\') # TARGET: SOURCE HEADER...
	read -ra words -d '' <<<"${words#*:}"
	[ ${#words[@]} != 0 ] || return
	for word in "${words[@]}"; do
		[ -f "$word" ] || return
		[[ $word = /* ]] || word=$from/$word
		[ "$made" -nt "$word" ] || return
	done
	cat "${words[@]}" | cmp -s - <(cd "$from" && cat "${words[@]}") && kept=$made
}
if ! built "$@"; then
	kept=$folder/compiled/$(printf '%s\0' "${PWD##*/}" "$CPATH" "$@" | sha256sum | cut -c 1-64)
	[ -f "$kept" ] || { cc "$@" && cp "$to" "$kept.$$" && mv "$kept.$$" "$kept"; } || exit
fi
cp "$kept" "$to"
SCRIPT
chmod 755 "$work/cc"
as_user+=(CC="$work/cc")

check() { # WHAT COMMAND...
	if "${@:2}" >"$work/log" 2>&1; then
		passed=$((passed + 1))
		echo "pass $1"
	else
		failed=$((failed + 1))
		echo "FAIL $1"
		tail -n 30 "$work/log" | sed 's/^/    | /'
	fi
}

octave() { # [NAME=VALUE...] FILE ARGUMENT...  runs the file to its end, from $here
	local set=()
	while [[ $1 == *=* ]]; do set+=("$1") && shift; done
	(cd "$here" && "${as_user[@]}" "${set[@]}" octave-cli --norc -H -q "$@" </dev/null)
}

refused() { # NAME=VALUE TEXT  with this in the environment pkg install fails, and says TEXT
	! octave "$1" "$work/install.m" >"$work/said" 2>&1 || return 1
	cat "$work/said"
	grep -qF "knng: $2" "$work/said"
}

poisoned() { # HEADER  a folder whose header of that name is as good as none
	rm -f "$work/poison"/*
	echo '#error No such file or directory' >"$work/poison/$1"
}

no_files() { # FOLDER...
	find "$@" -type f -print
	[ -z "$(find "$@" -type f -print -quit)" ]
}

# ---- the package -----------------------------------------------------------------------------------------------------
make_package() { # UMASK FILE
	(umask "$1" && make --no-print-directory package && mv "build/knng-$version.tar.gz" "$2")
}
check "make package" make_package 022 "$work/knng.tar.gz"
touch knngraph.m
check "make package again" make_package 077 "$work/again.tar.gz"
check "both are the same bytes" cmp "$work/knng.tar.gz" "$work/again.tar.gz"
check "nothing that was built is inside" eval "! tar -tf '$work/knng.tar.gz' | grep -E '\\.(mex|so|o|a)\$'"
chmod 644 "$work/knng.tar.gz"

package_of_archive() { # the same files, but no clone, and things in between that are built or hidden
	mkdir "$work/archive" && git ls-files -z | tar -c --null -T - | tar -x -C "$work/archive" || return 1
	touch "$work/archive/+knng/+internal/search.mex" "$work/archive/core/base/task.o" "$work/archive/docs/.hidden"
	(cd "$work/archive" && make --no-print-directory package) && cmp "$work/archive/build/knng-$version.tar.gz" "$work/knng.tar.gz"
}
check "make package where there is no clone" package_of_archive

# As where TMPDIR, in which pkg builds, is mounted noexec.
without_execution() {
	tar -xf "$work/knng.tar.gz" -C "$work/archive" && cd "$work/archive/knng-$version/src" && chmod -x tools/* &&
		make --no-print-directory -f knng.mk NVCC= build/needs && make -n -f knng.mk NVCC= build/core/base/plugin.o | grep 'ABI=0x[0-9a-f]*ull'
}
check "a build executes no file of the package" eval "(without_execution)"

link_with_lto() { # with flags such as those of Debian 13's mkoctfile, where the name of TMPDIR has blanks
	rm -rf build/lto
	env TMPDIR="$here" CXXFLAGS='-O2 -flto=auto -ffat-lto-objects' make --no-print-directory NVCC= B=build/lto \
		INNER=build/lto/inner build/lto/inner/allocate.oct >"$work/said" 2>&1 || return 1
	! grep -A 1 'ltrans\|Error' "$work/said"
}
check "Octave's flags may hold -flto=auto" link_with_lto

cat >"$work/install.m" <<OCTAVE
pkg install '$work/knng.tar.gz'
OCTAVE
apt='on Debian and Ubuntu: sudo apt-get update && sudo apt-get install'
poisoned zlib.h
check "without zlib.h it names the package" refused CPATH="$work/poison" "$apt zlib1g-dev"
poisoned cblas.h
check "without cblas.h it names the package" refused BLAS_CFLAGS="-I$work/poison" "$apt libopenblas-dev"
check "without a compiler it names the package" refused CC=no-such-compiler "$apt gcc"
check "with an nvcc that fails it says how to do without" \
	refused NVCC=false "nvcc failed; make NVCC= builds for the CPU"
check "an installation that fails leaves nothing" no_files "$home"

installs() { # and says what it is doing, since it takes minutes
	octave "$work/install.m" >"$work/said" 2>&1
	local status=$?
	cat "$work/said"
	[ "$status" = 0 ] && grep '^knng: compiling for this machine' "$work/said" && grep -E '^knng: [0-9]+ of [0-9]+ files$' "$work/said"
}
check "pkg install" installs

cat >"$work/graphs.m" <<'OCTAVE'
% Graphs of the example data, and a page, to the file that is the argument.
root = fileparts (which ('knngraph'));
ds = knng.read (fullfile (root, 'examples', 'data', 'golub.nbi.gz'));
[idx, dist, info] = knngraph (ds.X, 10, 'pearson', 'Device', 'cpu');
A = knngraph (ds.X(1:500, :), 3, 'cityblock', 'Device', 'cpu');
assert (info.version, getenv ('KNNG_VERSION'));
file = [tempname() '.html'];
knng.explore (file, ds, idx, dist, 'Metric', 'pearson', 'Layout', 'none', 'Groups', 'none');
page = fileread (file);
delete (file);
save ('-binary', argv (){end}, 'idx', 'dist', 'A', 'page');
OCTAVE
cat >"$work/loaded.m" <<OCTAVE
pkg load knng
source ('$work/graphs.m');
installed = pkg ('list', 'knng'){1};
assert (installed.version, info.version);
assert (root, installed.dir);
assert (exist (fullfile (root, 'docs', 'canonical.md'), 'file'), 2);
[list, why] = knng.devices ();
assert (strncmp (why, 'knng was built without CUDA', 27), $([ "${1:-}" = cuda ] && echo false || echo true));
run (fullfile (root, 'examples', 'sample.m'));
OCTAVE
check "the checkout makes graphs" \
	env KNNG_VERSION="$version" octave-cli --norc -H -q --path "$root" "$work/graphs.m" "$work/graphs.bin"
check "pkg load, and graphs; the published sample" octave "$work/loaded.m" "$home/package.bin"
check "they are the checkout's" cmp "$work/graphs.bin" "$home/package.bin"

echo 'pkg test knng' >"$work/test.m"
quick=()
if [ -z "${KNNG_ALL:-}" ]; then
	check "a quicker assert" tests/octave/quick_assert.sh "$work/asserts"
	quick=(--path "$work/asserts")
fi
# Octave cannot print where the name of the temporary folder has blanks, and knng.demo draws where there is gnuplot.
octave TMPDIR="$work/tmp" "${quick[@]}" "$work/test.m" >"$work/tests" 2>&1
check "pkg test passes" grep -E '^ *PASS +[1-9]' "$work/tests"
no_failure() {
	grep -E '^ *FAIL +0$' "$work/tests" && ! grep -E '^ *REGRESSION' "$work/tests" && return
	grep -B 25 -A 3 '^!!!!!' "$here/fntests.log"
	return 1
}
check "pkg test has no failure" no_failure

works="assert (knngraph ([0; 1; 3], 1), sparse (1:3, [2 1 2], [1 1 2], 3, 3));"
gone="assert (exist ('knngraph'), 0);"
cat >"$work/session.m" <<OCTAVE
pkg load knng
$works
pkg unload knng
$gone
clear all
pkg load knng
$works
clear all
$works
pkg install '$work/knng.tar.gz'
pkg load knng
$works
pkg uninstall knng
$gone
clear all
OCTAVE
check "unload, clear, install anew and uninstall in one session" octave "$work/session.m"
rm -f "$home/package.bin" "$here/fntests.log"
check "pkg uninstall leaves nothing" no_files "$home"

# ---- make install ----------------------------------------------------------------------------------------------------
prefix="$home/pre fix"
toolbox="$prefix/lib/knng"
install_to() { # NAME=VALUE...
	make --no-print-directory install "$@" | tee "$work/installed"
}
check "make install" install_to PREFIX="$prefix"
{ # the line that it prints, and the graphs
	grep -o "addpath (.*)" "$work/installed"
	cat "$work/graphs.m"
} >"$work/added.m"
check "graphs after its addpath" octave "$work/added.m" "$home/installed.bin"
check "they are the checkout's" cmp "$work/graphs.bin" "$home/installed.bin"
check "knng --version" test "$(cd "$here" && PATH=$prefix/bin:$PATH knng --version)" = "knng $version"

# The program finds the plugin, here one that only says so, in a search that is large enough for a GPU.
echo '#include <stdio.h>
__attribute__((constructor)) static void loaded(void) { fputs("the plugin was loaded\n", stderr); }' >"$work/plugin.c"
awk 'BEGIN {
	n = 20000; d = 51
	print "<MicroarrayData>\n" n, d
	for (i = 0; i < n; i++) {
		line = "g" i
		for (j = 0; j < d; j++) line = line " " (i * 7 + j * j * (i % 13)) % 10
		print line
	}
	print "<EndOfFile>"
}' >"$work/large.nbi"
loads_plugin() {
	rm -f "$toolbox/+knng/+internal/knng_cuda.so"
	"${CC:-cc}" -shared -fPIC -o "$toolbox/+knng/+internal/knng_cuda.so" "$work/plugin.c" || return 1
	(cd "$here" && PATH=$prefix/bin:$PATH knng -k 1 -o "$work/edges.knn" "$work/large.nbi" 2>&1) |
		grep 'the plugin was loaded'
}
check "the installed program finds the plugin of the installed toolbox" loads_plugin
rm -f "$toolbox/+knng/+internal/knng_cuda.so"

touch "$toolbox/former.m" "$toolbox/examples/mine.m" # a file of a version before, and a user's own
echo lib/knng/former.m >>"$toolbox/INSTALLED"
check "make install over an older one" install_to PREFIX="$prefix"
check "removes what that had" test ! -e "$toolbox/former.m"
check "make uninstall" make --no-print-directory uninstall PREFIX="$prefix"
check "leaves the user's file alone" test "$(cd "$prefix" && find . -type f)" = ./lib/knng/examples/mine.m
check "says when there is nothing to remove" eval '! make --no-print-directory uninstall PREFIX="$prefix"'

mkdir -p "$home/image/usr/bin"
check "make install with DESTDIR" install_to DESTDIR="$home/image" PREFIX=/usr
check "the addpath is without DESTDIR" grep -F "addpath ('/usr/lib/knng')" "$work/installed"
check "make uninstall with DESTDIR" make --no-print-directory uninstall DESTDIR="$home/image" PREFIX=/usr
check "leaves the folders that were there" test "$(cd "$home/image" && find . | sort | xargs)" = ". ./usr ./usr/bin"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
