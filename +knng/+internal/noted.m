function ds = noted (ds, varargin)
%NOTED  The data set DS, in whose field history a sentence says what was done, sprintf (VARARGIN{:}): one more line, a cell.
%   A field history that holds something else is another's, and stays.

  said = sprintf (varargin{:});
  if (~isfield (ds, 'history') || (isempty (ds.history) && (iscell (ds.history) || isnumeric (ds.history))))
    ds.history = {said};
  elseif (iscellstr (ds.history))
    ds.history = [ds.history(:); {said}];
  end
end

%!test
%! ds = knng.internal.noted (struct ('X', 1), 'made %d', 3);
%! assert (ds.history, {'made 3'});
%! ds.history = {'a', 'b'};
%! ds = knng.internal.noted (ds, '100 %%');
%! assert (ds.history, {'a'; 'b'; '100 %'});
%! assert (knng.internal.noted (struct ('history', []), 'c'), struct ('history', {{'c'}}));
%! for other = {'mine', {1}, 5}
%!   ds = struct ('history', {other{1}});
%!   assert (knng.internal.noted (ds, 'c'), ds);
%! end
