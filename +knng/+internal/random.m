function u = random (seed, n)
%RANDOM  n numbers in (0, 1), a column: the same for one SEED in Octave, in MATLAB and on every machine.
%   Park and Miller's generator with the factor 48271 (Communications of the ACM 31 (1988) 1192-1201; 36(7) (1993) 108-110).
%   The seed is stirred first, since its sequences for near seeds are multiples of each other. rand keeps its state.

  s = mod (double (seed), 2147483646) + 1;
  for i = 1:8
    s = mod (times_mod (s, s) + 1013904223, 2147483646) + 1;
  end
  factor = 48271;
  while (numel (s) < n)                    % s(i) * factor^m is s(i + m)
    s = [s; times_mod(factor, s)]; %#ok<AGROW>
    factor = times_mod (factor, factor);
  end
  u = reshape (s(1:n), n, 1) / 2147483647;
end

function p = times_mod (a, b)
% a * b modulo 2^31 - 1, without rounding: no product passes 2^53.
high = floor (a / 65536);
p = mod (mod (high .* b, 2147483647) * 65536 + (a - 65536 * high) .* b, 2147483647);
end

%!test  # the sequence one by one, in whole numbers
%! s = round (knng.internal.random (5, 1000) * 2147483647);
%! for i = 2:1000
%!   assert (s(i), double (mod (uint64 (s(i - 1)) * uint64 (48271), uint64 (2147483647))));
%! end
%! assert (knng.internal.random (5, 3) * 2147483647, s(1:3), 1e-6);
%!assert (size (knng.internal.random (0, 0)), [0 1])
%!test  # as uneven as chance is, for near seeds too
%! u = zeros (100, 100);
%! for seed = 0:99
%!   u(:, seed + 1) = knng.internal.random (seed, 100);
%! end
%! for v = {u, u'}
%!   assert (max (abs (mean (v{1}) - 0.5)) < 0.13);
%!   r = corr (v{1}) - eye (100);
%!   assert (max (abs (r(:))) < 0.5);
%! end
