function [c, share] = labelspread (varargin)
%KNNG.LABELSPREAD  Labels for all rows of a graph from those of a few.
%   c = knng.labelspread (A, Y) takes the n-by-n graph A = knngraph (X, k, ...)
%   and the labels Y of its rows, most of them missing, and gives every row that
%   some way joins with a labelled one the label that most reaches it: n-by-1,
%   of the kind of Y.
%   c = knng.labelspread (idx, dist, Y) does the same with the n-by-k tables of
%   [idx, dist] = knngraph (X, k, ...).
%   [c, share] = knng.labelspread (...) also returns which share of what reaches
%   a row each label has, n-by-(number of labels), in the order of the sorted
%   labels; a row that nothing reaches has zeros, and its label is missing.
%   [...] = knng.labelspread (..., 'Name', value, ...) takes options.
%
%   Y may hold numbers (NaN is missing; -1, which scikit-learn takes for that,
%   is a label), a cell of texts ('' is missing) or be a char matrix (blanks),
%   as in knng.fitcknn. So some cells of known type label all others, along the
%   shape of the data, which a classifier of the labelled ones alone does not
%   see.
%
%   Options:
%
%     'Alpha'    how far labels spread, from 0 to 0.999999: what a row takes
%                from its neighbours rather than from its own label; default
%                0.99. A label that its neighbours gainsay may change
%     'Weight'   what an edge weighs, default 'gaussian'
%         'given'    the entry of A itself, which has to be symmetric. Not for
%                    distances
%         'similarity', 'binary', 'jaccard', 'snn'  as the 'Weight' of
%                    knng.adjacency says, from distances; similarities that are
%                    not above 0 join nothing
%     'Metric'   the metric of the graph; only the weight 'similarity' asks for
%                it
%     'Threads'  processor threads, default: all
%
%   With W the weights of the edges, which lead both ways, their sums D, and S =
%   D^(-1/2)*W*D^(-1/2), the columns F of the labels, which begin as Y, with a 1
%   where a row has the label, are the solution of F = Alpha*S*F + (1-Alpha)*Y.
%   It is found by conjugate gradients. Of labels that reach a row alike the
%   first wins. Labels fade with every step. Where none is left of more than
%   1e-9 of the largest, as at the end of long chains, that could not be told
%   from rounding: the label is missing, with the warning knng:graph:faint. A
%   larger 'Alpha' reaches farther.
%
%   Cost: some sqrt (1/(1-Alpha)) * 12 products of W and a column for each
%   label; for n = 1e5, k = 20 a second a label. Memory 100 bytes an edge, 60
%   a row, and 8 a row and label.
%
%   Errors: knng:args:labels (not one label for each row, or all are missing);
%   knng:args:weight (a 'given' one is negative, NaN or infinite, or A is not
%   symmetric); knng:args:idx, :dist, :class, :empty, :metric as knng.adjacency;
%   :option, :unknownOption, :count; knng:graph:convergence; knng:memory:host.
%   Warnings: knng:args:labels (none is missing, and most are -1 or 0);
%   knng:args:weight (A may hold weights); knng:graph:faint.
%
%   Source: D. Zhou, O. Bousquet, T. Lal, J. Weston, B. Schoelkopf, NIPS 16
%   (2003) 321-328.
%
%   Example:
%     t = (0:99)' / 30;
%     X = [cos(t), sin(t); 1 - cos(t), 0.5 - sin(t)];   % two moons
%     Y = NaN (200, 1);
%     Y([1 101]) = [1 2];                               % one label each
%     c = knng.labelspread (knngraph (X, 5), Y);
%     isequal (c, [ones(100, 1); 2 * ones(100, 1)])     % 1
%
%   See also knng.fitcknn, knng.pagerank, knng.leiden, knngraph.

  [graph, rest] = knng.internal.graph_arguments ('knng.labelspread (GRAPH, Y)', varargin);
  if (isempty (rest))
    error ('knng:args:count', ['knng.labelspread needs a graph and labels, as in knng.labelspread (A, Y) or ' ...
           'knng.labelspread (idx, dist, Y): see help knng.labelspread']);
  end
  Y = rest{1};
  if (ischar (Y) && isrow (Y) && size (graph{1}, 1) ~= 1)
    error ('knng:args:count', ['the text ''%s'' stands where the labels should, as in knng.labelspread (A, Y, ''Alpha'', 0.9): ' ...
           'see help knng.labelspread'], knng.internal.shown (Y));
  end
  [opt, given] = knng.internal.options (struct ('Alpha', 0.99, 'Weight', 'gaussian', 'Metric', '', 'Threads', []), rest(2:end));
  how = knng.internal.engine (given, {'Threads'});
  alpha = opt.Alpha;
  if (~isnumeric (alpha) || ~isreal (alpha) || numel (alpha) ~= 1 || ~(alpha >= 0 && alpha <= 0.999999))
    error ('knng:args:option', '''Alpha'' is %s: it must be a number from 0 to 0.999999', knng.internal.given (alpha));
  end
  alpha = full (double (alpha));
  n = size (graph{1}, 1);
  [code, names] = knng.internal.label_codes (Y);
  if (numel (code) ~= n)
    error ('knng:args:labels', '%s for the %s of the graph: give one for each row, NaN or '''' where it is not known', ...
           knng.internal.there_are (numel (code), 'label'), knng.internal.count_of (n, 'row'));
  elseif (size (names, 1) > 5000)
    error ('knng:args:labels', 'there are %d different labels, of which each takes a column: numbers that are measured are no labels', ...
           size (names, 1));
  elseif (~any (code))
    error ('knng:args:labels', 'all %d labels are missing: give that of one row at least', n);
  end
  warn_complete (Y, code, n);
  knng.internal.built ();

  W = weights (graph, opt, how);
  W = W - spdiags (diag (W), 0, n, n);
  degree = full (sum (W, 2));
  root = 1 ./ sqrt (max (degree, realmin));
  root(degree == 0) = 0;
  threads = knng.internal.how_to_run (given);
  product = @(x) x - alpha * (root .* knng.internal.spmv (W, root .* x, threads));
  classes = max (code);
  share = zeros (n, classes);
  for l = 1:classes
    share(:, l) = solve (product, double (code == l), alpha);
  end
  far = unreached (W, code);
  share(far, :) = 0;
  faint = ~far & max (share, [], 2) < 1e-9 * max (share(:));
  if (any (faint) && alpha > 0)
    warning ('knng:graph:faint', ['%s so far from all labels that hardly anything of them is left there, too little to go by: ' ...
             'make ''Alpha'' larger, which is %.15g, up to 0.999999'], knng.internal.count_of (sum (faint), 'row is', 'rows are'), alpha);
  end
  share(faint, :) = 0;
  share = max (share, 0);
  [most, c] = max (share, [], 2);
  c(most == 0) = 0;
  share = bsxfun (@rdivide, share, max (sum (share, 2), realmin));
  c = knng.internal.label_values (c, names);
