#!/usr/bin/env bash
# check-pages.sh  Checks that the pages have lines of at most 99 characters, and that the files and sections of pages to
# which they link are there. Prints what is wrong; status 1 if anything is.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C.UTF-8
pages=(*.md docs/*.md examples/data/*.md NEWS)
wrong=0

say() {
	echo "$1"
	wrong=1
}

# The names that links give to the sections of a page.
sections() {
	sed '/^```/,/^```/d' "$1" | sed -nE 's/^#+ +//p' | tr '[:upper:]' '[:lower:]' | sed -E 's/[^[:alnum:]_ -]//g; s/ /-/g'
}

for page in "${pages[@]}"; do
	while IFS=: read -r line _; do
		say "$page:$line is longer than 99 characters"
	done < <(grep -nE '^.{100,}' "$page")
	while read -r link; do
		file=${link%%#*}
		[ -n "$file" ] && file=$(dirname "$page")/$file || file=$page
		if [ ! -e "$file" ]; then
			say "$page links to $link, which is not there"
		elif [[ $link = *#* ]] && ! sections "$file" | grep -qxF -- "${link#*#}"; then
			say "$page links to $link, and that page has no such section"
		fi
	done < <(sed '/^```/,/^```/d' "$page" | tr '\n' ' ' | grep -oE '\]\([^) ]+\)' | sed -E 's/^\]\(|\)$//g' | grep -v '^https\?:')
done
[ $wrong = 0 ] && echo "pages: fine"
exit $wrong
