function [npass, nfail] = storm(calls, seed, table, first)
%STORM  Calls every function with mutated arguments, and asks that each call is right or refused by name.
%   [npass, nfail] = storm(calls, seed) makes that many calls in this process, drawn by `seed`, of the functions of
%   storm_table. A right call takes a form of the table; most calls are then mutated: arguments of other classes,
%   sizes and values, too few, too many, options misspelt or twice, more results than there are. A call has to
%     - return what the check of its row says; a call that was not mutated may not be refused; or
%     - raise an error whose identifier is in docs/api.md, with a message that is short, UTF-8 without control
%       characters, and has no conversion of printf left over. Octave's own Octave:invalid-fun-call will do where Octave
%       refuses before the function is entered, since it was given more arguments or results than it has; and
%     - warn with identifiers of docs/api.md alone (in every other thousand calls the documented warnings are off, and
%       none may be seen; in the others they are on, and their texts have to be as those of errors); and
%     - leave no block or file in the ledger of any gateway, and at last the same folder, path, warnings, open files and
%       state of rand.
%   Prints the first failures, what was counted, and at last 'N passed, N failed', which is also returned.
%   storm(calls, seed, table, first) takes another table than storm_table's and begins with call number `first`; storm
%   (1, seed, [], n) repeats call n. Calls run in a folder of their own, which is removed at last. Should Octave end,
%   its last call is in build/storm-call.m.

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
root = fileparts(which('knngraph'));
here = pwd();
restore_here = onCleanup(@() cd(here));
if exist('folder', 'var')
  cd(folder);                              % what calls write without a path stays there
end
if ~knng.internal.with_igraph()
  table.rows([table.rows.igraph]) = [];
end
ids = unique(regexp(fileread(fullfile(root, 'docs', 'api.md')), 'knng:[a-z]+:[A-Za-z]+|knng:interrupted', 'match'));
former = warning();
restore_warnings = onCleanup(@() warning(former));
heard = false;
set_warnings(ids, heard);
if ~isfield(table, 'gates')
  table.gates = gateways();
end
gates = table.gates;
last = fopen(fullfile(root, 'build', 'storm-call.m'), 'w');
close_last = onCleanup(@() fclose(last));

evalc('knng.devices ();');                 % what is opened once and for all
start_java();
before = session();
live = ledger(gates);
count = struct('refused', 0, 'right', 0, 'plain', 0, 'seconds', 0);
npass = 0;
nfail = 0;
started = tic();
for n = first:first + calls - 1
  if heard ~= mod(floor(n / 1000), 2)
    heard = ~heard;
    set_warnings(ids, heard);
  end
  [row, codes, args, results, plain] = storm_call(table, seed, n);
  code = written(row, codes, results);
  frewind(last);
  fprintf(last, '%s  %% storm (1, %d, [], %d)\n\n', code, seed, n);
  fflush(last);
  [problem, outcome] = judge(row, args, results, plain, ids, heard, ~isempty(strfind(code, '%')));
  if row.writes && strcmp(outcome, 'right')
    table.refresh();
  end
  args = {};                               % with any searcher that is among them
  held = ledger(gates);
  if isempty(problem) && ~isequal(held, live)
    problem = sprintf('leaves %s blocks or files behind', mat2str(held - live));
  end
  live = held;
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
set_warnings(ids, false);                  % as it was before
problem = changed(before);
if ~isempty(problem)
  nfail = nfail + 1;
  fprintf('FAIL storm of seed %d: %s\n', seed, problem);
end
if calls > 100 && (count.plain < calls / 20 || count.right < calls / 10 || count.refused < calls / 4)
  nfail = nfail + 1;
  fprintf('FAIL the storm has too few calls of one kind to say anything\n');
end
fprintf('%d calls of seed %d: %d refused, %d right, %d of these not mutated; %.0f s, %s\n', calls, seed, count.refused, ...
        count.right, count.plain, count.seconds, datestr(now(), 'yyyy-mm-dd'));
fprintf('%d passed, %d failed\n', npass, nfail);
end

function drop(folder, old)
rmdir(folder, 's');
confirm_recursive_rmdir(old);
end

% ---- judging it ------------------------------------------------------------------------------------------------------

function code = written(row, codes, results)
names = 'abcdefghijkl';
code = sprintf(', %s', codes{:});
code = sprintf('%s (%s);', row.name, code(3:end));
if results > 0
  list = sprintf('%s, ', num2cell(names(1:results)){:});
  code = sprintf('[%s] = %s', list(1:end - 2), code);
end
end

function [problem, outcome] = judge(row, args, results, plain, ids, heard, percent)
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
[text, id] = last_warning();
outcome = 'refused';
problem = '';
if ~isempty(text) && ~(heard && any(strcmp(id, ids)))
  problem = sprintf('warns by ''%s'', which docs/api.md has not: %s', id, text);
elseif ~heard && ~isempty(regexp(printed, '(^|\n)(warning|error):', 'once'))
  problem = sprintf('prints a warning whose identifier docs/api.md has not: %s', printed);
elseif ~isempty(text) && ~isempty(bad_message(text, percent))
  problem = ['warning: ' bad_message(text, percent)];
elseif isempty(err)
  outcome = 'right';
  if results > row.results
    problem = 'gives more results than it has';
  elseif strncmp(row.name, 'knng.internal.', 14) && numel(args) == 2 && strcmp(args{1}, 'fail')
    % what tests ask of every gateway
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

function set_warnings(ids, heard)
% Those that are documented: off, so that what is printed all the same is not documented, or on, so that texts are seen.
states = {'off', 'on'};
for i = 1:numel(ids)
  warning(states{1 + heard}, ids{i});
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

function gates = gateways()
gates = cellfun(@(name) eval(['@knng.internal.' name]), gateway_names(), 'UniformOutput', false);
end

function live = ledger(gates)
% Allocations and open files that each gateway holds; ends a failure that a call has planted.
live = zeros(1, numel(gates));
for i = 1:numel(gates)
  [calls, live(i)] = gates{i}('fail', 0); %#ok<ASGLU>
end
end

function start_java()
% Where there is Java, its machine starts with the first object, and keeps files open.
try
  javaObject('java.lang.String', 'x');
catch
end
end

function s = session()
states = warning();                        % in an order that means nothing: one that was off and is on again goes to the end
[~, order] = sort({states.identifier});
s = struct('folder', pwd(), 'path', path(), 'warnings', {states(order)}, 'files', open_files(), 'random', rand('twister'));
end

function n = open_files()
n = numel(readdir('/proc/self/fd'));
end

function problem = changed(a)
problem = '';
b = session();
for i = 1:100                              % threads of Java have some open for a moment; what is left open stays
  if b.files <= a.files
    b.files = a.files;
    break;
  end
  pause(0.02);
  b.files = open_files();
end
names = fieldnames(a);
for i = 1:numel(names)
  if ~isequal(a.(names{i}), b.(names{i}))
    problem = sprintf('%s is other than before', names{i});
  end
end
end
