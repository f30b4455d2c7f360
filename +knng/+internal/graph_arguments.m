function [graph, rest] = graph_arguments (form, args, kind)
%GRAPH_ARGUMENTS  The graph at the head of the arguments of a public function, and what comes behind it.
%   [GRAPH, REST] = knng.internal.graph_arguments (FORM, ARGS): GRAPH is {A}, a square sparse matrix of real numbers or
%   logicals, or {idx, dist}, tables of one size, idx as doubles. FORM is a call as messages show it, with GRAPH for the graph:
%   'knng.trim (GRAPH, 10)'. What the numbers are is for those to check who use them.
%   ... = knng.internal.graph_arguments (FORM, ARGS, 'any') takes an A that is not square, as of knng.knnsearch;
%   with 'points' ARGS may also begin with points, a full matrix with no table behind it: then GRAPH is {}, and REST is ARGS.

  if (nargin < 3)
    kind = 'square';
  end
  n = numel (args);
  is_sparse = n > 0 && issparse (args{1});
  may_be_dist = n > 1 && ~ischar (args{2});
  if (n > 0 && ischar (args{1}) && isrow (args{1}) && ~strcmp (kind, 'points'))
    error ('knng:args:idx', ['the graph is the text ''%s'': if it names a file that knngraph has written (''Output''), read it first, ' ...
           '[idx, dist] = knng.loadgraph (''%s'')'], knng.internal.shown (args{1}), knng.internal.shown (args{1}));
  end
  if (~strcmp (kind, 'points') && n > 0 && isstruct (args{1}))
    may_be_dist = false;
  end
  if (strcmp (kind, 'points') && n > 0 && ~is_sparse && ...
      ~(may_be_dist && isnumeric (args{2}) && (numel (args{2}) ~= 1 || numel (args{1}) == 1)))
    [graph, rest] = deal ({}, args);
    return
  elseif (~is_sparse && ~may_be_dist)
    points = '';
    if (n > 0 && (isfloat (args{1}) || islogical (args{1})) && numel (args{1}) > 1 && like_graph (args{1}))
      points = '. If this is the matrix of a graph give it as sparse (A)';
    elseif (n > 0 && isfloat (args{1}) && size (args{1}, 2) == 3 && strcmp (strtok (form), 'knng.plot') && like_tree (args{1}))
      points = '. If this is a tree of knng.linkage, knng.dendrogram (Z) draws it';
    elseif (n > 0 && isfloat (args{1}) && numel (args{1}) > 1)
      points = '. That of points X: [idx, dist] = knngraph (X, 20)';
    elseif (n > 0 && isstruct (args{1}))
      points = of_struct (args{1});
    end
    error ('knng:args:count', '%s needs a graph, as in %s with a sparse A or %s: see help %s%s', strtok (form), ...
           strrep (form, 'GRAPH', 'A'), strrep (form, 'GRAPH', 'idx, dist'), strtok (form), points);
  end
  graph = args(1:2-is_sparse);
  rest = args(3-is_sparse:end);
  if (is_sparse)
    A = graph{1};
    if (~isreal (A) || ~(isa (A, 'double') || islogical (A)) || (size (A, 1) ~= size (A, 2) && ~strcmp (kind, 'any')))
      square = {'square ', ''};
      error ('knng:args:class', 'A is %s: it must be a %ssparse matrix of real numbers, as knngraph returns it', ...
             knng.internal.given (A), square{1 + strcmp(kind, 'any')});
    end
    return
  end
  [idx, dist] = graph{:};
  if (~isnumeric (idx) || ~isreal (idx) || issparse (idx) || ndims (idx) ~= 2)
    error ('knng:args:idx', 'idx is %s: it must be a full matrix of whole numbers, as knngraph returns it', knng.internal.given (idx));
  elseif (isnumeric (dist) && numel (dist) == 1 && numel (idx) > 1)
    error ('knng:args:dist', ['what comes first is a full %d-by-%d matrix, and %g stands in the place of its distances: %s takes a graph. %s'], ...
           size (idx, 1), size (idx, 2), dist, strtok (form), of_what (form, idx));
  elseif (strcmp (kind, 'points') && isnumeric (dist) && ~isequal (size (dist), size (idx)) && ~knng.internal.like_lists (idx))
    error ('knng:args:dist', ['%s stands behind a full %d-by-%d matrix: if that is points, X, only options do, as ''Name'', value; if it is ' ...
           'idx, dist of the same size, as in %s'], knng.internal.given (dist), size (idx, 1), size (idx, 2), strrep (form, 'GRAPH', 'idx, dist'));
  elseif (~isfloat (dist) || ~isreal (dist) || issparse (dist) || ~isequal (size (dist), size (idx)))
    error ('knng:args:dist', 'dist is %s: it must be a full %d-by-%d matrix of class double or single, as knngraph returns it along with idx', ...
           knng.internal.given (dist), size (idx, 1), size (idx, 2));
  end
  graph{1} = double (idx);
