#!/bin/sh
# install.sh install|uninstall PROGRAM...  Copies what was built to PREFIX, or removes what it has copied.
#
# The toolbox goes to PREFIX/lib/knng, PROGRAMs to PREFIX/bin, where they were built; DESTDIR is put before PREFIX.
# PREFIX/lib/knng/INSTALLED lists what was copied and every folder that was made for it. uninstall removes what is
# listed there.
set -eu
cd "$(dirname "$0")/.."
to=${DESTDIR:-}${PREFIX:-/usr/local}
home=lib/knng
list=$to/$home/INSTALLED

# folder PATH  makes the folder PREFIX/PATH, and notes what it has made.
folder() {
	[ ! -d "$to/$1" ] || return 0
	folder "$(dirname "$1")"
	mkdir -m 755 "$to/$1"
	made="$made$1/
"
}

# put MODE FILE PATH  copies FILE to PREFIX/PATH.
put() {
	folder "$(dirname "$3")"
	printf '%s%s\n' "$made" "$3" >>"$list"
	made=""
	install -m "$1" "$2" "$to/$3"
}

remove() {
	[ -f "$list" ] || return 0
	installed=$(sed '1!G;h;$!d' "$list") # backwards: what lies in a folder comes before it
	rm "$list"
	printf '%s\n' "$installed" | while IFS= read -r path; do
		case $path in
		*/) rmdir "$to/$path" 2>/dev/null || true ;; # files of somebody else lie in it
		*) rm -f "$to/$path" ;;
		esac
	done
}

case $1 in
uninstall)
	[ -f "$list" ] || { echo "knng: nothing was installed to $to: there is no $list" >&2; exit 1; }
	remove
	echo "knng: removed from $to"
	;;
install)
	case $to in
	/*) ;;
	*) echo "knng: PREFIX has to begin with /, and is '${PREFIX:-}'" >&2; exit 2 ;;
	esac
	remove # an older version may have had other files
	umask 022
	mkdir -p "$to"
	made=""
	folder "$home"
	{
		find knngraph.m Contents.m +knng -name '*.m' -o -name '*.mex*' -o -name '*.oct' -o -name '*.so' -o -path '*/page/*.*'
		find examples docs README.md COPYING NEWS -type f ! -name '.*' ! -name '*~'
	} | LC_ALL=C sort | {
		while IFS= read -r file; do
			put 644 "$file" "$home/$file"
		done
		shift
		for program; do
			[ ! -f "$program" ] || put 755 "$program" "bin/$(basename "$program")"
		done
	}
	echo "knng: installed to $to/$home; in Octave: addpath ('${PREFIX:-/usr/local}/$home')"
	;;
esac