end

function warn_complete (Y, code, n)
% Other programs have -1, or 0, for a label that is not known.
  if (~isnumeric (Y) || ~all (code))
    return
  end
  for v = [-1 0]
    of = sum (Y(:) == v);
    if (of > n * (0.5 + 0.4 * (v == 0)))                     % 0 and 1 are common labels
      warning ('knng:args:labels', 'no label is missing, and %d of %d are %d: if that stands for none, give NaN, as in Y(Y == %d) = NaN of double Y', ...
               of, n, v, v);
    end
  end
end

function W = weights (graph, opt, how)
  weight = knng.internal.check_choice ('Weight', opt.Weight, {'gaussian', 'similarity', 'binary', 'jaccard', 'snn', 'given'});
  if (any (strcmp (weight, {'gaussian', 'similarity'})))
    knng.internal.warn_shares (graph, ', or ''Weight'', ''given''');
  end
  W = knng.internal.edge_weights (graph, weight, opt.Metric, [{'Symmetrize', 'union'}, how]);
  if (~strcmp (weight, 'given'))
    return
  end
  if (any (~(nonzeros (W) >= 0 & nonzeros (W) < Inf)))
    error ('knng:args:weight', 'A has weights that are negative, NaN or infinite: leave these edges out, or choose another ''Weight''');
  elseif (~isequal (W, W'))
    error ('knng:args:weight', 'A is not symmetric, so its entries say two things of a pair: give (A + A'')/2, or choose another ''Weight''');
  end
  W = W / max ([nonzeros(W); realmin]);                      % so that sums have room
end

function far = unreached (W, code)
% Rows that no way joins with a labelled one; what the solution has there is rounding.
  part = knng.conncomp (W)';
  has = accumarray (part, code > 0, [max([part; 0]), 1]);
  far = has(part) == 0;
end

function x = solve (product, b, alpha)
% The solution of product (x) = (1 - alpha) * b by conjugate gradients: the matrix has eigenvalues from 1 - alpha to 1 + alpha.
  b = (1 - alpha) * b;
  [x, flag, rest, steps] = pcg (product, b, 1e-13, ceil (100 + 60 / sqrt (1 - alpha)));
  if (flag ~= 0 && ~(rest < 1e-11))
    error ('knng:graph:convergence', ['the labels did not settle: after %d steps they miss the equation by %g; make ''Alpha'' ' ...
           'smaller, which is %.15g'], steps, rest, alpha);
  end
end

%!test <*1>
%! t = (0:99)' / 30;
%! X = [cos(t), sin(t); 1 - cos(t), 0.5 - sin(t)];
%! Y = NaN (200, 1);
%! Y([1 101]) = [1 2];
%! c = knng.labelspread (knngraph (X, 5), Y);
%! assert (c, [ones(100, 1); 2 * ones(100, 1)]);

%!test  # what LabelSpreading of scikit-learn 1.9.1 gives of the same edges
%! X = mod ((1:12)' .^ 2 * [7 13 5], 101);
%! Y = NaN (12, 1);
%! Y([1 4 10]) = 1:3;
%! [c, share] = knng.labelspread (knngraph (X, 3), Y, 'Alpha', 0.8, 'Weight', 'binary');
%! assert (c', [1 1 2 2 1 3 1 1 1 3 3 3]);
%! assert (share([1 2 5 9 11], :), [0.818362766 0.111614911 0.070022322; 0.617547983 0.225031964 0.157420053; ...
%!         0.356456975 0.321888940 0.321654085; 0.436164697 0.263240008 0.300595294; 0.097851698 0.406382047 0.495766255], 1e-8);

%!test  # -1 or 0 for all that is not known are labels as others are, and there is a warning
%! A = knngraph (mod ((1:40)' * [0.137 0.713], 1), 4);
%! warning ('error', 'knng:args:labels', 'local');
%! fail ('knng.labelspread (A, [1 2 -ones(1, 38)])', '^no label is missing, and 38 of 40 are -1: .*give NaN');
%! fail ('knng.labelspread (A, int8 ([1 2 zeros(1, 38)]))', 'and 38 of 40 are 0: .*give NaN');
%! knng.labelspread (A, [1, NaN, -ones(1, 38)]);
%! knng.labelspread (A, [ones(1, 20), -ones(1, 20)]);
%! knng.labelspread (A, [ones(1, 4), zeros(1, 36)]);
%! knng.labelspread (A, [{'b'}, repmat({'a'}, 1, 39)]);

%!test  # weights in the place of distances, and where they belong
%! W = knng.adjacency (knngraph (mod ((1:60)' * [0.37 0.71], 1), 6), 'Weight', 'jaccard');
%! Y = [1 2 NaN(1, 58)];
%! warning ('error', 'knng:args:weight', 'local');
%! fail ('knng.labelspread (W, Y)', '^the entries of A were taken for distances');
%! knng.labelspread (W, Y, 'Weight', 'binary');
%! knng.labelspread (max (W, W'), Y, 'Weight', 'given');

%!test  # the equation, solved directly; kinds of labels, weights, rows that nothing reaches
%! warning ('off', 'knng:data:nonFinite', 'local');
%! X = [mod((1:60)' * [0.137 0.713], 1); 9 + mod((1:9)' * [0.137 0.713], 1); NaN 1];
%! [idx, dist] = knngraph (X, 4);
%! A = knngraph (X, 4);
%! n = 70;
%! Y = cell (n, 1);
%! Y(:) = {''};
%! Y([2 9 30]) = {'b', 'a', 'cc'};
%! codes = zeros (n, 1);
%! codes([2 9 30]) = [2 1 3];
%! W = full (knng.adjacency (A, 'Symmetrize', 'union', 'Weight', 'gaussian'));
%! for weight = {'gaussian', 'given', 'binary', 'similarity'}
%!   options = {'Weight', weight{1}, 'Metric', 'euclidean'};
%!   if (strcmp (weight{1}, 'given'))
%!     graph = sparse (W);
%!   else
%!     graph = A;
%!     W = full (knng.adjacency (A, 'Symmetrize', 'union', options{:}));
%!   end
%!   r = diag (1 ./ sqrt (max (sum (W, 2), realmin)));
%!   for alpha = [0 0.5 0.99]
%!     F = (eye (n) - alpha * r * W * r) \ double (codes == 1:3);
%!     F(abs (F) < 1e-12) = 0;
%!     [most, want] = max (F, [], 2);
%!     want(most == 0) = 0;
%!     [c, share] = knng.labelspread (graph, Y, options{:}, 'Alpha', alpha);
%!     assert (share, F ./ max (sum (F, 2), realmin), 1e-6);
%!     names = {'', 'a', 'b', 'cc'};
%!     assert (c, names(want + 1)');
%!     assert (all (strcmp (c(61:70), '')));
%!     if (! strcmp (weight{1}, 'given'))
%!       assert (knng.labelspread (idx, dist, codes + 0 ./ (codes > 0), options{:}, 'Alpha', alpha), want + 0 ./ (want > 0));
%!     end
%!   end
%! end

%!test  # a long chain: what is lost in rounding is said, and a larger Alpha reaches it
%! A = sparse (1:499, 2:500, 1, 500, 500);
%! Y = [1, NaN(1, 249), 2, NaN(1, 249)];
%! warning ('off', 'knng:graph:faint', 'local');
%! c = knng.labelspread (A, Y);
%! assert (isnan (c(500)) && all (c(1:120) == 1) && all (c(131:300) == 2));
%! c = knng.labelspread (A, Y, 'Alpha', 0.9999);
%! assert (all (c(1:120) == 1) && all (c(145:500) == 2));

%! assert (knng.labelspread (sparse ([0 1 1; 1 0 0; 1 0 0]) * 1e308, [1 NaN NaN], 'Weight', 'given'), [1 1 1]');
%! assert (knng.labelspread (sparse ([0 1 1; 1 0 0; 1 0 0]) * 1e-320, [1 NaN NaN], 'Weight', 'given'), [1 1 1]');
%! assert (knng.labelspread (logical (sparse ([0 1 1; 1 0 0; 1 0 0])), [1 NaN NaN]), [1 1 1]');
%!test  # of symmetric weights that are taken for distances the warning says what takes them
%! W = knng.adjacency (knngraph (mod ((1:200)' .^ 2 * sqrt ([2 3]), 1), 9), 'Weight', 'gaussian', 'Symmetrize', 'union');
%! y = [1, NaN(1, 198), 2];
%! warning ('error', 'knng:args:weight', 'local');
%! fail ('knng.labelspread (W, y)', 'they were made of, or ''Weight'', ''given''; A');
%! knng.labelspread (W, y, 'Weight', 'given');
%!warning id=knng:graph:faint knng.labelspread (sparse (1:499, 2:500, 1, 500, 500), [1, NaN(1, 499)]);
%!error id=knng:args:count knng.labelspread (sparse (1))
%!error id=knng:args:labels knng.labelspread (sparse (2, 2), [1 2 3])
%!error id=knng:args:labels knng.labelspread (sparse (2, 2), [NaN NaN])
%!error id=knng:args:option knng.labelspread (sparse (2, 2), [1 2], 'Alpha', 1)
%!error id=knng:args:option knng.labelspread (sparse (2, 2), [1 2], 'Weight', 'distance')
%!error id=knng:args:labels knng.labelspread (sparse (6000, 6000), rand (6000, 1))
%!error id=knng:args:count knng.labelspread (sparse (2, 2), 'Alpha', 0.5)
%!error id=knng:args:weight knng.labelspread (sparse ([0 1; 2 0]), [1 2], 'Weight', 'given')
%!error id=knng:args:weight knng.labelspread (sparse ([0 -1; -1 0]), [1 2], 'Weight', 'given')
%!error id=knng:args:weight knng.labelspread ([2; 1], [1; 1], [1 2], 'Weight', 'given')
%!error id=knng:args:unknownOption knng.labelspread (sparse (2, 2), [1 2], 'Steps', 1)
