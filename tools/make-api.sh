#!/usr/bin/env bash
# make-api.sh  Prints docs/api.md. `make api` writes it, and `make lint` fails if it is not what this prints.
#
# It is tools/api.in, a page in which some lines stand for what is made:
#
#     @index               the list of functions, in the order and under the headings of INDEX
#     @functions           a section for each function, from its help text
#     @c                   the functions of the public headers core/*/knng_*.h, with their comments
#     @picture NAME ![..]  goes to the end of the section of that function
#
# A help text is the first comment of a .m file, whose first line says what the function does. Below it, behind '%   ':
#
#     Paragraphs. A line that begins with a call of the function, behind the end of a sentence, begins a new one.
#
#     Label:
#
#       term    what it is; further lines below that
#           'word'  a list in a list, four columns to the right of the first
#
#       - an item without a term
#
#         text that stays as it is, indented by four
#
#     Example:
#       code, indented by two
#
#     See also knng.name, knng.name.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

while IFS= read -r name; do
	file=${name#knng.}
	[ "$name" = knngraph ] || file=+knng/$file
	files+=("$file.m")
done < <(sed -n 's/^ //p' INDEX)

awk -v file_list="${files[*]}" -v headers="$(echo core/*/knng_*.h)" '
# ---- text -----------------------------------------------------------------------------------------------------------
# Prints s in lines of at most 99 bytes, the first behind `first`, others behind `rest`. No line begins with what
# Markdown would take for a list, a heading or a quotation.
function fill(s, first, rest,    n, word, i, line, next_word) {
	n = split(s, word, " ")
	line = first word[1]
	for (i = 2; i <= n; i++) {
		next_word = word[i]
		while (i < n && word[i + 1] ~ /^([-+*#>=]+|[0-9]+[.)])$/)
			next_word = next_word " " word[++i]
		if (length(line) + 1 + length(next_word) > 99) {
			print line
			line = rest next_word
		} else
			line = line " " next_word
	}
	print line
}

# The length of what s begins with, from its first bracket to the one that closes it.
function balanced(s,    i, c, depth) {
	for (i = index(s, "("); i <= length(s); i++) {
		c = substr(s, i, 1)
		depth += (c == "(") - (c == ")")
		if (depth == 0)
			return i
	}
	return 0
}

# The length of the call of a function that s begins with, such as "[i, d] = knngraph (X, k)", or 0.
function call(s) {
	if (s !~ /^(\[[^]]*\] = |[A-Za-z]+ = )?(knngraph|knng\.[A-Za-z]+) \(/ || s ~ /^[^(]*\(knng:/)
		return 0
	return balanced(s)
}

# The length of the arithmetic with * or ^ that s begins with, such as "8*n*max (2*k, k+64) + 110*n bytes", or 0.
function formula(s,    i, c, depth, part) {
	if (s !~ /^([A-Za-z0-9.]+|[A-Za-z]*\([^ ()]+( [-+] [^ ()]+)?\))[*^\/]/ || s !~ /^[^ ]*[*^]/)
		return 0
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		depth += (c == "(") - (c == ")")
		part = substr(s, i)
		if (depth < 0 || depth == 0 && c ~ /[,;:]/)
			break
		if (c == " " && depth == 0) {
			if (part ~ /^ [-+*\/] [A-Za-z0-9]/)
				i += 2
			else if (!(part ~ /^ \(/ && substr(s, 1, i - 1) ~ /(max|numel|log|sqrt|speye)$/))
				break
		}
	}
	i--
	return substr(s, i, 1) == "." ? i - 1 : i
}

function anchor(name) {
	name = tolower(name)
	gsub(/[^a-z0-9_-]/, "", name)
	return "#" name
}

# One word of a help text, or several, as Markdown: what is code, what is a link, what has to be escaped.
function mark(s,    out, n, part, before) {
	before = " "
	while (s != "") {
		n = 0
		if (before !~ /[A-Za-z0-9_.]/) {
			if ((n = call(s)) || (n = formula(s)))
				part = "`" substr(s, 1, n) "`"
			else if (match(s, /^knng:[a-z]+:[A-Za-z]+|^knng:interrupted/) || before ~ /[ (]/ && match(s, /^:[A-Za-z]+/))
				part = "`" substr(s, 1, n = RLENGTH) "`"
			else if (match(s, /^(knng\.[A-Za-z]+|knngraph)/) && substr(s, 1, RLENGTH) in sections && substr(s, RLENGTH + 1, 2) != ".m")
				part = link(substr(s, 1, n = RLENGTH))
			else if (match(s, /^docs\/[a-z]+\.md/))
				part = "[" substr(s, 6, RLENGTH - 5) "](" substr(s, 6, (n = RLENGTH) - 5) ")"
			else if (before !~ /[])}\047]/ && match(s, /^\047[^\047]*\047/))
				part = "`" substr(s, 1, n = RLENGTH) "`"
			else if (match(s, /^[A-Za-z_]+(\/[A-Za-z_]+)*(\.[A-Za-z_][A-Za-z0-9_]*)+/) || match(s, /^[A-Za-z][A-Za-z_]*\([^ ]/) ||
				 match(s, /^(floor|sqrt|exp|max|sum|abs|real|mean|plot|sort|find|isequal|double|struct2table|print) \(/)) {
				n = RLENGTH
				if (substr(s, 1, n) ~ /\(/ || substr(s, n + 1, 1) == "(")
					n = balanced(s)
				else if (substr(s, n + 1) ~ /^\047 /)
					n++
				part = "`" substr(s, 1, n) "`"
			}
		}
		if (n == 0) {
			n = 1
			part = substr(s, 1, 1)
			if (part ~ /[*~]/ || s ~ /^<[A-Za-z\/!]/)
				part = "\\" part
		}
		out = out part
		before = substr(s, n, 1)
		s = substr(s, n + 1)
	}
	return out
}

function link(name) {
	return name == section ? name : "[" name "](" anchor(name) ")"
}

# The first column of a list: terms in commas, or words.
function terms(s,    n, term, i, out) {
	if (s ~ /^(a|any) /)
		return s
	if (s ~ /^\[/)
		return "`" s "`"
	n = split(s, term, ", ")
	for (i = 1; i <= n; i++)
		out = out (i > 1 ? ", " : "") "`" term[i] "`"
	return out
}

# ---- help texts -----------------------------------------------------------------------------------------------------
function flush(    n) {
	if (kind == "paragraph") {
		if (match(text, /^See also /))
			fill("See also " mark(substr(text, RLENGTH + 1)), "", "")
		else if (match(text, /^(Cost|Errors|Sources?|Warnings|Options[^:]*): /))
			fill("**" substr(text, 1, RLENGTH - 1) "** " mark(substr(text, RLENGTH + 1)), "", "")
		else if (text ~ /^[A-Z][^.]*:$/ && length(text) < 60 && section == "knngraph" && text != "Example:")
			print "### " substr(text, 1, length(text) - 1)
		else if (text ~ /^[A-Z][^.]*:$/ && length(text) < 60)
			print "**" text "**"
		else
			fill(mark(text), "", "")
		print ""
	} else if (kind == "item")
		fill("- " terms(term) ": " mark(text), "", "  ")
	else if (kind == "subitem")
		fill("- " terms(term) ": " mark(text), "  ", "    ")
	else if (kind == "bullet")
		fill("- " mark(text), "", "  ")
	else if (kind == "code")
		print "```\n"
	kind = text = ""
}

function blank() {
	if (kind ~ /item|bullet/) {
		flush()
		print ""
	} else if (kind != "code")
		flush()
	else
		gap = 1
}

# An item of a list: "term  what it is", or the term alone, to which the next line may belong.
function item(what, s) {
	if (kind == what && text == "" && term ~ /,$/)
		s = term " " s
	else
		flush()
	kind = what
	text = ""
	if (match(s, /[^ ]  +[^ ]/)) {
		term = substr(s, 1, RSTART)
		text = substr(s, RSTART + RLENGTH - 1)
	} else
		term = s
}

function help_line(s) {
	if (s == "") {
		blank()
	} else if (s !~ /^  / || (kind == "code" && !example && s !~ /^    /)) {
		was = kind
		if (kind != "paragraph" || call(s) && text ~ /[.:]$/)
			flush()
		if (was == "bullet")
			print ""
		kind = "paragraph"
		text = text (text == "" ? "" : " ") s
		example = s == "Example:"
	} else if (example || kind == "code" || (kind !~ /item|bullet/ && s ~ /^    /)) {
		if (kind != "code") {
			flush()
			print example ? "```matlab" : "```"
		} else if (gap)
			print ""
		kind = "code"
		gap = 0
		print substr(s, example ? 3 : 5)
	} else if (s ~ /^  - /) {
		flush()
		kind = "bullet"
		text = substr(s, 5)
	} else if (s ~ /^  [^ ]/)
		item("item", substr(s, 3))
	else if (s ~ /^      [^ ]/)
		item("subitem", substr(s, 7))
	else {
		sub(/^ +/, "", s)
		text = text (text == "" ? "" : " ") s
	}
}

# A section: the first line, the calls together, all the rest.
function help(name, file,    line, n, i, calls, s) {
	section = name
	n = 0
	while ((getline s < file) > 0)
		if (s ~ /^%/) {
			line[++n] = substr(s, s ~ /^%   / ? 5 : 2)
		} else if (n)
			break
	close(file)
	sub(/^[^ ]+  /, "", line[1])
	print "## " name "\n"
	fill(mark(line[1]), "", "")
	print "\n```matlab"
	for (i = 2; i <= n && line[i] !~ /^[A-Z][a-z]+:/; i++)
		if ((s = line[i] (line[i + 1] ~ /^[^ ]/ ? " " line[i + 1] : "")) && (i == 2 || line[i - 1] ~ /^$|[.:]$/) && call(s) &&
		    index(s, name " ("))
			print substr(s, 1, call(s))
	print "```\n"
	for (i = 2; i <= n; i++)
		help_line(line[i])
	flush()
	for (i = 1; i <= pictures[name]; i++)
		print picture[name, i] "\n"
	section = ""
}

function functions(    i) {
	for (i = 1; i <= names; i++)
		help(order[i], files[i])
}

# ---- index ----------------------------------------------------------------------------------------------------------
function contents(    i, s) {
	for (i = 1; i <= names; i++) {
		if (subject[i] != subject[i - 1])
			print (i > 1 ? "\n" : "") "**" subject[i] "**\n"
		while ((getline s < files[i]) > 0 && s !~ /^%/)
			;
		close(files[i])
		sub(/^[^ ]+  /, "", s)
		fill("- " link(order[i]) ": " mark(s), "", "  ")
	}
}

# ---- headers --------------------------------------------------------------------------------------------------------
# Every comment that stands above prototypes, and these; `make format` sees to how they look.
function c_functions(header,    s, file, comment, proto, list, inside, name, title, begun) {
	file = header
	while ((getline s < file) > 0) {
		if (list != "" && (s == "" || s ~ /^\/\*/)) {
			if (!begun++) {
				sub(/.*\//, "", header)
				print "### " header "\n"
			}
			print "#### " title "\n\n```c"
			prototypes(list)
			print "```\n"
			if (comment != "")
				fill(mark(comment), "", "")
			print ""
			list = title = comment = ""
		}
		if (s ~ /^\/\*/ && !inside)
			comment = ""
		if (s ~ /^\/\*/ || inside) {
			inside = s !~ /\*\//
			gsub(/^\/\*|^ \*|\*\/$|^ +| +$/, "", s)
			sub(/^ +/, "", s)
			comment = comment (comment == "" ? "" : " ") s
		} else if (proto != "" || s ~ /^[a-z][a-z_0-9 ]*\*?knng_[a-z_]+\(/) {
			sub(/^[ \t]+/, "", s)
			proto = proto (proto == "" ? "" : " ") s
			if (s !~ /;/)
				continue
			name = proto
			sub(/\(.*/, "", name)
			sub(/.*[ *]/, "", name)
			title = title (title == "" ? "" : ", ") "`" name "`"
			list = list (list == "" ? "" : "\n") proto
			proto = ""
		} else
			comment = ""
	}
	close(file)
}

# They are broken after commas.
function prototypes(list,    n, line, i) {
	n = split(list, line, "\n")
	for (i = 1; i <= n; i++) {
		gsub(/ /, "\001", line[i])
		gsub(/,\001/, ", ", line[i])
		fill(line[i], "", "    ")
	}
}

# ---- what is read first: INDEX, then the page -----------------------------------------------------------------------
BEGIN {
	names = split(file_list, files, " ")
	while ((getline s < "INDEX") > 0)
		if (s ~ /^ /) {
			order[++i] = substr(s, 2)
			subject[i] = heading
			sections[order[i]] = 1
		} else
			heading = s
	while ((getline s < "tools/api.in") > 0)
		if (s ~ /^@picture /) {
			split(s, word, " ")
			name = word[2]
			if (!(name in sections)) {
				print "make-api: tools/api.in has a picture of " name ", which is no function" > "/dev/stderr"
				exit 1
			}
			sub(/^@picture [^ ]* /, "", s)
			picture[name, ++pictures[name]] = s
		} else
			page[++length_of_page] = s
	for (p = 1; p <= length_of_page; p++)
		if (page[p] == "@index")
			contents()
		else if (page[p] == "@functions")
			functions()
		else if (page[p] == "@c") {
			n = split(headers, header, " ")
			for (h = 1; h <= n; h++)
				c_functions(header[h])
		} else
			print page[p]
}' | tr '\001' ' ' | cat -s
