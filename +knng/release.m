function count = release (ns)
%KNNG.RELEASE  Gives back the memory of a searcher.
%   knng.release (ns) frees what knng.createns prepared for the searcher ns, on
%   the host and on its GPU. A search with ns, or with a copy of it, is the
%   error knng:searcher:gone afterwards.
%   knng.release ('all') frees all searchers of the session.
%   count = knng.release (...) returns how many there were to be freed, 1-by-1.
%
%   It is not needed: a searcher is freed when the last copy of ns is gone, as
%   by clear ns. One that is gone already is no error, and count is 0 then.
%
%   Cost: some microseconds; it takes no memory.
%
%   Errors: knng:args:searcher if ns is no searcher; knng:args:count.
%
%   Example:
%     ns = knng.createns (rand (1000, 3));
%     knng.release (ns)                   % 1
%     knng.release (ns)                   % 0
%     knng.release ('all');
%
%   See also knng.createns, knng.searchers.

  if (nargin < 1)
    error ('knng:args:count', ...
           'knng.release needs a searcher, as in knng.release (ns), or ''all'': see help knng.release');
  end
  knng.internal.built ();
  if (knng.internal.is_one_of (ns, {'all'}))
    count = knng.internal.search ('drop', NaN);
  else
    count = knng.internal.search ('drop', knng.internal.searcher (ns, false));
  end
end

%!test
%! ns = knng.createns (magic (4));
%! copy = ns;
%! assert (knng.release (copy), 1);
%! assert (knng.release (ns), 0);
%!error id=knng:args:searcher knng.release (5)
%!error <ns is 'every': it must be> knng.release ('every')
%!error id=knng:args:searcher knng.release (struct ('id', 1))
%!error id=knng:args:count knng.release ()
