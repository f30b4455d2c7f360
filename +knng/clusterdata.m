function T = clusterdata (X, varargin)
%KNNG.CLUSTERDATA  Clusters of rows by hierarchical clustering, in one call.
%   T = knng.clusterdata (X, c) joins the rows of the n-by-d matrix X into a
%   tree, by knng.linkage, and cuts it by knng.cluster. T is n-by-1: the cluster
%   of each row, counted from 1 in the order of their first rows. A whole number
%   c of 2 or more is the number of clusters, 'MaxClust'; a number below 2 is
%   'Cutoff'.
%   T = knng.clusterdata (X, 'Name', value, ...) takes options.
%
%   Options:
%
%     'MaxClust'   the number of clusters
%     'Cutoff'     the limit of coefficients or heights
%     'Criterion'  what 'Cutoff' limits: 'inconsistent', the default, or
%                  'distance'
%     'Depth'      levels of steps for the coefficients, default 2
%     'Linkage'    the method of knng.linkage, default 'single'
%     'Distance'   a metric of knngraph, default 'euclidean'
%     'SaveMemory'  'on' or 'off', the default; changes nothing
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                  as in knng.linkage
%
%   One of 'MaxClust' and 'Cutoff' is needed; knng.cluster says what they do.
%
%   Cost: that of knng.linkage.
%
%   Errors and warnings: those of knng.linkage and knng.cluster, such as
%   knng:args:option, :metric, :unknownOption, :count.
%
%   Source: A. Jain, R. Dubes, Algorithms for Clustering Data, Prentice Hall
%   (1988).
%
%   Example:
%     X = [1; 2; 4; 10; 11];
%     knng.clusterdata (X, 2)'                                    % 1 1 1 2 2
%     knng.clusterdata (X, 'Linkage', 'average', 'MaxClust', 3)'  % 1 1 2 3 3
%
%   See also knng.linkage, knng.cluster, knng.mstknn, knng.dbscan.

  if (nargin < 2)
    error ('knng:args:count', ['knng.clusterdata needs points and how to cut their tree, as in knng.clusterdata (X, 5): ' ...
           'see help knng.clusterdata']);
  end
  knng.internal.built ();
  args = varargin;
  if (knng.internal.is_one_of (args{1}, knng.internal.linkage_methods ()))
    error ('knng:args:unknownOption', ['''%s'' is a method of knng.linkage, which is the value of an option here: ' ...
           'knng.clusterdata (X, ''Linkage'', ''%s'', %s)'], args{1}, args{1}, cut_of (args(2:end)));
  end
  if (numel (args) == 1)
    c = args{1};
    if (~isnumeric (c) || numel (c) ~= 1 || ~isreal (c) || ~(c > 0) || (c >= 2 && c ~= fix (c)))
      error ('knng:args:option', ['the cutoff is %s: it must be the number of clusters, a whole number from 2 on, or a limit of coefficients ' ...
             'above 0 and below 2; other limits go into ''Cutoff'''], knng.internal.given (c));
    elseif (c < 2)
      args = {'Cutoff', c};
    else
      args = {'MaxClust', c};
    end
  elseif (mod (numel (args), 2) == 1 && isnumeric (args{1}) && isreal (args{1}) && numel (args{1}) == 1)
    error ('knng:args:option', 'a number stands alone, without options: with these give it as %s', cut_of (args));
  end
  opt = struct ('MaxClust', [], 'Cutoff', [], 'Criterion', 'inconsistent', 'Depth', 2, 'Linkage', 'single', 'Distance', 'euclidean', ...
                'SaveMemory', 'off');
  engine = knng.internal.engine ();
  for name = fieldnames (engine)'
    opt.(name{1}) = [];
  end
  [opt, given] = knng.internal.options (opt, args);
  knng.internal.check_choice ('Linkage', opt.Linkage, knng.internal.linkage_methods ());
  [cut, tree] = deal ({});
  for i = 1:2:numel (given)
    if (any (strcmp (given{i}, {'MaxClust', 'Cutoff', 'Criterion', 'Depth'})))
      cut = [cut, given(i:i+1)]; %#ok<AGROW>
    elseif (~any (strcmp (given{i}, {'Linkage', 'Distance'})))
      tree = [tree, given(i:i+1)]; %#ok<AGROW>
    end
  end
  knng.cluster (zeros (0, 3), cut{:});                       % what is wrong is said before the tree is made
  T = knng.cluster (knng.linkage (X, opt.Linkage, opt.Distance, tree{:}), cut{:});
end

