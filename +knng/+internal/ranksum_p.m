function p = ranksum_p (u, m, n)
%RANKSUM_P  The exact two-sided p-value of Mann and Whitney's U without ties; u, m, n are columns, m and n the sizes of the two classes.
%   Of all orders of m + n samples the share in which U is as far from m*n/2: P(U; m, n) = m/(m+n) P(U-n; m-1, n) + n/(m+n) P(U; m, n-1), by which
%   class the highest is of. All terms are positive, so that no digit is lost. Memory: 8*N*M*N bytes, M and N the largest sizes.

  p = NaN (size (u));
  [u, m, n] = deal (min (u, m .* n - u), min (m, n), max (m, n));       % it is symmetric
  above = cell (1, max ([n; 0]) + 1);                        % of m - 1: with n = 0, 1, ...
  above(:) = {1};
  for i = 1:max ([m; 0])
    row = cell (size (above));
    row{1} = 1;
    for j = 1:numel (above) - 1
      share = zeros (1, i * j + 1);
      share(j + 1:end) = i / (i + j) * above{j + 1};
      share(1:i * (j - 1) + 1) = share(1:i * (j - 1) + 1) + j / (i + j) * row{j};
      row{j + 1} = share;
    end
    at = find (m == i);
    for j = unique (n(at))'
      some = at(n(at) == j);
      below = cumsum (row{j + 1});
      p(some) = min (1, 2 * below(u(some) + 1));
    end
    above = row;
  end
end

%!test  # all orders, counted
%! for sizes = [1 1; 1 4; 2 3; 3 3; 4 2; 5 4]'
%!   [m, n] = deal (sizes(1), sizes(2));
%!   sets = nchoosek (1:m+n, m);
%!   u = sum (sets, 2) - m * (m + 1) / 2;
%!   for v = 0:m*n
%!     want = min (1, 2 * min (mean (u <= v), mean (u >= v)));
%!     assert (knng.internal.ranksum_p (v, m, n), want, 1e-14);
%!   end
%! end
%!function v = nchoosek_exact (n, k)
%!  v = 1;
%!  for i = 1:k
%!    v = v * (n - k + i) / i;
%!  end
%!endfunction

%!test  # tails to the last digits; several sizes at once
%! assert (knng.internal.ranksum_p (0, 49, 49), 2 / nchoosek_exact (98, 49), 1e-13 * 2 / nchoosek_exact (98, 49));
%! p = knng.internal.ranksum_p ([0; 3; 0; 10], [3; 2; 4; 5], [2; 3; 4; 5]);
%! assert (p, [0.2; 1; 2/70; knng.internal.ranksum_p(15, 5, 5)], 1e-15);
