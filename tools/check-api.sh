#!/usr/bin/env bash
# check-api.sh  Holds docs/api.md against the code. Reports what is in one and not in the other; status 1 if anything is.
#
# Compared are the identifiers of errors and warnings, the public functions (knngraph.m, +knng/*.m: a section each),
# the metrics and options of their tables, the fields of info, and the functions of core/knng.h. It looks at the text
# alone: nothing is built or run.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
page=docs/api.md
problems=0
shopt -s nullglob
sources=(core/*.[ch] core/cpu/*.[ch] mex/*.[ch] cli/*.[ch] cuda/*.cu cuda/*.cuh cuda/*.h)
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
promised=$(grep -hE '^[[:space:]]*[%#]' "${functions[@]}" | grep -oE 'knng:[a-z]+:[A-Za-z]+|knng:interrupted')
missing "$raised" "$written" "is raised, but not in $page"
missing "$written" "$raised" "is in $page, but nothing raises it"
missing "$promised" "$raised" "is in a help text, but nothing raises it"

# ---- a section for every public function, a function for every section ---------------------------------------------
public=$(for f in "${functions[@]}"; do
	f=${f%.m}
	f=${f#+}
	echo "${f/\//.}"
done)
sections=$(sed -nE 's/^## (knngraph|knng\.[A-Za-z0-9_]+)$/\1/p' "$page")
missing "$public" "$sections" "has no section '## NAME' in $page"
missing "$sections" "$public" "has a section in $page, but there is no such function"

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

mapfile -t metrics < <(block '^const knng_metric knng_metrics\[\]' '^};' core/metric.c | grep -oE '"[a-z]+"' | tr '"' "'")
mapfile -t options < <(block '^} options\[\]' '^};' mex/search.c | grep -oE '\{"[A-Za-z]+"' | tr -d '{' | tr '"' "'")
mapfile -t fields < <(block '^make_info(' '^}' mex/search.c | block 'fields\[\]' '};' /dev/stdin |
	grep -oE '"[a-z]+"' | tr -d '"' | sed 's/^/info./')
mapfile -t calls < <(grep -oE '^[a-z][a-z_ ]*\*?knng_[a-z_]+\(' core/knng.h | grep -oE 'knng_[a-z_]+\($' | tr -d '(')
rows metric "${metrics[@]}"
rows option "${options[@]}"
rows 'field of info,' "${fields[@]}"
rows 'function of core/knng.h,' "${calls[@]}"

[ "$problems" = 0 ] || exit 1
