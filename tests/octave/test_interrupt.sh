#!/usr/bin/env bash
# test_interrupt.sh  Ctrl-C during a search or a call of any gateway: knng:interrupted within a second, nothing kept, and
# the session goes on. SIGTERM and SIGHUP stop a search likewise, and then end Octave in its own way.
#
# Octave sends the signal to itself through a process that sleeps first. The second is one of processor time, since the
# machine may be busy. The data is large enough for many seconds on two cores, and more are not used;
# KNNG_INTERRUPT_ROWS sets another number of rows; KNNG_ALL: more signals. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# later DELAY PID STAMP  Sends SIGINT to Octave after some seconds, when it is in a gateway: only there SIGINT is not
# blocked (core/base/signals.c). On a busy machine it may come there later. Notes what Octave had done until then.
cat >"$work/later" <<'SH'
sleep "$1"
while kill -0 "$2" && ! grep -q '^SigBlk:.*[014589cd]$' "/proc/$2/status"; do sleep 0.01; done
read -r line <"/proc/$2/stat"
kill -INT "$2"
echo "$line" >"$3.now"
mv "$3.now" "$3"
SH
export LATER=$work/later
cat >"$work/later.m" <<'OCTAVE'
function later (delay, stamp)
  if exist (stamp, 'file')
    delete (stamp);
  end
  system (sprintf ('sh "%s" %g %d "%s" </dev/null >/dev/null 2>&1 &', getenv ('LATER'), delay, getpid (), stamp));
end
OCTAVE
cat >"$work/since.m" <<'OCTAVE'
function seconds = since (stamp)
  % Processor time since the signal; Inf where a minute has passed, which is no work.
  ended = time ();
  line = fileread ('/proc/self/stat');
  while ! exist (stamp, 'file')   % it is written after the signal
    pause (0.01);
  end
  seconds = (ticks (line) - ticks (fileread (stamp))) / 100;
  if ended - stat (stamp).mtime > 60
    seconds = Inf;
  end
end
function n = ticks (line)
  numbers = sscanf (line(rindex (line, ')') + 3:end), '%f');
  n = sum (numbers(11:12));       % utime and stime, of all threads
end
OCTAVE

cat >"$work/interrupt.m" <<'OCTAVE'
1;

function check (ok, what)
  if ok
    printf ('pass %s\n', what);
  else
    printf ('FAIL %s\n', what);
  end
end

function bytes = resident ()
  % What the process holds now, in bytes.
  pages = sscanf (fileread ('/proc/self/statm'), '%f');
  bytes = 4096 * pages(2);
end

function interrupted (label, delay, stamp, f)
  % One search that has to end with knng:interrupted, and a small one that has to be right.
  id = 'no error';
  later (delay, stamp);
  try
    f ();
  catch err
    id = err.identifier;
  end
  if strcmp (id, 'no error')
    printf ('FAIL %s: it had ended before the signal came; set KNNG_INTERRUPT_ROWS higher\n', label);
    exit (1);
  end
  spent = since (stamp);
  check (strcmp (id, 'knng:interrupted'), sprintf ('%s: identifier %s', label, id));
  check (spent < 1, sprintf ('%s: %.2f s of processor time after the signal', label, spent));
  [idx, dist] = knngraph ([0; 1; 3; 8], 2);
  check (isequal (idx, [2 3; 1 3; 2 1; 3 2]) && isequal (dist, [1 3; 1 2; 2 3; 5 7]), [label ': the next graph']);
end

stamp = fullfile (getenv ('KNNG_INTERRUPT_DIR'), 'stamp');
rows = str2double (getenv ('KNNG_INTERRUPT_ROWS'));
if isnan (rows)
  rows = 60000;
end
rand ('twister', 7);
X = rand (rows, 512);
knngraph (X(1:500, :), 10, 'pearson');

