#!/usr/bin/env bash
# check-api.sh  Compares the help texts, docs/api.md, INDEX and the version with the code. Reports what differs; status
# 1 if any does.
#
# docs/api.md has to be what tools/make-api.sh makes of the help texts, the public headers and tools/api.in. Compared with
# the code are the identifiers of errors and warnings, the options and defaults of each function, the metrics, formats and
# fields of info of the tables in C, and the functions of the public headers core/*/knng_*.h. The help text of each public
# function has to have all its parts in lines for a terminal, and its code no syntax that MATLAB lacks.
# It looks at the text alone: nothing is built or run. tests/octave/test_help.m runs the examples.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
page=docs/api.md
by_hand=tools/api.in # the part of the page that is written by hand
problems=0
shopt -s nullglob
mapfile -t sources < <(find core mex cli mpi cuda -name '*.[ch]' -o -name '*.cu')
public_headers=(core/*/knng_*.h)
functions=(knngraph.m +knng/[a-z]*.m) # Contents.m is none

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
id='knng:[a-z]+(:[A-Za-z0-9]+)?'
raised=$({
	grep -ohE "\"$id" "${sources[@]}"
	grep -hvE '^[[:space:]]*[%#]' "${functions[@]}" +knng/+internal/*.m | grep -oE "['\"]$id"
} | tr -d "\"'")
written=$({ grep -oE "\`$id\`" "$by_hand" || true; } | tr -d '`')
missing "$raised" "$written" "is raised, but not in $by_hand: it needs a line, what it says and what to do"
missing "$({ grep -oE "\`$id\`" "$page" || true; } | tr -d '`')" "$raised" "is in $page, but nothing raises it"

# ---- the page ------------------------------------------------------------------------------------------------------
made=$(tools/make-api.sh)
[ "$made" = "$(cat "$page")" ] ||
	problem "$page is not what the help texts, the headers and $by_hand say now: make api, and commit what it writes"

contents=$(tools/make-contents.sh)
for file in Contents.m +knng/Contents.m; do
	[ "$contents" = "$(cat "$file")" ] || problem "$file is not what INDEX and the help texts say now: make api, and commit it"
done

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
for line in "version: $version" "date-released: $(sed -n 's/^Date: *//p' DESCRIPTION)"; do
	grep -qxF "$line" CITATION.cff || problem "CITATION.cff needs the line '$line', as in DESCRIPTION"
done

# ---- MATLAB runs it: no syntax that Octave alone knows, outside of tests ----------------------------------------------
octave="[A-Za-z0-9_] ?\([^()]*\)\(|\}\(|!=|\+\+[;a-z]|[-+*]= |\<end(if|for|while|function)|\<printf \(|'local'\)"
while read -r line; do
	problem "$line: MATLAB does not run this"
done < <(grep -nHE "$octave" "${functions[@]}" +knng/+internal/*.m examples/*.m | grep -vE '^[^:]*:[0-9]+: *%')

# ---- `clear x` takes a function x of the user's away, too ------------------------------------------------------------
while read -r line; do
	problem "$line: in Octave that clears the user's own function of this name, too: x = []"
done < <(grep -nE '^[[:space:]]*clear [a-zA-Z]' "${functions[@]}" +knng/+internal/*.m)

# ---- the functions of +knng are called knng.NAME: a bare NAME is Octave's, but ours where that folder is the current one --
names=$(printf '%s\n' +knng/[a-z]*.m | sed -E 's|.*/(.*)\.m$|\1|' | paste -sd'|')
for file in +knng/[a-z]*.m +knng/+internal/*.m; do
	while read -r name; do # a function of the file itself goes before
		[ "+knng/$name.m" != "$file" ] && grep -qE "^function (.*= )?$name\>" "$file" ||
			problem "$file: $name (...) is knng.$name where +knng is the current folder: write that, or call another function"
	done < <(sed -E "s/^%!/ /; /^(%|function )/d; s/'([^']|'')*'//g" "$file" | { grep -oE "(^|[^.@A-Za-z0-9_])($names) \(" || true; } |
		sed -E 's/^[^A-Za-z]*(.*) \($/\1/' | sort -u)
done

# ---- help texts ----------------------------------------------------------------------------------------------------
help_text() { # the comment at the head of a file
	awk '/^%/ { on = 1; print; next } on { exit }' "$1"
}

identifiers() { # in full: 'knng:args:k, :metric' is knng:args:k and knng:args:metric
	{ grep -oE "$id|[ ,(]:[A-Za-z0-9]+" || true; } | awk '
		/^knng/ { split($0, part, ":"); area = part[1] ":" part[2]; print; next }
		{ sub(/^[ ,(]*/, ""); print area $0 }'
}

