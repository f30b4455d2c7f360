#!/usr/bin/env bash
# check-api.sh  Holds docs/api.md, INDEX and the version against the code. Reports what differs; status 1 if any does.
#
# Compared are the identifiers of errors and warnings, the public functions (knngraph.m, +knng/*.m: a section each),
# their options and defaults, the metrics and options of the tables in C, the fields of info, and the functions of
# the public headers core/*/knng_*.h. The help text of each public function has to have all its parts, and its code no syntax that MATLAB lacks.
# It looks at the text alone: nothing is built or run. tests/octave/test_help.m runs the examples.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
page=docs/api.md
problems=0
shopt -s nullglob
mapfile -t sources < <(find core mex cli cuda -name '*.[ch]' -o -name '*.cu')
public_headers=(core/*/knng_*.h)
functions=(knngraph.m +knng/*.m)

problem() {
	echo "check-api: $*" >&2
	problems=$((problems + 1))
}

# missing FROM IN TEXT  one problem for each line of the list FROM that the list IN lacks.
missing() {
	local line
	while read -r line; do
		[ -z "$line" ] || problem "$line $3"
	done < <(comm -23 <(sort -u <<<"$1") <(sort -u <<<"$2"))
}

# ---- identifiers: string literals in C, and in the lines of .m files that are no comments --------------------------
id='knng:[a-z]+(:[A-Za-z]+)?'
raised=$({
	grep -ohE "\"$id" "${sources[@]}"
	grep -hvE '^[[:space:]]*[%#]' "${functions[@]}" +knng/+internal/*.m | grep -oE "['\"]$id"
} | tr -d "\"'")
written=$({ grep -oE "\`$id\`" "$page" || true; } | tr -d '`')
missing "$raised" "$written" "is raised, but not in $page"
missing "$written" "$raised" "is in $page, but nothing raises it"

# ---- a section for every public function, a function for every section ---------------------------------------------
public=$(for f in "${functions[@]}"; do
	f=${f%.m}
	f=${f#+}
	echo "${f/\//.}"
done)
sections=$(sed -nE 's/^## (knngraph|knng\.[A-Za-z0-9_]+)$/\1/p' "$page")
missing "$public" "$sections" "has no section '## NAME' in $page"
missing "$sections" "$public" "has a section in $page, but there is no such function"
index=$(sed -nE 's/^[[:space:]]+([^[:space:]]+).*/\1/p' INDEX)
missing "$public" "$index" "is not in INDEX: it needs a line under one of its headings"
missing "$index" "$public" "is in INDEX, but there is no such function"
missing "$(sort <<<"$index" | uniq -d)" "" "is in INDEX more than once"

# ---- one version and one date --------------------------------------------------------------------------------------
version=$(sed -n 's/^Version: *//p' DESCRIPTION)
heading="Summary of important user-visible changes for knng $version ($(sed -n 's/^Date: *//p' DESCRIPTION))"
grep -qxF "#define KNNG_VERSION \"$version\"" core/base/knng_base.h ||
	problem "KNNG_VERSION in core/base/knng_base.h is not DESCRIPTION's $version"
[ "$(head -n 1 NEWS)" = "$heading" ] ||
	problem "NEWS has to begin with the version and date of DESCRIPTION: $heading"

# ---- MATLAB runs it: no syntax that Octave alone knows, outside of tests ----------------------------------------------
octave="[A-Za-z0-9_] ?\([^()]*\)\(|\}\(|!=|\+\+[;a-z]|[-+*]= |\<end(if|for|while|function)|\<printf \(|'local'\)"
while read -r line; do
	problem "$line: MATLAB does not run this"
done < <(grep -nHE "$octave" "${functions[@]}" +knng/+internal/*.m examples/*.m | grep -vE '^[^:]*:[0-9]+: *%')

# ---- help texts ----------------------------------------------------------------------------------------------------
help_text() { # the comment at the head of a file
	awk '/^%/ { on = 1; print; next } on { exit }' "$1"
}

identifiers() { # in full: 'knng:args:k, :metric' is knng:args:k and knng:args:metric
	{ grep -oE "$id|[ ,(]:[A-Za-z]+" || true; } | awk '
		/^knng/ { split($0, part, ":"); area = part[1] ":" part[2]; print; next }
		{ sub(/^[ ,(]*/, ""); print area $0 }'
}

named() { # the options of lines such as "%     'K', 'Distance'  value" and "| `'K'`, `'Distance'` | value |"
	{ grep -E "^%     '[A-Z]|^\| \`'[A-Z]|^Options" || true; } | sed -E 's/^[%| ]+//; s/(  | \|).*//' |
		grep -oE "'[A-Z][A-Za-z]*'" || true
}

