#!/usr/bin/env bash
# package.sh  Makes build/knng-VERSION.tar.gz, which `pkg install` takes, and prints its name.
#
# It holds files that git tracks, as they are now, and nothing else. The same files give the same bytes: entries are
# sorted, owned by nobody in particular, and dated as DESCRIPTION says.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

field() {
	sed -n "s/^$1: *//p" DESCRIPTION
}

# tracked TO PATH...  copies what git knows of the paths into the folder TO, folders and all.
tracked() {
	local to=$1
	shift
	git ls-files -z -- "$@" | tar -c --null -T - | tar -x -C "$to"
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
[ -z "$(git status --porcelain --untracked-files=no)" ] || echo "knng: it holds changes that are not committed" >&2
echo "build/$name.tar.gz"