named() { # the options of lines such as "%     'K', 'Distance'  value"
	{ grep -E "^%     '[A-Z]" || true; } | sed -E 's/^[% ]+//; s/  .*//' | grep -oE "'[A-Z][A-Za-z]*'" || true
}

# Name and default, if that is a number or a quoted word, of lines such as "%     'K'  ..., default 1". Where it is said in
# words, such as the number of rows, it is (words).
help_defaults() {
	awk -v lit="(\047[^\047]*\047|[0-9][0-9.e+-]*)" '
		function flush() {
			if (name != "" && match(text, lit " \\(default\\)|default:? " lit)) {
				text = substr(text, RSTART, RLENGTH)
				gsub(/ \(default\)|default:? |\.$/, "", text)
				print name, text
			} else if (name != "")
				print name, (text ~ /default/ ? "(words)" : "(nothing)")
			name = ""
		}
		!/^%      / { flush() }
		/^%     \047[A-Z][A-Za-z]*\047(  |$)/ { name = $2; text = "" }
		name != "" { sub(/^% */, ""); text = text " " $0 }
		END { flush() }'
}

# The options of a function out of its code: 'Name' and the default, if that is a number or a quoted word. They stand in
# structs that go to knng.internal.options, or come from functions of knng.internal that several share.
code_options() {
	awk -v file="$1" '
		function option(name, value) {
			if (!seen[name]++)
				print name, value
		}
		function scan(file, without,    s, line, n, i, name, helper) {
			if (done[file, without]++)
				return
			while ((getline s < file) > 0)
				if (s !~ /^[ \t]*[%#]/) {
					line[n + 1] = line[n + 1] s
					if (!sub(/\.\.\.[^\047]*$/, "", line[n + 1]))
						n++
				}
			close(file)
			for (i = 1; i <= n; i++) {
				s = line[i]
				if (s ~ /(options|points_or_graph|search_arguments) \(|(opt|own) = struct \(/ || file ~ /internal/ && s ~ /(names|engine) = \{/)
					while (match(s, /\047[A-Z][A-Za-z]*\047/)) {
						name = substr(s, RSTART, RLENGTH)
						s = substr(s, RSTART + RLENGTH)
						if (name != without)
							option(name, match(s, /^, (\047[a-z]+\047|[0-9][-0-9.e]*)[,)]/) ? substr(s, 3, RLENGTH - 3) : "")
					}
				s = line[i]
				if (match(s, /^ *opt\.[A-Z][A-Za-z]* = (\047[a-z]+\047|[0-9]+);/)) {
					name = s
					gsub(/^ *opt\.| =.*/, "", name)
					gsub(/.*= |;.*/, "", s)
					option("\047" name "\047", s)
				}
				s = line[i]
				while (match(s, /knng\.internal\.(engine \(\)|[a-z]+_defaults \(\)|needless \(\)|points_or_graph|search_arguments|mink_maxk)/)) {
					helper = substr(s, RSTART + 14, RLENGTH - 14)
					sub(/ .*/, "", helper)
					name = substr(s, RSTART + RLENGTH)
					s = substr(s, 1, RSTART - 1) ~ /rmfield \($/ ? name : " " name
					scan("+knng/+internal/" helper ".m", s ~ /^,/ ? substr(name, 3, index(name, ")") - 3) : "")
				}
				if (match(line[i], /knng\.[a-z]+ \([^()]*varargin\{:\}\)/)) { # one that takes the same
					name = substr(line[i], RSTART + 5)
					sub(/ .*/, "", name)
					scan("+knng/" name ".m", "")
				}
			}
		}
		BEGIN { scan(file, "") }'
}

i=0
for name in $public; do
	file=${functions[i++]}
	text=$(help_text "$file")
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

	if grep -qE '^.{81}' <<<"$text"; then
		problem "$file: the help text has lines of more than 80 characters"
	fi
	if grep -qE "^%? {5}'[A-Za-z]+' [a-z]" <<<"$text"; then
		problem "$file: what an option is stands two blanks or more behind its name, or in the next line"
	fi

	options=$(named <<<"$text")
	has=$(code_options "$file")
	missing "$options" "$(sed 's/ .*//' <<<"$has")" "is an option in the help text of $file, but not in its code"
	missing "$(sed 's/ .*//' <<<"$has")" "$options" "is an option in the code of $file: its help text needs a line
    %     'Name'  value, default value"
	while read -r option default; do
		in_code=$(sed -nE "s/^$option (.+)/\1/p" <<<"$has" | head -n 1)
		[ -z "$in_code" ] || [ "$default" = '(words)' ] || [ "$default" = "$in_code" ] ||
			problem "$option: its default is $in_code in the code of $file, but $default in its help text"
	done < <(help_defaults <<<"$text")
done

# ---- rows of tables ------------------------------------------------------------------------------------------------
# rows WHAT IN TEXT NAMES...  each name has to stand in the TEXT of the file IN, and there have to be some.
rows() {
	local what=$1 file=$2 text=$3 name
	shift 3
	[ $# -gt 0 ] || problem "found no $what in the code: has the table moved?"
	for name in "$@"; do
		grep -qwF -- "$name" <<<"$text" || problem "the $what $name is not in $file"
	done
}

terms() { # the first column of the lists of a help text, one a line; of one list, if it has a label
	help_text "$1" | awk -v label="$2" '
		/^%   [A-Z][^.]*:$/ { on = index($0, "%   " label) == 1 }
		(on || label == "") && /^%     [^ ]/ { sub(/^% */, ""); sub(/  .*/, ""); gsub(/, */, "\n"); print }'
}

block() { # the lines of file $3 from pattern $1 to pattern $2
	sed -n "/$1/,/$2/p" "$3"
}

mapfile -t metrics < <(block '^const knng_metric knng_metrics\[\]' '^};' core/search/metric.c | grep -oE '"[a-z]+"' | tr '"' "'")
mapfile -t names < <(block '^const knng_metric knng_metrics\[\]' '^};' core/search/metric.c | sed -nE 's/^\t\{"([a-z]+)".*/\1/p')
mapfile -t correlations < <(sed -nE 's/^\t\{"([a-z]+)".*(CENTRED|RANKED), KNNG_SUM_[A-Z0-9]+, KNNG_MAP_HALF.*/\1/p' core/search/metric.c)
mapfile -t fields < <(block '^knng_mex_info(' '^}' mex/info.c | block 'fields\[\]' '};' /dev/stdin |
	grep -oE '"[a-z]+"' | tr -d '"' | sed 's/^/info./')
mapfile -t formats < <(sed -nE 's/^\t\.name = "([a-z]+)".*/\1/p' core/io/formats/*.c)
mapfile -t writings < <(sed -nE 's/^\t(\{|\t)\.name = "([a-z]+)".*/.\2/p' core/io/formats/*.c)
mapfile -t calls < <(grep -oE '^[a-z][a-z_ ]*\*?knng_[a-z_]+\(' "${public_headers[@]}" -h | grep -oE 'knng_[a-z_]+\($' | sed 's/\(.*\)(/`\1`/')
rows metric knngraph.m "$(help_text knngraph.m)" "${metrics[@]}"
missing "$(terms knngraph.m Metrics)" "$(printf '%s\n' "${metrics[@]}")" "is a metric in knngraph.m, but not in core/search/metric.c"
for file in docs/canonical.md README.md; do
	rows metric "$file" "$(cat "$file")" "${names[@]}"
done
rows 'metric that is a correlation,' +knng/edges.m "$(help_text +knng/edges.m)" "${correlations[@]}"
for file in knngraph.m +knng/knnsearch.m +knng/estimate.m; do
	case $file in
	knngraph.m) kinds='ALL|GRAPH' ;;
	*knnsearch.m) kinds='ALL|SEARCH' ;;
	*) kinds='ALL|PLAN' ;;
	esac
	mapfile -t options < <(block ' options\[\] = ' '^};' mex/search.c | sed -nE "s/.*\{\"([A-Za-z]+)\", [a-z_]+, ($kinds)\}.*/'\1'/p")
	rows option "$file" "$(terms "$file" '')" "${options[@]}"
done
rows 'field of info,' knngraph.m "$(terms knngraph.m 'Fields of info')" "${fields[@]}"
missing "$(terms knngraph.m 'Fields of info')" "$(printf '%s\n' "${fields[@]}")" "is in knngraph.m, but knng_mex_info of mex/info.c does not fill it"
rows 'format that is read,' +knng/read.m "$(terms +knng/read.m Formats)" "${formats[@]}"
rows 'format that is written,' +knng/write.m "$(terms +knng/write.m Formats)" "${writings[@]}"
rows 'function of the public headers,' "$page" "$(cat "$page")" "${calls[@]}"

[ "$problems" = 0 ] || exit 1
