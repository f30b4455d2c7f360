% bench_searcher.m  Times searches of a searcher against the same ones without, for one query and for many.
%
% octave-cli --path . bench/bench_searcher.m; a million rows, or BENCH_ROWS. One thread. A time is the wall time of a whole
% call, the median of seven, of those from 0.2 s on of three; the queries of each call are new ones. It is an error if the
% answers differ. Prints a table in Markdown.
1;

function [t, out] = median_time (f, Y)
  t = [];
  while (numel (t) < 7 && ~(numel (t) >= 3 && median (t) > 0.2))
    clock = tic ();
    [idx, dist, info] = f (Y + 1e-3 * numel (t));
    t(end+1) = toc (clock);
  end
  out = {idx, dist, info};
  t = median (t);
end

function text = shown (s)
  if (s < 0.01)
    text = sprintf ('%.2g ms', 1e3 * s);
  elseif (s < 1)
    text = sprintf ('%.0f ms', 1e3 * s);
  else
    text = sprintf ('%.3g s', s);
  end
end

function go (name, X, draw)
  one = {'Threads', 1};
  ns = knng.createns (X, one{:}, 'Device', 'cpu');
  knng.release (ns);                       % memory is new to the process only once
  clock = tic ();
  ns = knng.createns (X, one{:}, 'Device', 'cpu');
  made = toc (clock);
  for m = [1, 100, 1000]
    Y = draw (m);
    [t, a] = median_time (@(Y) knng.knnsearch (ns, Y, 'K', 10, one{:}), Y);
    [b{1:3}] = knng.knnsearch (X, Y, 'K', 10, one{:}, 'Device', 'cpu');
    [i, d] = knng.knnsearch (ns, Y, 'K', 10, one{:});
    if (~isequal (i, b{1}) || ~isequal (d, b{2}))
      error ('bench_searcher: %s: the results differ', name);
    end
    [without, b] = median_time (@(Y) knng.knnsearch (X, Y, 'K', 10, one{:}, 'Device', 'cpu'), Y);
    printf ('| %s | %d | %s | %.2f GB | %d | %s | %s | %.3g |\n', name, columns (X), shown (made), ns.bytes / 1e9, m, shown (t), ...
            shown (without), without / t);
    fflush (stdout);
  end
end

n = str2double (getenv ('BENCH_ROWS'));
if (isnan (n))
  n = 1e6;
end
rand ('twister', 1);
randn ('twister', 1);
printf ('| data | d | knng.createns | holds | queries | of a searcher | of a matrix | ratio |\n');
printf ('| --- | --- | --- | --- | --- | --- | --- | --- |\n');
go ('normal', randn (n, 3), @(m) randn (m, 3));
go ('normal', randn (n, 16), @(m) randn (m, 16));
centres = 20 * randn (n / 1000, 50);
draw = @(m) randn (m, 50) + centres(ceil (n / 1000 * rand (m, 1)), :);
go ('clusters of 1 000 rows', draw (n), draw);
go ('uniform, single', rand (n, 128, 'single'), @(m) rand (m, 128, 'single'));
