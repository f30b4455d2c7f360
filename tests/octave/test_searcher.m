function nfail = test_searcher()
%TEST_SEARCHER  Searchers: how long they live, what they hold, what may be given where; handles that are gone or changed;
%   calls that fail; a forked child; other sessions. run_cases has their answers. Prints 'N passed, N failed'.

global searcher_counts %#ok<GVMIS>
searcher_counts = [0 0];
former = warning();
restore = onCleanup(@() warning(former));
warning('off', 'all');
knng.release('all');
lives();
handles();
options();
warnings();
classes();
memory();
failures();
forks();
sessions();
tally(isempty(knng.searchers()), 'all are released');
nfail = searcher_counts(2);
fprintf('%d passed, %d failed\n', searcher_counts);
end

function tally(ok, varargin)
global searcher_counts %#ok<GVMIS>
searcher_counts(1 + ~ok) = searcher_counts(1 + ~ok) + 1;
if ~ok
  fprintf('FAIL %s\n', sprintf(varargin{:}));
end
end

function n = count()
n = numel(knng.searchers());
end

function n = live()
[~, n] = knng.internal.search('fail', 0);
end

function id = id_of(f)
id = '';
try
  f();
catch err
  id = err.identifier;
end
end

% ---- how long they live -----------------------------------------------------------------------------------------------