end

function text = of_struct (s)
% What a struct is that stands where a graph should, and what to do with it.
  has = @(varargin) all (isfield (s, varargin));
  text = '';
  if (has ('i', 'j', 'distance'))
    text = ['. This looks like the edges of knng.edges: give the graph that they were listed of, or sparse (E.i, E.j, ' ...
            'max (E.distance, realmin), n, n), of n rows'];
  elseif (has ('InspectedK', 'CriterionValues'))
    text = '. This looks like what knng.evalclusters returns: plot (eva.InspectedK, eva.CriterionValues) draws it';
  elseif (has ('RowTree', 'ColumnTree'))
    names = {'RowTree', 'ColumnTree'};                       % one of them may be []
    text = sprintf ('. This looks like what knng.clustergram returns: knng.dendrogram (s.%s) draws a tree of it', ...
                    names{1 + isempty([s.RowTree])});
  elseif (has ('X', 'NumNeighbors') || has ('X', 'Partition'))
    text = '. That of the rows of a model: [idx, dist] = knngraph (Mdl.X, 20)';
  elseif (has ('X'))
    text = '. That of a data set: [idx, dist] = knngraph (ds.X, 20)';
  end
end

function yes = like_tree (Z)
% Whether the first two columns hold each row and each step but the last once.
  parts = Z(:, 1:2);
  yes = ndims (Z) == 2 && ~isempty (Z) && isequal (sort (parts(:)), (1:numel (parts))');
end

function text = of_what (form, X)
  text = 'That of points X: [idx, dist] = knngraph (X, 20)';
  if (like_graph (X))
    text = 'If this is the matrix of a graph give it as sparse (A)';
  elseif (knng.internal.like_lists (X))
    text = sprintf ('It looks like idx: give dist with it, %s', strrep (form, 'GRAPH', 'idx, dist'));
  end
end

function yes = like_graph (X)
% Whether a full matrix may be that of a graph: it is square, and symmetric or without entries on its diagonal and below 0.
  yes = ndims (X) == 2 && size (X, 1) == size (X, 2) && ...
        (isequal (X, X.') || (~any (diag (X)) && any (X(:)) && isreal (X) && all (X(:) >= 0)));
end

%!test
%! f = @(varargin) knng.internal.graph_arguments ('knng.f (GRAPH, 2)', varargin{:});
%! A = sparse ([0 1; 2 0]);
%! [g, rest] = f ({A, 2});
%! assert (isequal (g, {A}) && isequal (rest, {2}));
%! [g, rest] = f ({int8([2; 1]), single([1; 2]), 'K', 2});
%! assert (isequal (g, {[2; 1], [1; 2]}) && isa (g{1}, 'double') && isa (g{2}, 'single') && isequal (rest, {'K', 2}));
%! assert (isempty (f ({[2; 1], 'K', 2}, 'points')) && isempty (f ({magic(3), 2}, 'points')) && isempty (f ({5}, 'points')));
%! assert (numel (f ({[2; 1], [1; 1]}, 'points')) == 2 && numel (f ({A}, 'points')) == 1 && numel (f ({1, 5}, 'points')) == 2);
%! assert (isequal (f ({A(1, :), 1}, 'any'), {A(1, :)}));
%!error <^knng.f needs a graph, as in knng.f \(A, 2\) with a sparse A or knng.f \(idx, dist, 2\): see help knng.f$> knng.internal.graph_arguments ('knng.f (GRAPH, 2)', {})
%!error id=knng:args:count knng.internal.graph_arguments ('knng.f (GRAPH)', {magic(3)})
%!error id=knng:args:count knng.internal.graph_arguments ('knng.f (GRAPH)', {magic(3), 'K', 2})
%!error <knng.f takes a graph. That of points X: .*knngraph> knng.internal.graph_arguments ('knng.f (GRAPH, 2)', {magic(3), 2})
%!error <knng.f takes a graph. It looks like idx: give dist with it, knng.f \(idx, dist, 2\)$> knng.internal.graph_arguments ('knng.f (GRAPH, 2)', {[2 1:19; 3 3:20 18]', 2})
%!error <^a 0-by-0 double stands behind a full 3-by-3 matrix: .* 'Name', value; .* knng.f \(idx, dist\)$> knng.internal.graph_arguments ('knng.f (GRAPH)', {magic(3), []}, 'points')
%!error <see help knng.f. That of points X: .*knngraph \(X, 20\)$> knng.internal.graph_arguments ('knng.f (GRAPH)', {magic(3)})
%!error <see help knng.f. If this is the matrix of a graph give it as sparse \(A\)> knng.internal.graph_arguments ('knng.f (GRAPH)', {[0 1; 1 0], 'Weight', 'given'})
%!error <If this is the matrix of a graph give it as sparse \(A\)> knng.internal.graph_arguments ('knng.f (GRAPH, 2)', {[0 1; 1 0], 2})
%!error <If this is the matrix of a graph give it as sparse \(A\)> knng.internal.graph_arguments ('knng.f (GRAPH, 2)', {[0 1 0; 2 0 0; 0 1 0], 2})
%!error <see help knng.f. If this is the matrix of a graph give it as sparse \(A\)> knng.internal.graph_arguments ('knng.f (GRAPH)', {[0 1 0; 2 0 0; 0 1 0]})
%!error <That of a data set: .*knngraph \(ds.X, 20\)$> knng.internal.graph_arguments ('knng.f (GRAPH, 2)', {struct('X', 1), 2})
%!error <That of a data set: .*knngraph \(ds.X, 20\)$> knng.internal.graph_arguments ('knng.f (GRAPH)', {struct('X', 1)})
%!error <see help knng.f. That of points X: > knng.internal.graph_arguments ('knng.f (GRAPH)', {ones(2, 2, 2)})
%!error <see help knng.f$> knng.internal.graph_arguments ('knng.f (GRAPH)', {struct('a', 1)})
%!test  # other structs, and trees
%! f = @(g) knng.internal.graph_arguments ('knng.plot (GRAPH)', {g});
%! X = mod ((1:30)' * [0.37 0.71], 1);
%! A = knngraph (X, 4);
%! E = knng.edges (A);
%! said = {E, 'edges of knng.edges: give the graph'; knng.evalclusters(X, 'kmeans', 'silhouette', 'KList', 2:3), 'plot \(eva.InspectedK'; ...
%!         knng.fitcknn(X, mod(1:30, 2)), 'knngraph \(Mdl.X'; knng.crossval(knng.fitrknn(X, 1:30)), 'knngraph \(Mdl.X'; ...
%!         struct('RowTree', [1 2 1], 'ColumnTree', []), 'knng.dendrogram \(s.RowTree\)'; struct('RowTree', [], 'ColumnTree', [1 2 1]), 's.ColumnTree\)'; ...
%!         knng.linkage(X), 'knng.dendrogram \(Z\) draws it$'; [1 2 3; 1 2 4], 'That of points X: '; zeros(0, 3), 'see help knng.plot$'};
%! for i = 1:9
%!   fail ('f (said{i, 1})', said{i, 2});
%!   [~, id] = lasterr ();
%!   assert (id, 'knng:args:count');
%! end
%! n = 30;
%! B = sparse (E.i, E.j, max (E.distance, realmin), n, n);   # as the message says
%! assert (isequal (max (B, B'), max (A, A')));
%!error <see help knng.f. That of points X: > knng.internal.graph_arguments ('knng.f (GRAPH)', {[1 2 3; 1 2 4]})
%!error <^A is a 1-by-2 sparse double: it must be a square> knng.internal.graph_arguments ('knng.f (GRAPH)', {sparse(1, 2)})
%!error id=knng:args:class knng.internal.graph_arguments ('knng.f (GRAPH)', {sparse(1i)})
%!error <'g.h5': .* knng.loadgraph \('g.h5'\)> knng.internal.graph_arguments ('knng.f (GRAPH)', {'g.h5', 7})
%!error id=knng:args:idx knng.internal.graph_arguments ('knng.f (GRAPH)', {'g.h5'})
%!error id=knng:args:idx knng.internal.graph_arguments ('knng.f (GRAPH)', {{1}, 1})
%!error id=knng:args:dist knng.internal.graph_arguments ('knng.f (GRAPH)', {[1 2], 1})
