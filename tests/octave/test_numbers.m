function [npass, nfail] = test_numbers()
%TEST_NUMBERS  A whole number may be of any class: every number among the arguments and options of the right calls in
%   storm_table, given as int8, uint64, single or sparse, has to give what it gives as a double, and in its classes.
%   Each meets one of these classes, in turns, or all four where KNNG_ALL is set. Not looked at are the gateways, data (X, A, tables), and the handles that pictures return.
%   Prints each failure and at last 'N passed, N failed'.

folder = tempname();
mkdir(folder);
old = confirm_recursive_rmdir(false);
here = pwd();
former = warning();
visible = get(0, 'defaultfigurevisible');
restore = onCleanup(@() leave(folder, here, old, former, visible));
table = storm_table(folder);
cd(folder);
warning('off', 'all');
set(0, 'defaultfigurevisible', 'off');
if ~knng.internal.with_igraph()
  table.rows([table.rows.igraph]) = [];
end
internal = strncmp({table.rows.name}, 'knng.internal.', 14);
npass = 0;
nfail = 0;
for row = table.rows(~internal & ~[table.rows.writes])
  for f = 1:numel(row.forms)
    [calls, places] = calls_with_numbers(row.forms{f}, table.kinds);
    for c = 1:numel(calls)
      problems = check_call(row, calls{c}, places(c));
      npass = npass + isempty(problems);
      nfail = nfail + ~isempty(problems);
      for p = 1:numel(problems)
        fprintf('FAIL %s (%s), argument %d: %s\n', row.name, strjoin(calls{c}, ', '), places(c), problems{p});
      end
    end
    close('all');
  end
end
fprintf('%d passed, %d failed\n', npass, nfail);
end

function leave(folder, here, old, former, visible)
cd(here);
rmdir(folder, 's');
confirm_recursive_rmdir(old);
warning(former);
set(0, 'defaultfigurevisible', visible);
end

function [calls, places] = calls_with_numbers(form, kinds)
% Lists of codes, with the first code of every kind but one, and the place in each list of a number that may be of any
% class.
data = {'$X', '$array', '$A', '$A2', '$S', '$ds', '$lists', '$tables', '$Y', '$y'};
calls = {};
places = [];
for i = 1:numel(form)
  codes = form(i);
  if ~isempty(regexp(form{i}, '^\$\w+\.', 'once'))
    codes = kinds.(strtok(form{i}(2:end), '.'));   % options
  elseif form{i}(1) == '$' && ~any(strcmp(form{i}, data))
    codes = kinds.(form{i}(2:end));
  end
  for j = 1:numel(codes)
    here = codes{j};
    if ~iscell(here)
      here = {here};
    end
    before = first_codes(form(1:i - 1), kinds);
    for at = find(~cellfun(@isempty, regexp(here, '^(\d+|\d+:\d+|\[[\d ]+\])$')))
      calls{end + 1} = [before, here, first_codes(form(i + 1:end), kinds)]; %#ok<AGROW>
      places(end + 1) = numel(before) + at; %#ok<AGROW>
    end
  end
end
end

function codes = first_codes(form, kinds)
codes = {};
for i = 1:numel(form)
  if form{i}(1) ~= '$'
    codes{end + 1} = form{i}; %#ok<AGROW>
  elseif ~any(form{i} == '.')
    codes = [codes, kinds.(form{i}(2:end)){1}]; %#ok<AGROW>
  end
end
end

function problems = check_call(row, codes, place)
% What is wrong with the number in that place in other classes.
persistent turn
turn = mod([turn, zeros(1, isempty(turn))] + 1, 5);   % five, and not four: numbers come in the same order in many functions
classes = {'int8', 'single', 'uint64', 'sparse'};
if isempty(getenv('KNNG_ALL'))
  classes = classes(1 + mod(turn, 4));
end
problems = {};
args = cellfun(@(code) eval(code), codes, 'UniformOutput', false);
right = results_of(row, args);
number = args{place};
for class_name = classes
  given = feval(class_name{1}, number);
  if any(double(given(:)) ~= number(:)) || (issparse(given) && numel(given) > 1)
    continue                               % it does not hold that number; of vectors a sparse one is a matrix
  end
  args{place} = given;
  try
    problem = 'gives another result';
    if same(results_of(row, args), right)
      problem = '';
    end
  catch err
    problem = sprintf('is refused: %s', err.message);
  end
  if ~isempty(problem)
    problems{end + 1} = [class_name{1} ' ' problem]; %#ok<AGROW>
  end
end
end

function out = results_of(row, args)
% Without handles, what a search says of itself, and what a searcher is known by.
out = cell(1, max(row.results, 1));
evalc('[out{:}] = row.f (args{:});');
for i = 1:numel(out)
  if any(strcmp(row.name, {'knng.plot', 'knng.scatter', 'knng.profile', 'knng.heatmap', 'knng.dendrogram'})) && i == 1 || strcmp(row.name, 'knng.clustergram') && i == 2
    out{i} = [];
  elseif isstruct(out{i}) && isfield(out{i}, 'seconds')
    out{i} = [];
  elseif isstruct(out{i}) && isfield(out{i}, 'hold')       % a searcher, of which each has its own
    out{i} = rmfield(out{i}, {'id', 'hold'});
  end
end
end

function yes = same(a, b)
yes = isequaln(a, b) && isequal(cellfun(@class, a, 'UniformOutput', false), cellfun(@class, b, 'UniformOutput', false)) && ...
      isequal(cellfun(@issparse, a), cellfun(@issparse, b));
end
