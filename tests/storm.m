function [npass, nfail, count] = storm(calls, seed, table, first)
%STORM  Calls every function with mutated arguments, and asks that each call is right or refused by name.
%   [npass, nfail, count] = storm(calls, seed) makes that many calls in this process, drawn by `seed`, of the functions of
%   storm_table. A right call takes a form of the table; most calls are then mutated: arguments of other classes,
%   sizes and values, too few, too many, options misspelt or twice, more results than there are. A call has to
%     - return what the check of its row says; a call that was not mutated may not be refused; or
%     - raise an error whose identifier is in docs/api.md, with a message that is short, UTF-8 without control characters, and has no
%       conversion of printf left over. Octave's own Octave:invalid-fun-call will do where Octave refuses before the
%       function is entered, since it was given more arguments or results than it has; and
%     - warn with identifiers of docs/api.md alone; and
%     - leave no block or file in the ledger of any gateway, and at last the same folder, path, warnings and state of rand.
%   count is a struct: refused, right, plain (right and not mutated), seconds.
%   storm(calls, seed, table, first) takes another table than storm_table's and begins with call number `first`; storm
%   (1, seed, [], n) repeats call n. Calls run in a folder of their own, which is removed at last. Should Octave end, its last call is in build/storm-call.m.

if nargin < 3 || isempty(table)
  folder = tempname();
  mkdir(folder);
  old = confirm_recursive_rmdir(false);
  restore_folder = onCleanup(@() drop(folder, old));
  table = storm_table(folder);
end
if nargin < 4
  first = 1;
end
root = fileparts(fileparts(mfilename('fullpath')));
here = pwd();
restore_here = onCleanup(@() cd(here));
if exist('folder', 'var')
  cd(folder);                              % what calls write without a path stays there
end
ids = unique(regexp(fileread(fullfile(root, 'docs', 'api.md')), 'knng:[a-z]+:[A-Za-z]+|knng:interrupted', 'match'));
former = warning();
restore_warnings = onCleanup(@() warning(former));
state = rand('twister');
restore_rand = onCleanup(@() rand('twister', state));
warning('off', 'Octave:legacy-function');
for i = 1:numel(ids)
  warning('off', ids{i});                  % what is printed all the same has another identifier, or none
end
if ~isfield(table, 'f')
  for i = 1:numel(table.rows)
    table.rows(i).f = eval(['@' table.rows(i).name]);
  end
end
if ~isfield(table, 'gates')
  table.gates = gateways(root);
end
gates = table.gates;
last = fopen(fullfile(root, 'build', 'storm-call.m'), 'w');
close_last = onCleanup(@() fclose(last));

evalc('knng.devices ();');                 % what is opened once and for all
before = session();
live = ledger(gates);
count = struct('refused', 0, 'right', 0, 'plain', 0, 'seconds', 0);
npass = 0;
nfail = 0;
started = tic();
for n = first:first + calls - 1
  rand('twister', [seed; n]);
  args = [];
  while ~iscell(args)                      % some codes cannot be evaluated: not every wrap fits every argument
    [row, codes, results, plain] = draw(table);
    args = evaluate(codes);
  end
  code = written(row, codes, results);
  frewind(last);
  fprintf(last, '%s  %% storm (1, %d, [], %d)\n\n', code, seed, n);
  fflush(last);
  [problem, outcome] = judge(row, args, results, plain, ids, ~isempty(strfind(code, '%')));
  now = ledger(gates);
  if isempty(problem) && ~isequal(now, live)
    problem = sprintf('leaves %s blocks or files behind', mat2str(now - live));
  end
  live = now;
  if isempty(problem)
    npass = npass + 1;
    count.(outcome) = count.(outcome) + 1;
    count.plain = count.plain + (plain && strcmp(outcome, 'right'));
  else
    nfail = nfail + 1;
    if nfail <= 20
      fprintf('FAIL %s\n     %s\n     again: storm (1, %d, [], %d)\n', code(1:min(end, 2000)), problem, seed, n);
    end
  end
