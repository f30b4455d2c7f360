#!/usr/bin/env bash
# test_program.sh  knng-mpi under mpirun gives what knng gives, whatever the number of ranks: graphs, words, errors. It
# goes on from knng's checkpoints, and knng from its. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/mpi/jobs.sh

# Equal rows, rows that have no neighbours, a table of text, rows that are not resident with little memory, and a
# search that lasts for seconds.
cat >files.m <<'OCTAVE'
1;
function write_numbers (name, X)
  f = fopen (name, 'w');
  fwrite (f, fliplr (size (X'))(:), 'uint32');
  fwrite (f, X', 'single');
  fclose (f);
end
rand ('twister', 3);
X = rand (3000, 400);
X(7:7:70, :) = repmat (X(1, :), 10, 1);
write_numbers ('x.fbin', X);
X(5, 3) = NaN;
X(2999, 400) = -Inf;
X(50:52, :) = 4;
f = fopen ('x.npy', 'w');
head = '{''descr'': ''<f8'', ''fortran_order'': False, ''shape'': (3000, 400), }';
head = [head, blanks(63 - mod (10 + numel (head), 64)), "\n"];
fwrite (f, [uint8([147, 'NUMPY', 1, 0, numel(head), 0]), uint8(head)]);
fwrite (f, X', 'double');
fclose (f);
X = mod ((1:300)' * (1:7) * 0.618, 1);
X(5, :) = X(9, :);
X(40, 3) = NaN;
f = fopen ('t.csv', 'w');
fprintf (f, 'id,a,b,c,d,e,f,g\n');
for i = 1:300
  fprintf (f, 'r%d%s\n', i, sprintf (',%.6g', X(i, :)));
end
fclose (f);
write_numbers ('long.fbin', rand (4000, 200)); % a job that is to be stopped is held until it is
write_numbers ('lists.fbin', rand (6000, 8));
OCTAVE
octave-cli --norc -H -q files.m </dev/null >said 2>&1
check $? "files: $(cat said)"
: >empty.fbin
head -c 4000 x.fbin >short.fbin
printf 'id,a,b\nx,1,2\ny,2\n' >short.csv

# ---- the same graphs, to the byte
sum_of() { # OPTIONS...  of knng
	"$knng" -q -c "$@"
}
x=$(sum_of -k 6 x.fbin)
pearson=$(sum_of -k 6 -m pearson x.npy)
table=$(sum_of -k 9 -m cosine -o t.knn t.csv)
widest=$(sum_of -k 1000 t.csv)
gaps=$(sum_of -k 6 -m pearson --rows pairwise --min-valid 6 t.csv)
"$knng" -q -k 6 -f mtx t.csv >t.mtx
for r in 1 2 3 5; do
	begin "x$r" "$r" -k 6 -c x.fbin
done
begin npy 3 -k 6 -m pearson -c x.npy
begin table 2 -q -k 9 -m cosine -c -o t2.knn t.csv
begin widest 3 -k 1000 -c t.csv
begin gaps 3 -k 6 -m pearson --rows pairwise --min-valid 6 -c t.csv
begin mtx 3 -q -k 6 -f mtx --deadline 60 t.csv
begin out 5 -q -k 6 -o x5.knn x.fbin
"$knng" -q -k 6 -o x.knn x.fbin
begin plan 3 -k 6 --plan -C none x.fbin
begin alone 1 -k 6 --plan x.fbin
begin fewer 2 -t 1 -k 6 -M 8e6 -c x.fbin
begin fewerplan 2 -t 1 -k 6 -M 8e6 --plan x.fbin
wait
for r in 1 2 3 5; do
	printed "x$r" "$x" && [ "$(our_lines "x$r" | wc -l)" = 1 ] && our_lines "x$r" | grep -q "by $r rank.* search .* block"
	check $? "$r ranks: $(said "x$r")"
done
printed npy "$pearson" && our_lines npy | grep -qx 'knng: 2 of 3000 rows (0.0667 %) hold missing values or Inf: .*' &&
	our_lines npy | grep -qx 'knng: 3 of 3000 rows (0.1 %) are constant .*' && [ "$(our_lines npy | wc -l)" = 3 ]
check $? "rows without neighbours: $(said npy)"
printed gaps "$gaps" && [ "$(our_lines gaps | wc -l)" = 1 ]
check $? "missing values: $(said gaps)"
printed table "$table" && cmp -s t.knn t2.knn && [ ! -s table.err ]
check $? "a table of text: $(said table)"
printed widest "$widest" && [ "$(our_lines widest | grep -c 'k is cut from 1000 to 299')" = 1 ]
check $? "k is cut: $(said widest)"
[ -s t.mtx ] && cmp -s t.mtx mtx.out && [ ! -s mtx.err ]
check $? "the graph on standard output: $(said mtx)"
[ -s x.knn ] && cmp -s x.knn x5.knn && [ ! -s out.out ] && [ ! -s out.err ]
check $? "the graph in a file: $(said out)"
[ "$(status_of plan)" = 0 ] && [ ! -e none ] && [ ! -s plan.err ] && [ "$(wc -l <plan.out)" = 8 ] &&
	grep -q '^3000 rows of 400 single columns, k 6, by 3 ranks on 1 machine, ' plan.out &&
	grep -q 'its rows among it' plan.out &&
	grep -qx 'pairs left out by boxes? no: there are too few rows to gain' plan.out && grep -q '^disk for the checkpoint: ' plan.out
check $? "--plan: $(said plan)"
grep -q ', by 1 rank on 1 machine, ' alone.out && ! grep -q ' receives ' alone.out &&
	grep -qx 'time: about [0-9.]* s, by short searches here, scaled up' alone.out
check $? "--plan of one: $(said alone)"

# What three ranks say of themselves one process says of three, and the first one receives about so much.
timeout -k 5 "$patience" "$mpi" -t 1 -k 6 --plan --ranks 3 -C none x.fbin >imagined.out 2>imagined.err
imagined=$?
for of in plan imagined; do
	sed -e 's/ on [13] machines*, each on .*//' -e 's/memory of a rank: [^,]*//' -e 's/ -M .*//' -e '/^time/d' $of.out >$of.same
done
[ $imagined = 0 ] && [ ! -s imagined.err ] && cmp -s plan.same imagined.same &&
	grep -q 'by 3 ranks on 3 machines, each on cpu' imagined.out &&
	grep -q "^time: about .*; the network's is not in it (--network)$" imagined.out
check $? "--plan --ranks: $(cat imagined.out imagined.err)"
timeout -k 5 "$patience" "$mpi" -t 1 -k 6 --plan --ranks 3 --network 1e5 x.fbin >network.out 2>&1
seconds=$(awk '/ receives / { print ($4 + $12) * 1e4 }' network.out)
[ "$(sed -n 's/^time: about \([0-9]*\) s, .*; the network as was said$/\1/p' network.out)" = "$(printf %.0f "$seconds")" ]
check $? "--network: $seconds s, $(cat network.out)"
# Ranks that wait take over meetings of others, which then receive less: so it is one search where none moved.
for again in 1 2 3 4 5 6 7 8 9; do
	our_lines x3 | grep -q ' 0 meetings moved' && break
	begin x3 3 -k 6 -c x.fbin
	wait
done
awk -v got="$(sed -n 's/.*rank 0 received \([0-9.]*\) MB/\1/p' x3.err)" \
	-v moved="$(sed -n 's/.* \([0-9]*\) meetings* moved.*/\1/p' x3.err)" '
	/ receives / { said = 1e3 * ($4 + $12) }
	END { exit !(said > 0 && moved != "" && got > (moved == 0 ? 0.7 * said : 0) && got < 1.8 * said) }' plan.out
check $? "--plan says another traffic than there is, at try $again: $(said plan) $(said x3)"
printf '\0\341\365\5\12\0\0\0' >many.fbin # 1e8 rows of 10
truncate -s 4000000008 many.fbin
for k in 20 100; do
	timeout -k 5 "$patience" "$mpi" -t 1 -k $k -M 1e12 --plan --ranks 2 --network 1 many.fbin >"years$k.out" 2>&1
done
grep -q '^time: about [3-9][0-9][0-9] years, by ' years20.out && grep -q '^time: about more than 1000 years, by ' years100.out
check $? "--network 1: $(cat years20.out years100.out)"
rm -f many.fbin
refused=(
	'2 --ranks 3 x.fbin'
	'2 --network 1e9 x.fbin'
	'2 --plan --gpus 2 x.fbin'
	'2 --plan --ranks 0 x.fbin'
	'2 --plan --ranks 65537 x.fbin'
	'2 --plan --ranks 2 --network fast x.fbin'
	'2 --plan --ranks 2 --gpus 65 x.fbin'
	'1 --plan --ranks 2 -M 1000 x.fbin'
	'1 --plan --ranks 2 -k 6 -C x.fbin x.fbin'
)
"$mpi" --plan --ranks 2 --gpus 64 x.fbin >gpus.out 2>&1 || refused+=('1 --plan --ranks 2 --gpus 64 x.fbin')
for line in "${refused[@]}"; do
	read -ra words <<<"$line"
	said=$(timeout -k 5 "$patience" "$mpi" "${words[@]:1}" 2>&1)
	[ $? = "${words[0]}" ] && [[ "$said" =~ ^knng:[a-z]+:[a-zA-Z]+:\ [^$'\n']*$ ]] && [[ "$said" != *"'Device'"* ]]
	check $? "$line: $said"
done
begin both 2 --plan --ranks 3 x.fbin
begin nowhere 2 -k 6 -o nowhere/x.gml none.fbin
printf 'id,a,b\nx,1,2\nx,2,3\ny,5,5\n' >twice.csv
begin twice 2 -k 1 -M 1000 -f csv twice.csv
wait
[ "$(status_of nowhere)" = 1 ] && [ "$(our_lines nowhere | wc -l)" = 1 ] && our_lines nowhere | grep -q '^knng:io:open: cannot write nowhere/x.gml: '
check $? "a folder that is not there, before the data: $(said nowhere)"
[ "$(status_of twice)" = 1 ] && our_lines twice | grep -q "^knng:args:names: nodes 1 and 2 are both named 'x'"
check $? "names that the format cannot hold, before the search: $(said twice)"
[ "$(status_of both)" = 1 ] && [ "$(our_lines both | wc -l)" = 1 ] && our_lines both | grep -q '^knng:args:option: --ranks is for one process'
check $? "--ranks under mpirun: $(said both)"
least=$(sed -n 's/.* the least that would do is -M //p' fewerplan.out)
begin least 2 -t 1 -k 6 -M "${least:-0}" -c x.fbin
begin less 2 -t 1 -k 6 -M $((${least:-2} - 1)) -c x.fbin
wait
printed least "$x" && [ "$(status_of less)" = 1 ] && our_lines less | grep -q "^knng:args:maxMemory: .* at least $least: "
check $? "the least that --plan says: $(said fewerplan) $(said least) $(said less)"
grep -q 'read from the file again and again' fewerplan.out && printed fewer "$x"
check $? "rows that are not in memory: $(said fewerplan) $(said fewer)"

# ---- lists of neighbours for which memory has no room
lists=$(sum_of -t 1 -k 100 lists.fbin)
few=(-t 1 -k 100 -M 55e5)
begin nolists 2 "${few[@]}" -c lists.fbin
begin listsplan 2 "${few[@]}" --plan -C none lists.fbin
wait
[ "$(status_of nolists)" = 1 ] && our_lines nolists | grep -q '^knng:args:maxMemory: '
check $? "lists without a place for a file: $(said nolists)"
grep -q '^disk for the neighbours of each rank, while they are sought: 0.0[0-9]* GB$' listsplan.out && [ ! -e none ]
check $? "--plan of lists in files: $(said listsplan)"
timeout -k 5 "$patience" "$mpi" "${few[@]}" --plan --ranks 2 -C none lists.fbin >imagined.out 2>imagined.err
for of in listsplan imagined; do
	sed -e 's/ on [12] machines*, each on .*//' -e 's/memory of a rank: [^,]*//' -e 's/ -M .*//' -e '/^time/d' $of.out >$of.same
done
[ ! -s imagined.err ] && cmp -s listsplan.same imagined.same
check $? "--plan --ranks of lists in files: $(cat imagined.out imagined.err)"
least=$(sed -n 's/.* the least that would do is -M //p' listsplan.out)
begin lists 3 "${few[@]}" -C lists.kept -c lists.fbin
begin leastlists 2 -t 1 -k 100 -M "${least:-0}" -C least.kept -c lists.fbin
begin lesslists 2 -t 1 -k 100 -M $((${least:-2} - 1)) -C less.kept -c lists.fbin
wait
printed lists "$lists" && [ -z "$(find . -name '.knng-*')" ]
check $? "lists in files: $(said lists)"
printed leastlists "$lists" && [ "$(status_of lesslists)" = 1 ] && our_lines lesslists | grep -q "^knng:args:maxMemory: .* at least $least: "
check $? "the least that --plan says of them: $(said leastlists) $(said lesslists)"
begin listsagain 2 "${few[@]}" -C lists.kept -c lists.fbin
wait
printed listsagain "$lists" && our_lines listsagain | grep -q 'went on from 100.0 % in lists.kept'
check $? "going on with lists in files: $(said listsagain)"
if "$knng" -q -t 1 -k 100 -o lists.h5 lists.fbin 2>/dev/null; then # where there is HDF5
	begin listsout 2 -q "${few[@]}" -o lists2.h5 lists.fbin
	wait
	[ "$(status_of listsout)" = 0 ] && cmp -s lists.h5 lists2.h5
	check $? "lists in files beside the graph: $(said listsout)"
fi
rm -rf lists.kept least.kept lists.h5 lists2.h5

# ---- without mpirun
"$mpi" --help >help.out 2>help.err && [ ! -s help.err ] && grep -q '^usage: mpirun -n 4 knng-mpi ' help.out &&
	grep -q -e '--deadline' help.out && ! grep -q '.\{80\}' help.out
check $? "--help: $(head -c 300 help.out help.err)"
[ "$("$mpi" --version 2>&1)" = "knng-mpi ${version:=$("$knng" --version | cut -d ' ' -f 2)}" ] && [ -n "$version" ]
check $? "--version: $("$mpi" --version 2>&1)"
said=$(timeout -k 5 "$patience" "$mpi" -q -k 6 -c x.fbin 2>&1)
[ "${#x}" = 64 ] && [ "$said" = "$x" ]
check $? "a rank alone, without mpirun: $said"

# ---- errors: one line, which is that of knng where knng has the option, from however many ranks
wrong=(
	'2 -k 0 x.fbin'
	'2 -m perason x.fbin'
	'2 --neighbors 3 x.fbin'
	'2 -k'
	'2 x.fbin t.csv'
	'2 -o out.foo x.fbin'
	'2 -f knn -o x.fbin x.fbin'
	'1 missing.fbin'
	'1 empty.fbin'
	'1 short.fbin'
	'1 short.csv'
	'1 -q -k 6 -o nowhere/x.knn x.fbin'
	'1 -k 6 -C x.knn x.fbin'
	'2 --deadline 0 x.fbin'
	'1 -M 1000 x.fbin'
	'1 -M 1000 t.csv'
)
for i in "${!wrong[@]}"; do
	read -ra words <<<"${wrong[i]}"
	begin "wrong$i" $((i % 3 * 2 + 1)) "${words[@]:1}"
	[ $((i % 8)) != 7 ] || wait
done
wait
for i in "${!wrong[@]}"; do
	read -ra words <<<"${wrong[i]}"
	line=$("$knng" "${words[@]:1}" 2>&1 >/dev/null)
	[[ "${words[*]}" != *deadline* ]] || line="knng:args:option: --deadline is '0', expected a number of seconds from 2 on"
	line=${line/see knng --help/see knng-mpi --help}
	[[ "${words[*]}" != *1000* ]] || line=$(grep -ax 'knng:args:maxMemory: -M is 1000 bytes, and each of [135] ranks needs at least [0-9]*: .*' "wrong$i.err")
	[ "$(status_of "wrong$i")" = "${words[0]}" ] && [ ! -s "wrong$i.out" ] && [ -n "$line" ] &&
		[ "$(our_lines "wrong$i" | sed 's/ (rank [0-9]*, on .*)$//')" = "$line" ]
	check $? "${wrong[i]}, $((i % 3 * 2 + 1)) ranks: $(said "wrong$i"), expected $line"
done
ls nowhere out.foo >/dev/null 2>&1
[ $? != 0 ] && cmp -s x.knn x5.knn
check $? "an error leaves a file: $(ls)"

# ---- checkpoints, which both programs go on from
long=$(sum_of -k 6 -m cityblock long.fbin)
options=(-t 1 -k 6 -m cityblock --save-every 1e-3 -c -o long.knn)
# No job ends before its signal comes, however fast it is and however slow what sends it (tests/fakes/hold.c).
said=$(${CC:-cc} -shared -fPIC -o hold.so "$root/tests/fakes/hold.c" -ldl 2>&1)
check $? "a library: $said"
held() { # NAME RANKS ARGUMENTS...  as begin; returns when something is saved
	KNNG_HOLD=$1.go LD_PRELOAD=$work/hold.so begin "$@"
	wait_for "$patience" has_saved "$1" "$folder"
}
# Stops a job by USR1 once something is saved: status 75, one line that says so, no graph.
stops() { # NAME RANKS FOLDER
	local to=mpirun folder=$3
	[ "$2" != 0 ] || to=knng
	rm -f long.knn
	held "$1" "$2" "${options[@]}" -C "$3" long.fbin
	for process in $(processes "$to"); do
		kill -USR1 "$process" 2>/dev/null
	done
	wait "$pid"
	[ "$(status_of "$1")" = 75 ] && [ ! -s "$1.out" ] && [ ! -e long.knn ] &&
		[ "$(our_lines "$1" | grep -cx "knng:interrupted: stopped by SIGUSR1; [0-9.]* % of the work is saved in $3, .*")" = 1 ] &&
		[ "$(our_lines "$1" | grep -c 'knng:')" = "$(our_lines "$1" | grep -cE 'knng: (goes on from )?[0-9.]+ %|knng:interrupted')" ]
	check $? "USR1: $1: $(said "$1")"
}
goes_on() { # NAME RANKS FOLDER
	begin "$1" "$2" "${options[@]}" -C "$3" long.fbin
	wait "$pid"
	printed "$1" "$long" && our_lines "$1" | grep -q "went on from [0-9.]* % in $3" &&
		[[ "$(our_lines "$1" | grep -v 'processors here' | head -n 2)" =~ ^knng:\ goes\ on\ from\ ([0-9.]*)\ %\ in\ $3$'\n'knng:\ ([0-9.]*)\ %$ ]] &&
		[ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ]
	check $? "going on: $1: $(said "$1")"
}
stops three 3 a
stops two 2 a
goes_on five 5 a
goes_on single 0 a
stops one 0 b # eight blocks
goes_on twelve 12 b
stops pair 2 c
goes_on one2 0 c

# Two jobs on a folder: the second is refused, whichever program it is.
rm -rf d
folder=d held first 2 "${options[@]}" -C d long.fbin
stopped=$(processes knng-mpi)
for process in $stopped; do
	kill -STOP "$process"
done
for r in 2 0; do
	begin "second$r" "$r" "${options[@]}" -C d long.fbin
done
for r in 2 0; do
	wait_for "$patience" ended "second$r"
	[ "$(status_of "second$r")" = 1 ] && [ "$(our_lines "second$r" | wc -l)" = 1 ] &&
		our_lines "second$r" | grep -q '^knng:checkpoint:busy: '
	check $? "two jobs on a folder: $(said "second$r")"
done
for process in $stopped; do
	kill -CONT "$process"
done
touch first.go
wait_for "$patience" ended first
printed first "$long"
check $? "the first of two jobs: $(said first)"

# Another search, other rows, a file that is damaged, and one that is lost.
"$knng" -q -c -k 6 -C e x.fbin >e.out
begin other 3 -k 6 -m cosine -C e -c x.fbin
wait_for "$patience" ended other
[ "$(status_of other)" = 1 ] && [ "$(our_lines other | wc -l)" = 1 ] && our_lines other | grep -q '^knng:checkpoint:other: '
check $? "another metric: $(said other)"
cp x.fbin y.fbin
printf '\001' | dd of=y.fbin bs=1 seek=3000000 conv=notrunc 2>/dev/null
begin rows 3 -k 6 -C e -c y.fbin
wait_for "$patience" ended rows
[ "$(status_of rows)" = 1 ] && [ "$(our_lines rows | wc -l)" = 1 ] && our_lines rows | grep -q '^knng:checkpoint:data: '
check $? "other rows: $(said rows)"
block=(e/block-*.knng)
for at in 100 5000 9000 20000; do # both of its states
	printf '\125\252' | dd of="${block[2]}" bs=1 seek=$at conv=notrunc 2>/dev/null
done
rm "${block[4]}"
begin damaged 3 -k 6 -C e -c x.fbin
wait_for "$patience" ended damaged
printed damaged "$x" && [[ "$(our_lines damaged)" =~ went\ on\ from\ [0-9][0-9]\.. ]]
check $? "a damaged file and a lost one: $(said damaged)"

[ -z "$(jobs_left)" ]
check $? "still running: $(ps -o args= -p "$(jobs_left | paste -sd,)" 2>/dev/null)"
finish
