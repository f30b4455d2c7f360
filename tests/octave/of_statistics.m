function varargout = of_statistics(name, varargin)
%OF_STATISTICS  [...] = of_statistics(NAME, ...) is feval(NAME, ...) of a function of Octave's statistics package.
%   The package, which has to be installed, is on the path for this call only: loaded for good it would give the session
%   other means and medians, with a warning each.

found = pkg('list', 'statistics');
before = path();
warning('off', 'Octave:shadowed-function', 'local');
putback = onCleanup(@() restore(before));
addpath(found{1}.dir);
[varargout{1:nargout}] = feval(name, varargin{:});
end

function restore(before)
warning('off', 'Octave:shadowed-function', 'local');
path(before);
end
