function warn_empty (known, sides, part, ds, name)
%WARN_EMPTY  A warning of rows and columns of a heat map without any value that is drawn, which the order nevertheless has.
%   KNOWN: what is drawn of the rows PART of the data set DS, of which NAME is what the user calls its matrix. SIDES: whether there is an order of rows,
%   and of columns.

  if (~any (known(:)))
    warning ('knng:data:nonFinite', ['no value of the %d rows and %d columns is shown: they have none, or one alone where these are standardized, ' ...
             'and their order means nothing'], size (known));
    return
  end
  ones_out = {part(~any (known, 2)), find(~any (known, 1))};
  each = {'row', 'column'};
  for i = find (sides)
    at = ones_out{i};
    if (isempty (at))
      continue
    end
    they = {'they have', 'their places in the order mean', 'them'};
    if (numel (at) == 1)
      they = {'it has', 'its place in the order means', 'it'};
    end
    count = size (known, i);
    warning ('knng:data:nonFinite', ['%d of %d %ss (%.3g %%), the first of them %d, show no value: %s none, or one alone where these are ' ...
             'standardized, and %s nothing; leave %s out, as %s does'], numel (at), count, each{i}, 100 * numel (at) / count, at(1), they{:}, ...
             remedy (i, at, ds, name));
  end
end

function text = remedy (side, at, ds, name)
  if (side == 1)
    text = sprintf ('knng.filterrows (%s, ''MaxMissing'', 0.5)', strrep (name, '.X', ''));
    return
  end
  which = sprintf ('~any (isfinite (%s), 1)', name);
  if (numel (at) == 1)
    which = sprintf ('%d', at);
  elseif (numel (at) <= 20)
    which = mat2str (at(:)');
  end
  text = '';
  for field = {'samples', 'classes'}                         % first, since a mark is of what is there
    if (~isempty (ds.(field{1})))
      text = sprintf ('%sds.%s(%s) = []; ', text, field{1}, which);
    end
  end
  text = sprintf ('%s%s(:, %s) = []', text, name, which);
end

%!function text = warned (known, varargin)
%!  state = warning ('error', 'knng:data:nonFinite', 'local');
%!  text = '';
%!  try, knng.internal.warn_empty (known, varargin{:}); catch err, text = err.message; end
%!endfunction

%!test
%! none = struct ('samples', zeros (1, 0), 'classes', zeros (1, 0));
%! both = struct ('samples', {{'a', 'b', 'c'}}, 'classes', 1:3);
%! X = logical ([1 1 0; 0 0 0; 1 1 0]);
%! text = warned (X, [true false], [4 5 6]', none, 'X');
%! assert (strfind (text, '1 of 3 rows (33.3 %), the first of them 5,'), 1);
%! assert (regexp (text, 'as knng.filterrows \(X, ''MaxMissing'', 0.5\) does$') > 1);
%! assert (strfind (warned (X, [true true], [4 5 6]', both, 'ds.X'), 'knng.filterrows (ds,') > 1);
%! for X = {X, logical([0 1 0; 0 1 0; 0 1 0])}
%!   text = warned (X{1}, [false true], [4 5 6]', both, 'ds.X');
%!   ds = setfield (both, 'X', X{1});
%!   eval ([regexp(text, 'ds\.samples.*\[\]', 'match', 'once'), ';']);
%!   assert (ds.X, X{1}(:, any (X{1}, 1)));
%!   assert ({ds.classes, ds.samples}, {find(any (X{1}, 1)), both.samples(any (X{1}, 1))});
%! end
%! X = true (2, 50);
%! X(:, 3:30) = false;
%! text = warned (X, [false true], [1 2]', none, 'X');
%! X = double (X);
%! X(X == 0) = NaN;
%! eval ([regexp(text, 'X\(:.*\[\]', 'match', 'once'), ';']);
%! assert (size (X), [2 22]);
%! assert (warned (true (2, 3), [true true], [1 2]', none, 'X'), '');
%! assert (warned ([true false; true false], [true false], [1 2]', none, 'X'), '');
%! assert (strfind (warned (false (2, 3), [false false], [1 2]', none, 'X'), 'no value of the 2 rows and 3 columns is shown'), 1);
