function varargout = statistics(name, varargin)
%STATISTICS  Calls a function of the statistics package (Octave) or toolbox (MATLAB).
%  [...] = knng.internal.statistics (NAME, ...) is feval (NAME, ...). In Octave a package that is not loaded is on the
%  path for this call only: loading it for good would give the session other means and medians, with a warning each.
%  Without the package: knng:toolbox:noStatistics.

if ~exist(name, 'file')
  found = {};
  if exist('OCTAVE_VERSION', 'builtin')
    found = pkg('list', 'statistics');
  end
  if isempty(found)
    error('knng:toolbox:noStatistics', ['knng: %s of the statistics package is needed, and the package is not ' ...
          'installed; on Debian: apt-get install octave-statistics; else: pkg install -forge statistics'], name);
  end
  before = path();
  warning('off', 'Octave:shadowed-function', 'local');
  putback = onCleanup(@() restore(before));
  addpath(found{1}.dir);
end
[varargout{1:nargout}] = feval(name, varargin{:});
end

function restore(before)
warning('off', 'Octave:shadowed-function', 'local');
path(before);
end

%!testif ; ! isempty (pkg ('list', 'statistics'))  # works, and leaves the path as it was
%! before = path ();
%! rand ('seed', 1);  randn ('seed', 1);
%! T = knng.internal.statistics ('linkage', [1 4 3.5], 'single');
%! assert (T(:, 3), [1; 3.5]);
%! assert (path (), before);
