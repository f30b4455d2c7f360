#!/usr/bin/env bash
# package.sh  Makes build/knng-VERSION.tar.gz, which `pkg install` takes, and prints its name.
#
# It holds files that git tracks, as they are now, and nothing else. Where git is not there, or this is no clone, as in an
# unpacked archive, it holds all files but those that are built or hidden. The same files give the same bytes: entries
# are sorted, owned by nobody in particular, and dated as DESCRIPTION says.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

field() {
	sed -n "s/^$1: *//p" DESCRIPTION
}

clone=$(git rev-parse --show-toplevel 2>/dev/null) || clone= # an archive may lie in a clone of something else
[ -n "$clone" ] && [ "$clone" -ef . ] || clone=

# names PATH...  the files of the package below the paths, each with a NUL behind it
names() {
	if [ -n "$clone" ]; then
		git ls-files -z -- "$@"
	else
		find "$@" -name __pycache__ -prune -o -type f ! -name '.*' ! -name '*~' ! -name '*.o' ! -name '*.mex*' \
			! -name '*.oct' ! -name '*.so' ! -name octave-workspace -print0
	fi
}

# tracked TO PATH...  copies these files into the folder TO, folders and all.
tracked() {
	local to=$1
	shift
	names "$@" | tar -c --null -T - | tar -x -C "$to"
}

name=knng-$(field Version)
stage=build/package
top=$stage/$name
rm -rf "$stage"
mkdir -p "$top/inst" "$top/src"
tracked "$top" DESCRIPTION COPYING INDEX NEWS
tracked "$top/inst" README.md knngraph.m Contents.m +knng examples docs
tracked "$top/src" core cuda mex tools/needs.sh tools/abi.sh tools/progress.sh
cp Makefile "$top/src/knng.mk"
cp tools/package.mk "$top/src/Makefile"
cp tools/pre_install.m "$top/"

tar -c -C "$stage" --format=ustar --sort=name --owner=root:0 --group=root:0 --mode=u=rwX,go=rX \
	--mtime="$(field Date) 00:00Z" "$name" | gzip -n9 >"build/$name.tar.gz"
rm -rf "$stage"
if [ -z "$clone" ]; then
	echo "knng: this is no clone, or git does not read it: the package holds every file here that is not built" >&2
elif [ -n "$(git status --porcelain --untracked-files=no)" ]; then
	echo "knng: it holds changes that are not committed" >&2
fi
echo "build/$name.tar.gz"
