function [npass, nfail] = test_storm(level, seed)
%TEST_STORM  Every public function has a row in storm_table, every format a file; all survive a storm, which sees what is wrong.
%   test_storm(level, seed): 'short' (default) is some thousands of calls, 'deep' a hundred thousand, in one process.
%   Prints each failure and at last 'N passed, N failed'.

if nargin < 1
  level = 'short';
end
if nargin < 2
  seed = 20120830;
end
calls = struct('short', 1500, 'deep', 100000).(level);
npass = 0;
nfail = 0;

folder = tempname();
mkdir(folder);
table = storm_table(folder);
old = confirm_recursive_rmdir(false);
rmdir(folder, 's');
confirm_recursive_rmdir(old);
public = functions_of(fileparts(which('knngraph')));
for i = 1:numel(public)
  if any(strcmp({table.rows.name}, public{i}))
    npass = npass + 1;
  else
    nfail = nfail + 1;
    fprintf(['FAIL %s has no row in tests/octave/storm_table.m: add one to t.rows, row (''%s'', forms, results, check), with its\n' ...
             '     right calls as Octave code and a check of what they return; help storm_table says how\n'], public{[i i]});
  end
end

formats = knng.internal.write('formats');
for name = {formats([formats.read]).name}
  if any(strcmp(table.samples, name{1}))
    npass = npass + 1;
  else
    nfail = nfail + 1;
    fprintf('FAIL the format %s has no file in tests/octave/storm_table.m: add one to `samples`\n', name{1});
  end
end

plants = planted(table);
here = pwd();
for i = 1:numel(plants)
  evalc('[p, f] = storm (20, seed, plants(i).table, 990);');   % without and with warnings
  cd(here);
  if (f > 0) == plants(i).caught
    npass = npass + 1;
  else
    nfail = nfail + 1;
    fprintf('FAIL the storm sees %d of 20 calls of a function that %s\n', f, plants(i).name);
  end
end

[p, f] = storm(calls, seed);
npass = npass + p;
nfail = nfail + f;
fprintf('%d passed, %d failed\n', npass, nfail);
end

function names = functions_of(root)
% Every public function and every gateway.
files = dir(fullfile(root, '+knng', '*.m'));
files(strcmp({files.name}, 'Contents.m')) = [];
names = [{'knngraph'}, strcat('knng.', strrep({files.name}, '.m', '')), strcat('knng.internal.', gateway_names(false))];
end

% ---- functions that are wrong on purpose -----------------------------------------------------------------------------

function plants = planted(table)
good = @(varargin) knngraph(varargin{:});
plants = [plant(table, 'does all right', good, false), ...
          plant(table, 'has the last bit of a distance wrong', @last_bit, true), ...
          plant(table, 'refuses without an identifier', @(varargin) error('no')), ...
          plant(table, 'refuses with an identifier that is not documented', @(varargin) error('knng:args:xyzzy', 'no')), ...
          plant(table, 'refuses what is right', @(varargin) error('knng:args:k', 'no')), ...
          plant(table, 'leaves a conversion in its message', @(varargin) error('knng:args:k', 'k is %%d')), ...
          plant(table, 'has an empty message', @(varargin) error(struct('identifier', 'knng:args:k', 'message', ' '))), ...
          plant(table, 'has an endless message', @(varargin) error('knng:args:k', repmat('x', 1, 5000))), ...
          plant(table, 'warns without an identifier', @warns), ...
          plant(table, 'warns with a conversion left over', @warns_badly), ...
          plant(table, 'changes the folder', @moves), ...
          plant(table, 'leaves a file open', @opens), ...
          plant(table, 'is the first to use Java', @uses_java, false), ...
          plant(table, 'leaves a warning that is off in lastwarn, as Octave 11 does', @remembers, false), ...
          plant(table, 'leaves a block in the ledger', good)];
plants(end).table.gates = {@growing};
end

function p = plant(table, name, f, caught)
% A table of knngraph alone, which f stands for.
table.rows = table.rows(strcmp({table.rows.name}, 'knngraph'));
table.rows.forms = {{'magic (4)', '2'}};
table.rows.f = f;
p = struct('name', name, 'table', table, 'caught', nargin < 4 || caught);
end

function varargout = last_bit(varargin)
[idx, dist, info] = knngraph(varargin{:});
dist(1) = dist(1) * (1 + eps);
if nargout < 2
  A = knngraph(varargin{:});
  varargout = {A * (1 + eps)};
else
  varargout = {idx, dist, info};
end
end

function varargout = warns(varargin)
warning('no');
varargout = cell(1, 3);
[varargout{:}] = knngraph(varargin{:});
end

function varargout = warns_badly(varargin)
warning('knng:args:kClipped', 'k is %%d');
varargout = cell(1, 3);
[varargout{:}] = knngraph(varargin{:});
end

function varargout = moves(varargin)
cd('/');
varargout = cell(1, 3);
[varargout{:}] = knngraph(varargin{:});
end

function varargout = opens(varargin)
fopen('/dev/null');
varargout = cell(1, 3);
[varargout{:}] = knngraph(varargin{:});
end

function varargout = remembers(varargin)
lastwarn('use a semicolon', 'Octave:missing-semicolon');
varargout = cell(1, max(1, nargout));
[varargout{:}] = knngraph(varargin{:});
end

function varargout = uses_java(varargin)
try
  javaObject('java.lang.String', 'x');
catch                                      % there is none
end
varargout = cell(1, max(1, nargout));
[varargout{:}] = knngraph(varargin{:});
end

function [calls, live] = growing(varargin)
% A gateway's ledger in which there is one block more each time.
persistent n
n = [n, 1];
calls = 0;
live = numel(n);
end
