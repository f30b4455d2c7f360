#!/usr/bin/env bash
# test_progress.sh  The line that long searches show: on a terminal alone unless asked for, and gone when they end.
#
# script(1) is the terminal. The data is large enough for more than the 3 seconds after which 'auto' shows anything;
# KNNG_PROGRESS_ROWS sets a larger number of rows. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

cat >"$work/searches.m" <<'OCTAVE'
1;
function searches (large, small, tiny)
  options = {'Device', 'cpu', 'Threads', 1, 'Progress'};
  puts ("A");
  [idx, dist, info] = knngraph (large, 10, 'pearson', options{:}, 'auto');
  puts ("B");
  knngraph (tiny, 10, 'pearson', options{:}, 'auto');       # below 3 seconds however busy the machine is
  if (isempty (getenv ('KNNG_PROGRESS_PIPE')))
    knngraph (large, 10, 'pearson', options{:}, 'off');
  end
  puts ("C");
  knngraph (small, 10, 'pearson', options{:}, 'on');
  printf ("D\nit took %.0f s\n", info.seconds.total);
  if (info.seconds.total > 4)
    puts ("long enough\n");
  end
end
% As many rows as take 8 seconds or less here, by processor time, since the machine may be busy.
X = rand (12000, 512);
start = cputime ();
knngraph (X, 10, 'pearson', 'Device', 'cpu', 'Threads', 1, 'Progress', 'off');
rows = min (60000, round (12000 * sqrt (8 / (cputime () - start))));
X = rand (max ([rows, str2double(getenv ('KNNG_PROGRESS_ROWS'))]), 512);
diary (fullfile (getenv ('KNNG_PROGRESS_DIR'), 'diary'));
searches (X, X(1:12000, :), X(1:1000, :));
diary off
OCTAVE

check() { # what, command...
	local what=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $what"
	fi
}

# between FILE A B  what was printed from A to B.
between() {
	tr -d '\n' <"$1" | grep -oaP "$2\K[^A-D]*(?=$3)" || true
}

# Of a machine that other work slows down at first more is said to be left than is so: up to ten times what it took.
sane() { # percentages of the filter rise, and the time left falls
	local took
	took=$(sed -n 's/^it took \([0-9]*\) s.*/\1/p' "$work/terminal")
	between "$work/terminal" A B | tr '\r' '\n' | grep -aoP 'filter \K[0-9]+ %, [0-9a-z ]+ left, then refine' |
		awk -v took="$took" 'function seconds(i,   s) {
				for (s = 0; $i != "left,"; i += 2)
					s += $i * ($(i + 1) == "h" ? 3600 : $(i + 1) == "min" ? 60 : 1)
				return s
			}
			{ n++; bad += $1 < percent || $1 > 100; percent = $1; last = seconds(3); if (n == 1) first = last }
			END { exit !(n >= 2 && !bad && first > 0 && first < 10 * took && last < first) }'
}

export KNNG_PROGRESS_DIR=$work
octave=(octave-cli --norc -H -q --path "$PWD" "$work/searches.m")
script -qec "${octave[*]@Q}" /dev/null </dev/null >"$work/terminal" 2>&1
check 'the searches are long enough (KNNG_PROGRESS_ROWS)' grep -q 'long enough' "$work/terminal"
check 'percentages rise and the time left falls' sane
check 'the line is rewritten' test "$(between "$work/terminal" A B | tr -cd '\r' | wc -c)" -ge 4
check 'the line is cleared' grep -qaP '\r {40,}\rB' "$work/terminal"
check 'a short search and an unwatched one show nothing' test -z "$(between "$work/terminal" B C)"
check "'on' shows a short search" grep -qaP 'C\rknng: \w+ [0-9]+ %.*\r {40,}\rD' "$work/terminal"
check 'the diary has none of it' test "$(grep -ac knng: "$work/diary")" = 0
rm -f "$work/diary"

KNNG_PROGRESS_PIPE=1 "${octave[@]}" </dev/null >"$work/pipe" 2>&1
check 'the searches are long enough, unwatched' grep -q 'long enough' "$work/pipe"
check 'nothing where there is no terminal' test -z "$(between "$work/pipe" A C)"
check "but with 'on'" grep -qaP 'Cknng: \w+ [0-9]+ %$' "$work/pipe"

[ "$failed" = 0 ] || { cat -v "$work/terminal"; cat -v "$work/pipe"; }
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