two = {'Device', 'cpu', 'Threads', 2};
pearson = @() knngraph (X, 10, 'pearson', two{:});
interrupted ('pearson, after 1 s', 1, stamp, pearson);
interrupted ('pearson, after 0.05 s', 0.05, stamp, pearson);
interrupted ('pearson, after 0.4 s', 0.4, stamp, pearson);
interrupted ('one thread', 0.5, stamp, @() knngraph (X, 10, 'pearson', 'Device', 'cpu', 'Threads', 1));
numbers = fullfile (getenv ('KNNG_INTERRUPT_DIR'), 'numbers.fbin');
f = fopen (numbers, 'w');
fwrite (f, size (X), 'uint32');
fwrite (f, X', 'single');
fclose (f);
interrupted ('a file in blocks', 0.5, stamp, @() knngraph (numbers, 10, 'pearson', two{:}, 'MaxMemory', 1e8));
delete (numbers);
interrupted ('cityblock', 0.5, stamp, @() knngraph (X, 10, 'cityblock', two{:}));
interrupted ('spearman', 0.5, stamp, @() knngraph (X, 10, 'spearman', two{:}));
interrupted ('search', 0.5, stamp, @() knng.knnsearch (X, X(1:2:end, :), 'K', 10, two{:}));
before = knng.searchers ();
interrupted ('a searcher', 0.3, stamp, @() knng.createns (X, 'Distance', 'spearman', 'Threads', 1));
check (isequal (knng.searchers (), before), 'a searcher: none is left');
ns = knng.createns (X, 'Prune', 'off');
interrupted ('a search of a searcher', 0.5, stamp, @() knng.knnsearch (ns, X(1:2:end, :) + 1e-3, 'K', 10, 'Threads', 1));
check (isequal (knng.knnsearch (ns, X(7:9, :)), [7; 8; 9]), 'a search of a searcher: the next one');
clear ns
check (isequal (knng.searchers (), before), 'a search of a searcher: nothing is left');
interrupted ('large k', 0.7, stamp, @() knngraph (X, 300, 'pearson', two{:}));
interrupted ('verify', 0.5, stamp, @() knng.verify (X, 'pearson', ones (rows, 10), ones (rows, 10), 'Sample', Inf, two{3:4}));
interrupted ('an offset', 0.7, stamp, @() knngraph (X + 1e9, 10, 'euclidean', two{:}));
for part = 1:3   % what is lost grows in each, and the allocator comes to rest in one
  before = resident ();
  for i = 1:6
    interrupted (sprintf ('pearson, repeated %d', i), 0.05 * i, stamp, pearson);
  end
  grown = resident () - before;
  if grown < 2 ^ 23
    break
  end
end
check (grown < 2 ^ 23, sprintf ('memory has grown by %.1f MiB', grown / 2 ^ 20));

% Outside a search Ctrl-C is Octave's own again.
start = time ();
unwind_protect
  system (sprintf ('(sleep 0.5; kill -INT %d) </dev/null >/dev/null 2>&1 &', getpid ()));
  pause (600);                    % or as long as a busy machine takes to send it
unwind_protect_cleanup
  check (time () - start < 500, 'Octave has its own handler back');
  disp ('end');
end_unwind_protect
OCTAVE

KNNG_INTERRUPT_DIR=$work octave-cli --norc -H -q --path "$root" --path "$work" "$work/interrupt.m" </dev/null >"$work/out" 2>"$work/err"
rc=$?
passed=$(grep -c '^pass ' "$work/out")
failed=$(grep -c '^FAIL ' "$work/out")
if [ "$(tail -n 1 "$work/out")" != end ]; then
	echo "FAIL Octave did not come to the end (status $rc)"
	failed=$((failed + 1))
	cat "$work/err"
fi
grep -v '^end$' "$work/out"

# One that comes while a short call begins or ends stops the loop around it; each try is a session. It is lost if the
# loop goes on for long after it was sent.
cat >"$work/short.m" <<'OCTAVE'
X = rand (1000, 20);
knng.mink (X, 5);
stamp = getenv ('STAMP');
system (sprintf ('(sleep 0.%03d; kill -INT %d; >"%s") </dev/null >/dev/null 2>&1 &', str2double (getenv ('TRY')), getpid (), stamp));
sent = Inf;
while cputime () - sent < 2
  for i = 1:100
    v = knng.mink (X, 5);
  end
  if isinf (sent) && exist (stamp, 'file')
    sent = cputime ();
  end
end
disp ('lost');
OCTAVE
lost=0 tries=0 step=14
[ -z "${KNNG_ALL:-}" ] || step=7
for try in $(seq 101 $step 220); do
	tries=$((tries + 1))
	TRY=$try STAMP=$work/sent$try octave-cli --norc -H -q --path "$root" "$work/short.m" </dev/null 2>/dev/null | grep -q lost && lost=$((lost + 1))
done
if [ "$lost" = 0 ]; then
	echo "pass short calls in a loop: none of $tries signals was lost"
	passed=$((passed + 1))
else
	echo "FAIL short calls in a loop: $lost of $tries signals were lost"
	failed=$((failed + 1))
fi

judge() { # LABEL STATUS NOTE
	if [ "$2" = 0 ]; then
		echo "pass $1"
		passed=$((passed + 1))
	else
		echo "FAIL $1: $3"
		failed=$((failed + 1))
	fi
}

# Every gateway, called again and again until the signal comes, since some take less than a second. A signal that comes
# between two calls is Octave's, and ends the session: then again, from that gateway on, in another one.
cat >"$work/gateway.m" <<'OCTAVE'
rand ('twister', 1);
n = 20000;
k = 100;
how = struct ('Threads', 2, 'Progress', 'off');
idx = 1 + mod (bsxfun (@plus, (1:n)' * 7919, cumsum (floor (rand (n, k) * 150) + 1, 2)), n);
dist = rand (n, k);
for gateway = strsplit (getenv ('GATEWAYS'), ';')
  switch gateway{1}
    case 'adjacency'
      f = @() knng.internal.adjacency (idx, dist, 'jaccard', 'union', '', 0, 1, 1, how);
    case 'adjacency, plain'
      f = @() knng.internal.adjacency (idx, dist, how);
    case 'trim'
      A = knng.internal.adjacency (idx, dist);
      f = @() knng.internal.adjacency (A, 50, how);
    case 'tree'
      A = knng.internal.adjacency (idx, dist);
      f = @() cell (5, 1)(isempty (knng.internal.forest ('tree', A, [], [], how)));
    case 'clusters'
      A = knng.internal.adjacency (idx, dist);
      [i, j, d] = knng.internal.forest ('tree', A, [], []);
      f = @() knng.internal.forest ('clusters', A, i, j, d, 5, how);
    case 'leaforder'
      D = abs (bsxfun (@minus, (1:3000)', 1:3000)) + 1;
      f = @() knng.internal.leaforder (D, how);
    case 'spmv'
      A = knng.internal.adjacency (idx, dist);
      A = [A, A, A, A, A, A, A, A];
      f = @() knng.internal.spmv (A, ones (n, 1), how);
    case 'topk'
      A = rand (1e7, 1);
      f = @() knng.internal.topk (0, A, 1e5, [], 'auto', 'cpu', how);
    case 'checksum'
      f = @() knng.internal.checksum (idx, dist, how);
    case 'duplicates'
      X = rand (2e5, 20);
      f = @() knng.internal.duplicates (X, 'euclidean', how);
    case 'silhouette'
      X = rand (n, 20);
      f = @() knng.internal.silhouette (X, 'euclidean', 1 + mod ((1:n)', 7), how);
    case 'kmeans'
      X = rand (n, 40);
      f = @() knng.internal.kmeans (X, 'sqeuclidean', 200, X(1:200, :), [], 1e6, 0, 0, 0, how);
    case 'kmedoids'
      X = rand (n, 20);
      f = @() knng.internal.kmedoids (X, 'euclidean', 50, 0, knng.internal.random (1, 50), 100, 2e7, how);
    case 'umap'
      A = knng.internal.adjacency (idx, dist);
      f = @() knng.internal.umap ('layout', A + A', rand (2, n), 1.5, 0.9, 10, 5, 1, 0, how);
    case 'tsne'
      A = knng.internal.adjacency (idx, dist);
      A = A + A';
      f = @() knng.internal.tsne ('layout', A / sum (nonzeros (A)), rand (2, n), 5, 1, 12, 1, 0.5, how);
    case 'rangesearch'
      X = rand (2 * n, 40);
      f = @() knng.internal.search ('rangegraph', X, 1.7, how);
    case 'rangesearch, boxes'
      X = rand (10 * n, 3);
      f = @() knng.internal.search ('rangematrix', X, 0.03, how);
    case 'spanning'
      X = rand (2 * n, 8) + 9 * mod ((1:2*n)', 2);
      [near, far] = knngraph (X, 2);
      f = @() knng.internal.spanning (X, 'euclidean', near, far, [], 'on', 0, 0, how);
    case 'impute'
      X = rand (4000, 100);
      X(1:37:end) = NaN;
      f = @() knng.internal.impute (X, 'euclidean', 10, 0, [], 0, [], [], how);
    case 'metafeatures'
      X = rand (1000, 40);
      f = @() knng.internal.metafeatures (X, [1 2 3], [], how);
  end
  stamp = getenv ('STAMP');
  said = 'no error';
  later (0.3, stamp);
  start = time ();
  try
    while time () - start < 200
      f ();
    end
  catch err
    said = sprintf ('%s %d', err.identifier, since (stamp) < 1);
  end
  printf ('%s=%s\n', gateway{1}, said);
  fflush (stdout);
end
OCTAVE
left=(adjacency 'adjacency, plain' trim tree clusters leaforder spmv topk checksum duplicates silhouette kmeans kmedoids umap tsne impute metafeatures
	rangesearch 'rangesearch, boxes' spanning)
declare -A tried=()
while [ ${#left[@]} != 0 ]; do
	rm -f "$work/stamp"
	said=$(GATEWAYS=$(IFS=';' && echo "${left[*]}") STAMP=$work/stamp octave-cli --norc -H -q --path "$root" --path "$work" "$work/gateway.m" </dev/null 2>&1)
	again=() ended=
	for gateway in "${left[@]}"; do
		heard=$(grep "^$gateway=" <<<"$said")
		heard=${heard#*=}
		if [ "$heard" != 'knng:interrupted 1' ] && [ -n "$ended" ]; then # it had no turn
			again+=("$gateway")
			continue
		fi
		[ -n "$heard" ] || { ended=yes && heard=$said; }
		tried[$gateway]=$((${tried[$gateway]:-0} + 1))
		if [ "$heard" != 'knng:interrupted 1' ] && [ "${tried[$gateway]}" -lt 8 ]; then
			again+=("$gateway")
			continue
		fi
		[ "$heard" = 'knng:interrupted 1' ]
		judge "Ctrl-C in $gateway" $? "$heard"
	done
	left=("${again[@]}")
done

# SIGTERM and SIGHUP, with progress into a file: the search stops, and Octave ends as it does without one.
cat >"$work/end.m" <<'OCTAVE'
sigterm_dumps_octave_core (false);
sighup_dumps_octave_core (false);
rand ('twister', 1);
X = rand (200000, 60);
knngraph (X(1:100, :), 3);
system (sprintf (['(until grep -q "^knng: filter" "%s" || ! kill -0 %d; do sleep 0.1; done; kill -%s %d) </dev/null ' ...
                  '>/dev/null 2>&1 &'], getenv ('SAID'), getpid (), getenv ('SIGNAL'), getpid ()));
try
  knngraph (X, 10, 'spearman', 'Device', 'cpu', 'Threads', 2, 'Progress', 'on');
  disp ('finished');
catch err
  disp (err.message);
end
pause (3);
disp ('went on');
OCTAVE
ends() { # SIGNAL STATUS TEXT  of Octave without a search
	: >"$work/out"
	SAID=$work/out SIGNAL=$1 octave-cli --norc -H -q --path "$root" "$work/end.m" </dev/null >"$work/out" 2>"$work/err"
	local rc=$?
	[ "$rc" = "$2" ] && grep -q "$3" "$work/err" && grep -q '^knng: ' "$work/out" && ! grep -q 'finished\|went on' "$work/out"
	judge "SIG$1 during a search" $? "status $rc: $(tail -n 2 "$work/out" "$work/err")"
}
for _ in 1 ${KNNG_ALL:+2 3}; do
	ends TERM 1 'caught signal Terminated'
done
ends HUP 1 'caught signal Hangup'

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