end
count.seconds = toc(started);
problem = changed(before, session());
if ~isempty(problem)
  nfail = nfail + 1;
  fprintf('FAIL storm of seed %d: %s\n', seed, problem);
end
end

function drop(folder, old)
rmdir(folder, 's');
confirm_recursive_rmdir(old);
end

% ---- drawing a call --------------------------------------------------------------------------------------------------

function x = one(list)
x = list{ceil(numel(list) * rand())};
end

function [row, codes, results, plain] = draw(table)
row = table.rows(ceil(numel(table.rows) * rand()));
codes = fill(one(row.forms), table.kinds);
results = row.least + floor((row.results - row.least + 1) * rand());
mutations = find(rand() < [0.15 0.6 0.85 1], 1) - 1;
for m = 1:mutations
  codes = mutate(codes, table);
end
if rand() < 0.03
  results = floor((row.results + 3) * rand());
end
plain = mutations == 0 && results >= row.least && results <= row.results;
end

function codes = fill(form, kinds)
% The form with a code for each '$kind'.
codes = {};
for i = 1:numel(form)
  name = form{i};
  if name(1) ~= '$'
    codes{end + 1} = name; %#ok<AGROW>
  elseif any(name == '.')
    list = kinds.(strtok(name(2:end), '.'));
    for n = 1:floor(4 * rand())
      codes = [codes, one(list)]; %#ok<AGROW>
    end
  else
    codes = [codes, one(kinds.(name(2:end)))]; %#ok<AGROW>
  end
end
end

function codes = mutate(codes, table)
n = numel(codes);
if n == 0
  codes = {one(table.hostile)};
  return
