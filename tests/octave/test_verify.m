function nfail = test_verify ()
%TEST_VERIFY  What is right is found right, with every metric, and what is wrong is found: one bit, and all that no
%   data could give.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@every_metric, @matrix, @stored_in_single, @one_bit, @impossible_tables, @wrong_metric};
nfail = run_checks (checks);
end

function every_metric ()
% Every metric, double and single, graph and queries, k as large as it gets.
[X, Y] = rows_of_all_kinds ();
table = knng.internal.search ('metrics');
metrics = [{table.name}, setdiff({table.alias}, {''})];
warning ('off', 'all', 'local');
for data = {X, single(X)}
  for i = 1:numel (metrics)
    for k = [1 4 59]
      [idx, dist] = knngraph (data{1}, k, metrics{i});
      assert (knng.verify (data{1}, upper (metrics{i}), idx, dist));
      [idx, dist] = knng.knnsearch (data{1}, Y, 'K', k, 'Distance', metrics{i});
      assert (knng.verify (data{1}, metrics{i}, idx, dist, 'Queries', Y));
    end
  end
end
end

function matrix ()
% The matrix.
X = rows_of_all_kinds ();
warning ('off', 'all', 'local');
A = knngraph (X, 5);
assert (knng.verify (X, 'euclidean', A, 'Sample', 60));
A(5, find (A(5, :), 1)) *= 1 + eps;
assert (! knng.verify (X, 'euclidean', A, 'Sample', 60));
end

function stored_in_single ()
% A double graph that was stored in single is still right.
X = rows_of_all_kinds ();
warning ('off', 'all', 'local');
[idx, dist] = knngraph (X, 5);
assert (knng.verify (X, 'euclidean', idx, single (dist)));
end

function one_bit ()
% One bit, wherever it is.
X = rows_of_all_kinds ();
warning ('off', 'all', 'local');
[idx, dist] = knngraph (X, 3);
for e = [1 59 61 180]
  wrong = dist;
  wrong(e) = wrong(e) + eps (wrong(e));
  [ok, report] = knng.verify (X, 'euclidean', idx, wrong);
  assert (ok, false);
  assert (report.rows, mod (e - 1, 60) + 1);
end
end

function impossible_tables ()
% What no data could give.
X = rows_of_all_kinds ();
warning ('off', 'all', 'local');
[idx, dist] = knngraph (X, 3);
wrong = {'a row is its own', 9, 2, 9, 1; 'twice', 4, 2, idx(4, 1), dist(4, 2); 'no row of X', 5, 1, 61, dist(5, 1); ...
         'no row of X', 5, 1, 1.5, dist(5, 1); 'no row of X', 5, 1, NaN, 1; 'no row of X', 5, 1, -1, 1; ...
         'after index 0', 6, 1, 0, NaN; 'has a distance', 11, 3, 0, 1; 'negative or NaN', 8, 1, idx(8, 1), NaN; ...
         'negative or NaN', 8, 1, idx(8, 1), -1; 'ascend', 8, 3, idx(8, 3), dist(8, 1) / 2};
for i = 1:size (wrong, 1)
  [text, row, c, j, d] = wrong{i, :};
  idx2 = idx;
  dist2 = dist;
  idx2(row, c) = j;
  dist2(row, c) = d;
  [ok, report] = knng.verify (X, 'euclidean', idx2, dist2, 'Sample', 1, 'Seed', 3);
  assert (ok, false);
  assert (report.malformed, row);
  assert (~isempty (strfind (report.why, text)), report.why);
end
[ok, report] = knng.verify ([0; 1; -1], 'euclidean', [3 2; 1 3; 1 2], [1 1; 1 2; 1 2]);
assert (report.why, 'equal distances are not in order of the index');
end

function wrong_metric ()
% A graph of the wrong metric, and what is printed.
X = rows_of_all_kinds ();
warning ('off', 'all', 'local');
[idx, dist] = knngraph (X, 3, 'cosine');
[ok, report] = knng.verify (X, 'pearson', idx, dist);
assert (ok, false);
assert (numel (report.examples), 5);
text = evalc ("knng.verify (X, 'pearson', idx, dist, 'Sample', 10)");
assert (~isempty (strfind (text, '10 of 60 rows computed again (seed 0')));
assert (~isempty (regexp (text, 'row \d+: neighbour \d is row', 'once')));
text = evalc ("knng.verify ([0; 0; 1], 'euclidean', [2; 1; 1], [-0; 0; 1])");
assert (~isempty (strfind (text, 'row 1: neighbour 1 is row 2 at 0, not row 2 at -0')), text);
end

function [X, Y] = rows_of_all_kinds ()
% X has equal rows, a row with NaN and constant ones; Y has some rows of X and some new ones.
X = reshape (mod ((1:60*7) * 7919, 101), 60, 7);
X(7, :) = X(3, :);
X(11, 2) = NaN;
X(12, :) = 5;
X(13, :) = 0;
Y = [X(5:13, :); X(20:30, :) + 0.5];
end
