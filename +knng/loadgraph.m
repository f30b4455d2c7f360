function [idx, dist, about] = loadgraph (file, rows)
%KNNG.LOADGRAPH  Read a graph, or some of its rows, from the file of 'Output'.
%   [idx, dist] = knng.loadgraph (file) reads the graph that knngraph (...,
%   'Output', file) has written, or build/knng -o graph.h5. The tables have the
%   bits and classes of [idx, dist] = knngraph (...).
%   [idx, dist] = knng.loadgraph (file, rows) reads these rows alone, out of a
%   file of any size: idx(r,:) are the neighbours of row rows(r).
%   [idx, dist, about] = knng.loadgraph (...) also says what the file is.
%
%     file   its name, such as 'graph.h5'; the ending does not matter
%     rows   m numbers of rows, counted from 1, a vector in any order; a row may
%            be asked for more than once, and [] gives tables of no rows
%     idx    m-by-k, without rows n-by-k, of class double; 0 where there is no
%            neighbour
%     dist   of the same size, of the class of the points, double or single; NaN
%            where there is no neighbour
%
%   Fields of about:
%
%     about.n, about.k  rows and columns of the whole tables
%     about.class       text: the class of dist
%     about.metric      text: the metric
%
%   Octave's and MATLAB's own load reads the same files as a whole: variables
%   idx, of class int32, and dist (in Octave always double). Other programs see
%   HDF5, with the datasets idx and dist of k by n, the first of which counts
%   from 1. Only files that knngraph has written can be read here, since nothing
%   else is believed of a file than what it would have written.
%
%   Cost: the rows are read in 2*k pieces each, and those that are less than
%   1024 rows from one another together. Memory: the tables, up to 5 MB, and 40
%   bytes for each row that is asked for. Ctrl-C stops it.
%
%   Errors: knng:io:open if the file cannot be read, or changes meanwhile;
%   knng:io:format if it is none of these files, or damaged; knng:io:truncated
%   if it is cut off; knng:args:rows if rows has another number than those of
%   the rows; knng:args:file, :count; knng:memory:host; knng:interrupted.
%
%   Example:
%     file = [tempname() '.h5'];
%     X = [0 0; 1 0; 0 2; 5 5];
%     knngraph (X, 2, 'Output', file);
%     [idx, dist] = knng.loadgraph (file, [4 1])
%     delete (file);
%
%   See also knngraph, knng.checksum, knng.verify.

  if (nargin < 1)
    error ('knng:args:count', 'knng.loadgraph needs the name of a file, as in knng.loadgraph (''graph.h5''): see help knng.loadgraph');
  end
  knng.internal.built ();
  given = {};
  if (nargin > 1)
    if (~isnumeric (rows) || ~isreal (rows) || ~(isempty (rows) || isvector (rows)))
      error ('knng:args:rows', 'rows is %s: it must be a vector of numbers of rows, as in knng.loadgraph (''graph.h5'', 1:10)', ...
             knng.internal.given (rows));
    end
    given = {full(double (rows))};
  end
  [idx, dist, about] = knng.internal.graph_file ('load', file, given{:});
end

%!function file = written (varargin)
%!  file = [tempname() '.h5'];
%!  knngraph (varargin{:}, 'Output', file);
%!endfunction
%!testif ; knng.internal.graph_file ('can') <*1>
%! X = [0 0; 1 0; 0 2; 5 5; NaN 1];
%! warning ('off', 'knng:data:nonFinite', 'local');
%! for type = {'double', 'single'}
%!   Y = feval (type{1}, X);
%!   [idx, dist] = knngraph (Y, 3, 'cityblock');
%!   file = written (Y, 3, 'manhattan');
%!   [i, d, about] = knng.loadgraph (file);
%!   assert (isequal (i, idx) && isequaln (d, dist) && isa (d, type{1}) && isa (i, 'double'));
%!   assert (about, struct ('n', 5, 'k', 3, 'class', type{1}, 'metric', 'cityblock'));
%!   [i, d] = knng.loadgraph (file, [4; 1; 5; 4]);
%!   assert (isequal (i, idx([4 1 5 4], :)) && isequaln (d, dist([4 1 5 4], :)));
%!   assert (size (knng.loadgraph (file, [])), [0 3]);
%!   assert (knng.loadgraph (file, int8 (2)), idx(2, :));
%!   delete (file);
%! end
%!testif ; knng.internal.graph_file ('can')
%! file = written ((1:9)', 2);
%! messages = {};
%! for rows = {0, 10, 1.5, NaN, [1 2 -1], 'a', {}, ones(2), 1i}
%!   try
%!     knng.loadgraph (file, rows{1});
%!   catch err
%!     assert (err.identifier, 'knng:args:rows');
%!     messages{end+1} = err.message;
%!   end
%! end
%! delete (file);
%! assert (numel (messages), 9);
%! assert (messages{1}, ['rows(1) is 0: rows are whole numbers from 1 to 9, which ' file ' has']);
%! assert (strncmp (messages{5}, 'rows(3) is -1: ', 15));
%! assert (messages{6}, 'rows is ''a'': it must be a vector of numbers of rows, as in knng.loadgraph (''graph.h5'', 1:10)');
%!error id=knng:args:count knng.loadgraph ()
%!error id=knng:args:file knng.loadgraph (5)
%!error id=knng:io:open knng.loadgraph ('/nonexistent/graph.h5')
%!error <^/.*golub.nbi.gz is no graph that knngraph has written \('Output'\): it does not begin like one$>
%! knng.loadgraph (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'))
