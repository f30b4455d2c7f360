function X = made_up (kind, n, d)
%MADE_UP  Rows for benchmarks: 'clusters' of a thousand rows each; a 'swiss roll', a sheet that lies rolled up in d columns;
%   30 kinds of 'cells', whose columns spread less and less; 'records' like those of a network, a few of whose columns
%   have long tails, while the others are the same in most rows of a kind; or images of four 'spots' each, square, of
%   any place, width and height, and a little noise.

  switch (kind)
    case 'clusters'
      centres = 20 * randn (n / 1000, d);
      X = randn (n, d) + centres(ceil (n / 1000 * rand (n, 1)), :);
    case 'cells'
      kinds = 4 * randn (30, d) .* (1.1 .^ -(0:d-1));
      X = kinds(ceil (30 * rand (n, 1)), :) + randn (n, d) .* (1.08 .^ -(0:d-1));
    case 'records'
      base = floor (3 * abs (randn (23, d))) .* (rand (23, d) < 0.3);
      share = cumsum ([0.57, 0.22, 0.19, 0.001 * ones(1, 20)]);
      [~, of] = max (rand (n, 1) < share / share(end), [], 2);
      X = base(of, :);
      X(:, 1) = X(:, 1) + floor (exp (2 * randn (n, 1)));
      X(:, 2) = X(:, 2) + floor (exp (5 + randn (n, 1)) .* (rand (n, 1) < 0.5));
      X(:, 3) = X(:, 3) + floor (511 * rand (n, 1) .^ 0.1);
      X(:, 4:8) = X(:, 4:8) + round (100 * rand (n, 5) .^ 4) / 100;
    case 'spots'
      side = sqrt (d);
      X = zeros (n, d, 'single');
      for i = 1:n
        at = side * rand (2, 4);
        width = side * (0.05 + 0.15 * rand (2, 4));
        y = exp (-(((1:side)' - at(1,:)) ./ width(1,:)) .^ 2) .* rand (1, 4);
        x = exp (-(((1:side)' - at(2,:)) ./ width(2,:)) .^ 2);
        X(i,:) = reshape (y * x' + 0.01 * randn (side), 1, d);
      end
    otherwise
      t = 10 * rand (n, 1);
      X = [t .* cos(t), t .* sin(t), 10 * rand(n, 1)] * randn (3, d) + 0.01 * randn (n, d);
  end
end
