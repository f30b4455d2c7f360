#!/usr/bin/env bash
# test_program.sh  The command-line program: its output has the bytes of knng.write, and signals stop it in order.
#
# The data lasts for many seconds on one thread, and the program reads it from a pipe, so that it is known when the
# search begins. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

judge() { # LABEL STATUS NOTE
	if [ "$2" = 0 ]; then
		passed=$((passed + 1))
	else
		echo "FAIL $1: $3"
		failed=$((failed + 1))
	fi
}

# ---- bytes: equal rows, rows that have no neighbours, distances of 0 and below what a sparse matrix holds
cat >"$work/files.m" <<'OCTAVE'
X = mod ((1:300)' * (1:7) * 0.618, 1);
X(5, :) = X(9, :);
X(20, :) = X(21, :) = 3;
X(40, 3) = NaN;
X(50, :) = 1e-310 * (1:7);
X(51, :) = 2e-310 * (1:7);
ds = struct ('X', X, 'names', {arrayfun(@(i) sprintf ('r%d', i), (1:300)', 'UniformOutput', false)}, ...
             'samples', {arrayfun(@(i) sprintf ('c%d', i), 1:7, 'UniformOutput', false)}, 'classes', {{}});
knng.write ('data.tsv', ds);
warning ('off', 'all');
ds = knng.read ('data.tsv');
for metric = {'euclidean', 'pearson', 'cosine'}
  [idx, dist] = knngraph (ds.X, 6, metric{1}, 'Device', 'cpu');
  knng.write ([metric{1}, '.tables.knn'], idx, dist);
  knng.write ([metric{1}, '.matrix.knn'], knngraph (ds.X, 6, metric{1}, 'Device', 'cpu'));
end
[idx, dist] = knngraph (ds.X, 6, 'Device', 'cpu');
knng.write ('default.tables.knn', idx, dist);
knng.write ('default.matrix.knn', idx, dist);
for format = {'gml', 'graphml', 'gexf', 'cyjs', 'net', 'mtx', 'csv'}
  knng.write (['named.', format{1}], idx, dist, 'Names', ds.names, 'Directed', true);
end
Y = single (mod ((1:3000)' * (1:40) * 0.618, 1));
Y(7, 3) = NaN;
Y(2000, :) = Y(12, :);
f = fopen ('numbers.fbin', 'w');
fwrite (f, size (Y), 'uint32');
fwrite (f, Y', 'single');
fclose (f);
for metric = {'euclidean', 'pearson'}
  [idx, dist] = knngraph (Y, 6, metric{1}, 'Device', 'cpu');
  knng.write (['numbers.', metric{1}, '.knn'], idx, dist);
end
V = Y(1:900, :);
V(mod (floor (V * 1000), 7) == 0) = NaN;
f = fopen ('gaps.fbin', 'w');
fwrite (f, size (V), 'uint32');
fwrite (f, V', 'single');
fclose (f);
[idx, dist] = knngraph (V, 6, 'spearman', 'Device', 'cpu', 'Rows', 'pairwise', 'MinValid', 31);
knng.write ('gaps.knn', idx, dist);
Z = Y(1:50, :)';
save ('-hdf5', '-zip', 'numbers.h5', 'Y', 'Z');
[idx, dist] = knngraph (Z', 6, 'Device', 'cpu');
knng.write ('numbers.turned.knn', idx, dist);
f = fopen ('export.txt', 'w');
fprintf (f, 'Made on Tuesday\n');
fprintf (f, 'no;name;x;y\n');
fprintf (f, '%d;r%d;%d,5;%d\n', [1:20; 1:20; mod((1:20) * 7, 20); mod((1:20) * 3, 11)]);
fprintf (f, '21;r21;ND;-999\n');
fclose (f);
ds = knng.read ('export.txt', 'HeaderLines', 1, 'NamesColumn', 'name', 'Missing', {'ND', '-999'});
[idx, dist] = knngraph (ds.X, 3, 'Device', 'cpu');
knng.write ('export.gml', idx, dist, 'Names', ds.names, 'Directed', true);
OCTAVE
env -C "$work" octave-cli --norc -H -q --path "$root" files.m </dev/null >"$work/said" 2>&1
judge 'files of knng.write' $? "$(cat "$work/said")"
for metric in euclidean pearson; do
	for how in '1e9 1 block' '1.7e6 [0-9]* blocks'; do
		build/knng -k 6 -m "$metric" -M "${how%% *}" -o "$work/program.knn" "$work/numbers.fbin" 2>"$work/said"
		said=$(cmp "$work/numbers.$metric.knn" "$work/program.knn" 2>&1) && grep -q ", in ${how#* }\$" "$work/said" &&
			grep -qx 'knng: 1 of 3000 rows (0.0333 %) hold missing values or Inf: .*' "$work/said"
		judge "$metric: numbers, -M ${how%% *}" $? "$said $(cat "$work/said")"
	done
done
for how in 'on 1e9 1 block' 'off 1e9 1 block' 'auto 1e9 1 block' 'on 1.7e6 [0-9]* blocks' 'on 2.5e6 [0-9]* blocks'; do
	read -r prune limit blocks <<<"$how"
	said=$(build/knng -t 1 -k 6 --prune "$prune" -M "$limit" -o "$work/program.knn" "$work/numbers.fbin" 2>&1) &&
		cmp "$work/numbers.euclidean.knn" "$work/program.knn" && grep -q ", in $blocks\$" <<<"$said" &&
		case $limit in
		1.7e6) [[ $said = *'though --prune is on: there is no memory for it'* ]] ;;
		*) [[ $said != *'--prune'* ]] ;;
		esac
	judge "--prune $how" $? "$said"
done
printf 'id\ts1\ts2\ng1\t1\t2\n' >"$work/one.tsv"
said=$(build/knng --plan -k 1 --prune on "$work/one.tsv" 2>&1)
[[ $said = *'boxes? no: there is nothing to compare'* ]]
judge '--plan of one row, --prune on' $? "$said"
for how in '1e9 1 block' '1.1e6 [0-9]* blocks'; do
	build/knng -k 6 -m spearman --rows pairwise --min-valid 31 -M "${how%% *}" -o "$work/program.knn" "$work/gaps.fbin" 2>"$work/said"
	said=$(cmp "$work/gaps.knn" "$work/program.knn" 2>&1) && grep -q ", in ${how#* }\$" "$work/said" && ! grep -q Inf "$work/said"
	judge "missing values, -M ${how%% *}" $? "$said $(cat "$work/said")"
done
printf 'id,a,b,c\nr1,1,2,3\nr2,3,1,2\nr3,2,5,1\nr4,,,7\n' >"$work/few.csv"
said=$(build/knng -k 2 --rows pairwise -o "$work/program.knn" "$work/few.csv" 2>&1) &&
	grep -qx 'knng: 1 of 4 rows has a distance to fewer than 2 others, since it shares too few columns with the rest, or is constant over these' <<<"$said"
judge 'a row with fewer neighbours' $? "$said"
said=$(build/knng --min-valid 3 "$work/gaps.fbin" 2>&1)
[ $? = 2 ] && [[ $said = 'knng:args:option: --min-valid is for --rows pairwise: '* ]]
judge '--min-valid alone' $? "$said"
said=$(build/knng --rows pairwise --min-valid 41 "$work/gaps.fbin" 2>&1)
[ $? = 1 ] && [[ $said = 'knng:args:option: --min-valid is 41, and X has 40 columns: '* ]]
judge '--min-valid beyond the columns' $? "$said"
said=$(build/knng --rows pairwise -m chebychev "$work/gaps.fbin" 2>&1)
[ $? = 1 ] && [[ $said = *'with --rows pairwise the metrics are '* ]] && [[ $said != *"'Rows'"* ]]
judge 'a metric that compares no rows so' $? "$said"
for how in '--names-column name --decimal-comma' '--names-column=2 --delimiter semicolon'; do
	said=$(build/knng -q -k 3 --header-lines 1 --missing ND --missing=-999 $how -o "$work/program.gml" "$work/export.txt" 2>&1)
	[ -z "$said" ] && cmp "$work/export.gml" "$work/program.gml"
	judge "options of tables: $how" $? "$said"
done
said=$(build/knng -q -k 3 --header-lines 1 --missing ND --decimal-comma=no "$work/export.txt" 2>&1)
[ $? = 1 ] && [[ $said = *'export.txt, line 3: found '*"; if the comma is decimal, give --decimal-comma; "* ]]
judge 'a decimal comma' $? "$said"
said=$(build/knng -q -k 3 --header-lines 1 --names-column 5 "$work/export.txt" 2>&1)
[ $? = 1 ] && [[ $said = 'knng:args:option: --names-column is 5, and '*' has 4 columns' ]]
judge 'a column that is none' $? "$said"
printf 'g,s,t\na,<0.1,1\nb,<0.1,2\n' >"$work/limits.csv"
build/knng -k 1 -c "$work/limits.csv" >"$work/said" 2>&1 && grep -q "the column 's' was read as texts, .* give --missing '<0.1'" "$work/said"
judge 'a column of limits' $? "$(cat "$work/said")"
printf 'g,Missing,t\na,<0.1,1\nb,<0.1,2\n' >"$work/limits.csv"
build/knng -k 1 -c "$work/limits.csv" >"$work/said" 2>&1 && grep -q "the column 'Missing' was read as texts, .* give --missing '<0.1'" "$work/said"
judge 'a column called as an option' $? "$(cat "$work/said")"
printf 'g,Platform,t,Platform\na,1,1,Missing\nb,2,2,3\n' >"$work/limits.csv"
said=$(build/knng -k 1 --names-column Missing "$work/limits.csv" 2>&1)
[ $? = 1 ] && [[ $said = *"--names-column is 'Missing', and "*" has no such column; its header has 'g', 'Platform', 't', 'Platform'" ]]
judge 'columns called as options' $? "$said"
said=$(build/knng -k 1 --delimiter ';' "$work/limits.csv" 2>&1)
[ $? = 1 ] && [[ $said = *'no table of semicolons, which --delimiter says: commas separate'* ]]
judge 'the delimiter of another table' $? "$said"
printf 'g,x\na,1\nb,Missing\n' >"$work/limits.csv"
said=$(build/knng -k 1 "$work/limits.csv" 2>&1)
[ $? = 1 ] && [[ $said = *"found 'Missing' in field 2, "*", give --missing 'Missing'" ]]
judge 'a word called as an option' $? "$said"
printf '# Created by Octave 7.3.0\n# name: x\n# type: matrix\n# rows: 2\n# columns: 2\n 1 2\n 3 4\n' >"$work/saved.txt"
said=$(build/knng -q -k 1 --transposed "$work/saved.txt" 2>&1)
[ $? = 1 ] && [[ $said = "knng:io:format: "*"line 1: this holds variables, saved by Octave's save -text, "* ]]
judge "what Octave's save -text wrote" $? "$said"
said=$(build/knng -q -k 3 --missing ND "$work/numbers.fbin" 2>&1)
[ $? = 1 ] && [[ $said = 'knng:args:option: --missing is for texts, and '*' is a file of numbers: read it without, '*'X(X == 1e20) = NaN' ]]
judge 'words in numbers' $? "$said"
printf 'g,x,y\na,-9999.00,1\nb,2,1.0E+20\nc,NA,3\nd,4,NA\n' >"$work/codes.csv"
printf 'g,x,y\na,NA,1\nb,2,NA\nc,NA,3\nd,4,NA\n' >"$work/gaps.csv"
how='--rows pairwise --min-valid 1 -q -c -k 1'
said=$(build/knng $how --missing -9999 --missing 1e20 "$work/codes.csv" 2>&1)
[ "$said" = "$(build/knng $how "$work/gaps.csv")" ]
judge 'numbers for missing values' $? "$said"
said=$(build/knng -k 1 -c --missing ND --missing -9999 "$work/codes.csv" 2>&1)
[ $? = 0 ] && [[ $said = *"--missing 'ND' is nowhere in "*"/codes.csv, names and texts "* ]]
judge 'a word that is nowhere' $? "$said"
said=$(build/knng "$work/numbers.h5" 2>&1)
if [[ $said = knng:io:noHDF:* ]]; then
	echo "knng is built without HDF5: its files are not tested"
else
	[[ $said = *'holds several datasets; it holds /Y (3000 x 40), /Z (40 x 50): name one, as in --dataset '"'/Y'" ]]
	judge 'several datasets' $? "$said"
	for how in 'euclidean --dataset Y' 'euclidean --dataset=/Y/value -M 7e6' 'pearson --dataset /Y -m pearson' \
		'turned --dataset Z --transposed=no'; do
		# shellcheck disable=SC2086 # words
		build/knng -q -k 6 ${how#* } -o "$work/program.knn" "$work/numbers.h5" 2>"$work/said"
		said=$(cmp "$work/numbers.${how%% *}.knn" "$work/program.knn" 2>&1)
		judge "HDF5: ${how#* }" $? "$said $(cat "$work/said")"
	done
	said=$(build/knng -q -k 3 --transposed --dataset Z --plan "$work/numbers.h5" 2>&1)
	[[ $said = "dataset '/Z': 40 rows of 50 single"* ]] # as without it
	judge 'HDF5: --transposed' $? "$said"
fi
printf 'a,b,class\n1,2,1\n4,5,2\n7,8,1\n3,1,2\n' >"$work/classes.csv"
said=$(build/knng -k 2e0 -o /dev/null "$work/classes.csv" 2>&1)
[ $? = 0 ] && [[ $said = *"column 3 is called 'class', "*"; or leave it out of the file
knng: 4 rows, "*', k 2, '* ]]
judge 'what helps in a program' $? "$said"
build/knng -k 6 -t 4096 -c "$work/data.tsv" >"$work/said" 2>&1
grep -qx 'knng: -t is cut from 4096 to [0-9]*: more threads only wait for each other' "$work/said" &&
	! build/knng -k 6 -t 2 -c "$work/data.tsv" 2>&1 | grep -q 'is cut' && [ -z "$(build/knng -q -t 4096 -c "$work/data.tsv" 2>&1 >/dev/null)" ]
judge 'more threads than are taken' $? "$(cat "$work/said")"
for file in numbers.fbin data.tsv; do
	build/knng -k 6 -M 1000 -c "$work/$file" >"$work/said" 2>&1
	[ $? = 1 ] && grep -q '^knng:args:maxMemory: -M is 1000 bytes' "$work/said" && ! grep -q MaxMemory "$work/said"
	judge "too little memory for $file" $? "$(cat "$work/said")"
done
printf '\2\0\0\0\1\0\0\0\0\0\0\0\0\0\0\077' >"$work/one.fbin"
build/knng -k 1 -c "$work/one.fbin" >"$work/said" 2>&1
grep -q '^knng: 2 rows, 1 column, k 1, ' "$work/said"
judge 'one column' $? "$(cat "$work/said")"
build/knng --help >"$work/said" 2>"$work/errors" && [ ! -s "$work/errors" ] && grep -q '^usage: knng ' "$work/said" &&
	! grep -q '.\{80\}' "$work/said"
judge 'lines of the help' $? "$(grep '.\{80\}' "$work/said" "$work/errors")"
for limit in 1x 1kBB 1iB 1kk k 1g5 -1K '' ' '; do
	build/knng -M "$limit" "$work/numbers.fbin" >"$work/said" 2>&1
	[ $? = 2 ] && grep -q '^knng:args:maxMemory: -M is ' "$work/said"
	judge "a limit that is no number: '$limit'" $? "$(cat "$work/said")"
done
for limit in '1k 1000' '1K 1000' '1kB 1000' '1KiB 1024' '1000b 1000' '0.0015M 1500' '1e-6G 1000' '1e-9t 1000' '1000 1000'; do # in the words of knngraph
	said=$(build/knng -M "${limit% *}" "$work/numbers.fbin" 2>&1)
	[[ $said = "knng:args:maxMemory: -M is ${limit#* } bytes: "* ]]
	judge "a limit with a suffix: ${limit% *}" $? "$said"
done
for metric in euclidean pearson cosine default; do
	options=(-q -k 6)
	[ "$metric" = default ] || options+=(-m "$metric")
	build/knng "${options[@]}" -o "$work/program.knn" "$work/data.tsv"
	build/knng "${options[@]}" "$work/data.tsv" >"$work/printed.knn"
	for other in program.knn printed.knn; do
		for of in tables matrix; do
			said=$(cmp "$work/$metric.$of.knn" "$work/$other" 2>&1)
			judge "$metric: $other has the bytes of knng.write, $of" $? "$said"
		done
	done
done
build/knng -q -k 6 -o "$work/packed.knn.gz" "$work/data.tsv" && gzip -dc "$work/packed.knn.gz" | cmp -s - "$work/default.tables.knn"
judge 'packed' $? 'not the same lines'
for format in gml graphml gexf cyjs net mtx csv; do
	build/knng -q -k 6 -o "$work/program.$format" "$work/data.tsv"
	said=$(cmp "$work/named.$format" "$work/program.$format" 2>&1)
	judge "-o program.$format has the bytes of knng.write" $? "$said"
	build/knng -q -k 6 -f "$format" "$work/data.tsv" | cmp -s - "$work/named.$format"
	judge "-f $format" $? 'not the same bytes'
done
build/knng -q -k 6 -f knn -o "$work/other.txt" "$work/data.tsv" && cmp -s "$work/other.txt" "$work/default.tables.knn"
judge 'any ending with -f' $? 'not the same bytes'
wrong() { # IDENTIFIER ARGUMENTS...  said before the file is read
	local id=$1 rc
	shift
	said=$(build/knng "$@" "$work/no-such-file" 2>&1)
	rc=$?
	[ "$rc" = 2 ] && [[ $said = "$id: "* ]] && [ "$(wc -l <<<"$said")" = 1 ]
	judge "$*: status 2" $? "status $rc: $said"
}
wrong knng:args:k -k 0
wrong knng:args:threads -t 0
wrong knng:args:metric -m perason
wrong knng:args:format -f gmll
wrong knng:args:format -o "$work/out.foo"
[[ $said = *'the endings knn, gml, '*' or use -f' ]]
judge 'an unknown ending' $? "$said"
[[ $said = *' to pack it), or h5, hdf5, mat, or use -f' ]] || ! build/knng --plan -k 3 -o "$work/out.h5" "$work/data.tsv" >/dev/null 2>&1
judge 'an unknown ending names those of HDF5' $? "$said"
wrong knng:args:format -o "$work/out"
[ -z "$(find "$work" -name 'out*')" ]
judge 'nothing under an unknown ending' $? "$(ls "$work")"
for place in kept.knn kept.h5; do
	wrong knng:args:file -C "$work/$place" -o "$work/./$place"
done
wrong knng:args:unknownOption --neighbors 3
[[ $said = *'there is no option --neighbors (did you mean --neighbours?): see knng --help' ]]
judge 'a name that is nearly one' $? "$said"
wrong knng:args:unknownOption -qz
wrong knng:args:unknownOption --m=3
wrong knng:args:option --quiet=3
wrong knng:args:option --save-every 60
wrong knng:args:option --transposed=maybe
wrong knng:args:option --prune maybe
wrong knng:args:option --dataset=
wrong knng:args:option --delimiter=x
wrong knng:args:option --decimal-comma=maybe
wrong knng:args:option --header-lines 0
wrong knng:args:option --names-column=
wrong knng:args:option $(printf -- '--missing=%d ' {1..33})
wrong knng:args:count "$work/data.tsv"
said=$(build/knng -k 2>&1)
[ $? = 2 ] && [ "$said" = 'knng:args:option: the option --neighbours needs a value: see knng --help' ]
judge 'no value' $? "$said"
# Names with control characters, in errors before the file is read and after, and in what is told meanwhile.
odd=$'o\033[31m\rdd\n'
for arguments in "-o $work/$odd.foo" "--$odd" "-k $odd" "-f $odd"; do
	said=$(IFS=$' '; build/knng ${arguments/ /=} "$work/data.tsv" 2>&1; build/knng ${arguments% *} "${arguments#* }" "$work/data.tsv" 2>&1)
	[ "$(wc -l <<<"$said")" = 2 ] && [[ $said != *[$'\033\r']* ]] && [[ $said = *'o?[31m?dd?'* ]]
	judge "a name with control characters: ${arguments%% *}" $? "$(cat -v <<<"$said")"
done
cp "$work/numbers.fbin" "$work/$odd.fbin"
for arguments in "$work/$odd.none" "-C $work/$odd.kept -c $work/$odd.fbin" "-C $work/$odd.kept -c $work/$odd.fbin" "-C $work/numbers.fbin -c $work/$odd.fbin"; do
	said=$(IFS=' '; build/knng -k 6 $arguments 2>&1)
	[[ $said != *[$'\033\r']* ]]
	judge "a name with control characters, $arguments" $? "$(cat -v <<<"$said")"
done
[[ $(IFS=' '; build/knng -k 6 -C "$work/$odd.kept" -c "$work/$odd.fbin" 2>&1) = *'goes on from 100.0 % in '*'o?[31m?dd?.kept'*'went on from 100.0 % in '*'o?[31m?dd?.kept'* ]]
judge 'a checkpoint with control characters' $? 'its name is not told'
# A limit of the size of files.
for name in limited.h5 limited.knn; do
	said=$(
		ulimit -f 20
		build/knng -q -k 6 -o "$work/$name" "$work/numbers.fbin" 2>&1
	)
	rc=$?
	[ "$rc" = 1 ] && [[ $said = 'knng:io:write: '*'File too large'* ]] && [ ! -e "$work/$name" ]
	judge "too large a file, $name: status 1" $? "status $rc: $said"
done
# What the data cannot be is no wrong argument: .csv tells nodes apart by their names.
printf 'id,a,b\nx,1,2\nx,2,3\ny,5,5\n' >"$work/twice.csv"
said=$(build/knng -q -k 1 -f csv "$work/twice.csv" 2>&1)
rc=$?
[ "$rc" = 1 ] && [[ $said = 'knng:args:names: '* ]]
judge 'an error of the data: status 1' $? "status $rc: $said"
# What cannot be written is said before anything is searched, here for lack of memory, or read, here from a pipe to which
# nobody writes; of a plan nothing is written.
said=$(build/knng -q -k 1 -M 1000 -f csv "$work/twice.csv" 2>&1)
rc=$?
[ "$rc" = 1 ] && [[ $said = "knng:args:names: nodes 1 and 2 are both named 'x'"* ]]
judge 'names that the format cannot hold, before the search' $? "status $rc: $said"
mkfifo "$work/silent"
for name in gml graphml gexf cyjs net mtx csv knn gml.gz h5; do
	said=$(timeout 60 build/knng -q -k 1 -o "$work/nowhere/x.$name" "$work/silent" 2>&1)
	rc=$?
	[ "$rc" = 1 ] && [[ $said = "knng:io:open: cannot write $work/nowhere/x.$name: No such file or directory; "* ]] ||
		[[ $name = h5 && $said = knng:io:noHDF:* ]]
	judge "a folder that is not there, $name" $? "status $rc: $said"
done
build/knng -q -k 1 --plan -o "$work/nowhere/x.gml" "$work/twice.csv" >"$work/said" 2>&1
judge 'a plan needs no place to write' $? "$(cat "$work/said")"

# ---- signals
# So many rows that the search takes a few times as long as what works before and after the signals, on fast processors too.
awk 'BEGIN { srand (3); for (i = 0; i < 200000; i++) { for (j = 0; j < 9; j++) printf "%.4f\t", rand (); print rand () } }' >"$work/large.tsv"
mkfifo "$work/pipe"

# Time is that of the processor: what else runs does not count.
second=$(getconf CLK_TCK)
used() { # PID  in ticks; fails when it has ended
	local stat
	stat=$(cat "/proc/$1/stat" 2>/dev/null) && read -ra stat <<<"${stat##*) }" && [ "${stat[0]}" != Z ] &&
		echo $((stat[11] + stat[12]))
}
works() { # PID  for a second, or to its end
	local from now
	from=$(used "$1") || return
	while now=$(used "$1") && [ $((now - from)) -lt "$second" ]; do
		sleep 0.02
	done
}
all_used() { # sets ticks: what all programs have used that have ended
	times >"$work/times"
	ticks=$(awk -v s="$second" 'NR == 2 { split ($0, t, /[ms ]+/); printf "%d", s * (60 * (t[1] + t[3]) + t[2] + t[4]) }' "$work/times")
}

search() { # COMMAND...  starts it on the data; it has it, and is at work, when this returns
	"$@" -t 1 -k 10 -m cityblock -o "$work/$out" "$work/pipe" >"$work/said" 2>&1 &
	pid=$!
	cat "$work/large.tsv" >"$work/pipe"
	works "$pid"
}

stopped() { # SIGNAL NUMBER NAME
	local rc before spent
	search env --default-signal=INT,TERM,HUP build/knng
	all_used
	before=$((ticks + $(used "$pid"))) # and nothing where it had ended
	kill -s "$1" "$pid"
	wait "$pid"
	rc=$?
	all_used
	spent=$((ticks - before))
	[ "$rc" = $((128 + $2)) ] && grep -q "^knng:interrupted: stopped by $3; nothing was kept" "$work/said" &&
		[ "$spent" -lt $((2 * second)) ] && [ -z "$(find "$work" -name "$out*" -o -name '.knng-*')" ]
	judge "SIG$1, $out" $? "status $rc after $spent ticks of the processor: $(cat "$work/said"; ls -A "$work")"
}
out=out.knn
stopped INT 2 Ctrl-C
stopped TERM 15 SIGTERM
stopped HUP 1 SIGHUP
if [[ $(build/knng "$work/numbers.h5" 2>&1) != knng:io:noHDF:* ]]; then # whose file is there from the start
	out=out.h5
	stopped USR1 10 SIGUSR1
	out=out.knn
fi

# As under nohup: what is ignored stays ignored. SIGTERM shows that the search had not been over.
search env --default-signal=INT,TERM --ignore-signal=HUP build/knng
kill -s HUP "$pid"
works "$pid"
kill -s TERM "$pid"
wait "$pid"
rc=$?
[ "$rc" = 143 ] && grep -q 'stopped by SIGTERM' "$work/said"
judge 'SIGHUP that is ignored' $? "status $rc: $(cat "$work/said")"

build/knng -q -c "$work/large.tsv" >/dev/full 2>"$work/said" # the checksum that nobody gets
rc=$?
[ "$rc" = 1 ] && grep -q '^knng:io:write' "$work/said"
judge 'a checksum on a full disk' $? "status $rc: $(cat "$work/said")"

# A thread that still looks for work when Octave ends must not find its code gone.
stay=0
for f in +knng/+internal/*.mex; do
	readelf -d "$f" | grep -q NODELETE || stay=1
done
judge 'gateways stay loaded until the end' "$stay" 'readelf -d: no NODELETE'

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
