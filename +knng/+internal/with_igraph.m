function there = with_igraph (also)
%WITH_IGRAPH  An error with a remedy where the gateway to igraph is not there or cannot be loaded; else nothing, at once.
%  What ALSO would do ends the remedy.
%  there = knng.internal.with_igraph () tells, and raises nothing.

  persistent fine
  if (nargin == 0)
    also = '';
  end
  why = '';
  if (isempty (fine))
    here = fileparts (mfilename ('fullpath'));
    if (exist (fullfile (here, ['igraph.' mexext()]), 'file') == 0)
      why = 'knng was built without it';
    else
      try
        knng.internal.igraph ('fail', 0);
        fine = true;
      catch e
        why = regexprep (e.message, '\s+', ' ');
      end
    end
  end
  if (nargout > 0)
    there = isempty (why);
  elseif (~isempty (why))
    error ('knng:toolbox:noIgraph', ['this needs igraph''s C library, version 0.10 or 1, but %s; install it (Debian, Ubuntu: sudo ' ...
           'apt-get install libigraph-dev pkg-config), run make in %s and restart Octave (after pkg install: install knng again)%s'], ...
           why, fileparts (fileparts (here)), also);
  end
end