end
at = ceil(n * rand());
switch ceil(10 * rand())
  case {1, 2, 3}                           % something else in its place
    codes(at) = {one(table.hostile)};
  case {4, 5}                              % something made of it
    codes{at} = strrep(one(table.wraps), '%s', codes{at});
  case 6                                   % left out
    codes(at) = [];
  case 7                                   % one more
    at = floor((n + 1) * rand());
    codes = [codes(1:at), {one(table.hostile)}, codes(at + 1:end)];
  case 8                                   % two in each other's place, or one twice
    other = ceil(n * rand());
    codes([at, other]) = codes([other, at]);
    if rand() < 0.5
      codes = [codes, codes(at)];
    end
  case 9                                   % an option more, its value anything
    pair = one(table.kinds.searchoption);
    codes = [codes, {near_miss(pair{1}), one(table.hostile)}];
  otherwise                                % a text misspelt, the last twice
    if codes{at}(1) == ''''
      codes{at} = near_miss(codes{at});
    end
    codes = [codes, codes(max(1, end - 1):end)];
end
end

function code = near_miss(code)
% A text in quotes, as often as not with a letter less, more or another.
if rand() < 0.5 || numel(code) < 4
  return
end
at = 1 + ceil((numel(code) - 2) * rand());
letter = char('a' + floor(26 * rand()));
switch ceil(4 * rand())
  case 1
    code(at) = [];
  case 2
    code = [code(1:at - 1), letter, code(at:end)];
  case 3
    code(at) = letter;
  otherwise
    code = upper(code);
end
if any(code(2:end - 1) == '''')            % a quote was hit: leave it a text
  code = ['''' strrep(code(2:end - 1), '''', '') ''''];
end
end

function args = evaluate(codes)
% The values of the codes; [] if one cannot be evaluated, or is too large to be copied about.
args = cell(1, numel(codes));
for i = 1:numel(codes)
  try
    evalc(['args{i} = ' codes{i} ';']);
  catch
    args = [];
    return
  end
  if numel(args{i}) > 1e6 || (issparse(args{i}) && prod(size(args{i})) > 1e6)
    args = [];
    return
  end
end
end

function code = written(row, codes, results)
names = 'abcdefgh';
code = sprintf(', %s', codes{:});
code = sprintf('%s (%s);', row.name, code(3:end));
if results > 0
  list = sprintf('%s, ', num2cell(names(1:results)){:});
  code = sprintf('[%s] = %s', list(1:end - 2), code);
end
end

% ---- judging it ------------------------------------------------------------------------------------------------------

function [problem, outcome] = judge(row, args, results, plain, ids, percent)
out = cell(1, results);
f = row.f;
printed = '';
lastwarn('', '');
err = [];
try
  if results == 0
    printed = evalc('f (args{:});');
  else
    printed = evalc('[out{1:results}] = f (args{:});');
  end
catch err
end
[text, id] = lastwarn(); %#ok<ASGLU>
outcome = 'refused';
problem = '';
if ~isempty(text) || ~isempty(regexp(printed, '(^|\n)(warning|error):', 'once'))
  problem = sprintf('warns by ''%s'', which docs/api.md has not: %s %s', id, text, printed);
elseif isempty(err)
  outcome = 'right';
  if results > row.results
    problem = 'gives more results than it has';
  else
    try
      problem = row.check(args, out);
    catch err
      problem = sprintf('was accepted, but the check of its row fails: %s', err.message);
    end
  end
elseif plain
  problem = sprintf('a right call is refused: %s: %s', err.identifier, err.message);
elseif strcmp(err.identifier, 'Octave:invalid-fun-call')
  if ~beyond(row.name, args, results)
    problem = sprintf('Octave, not knng, refuses it: %s', err.message);
  end
elseif ~any(strcmp(err.identifier, ids))
  problem = sprintf('the identifier ''%s'' is not in docs/api.md: %s', err.identifier, err.message);
else
  problem = bad_message(err.message, percent);
end
end

function b = beyond(name, args, results)
% True where Octave itself sees that there are too many arguments or results.
b = false;
try
  b = (nargin(name) >= 0 && numel(args) > nargin(name)) || (nargout(name) >= 0 && results > nargout(name));
catch                                      % a gateway: Octave does not know
end
end

function problem = bad_message(text, percent)
% `percent`: some argument has a percent sign, which the message may repeat.
problem = '';
if isempty(strtrim(text))
  problem = 'the message is empty';
elseif numel(text) > 1000
  problem = sprintf('the message has %d characters: %s ...', numel(text), text(1:200));
elseif any(text < 32 & text ~= 10) || ~is_utf8(text)
  problem = sprintf('the message has control characters or is no UTF-8: %s', mat2str(double(text)));
elseif ~percent && ~isempty(regexp(text, '%[-+ #0-9.*]*(hh|h|ll|l|z|j|t)?[diouxXeEfgGcspn]', 'once'))
  problem = sprintf('a conversion is left in the message: %s', text);
end
end

function ok = is_utf8(text)
ok = all(text < 128);
if ~ok
  try
    native2unicode(uint8(text), 'utf-8');
    ok = true;
  catch
  end
end
end

% ---- what a call may not change --------------------------------------------------------------------------------------

function gates = gateways(root)
files = dir(fullfile(root, 'mex', '*.c'));
names = strrep(setdiff({files.name}, 'mexargs.c'), '.c', '');
gates = cellfun(@(name) eval(['@knng.internal.' name]), names, 'UniformOutput', false);
end

function live = ledger(gates)
% Allocations and open files that each gateway holds; ends a failure that a call has planted.
live = zeros(1, numel(gates));
for i = 1:numel(gates)
  [calls, live(i)] = gates{i}('fail', 0); %#ok<ASGLU>
end
end

function s = session()
files = readdir('/proc/self/fd');
s = struct('folder', pwd(), 'path', path(), 'warnings', {warning()}, 'files', numel(files));
end

function problem = changed(a, b)
problem = '';
names = fieldnames(a);
for i = 1:numel(names)
  if ~isequal(a.(names{i}), b.(names{i}))
    problem = sprintf('%s is other than before', names{i});
  end
end
end