function lives()
before = live();
a = knng.createns(magic(4));
b = a;
tally(count() == 1, 'a copy is no other one');
b.mine = 5;                                % a copy of the struct, which holds it as well
clear a
tally(count() == 1, 'a changed copy holds it');
clear b
tally(count() == 0 && live() == before, 'the last copy releases it');
within(false);
tally(count() == 0 && live() == before, 'the end of a function releases it');
id_of(@() within(true));
tally(count() == 0 && live() == before, 'an error in a function releases it');
c = {knng.createns(magic(3)), knng.createns(magic(4))};
c{1} = [];
s = knng.searchers();
tally(isequal([s.rows], 4) && isequal(s.bytes, c{2}.bytes), 'the other one stays');
f = @() c{2};
clear c
tally(count() == 1, 'a function that uses it holds it');
clear f
tally(count() == 0, 'and releases it');
a = knng.createns(magic(4));
clear mex
clear -f
tally(count() == 1 && isequal(knng.knnsearch(a, magic(4)), (1:4)'), 'it outlives clear mex and clear -f');
a = knng.createns(magic(5));
tally(count() == 1, 'a new one in the place of another releases it');
tally(knng.release(a) == 1 && knng.release(a) == 0 && live() == before, 'released once');
clear a
tally(live() == before, 'and nothing happens later');
tally(isequal(knng.knnsearch(knng.createns(magic(4)), magic(4)), (1:4)') && count() == 0, 'one without a name');
many = cell(1, 50);
for i = 1:50
  many{i} = knng.createns(mod((1:10 + i)' * [7 5 3], 11));
end
s = knng.searchers();
tally(numel(s) == 50 && isequal([s.rows], 11:60), 'they are listed in the order in which they were made');
for i = [50 1 25]
  many{i} = [];
end
tally(count() == 47, 'some of many');
tally(isequal(knng.knnsearch(many{7}, many_rows(7), 'K', 3), knng.knnsearch(many_rows(7), many_rows(7), 'K', 3)), 'one of many');
tally(knng.release('ALL') == 47 && live() == before, 'all of many');
tally(strcmp(id_of(@() knng.knnsearch(many{7}, many_rows(7))), 'knng:searcher:gone'), 'all are gone');
end

function X = many_rows(i)
X = mod((1:10 + i)' * [7 5 3], 11);
end

function within(fails)
ns = knng.createns(magic(4));
tally(count() == 1 && ns.rows == 4, 'one in a function');
if fails
  error('test:planted', 'planted');
end
end

% ---- handles ----------------------------------------------------------------------------------------------------------

function handles()
X = magic(4);
ns = knng.createns(X);
other = knng.createns(single(magic(5)), 'Distance', 'cosine');
for field = fieldnames(ns)'
  bad = rmfield(ns, field{1});
  tally(strcmp(id_of(@() knng.knnsearch(bad, X)), 'knng:args:searcher'), 'without %s: %s', field{1}, id_of(@() knng.knnsearch(bad, X)));
  tally(strcmp(id_of(@() knng.release(bad)), 'knng:args:searcher'), 'release without %s', field{1});
  values = {[], 'x', 5, -1, NaN, {ns}, @sin, struct(), ns, 1i, [ns.id, ns.id], int8(4), containers.Map()};
  for v = 1:numel(values)
    bad = ns;
    bad.(field{1}) = values{v};
    id = id_of(@() knng.knnsearch(bad, X));
    want = 'knng:args:searcher';
    if strcmp(field{1}, 'id') && isequal(values{v}, 5)
      want = 'knng:searcher:gone';
    elseif isequal(class(values{v}), 'int8') && any(strcmp(field{1}, {'rows', 'columns'}))
      want = '';                           % the same number
    end
    tally(strcmp(id, want), '%s, value %d: ''%s'', not ''%s''', field{1}, v, id, want);
  end
end
bad = ns;
bad.id = other.id;
tally(strcmp(id_of(@() knng.knnsearch(bad, X)), 'knng:args:searcher'), 'the id of another');
bad = ns;
bad.K = 3;
tally(strcmp(id_of(@() knng.knnsearch(bad, X)), 'knng:args:searcher'), 'a field of its own');
tally(strcmp(id_of(@() knng.knnsearch([ns, other], X)), 'knng:args:searcher'), 'two');
tally(strcmp(id_of(@() knng.knnsearch(X, ns)), 'knng:args:class'), 'the other way round');
tally(strcmp(id_of(@() knng.createns(ns)), 'knng:args:class'), 'a searcher of a searcher');
tally(strcmp(id_of(@() knngraph(ns, 2)), 'knng:args:class'), 'a graph of a searcher');
tally(isequal(knng.knnsearch(ns, X), (1:4)'), 'after all this it works');
gone = ns;
knng.release(ns);
for f = {@() knng.knnsearch(gone, X), @() knng.knnsearch(ns, X, 'K', 2), @() knng.internal.search('query', gone.id, X)}
  tally(strcmp(id_of(f{1}), 'knng:searcher:gone'), 'a search of one that is gone');
end
tally(count() == 1 && isequal(knng.knnsearch(other, single(magic(5))), (1:5)'), 'the other one is there');
end

% ---- options, warnings, classes ---------------------------------------------------------------------------------------

function options()
X = mod((1:40)' * [0.137 0.713 0.371], 1);
ns = knng.createns(X, 'Distance', 'cityblock', 'Device', 'cpu', 'MaxMemory', 1e8, 'Threads', 1, 'Progress', 'off', 'Prune', 'on', ...
                   'TileSize', 16, 'Target', 'plain', 'NSMethod', 'kdtree', 'BucketSize', 9, 'MaxDeviceMemory', 1e9);
[idx, D, info] = knng.knnsearch(ns, X, 'K', 3, 'MaxMemory', 1e8, 'Threads', 1, 'Progress', 'off', 'IncludeTies', false, 'SortIndices', true);
[want, far] = knng.knnsearch(X, X, 'K', 3, 'Distance', 'cityblock');
tally(isequal(idx, want) && isequal(D, far), 'all options');
tally(~isempty(strfind(info.device, 'plain, 1 thread')) && isempty(strfind(info.note, 'searcher')) && strncmp(info.pruned, 'yes: ', 5), ...
      'what was given stays: %s, %s, %s', info.device, info.note, info.pruned);
for given = {{'Distance', 'cosine'}, {'Metric', 'cityblock'}, {'Device', 'cpu'}, {'MaxDeviceMemory', 1e9}, {'Prune', 'off'}, ...
             {'TileSize', 16}, {'Target', 'plain'}, {'NSMethod', 'kdtree'}, {'BucketSize', 9}}
  tally(strcmp(id_of(@() knng.knnsearch(ns, X, given{1}{:})), 'knng:args:option'), '''%s'' at a search', given{1}{1});
end
for given = {{'K', 3}, {'numneighbors', 3}, {'IncludeTies', false}, {'SortIndices', true}, {'Calibrate', true}, {'Checkpoint', 'x'}, {'Output', 'x.h5'}}
  tally(strcmp(id_of(@() knng.createns(X, given{1}{:})), 'knng:args:unknownOption'), '''%s'' of knng.createns', given{1}{1});
end
[~, info] = knng.createns(X);
tally(~isempty(strfind(info.note, 'CPU')), 'note: %s', info.note);
[~, ~, info] = knng.knnsearch(knng.createns(X), X(1, :));
tally(~isempty(strfind(info.note, 'CPU')), 'note of a search: %s', info.note);
tally(info.memory.planned < 1e6 && info.memory.peak <= info.memory.planned, 'the memory of a search is its own');
tally(strcmp(id_of(@() knng.createns(rand(1e4, 20), 'MaxMemory', 1e6)), 'knng:args:maxMemory'), 'too little for it');
tally(strcmp(id_of(@() knng.knnsearch(ns, X, 'MaxMemory', 1000)), 'knng:args:maxMemory'), 'too little for a search');
tally(ns.gpu == 0 && ns.gpubytes == 0, 'the CPU has it');
for device = {'gpu', 1, [1 2]}             % where there is none; tests/gpu/gpu_searchers.m is for the others
  id = id_of(@() knng.createns(X, 'Device', device{1}));
  tally(strcmp(id, 'knng:device:none') || ~isempty(knng.devices()), 'GPUs: %s', id);
end
for device = {0, [1 1], 'tpu', 1.5}
  tally(strcmp(id_of(@() knng.createns(X, 'Device', device{1})), 'knng:args:device'), 'no device');
end
end

function warnings()
X = [1 2 4; 3 3 3; 5 NaN 1; 2 1 0; 7 8 1];
Y = [1 1 1; 2 5 1; Inf 0 0; NaN 1 2];
ns = knng.createns(X, 'Distance', 'pearson');
warning('on', 'all');
[text, id] = said(@() knng.createns(X, 'Distance', 'pearson'));
tally(any(strcmp(id, {'knng:data:nonFinite', 'knng:data:constant'})) && ~isempty(strfind(text, '1 of 5 rows')) && ~isempty(strfind(text, ': 1,')), ...
      'createns: %s', text);
text = said(@() knng.knnsearch(ns, [1 2 3; 3 2 2]));
tally(isempty(text), 'queries without fault: %s', text);
text = said(@() knng.knnsearch(ns, Y));
tally(~isempty(strfind(text, '2 of 4 rows')) && ~isempty(strfind(text, ': 1,')), 'queries with faults: %s', text);
text = said(@() knng.knnsearch(ns, [1 2 3], 'K', 9));
tally(~isempty(strfind(text, 'k is 9, but X has only 5 row')), 'a large k: %s', text);
warning('off', 'all');
[i, d, info] = knng.knnsearch(ns, Y, 'K', 9);
[j, e, without] = knng.knnsearch(X, Y, 'K', 9, 'Distance', 'pearson');
tally(isequaln_(i, j) && isequaln_(d, e) && info.nonfinite == without.nonfinite && info.constant == without.constant, 'info counts the same');
end

function [text, id] = said(f) %#ok<INUSD>
lastwarn('', '');
text = evalc('f ();');
[~, id] = lastwarn();
end

function yes = isequaln_(a, b)
yes = isequal(size(a), size(b)) && all((a(:) == b(:)) | (isnan(a(:)) & isnan(b(:))));
end

function classes()
X = magic(6);
Y = X(2:3, :) + 0.5;
for x = {X, single(X)}
  ns = knng.createns(x{1});
  tally(strcmp(ns.class, class(x{1})), 'class');
  for y = {Y, single(Y)}
    [i, d] = knng.knnsearch(ns, y{1}, 'K', 4);
    [j, e] = knng.knnsearch(x{1}, y{1}, 'K', 4);
    tally(isequal(i, j) && isequal(d, e) && strcmp(class(d), class(e)), '%s and %s', class(x{1}), class(y{1}));
  end
end
for Y = {zeros(0, 6), 1:5, 'abcdef', sparse(X), {1}, 1i * X, ones(2, 6, 2), true(2, 6)}
  tally(strcmp(id_of(@() knng.knnsearch(ns, Y{1})), id_of(@() knng.knnsearch(X, Y{1}))) && ~isempty(id_of(@() knng.knnsearch(ns, Y{1}))), ...
        'queries of class %s are refused alike: %s', class(Y{1}), id_of(@() knng.knnsearch(ns, Y{1})));
end
end

function memory()
% What docs/memory.md says that a searcher holds.
rand('twister', 5);
for n = [2 100 9000]
  for d = [1 3 20 100]
    for prune = {'off', 'on'}
      ns = knng.createns(rand(n, d), 'Prune', prune{1});
      said = 8 * n * 8 * ceil(d / 8) + 4 * 16 * ceil(n / 16) * d + 24 * n + 17 * n + 16 + 8 * 8 * ceil(d / 8);
      if strcmp(prune{1}, 'on')
        B = max(8, min(32 + 32 * (d >= 8), 8 * floor(2 ^ 15 / d / 8)));
        L = ceil(n / B);
        leaves = 8 * L * B * max(d, 2);
        if d >= 8
          leaves = L * ((4 * 16 * ceil(B / 16) + 16) * d + 32);
        end
        said = said + leaves + 2 * L * (16 * d + 12) + 4 * n;
      end
      tally(ns.bytes >= said && ns.bytes <= said + 3000, '%d rows of %d columns, ''%s'': %d bytes, not %d', n, d, prune{1}, ns.bytes, said);
    end
  end
end
[ns, info] = knng.createns(rand(9000, 20));
tally(info.memory.peak <= info.memory.planned && ns.bytes <= info.memory.peak + 1000, 'the peak');
end

% ---- what fails -------------------------------------------------------------------------------------------------------

function failures()
X = mod((1:60)' * [0.137 0.713 0.371], 1);
[idx, D] = knng.knnsearch(X, X(1:7, :), 'K', 3);
before = live();
fail_in_turn('createns', @() knng.createns(X, 'Threads', 1), @() live() == before && count() == 0);
ns = knng.createns(X, 'Threads', 1);
held = live();
search = @() knng.knnsearch(ns, X(1:7, :), 'K', 3, 'Threads', 1);
fail_in_turn('a search', search, @() live() == held && count() == 1 && is_found(search, idx, D));
end

function yes = is_found(search, idx, D)
[i, d] = search();
yes = isequal(i, idx) && isequal(d, D);
end

function fail_in_turn(name, call, fine)
% Every call that can fail does so in turn: an error with an identifier, or none, and then all is as FINE says.
met = 0;
for n = 1:400
  [calls, ~] = knng.internal.search('fail', n);
  id = '';
  try
    result = call(); %#ok<NASGU>
  catch err
    id = err.identifier;
  end
  [now, ~] = knng.internal.search('fail', 0);
  if now - calls < n
    break
  end
  met = met + ~isempty(id);
  clear result
  tally(isempty(id) || strncmp(id, 'knng:', 5), '%s, call %d: %s', name, n, id);
  tally(fine(), '%s, call %d, %s: what is left', name, n, id);
end
tally(met > 15 && n < 400, '%s: %d failures', name, met);
end

function forks()
X = mod((1:500)' * [0.137 0.713 0.371], 1);
ns = knng.createns(X);
want = knng.knnsearch(ns, X(1:70, :), 'K', 3, 'Threads', 2);
file = [tempname() '.txt'];
clean = onCleanup(@() delete(file));
fflush(stdout);
child = fork();
if child == 0
  fine = isequal(knng.knnsearch(ns, X(1:70, :), 'K', 3, 'Threads', 2), want);
  own = knng.createns(X);
  fine = fine && count() == 2 && knng.release(ns) == 1 && count() == 1 && isequal(knng.knnsearch(own, X(1:70, :), 'K', 3), want);
  f = fopen(file, 'w');
  fprintf(f, '%d %.0f', fine, own.id);
  fclose(f);
  kill(getpid(), 9);                       % without Octave's own end
end
waitpid(child);
told = sscanf(fileread(file), '%f');
tally(told(1) == 1, 'a forked child: %s', fileread(file));
other = knng.createns(X);
tally(other.id ~= told(2), 'its searchers are known by other numbers');
clear other
tally(isequal(knng.knnsearch(ns, X(1:70, :), 'K', 3, 'Threads', 2), want) && count() == 1, 'its parent');
end

% ---- other sessions ---------------------------------------------------------------------------------------------------

function sessions()
file = [tempname() '.bin'];
clean = onCleanup(@() delete(file));
ns = knng.createns(magic(4)); %#ok<NASGU>
evalc('save (''-binary'', file, ''ns'')');
loaded = load(file);
tally(isequal(knng.knnsearch(loaded.ns, magic(4)), (1:4)'), 'loaded while another handle is there');
clear loaded
tally(count() == 1, 'a loaded handle holds nothing');
loaded = load(file);
clear ns
tally(strcmp(id_of(@() knng.knnsearch(loaded.ns, magic(4))), 'knng:searcher:gone'), 'loaded, and the other one is gone');
tally(knng.release(loaded.ns) == 0, 'released, and gone');
ask = ['q = load (''%s''); try, knng.knnsearch (q.ns, magic (4)); catch e, disp (e.identifier), end; ' ...
       'a = knng.createns (magic (3)); b = a; clear all; disp (numel (knng.searchers ())); ' ...
       'global g; g = knng.createns (rand (1000, 3)); here = g; exit (3)'];
[status, text] = system(sprintf('octave-cli --norc -H -q --path "%s" --eval "%s" 2>&1', fileparts(which('knngraph')), sprintf(ask, file)));
tally(status == 3 && strcmp(text, sprintf('knng:searcher:gone\n0\n')), 'another session, which ends with searchers: %d, %s', status, text);
end
