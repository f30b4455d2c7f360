function X = made_up (kind, n, d)
%MADE_UP  Rows for benchmarks: 'clusters' of a thousand rows each, or a 'swiss roll', a sheet that lies rolled up in d columns.

  if (strcmp (kind, 'clusters'))
    centres = 20 * randn (n / 1000, d);
    X = randn (n, d) + centres(ceil (n / 1000 * rand (n, 1)), :);
  else
    t = 10 * rand (n, 1);
    X = [t .* cos(t), t .* sin(t), 10 * rand(n, 1)] * randn (3, d) + 0.01 * randn (n, d);
  end
end