# Name and default, where that is a number or a quoted word, of "%     'K'  ..., default 1" and "| `'K'` | ... | 1 |".
help_defaults() {
	awk -v lit="(\047[^\047]*\047|[0-9][0-9.e+-]*)" '
		function flush() {
			if (name != "" && match(text, lit " \\(default\\)|default:? " lit)) {
				text = substr(text, RSTART, RLENGTH)
				gsub(/ \(default\)|default:? |\.$/, "", text)
				print name, text
			} else if (name != "")
				print name, "(words)"
			name = ""
		}
		!/^%      / { flush() }
		/^%     \047[A-Z][A-Za-z]*\047  / { name = $2; text = "" }
		name != "" { sub(/^% */, ""); text = text " " $0 }
		END { flush() }'
}

page_default() { # of option $1 in the section $2, or else in the table of Options
	local cell
	cell=$({ echo "$2"; section Options; } | grep -m 1 -F "| \`$1\` " | sed -E 's/ *\|$//; s/.*\| *//' || true)
	grep -oE "^\`?('[^']*'|[0-9][0-9.e+-]*)" <<<"$cell" | tr -d '`' || echo '(words)'
}

section() {
	awk -v head="## $1" '/^## / { on = $0 == head } on' "$page"
}

i=0
for name in $public; do
	file=${functions[i++]}
	text=$(help_text "$file")
	here=$(section "$name")
	code=$(grep -vE '^[[:space:]]*[%#]' "$file")
	needs() { grep -qE -- "$1" <<<"$text" || problem "$file: the help text needs $2"; }
	needs "^%${name^^}  [A-Z].*\.$" "a first line '%${name^^}  What it does.'"
	needs "^%   .*\<$name( \(|$)" "a line such as '%   result = $name (X, k) ...'"
	needs '[a-z0-9]-by-[a-z0-9]' "the shape of what goes in or comes out, such as n-by-d"
	needs '^%   Errors' "a paragraph '%   Errors: knng:area:reason, :reason' (or 'Errors: none')"
	needs '^%   Cost: ' "a paragraph '%   Cost: time, memory'"
	needs '^%   Example:?$' "a line '%   Example:', and below it code, indented by two more"
	needs '^%   See also ' "a last line '%   See also knng.name, knng.name.'"
	missing "$(sed -n '/^%   See also/,$p' <<<"$text" | grep -oE '\<knng[a-zA-Z_.]*[a-zA-Z_]')" "$public" \
		"is under 'See also' in $file, but there is no such function"

	own=$(grep -oE "['\"]$id" <<<"$code" | tr -d "\"'" || true)
	listed=$(identifiers <<<"$text")
	if [[ $text =~ Errors:\ as\ (knngraph|knng\.([a-z]+)) ]]; then
		other=${BASH_REMATCH[2]:++knng/${BASH_REMATCH[2]}}
		listed+=$'\n'$(help_text "${other:-knngraph}.m" | identifiers)
	fi
	missing "$own" "$listed" "is raised by $file, and has to stand in its help text, under Errors"
	! grep -q 'knng\.internal\.\|knngraph' <<<"$code" || own=$raised
	missing "$(identifiers <<<"$text")" "$own" "is in the help text of $file, but nothing that it calls raises it"

	options=$(named <<<"$text")
	listed=$(named <<<"$here")
	missing "$options" "$listed" "is an option in the help text of $file: section $name of $page needs a row
    | \`'Name'\` | value | default | for it, or its name in a line that begins with 'Options'"
	missing "$listed" "$options" "is an option in section $name of $page: the help text of $file needs a line
    %     'Name'  value, default value"
	while read -r option default; do
		[ -z "$option" ] || [ "$default" = "$(page_default "$option" "$here")" ] ||
			problem "$option: its default is $default in $file, but $(page_default "$option" "$here") in $page"
	done < <(help_defaults <<<"$text")
done

# ---- rows of tables ------------------------------------------------------------------------------------------------
# rows WHAT NAMES...  each name has to stand in the page between backquotes, and there have to be some.
rows() {
	local what=$1 name
	shift
	[ $# -gt 0 ] || problem "found no $what in the code: has the table moved?"
	for name in "$@"; do
		grep -qF "\`$name\`" "$page" || problem "the $what $name is not in $page"
	done
}

block() { # the lines of file $3 from pattern $1 to pattern $2
	sed -n "/$1/,/$2/p" "$3"
}

mapfile -t metrics < <(block '^const knng_metric knng_metrics\[\]' '^};' core/search/metric.c | grep -oE '"[a-z]+"' | tr '"' "'")
mapfile -t options < <(block '^} options\[\]' '^};' mex/search.c | grep -oE '\{"[A-Za-z]+"' | tr -d '{' | tr '"' "'")
mapfile -t fields < <(block '^make_info(' '^}' mex/search.c | block 'fields\[\]' '};' /dev/stdin |
	grep -oE '"[a-z]+"' | tr -d '"' | sed 's/^/info./')
mapfile -t calls < <(grep -oE '^[a-z][a-z_ ]*\*?knng_[a-z_]+\(' "${public_headers[@]}" -h | grep -oE 'knng_[a-z_]+\($' | tr -d '(')
rows metric "${metrics[@]}"
rows option "${options[@]}"
rows 'field of info,' "${fields[@]}"
rows 'function of the public headers,' "${calls[@]}"

[ "$problems" = 0 ] || exit 1