function text = cut_of (rest)
% The option that a number at the head of REST stands for, as a message shows it.
  text = '''MaxClust'', N';
  if (~isempty (rest) && isnumeric (rest{1}) && isreal (rest{1}) && numel (rest{1}) == 1 && rest{1} > 0)
    name = {'Cutoff', 'MaxClust'};
    text = sprintf ('''%s'', %s', name{1 + (rest{1} >= 2 && rest{1} == fix (rest{1}))}, knng.internal.given (rest{1}));
  end
end

%!test <*1>
%! X = [1; 2; 4; 10; 11];
%! assert (knng.clusterdata (X, 2), [1 1 1 2 2]');
%! assert (knng.clusterdata (X, 'Linkage', 'average', 'MaxClust', 3), [1 1 2 3 3]');

%!test  # what pdist, linkage and fcluster of SciPy 1.17.1 give, its clusters in another order
%! X = mod ((1:12)' .^ 2 * [7 13 5], 101);
%! same = @(T, of) assert ([rows(unique ([T, of'], 'rows')), max(T)], [max(of), max(of)]);
%! same (knng.clusterdata (X, 'Linkage', 'ward', 'MaxClust', 3), [3 3 2 3 2 1 3 3 2 1 1 2]);
%! same (knng.clusterdata (X, 'Linkage', 'average', 'Cutoff', 40, 'Criterion', 'distance'), [5 4 3 7 3 1 4 4 4 2 1 6]);

%!test  # as the two calls
%! X = reshape (mod ((1:80) .^ 2 * sqrt (2), 1), 40, 2);
%! Z = knng.linkage (X, 'ward');
%! assert (knng.clusterdata (X, 'Linkage', 'WARD', 'MaxClust', 1:4), knng.cluster (Z, 'MaxClust', 1:4));
%! assert (knng.clusterdata (X, 'Linkage', 'ward', 'Cutoff', 1, 'Depth', 3), knng.cluster (Z, 'Cutoff', 1, 'Depth', 3));
%! assert (knng.clusterdata (X, 1.1), knng.cluster (knng.linkage (X), 'Cutoff', 1.1));
%! Z = knng.linkage (X, 'complete', 'cityblock');
%! assert (knng.clusterdata (X, 'link', 'complete', 'metric', 'city', 'Cut', 0.3, 'Crit', 'distance', 'Threads', 1), ...
%!         knng.cluster (Z, 'Cutoff', 0.3, 'Criterion', 'distance'));
%! assert (knng.clusterdata (7, 3), 1);

%!error id=knng:args:count knng.clusterdata ([1; 2])
%!error id=knng:args:option knng.clusterdata ([1; 2], 2.5)
%!error <^the cutoff is 0: it must be the number of clusters, a whole number from 2 on, or .* above 0 and below 2; > knng.clusterdata ([1; 2], 0)
%!error <^the cutoff is -1: .* above 0> knng.clusterdata ([1; 2], -1)
%!error <^a number stands alone, .* give it as 'MaxClust', 3$> knng.clusterdata ([1; 2], 3, 'Device', 'cpu')
%!error <give it as 'Cutoff', 1.1$> knng.clusterdata ([1; 2], 1.1, 'Linkage', 'ward', 'Device', 'cpu')
%!error id=knng:args:option knng.clusterdata ([1; 2], 3, 'Device', 'cpu')
%!error <^'ward' is a method of knng.linkage, .*: knng.clusterdata \(X, 'Linkage', 'ward', 'MaxClust', N\)$> knng.clusterdata ([1; 2], 'ward')
%!error <: knng.clusterdata \(X, 'Linkage', 'Average', 'MaxClust', 3\)$> knng.clusterdata ([1; 2], 'Average', 3)
%!error <: knng.clusterdata \(X, 'Linkage', 'ward', 'Cutoff', 0.9\)$> knng.clusterdata ([1; 2], 'ward', 0.9)
%!error <: knng.clusterdata \(X, 'Linkage', 'ward', 'MaxClust', N\)$> knng.clusterdata ([1; 2], 'ward', -1)
%!error <give it as 'Cutoff', 2.5$> knng.clusterdata ([1; 2], 2.5, 'Linkage', 'ward', 'Criterion', 'distance')
%!error id=knng:args:unknownOption knng.clusterdata ([1; 2], 'ward', 2)
%!error id=knng:args:option knng.clusterdata ([1; 2], 'Linkage', 'ward')
%!error id=knng:args:option knng.clusterdata ([1; 2], 'Linkage', 'wart', 'MaxClust', 2)
%!error id=knng:args:metric knng.clusterdata ([1; 2], 'Distance', 'l2', 'MaxClust', 2)
%!error id=knng:args:unknownOption knng.clusterdata ([1; 2], 'Methd', 'ward')
%!error id=knng:data:rows knng.clusterdata ([1; NaN], 2)
