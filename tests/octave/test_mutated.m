function [npass, nfail] = test_mutated(files, seed, first)
%TEST_MUTATED  Files that functions of Octave read, damaged at random: gene sets, tables of platforms and of samples.
%   Each file is read, and what is returned has the form that the help says; or it is refused by an identifier of docs/api.md, with a
%   message that is short, UTF-8 without control characters. (Files that the core reads have fuzzers of their own, tests/unit/fuzz_*.c.)
%   FILES (900) of SEED, from number FIRST (1) on: test_mutated(1, seed, n) repeats file n, and leaves it in build/mutated. Readers that
%   err on purpose are found. Prints each failure and at last 'N passed, N failed'.

if nargin < 1
  files = 900;
end
if nargin < 2
  seed = 20120830;
end
if nargin < 3
  first = 1;
end
root = fileparts(which('knngraph'));
ids = unique(regexp(fileread(fullfile(root, 'docs', 'api.md')), 'knng:[a-z]+:[A-Za-z]+', 'match'));
sets = fileread(fullfile(root, 'examples', 'data', 'leukaemia_sets.gmt'));
ds = struct('X', [1 2; 3 4], 'names', {{'p1'; 'p2'}}, 'samples', {{'s1', 's2'}});
platform = sprintf('#ID = the probe\nID\tGene Symbol\t"a ""title"""\np1\tDDR1 /// MIR4640\tDösen, or\np2\t---\t1-Mar\n');
samples = sprintf('sep=;\nsample;sex;age;"days\nin all"\ns2;f;3,5;035\ns1;m;;12\r\n');
readers = {{sets(1:400), sets(end-300:end)}, @(file) sets_of(knng.readsets(file)); {platform}, @(file) annotated(knng.annotate(ds, file)); ...
           {samples, strrep(samples(7:end), ';', ',')}, @(file) tabled(@() knng.clustertable(ds, [1 1], 'Of', 'samples', 'Phenotypes', file))};
old = warning();
back = onCleanup(@() warning(old));
warning('off');

fault = @(varargin) error(varargin{:});
planted = {@(file) fault('no identifier'); @(file) fault('knng:args:xyzzy', 'no'); @(file) fault('knng:io:format', 'found %s', fileread(file)); ...
           @(file) sets_of(struct('names', {{'a'}}, 'descriptions', {{}}, 'genes', {{}}))};
nfail = 0;
for i = 1:numel(planted)
  [~, failures] = throw({readers{1, 1}, planted{i}}, 20, seed, 1, ids);
  if isempty(failures)
    nfail = nfail + 1;
    fprintf('FAIL what reader %d does on purpose is not seen\n', i);
  end
end
npass = numel(planted) - nfail;
[counts, failures] = throw(readers, files, seed, first, ids);
for i = 1:min(20, numel(failures))
  fprintf('FAIL %s\n', failures{i});
end
nfail = nfail + numel(failures);
npass = npass + files - numel(failures);
if files >= 300                                            % else few are read
  for i = 1:size(counts, 1)
    enough = min(counts(i, :)) >= 0.02 * sum(counts(i, :));
    if ~enough
      fprintf('FAIL of the files of reader %d %d were read, %d refused: such damage shows little\n', i, counts(i, :));
    end
    npass = npass + enough;
    nfail = nfail + ~enough;
  end
end
fprintf('%d files of seed %d:%s\n', files, seed, sprintf(' %d read, %d refused;', counts'));
fprintf('%d passed, %d failed\n', npass, nfail);
end

function [counts, failures] = throw(readers, files, seed, first, ids)
% COUNTS of each reader: how many files it has read, and how many it has refused.
counts = zeros(size(readers, 1), 2);
failures = {};
state = rand('twister');
restore = onCleanup(@() rand('twister', state));
file = tempname();
gone = onCleanup(@() delete(file));
for n = first:first + files - 1
  rand('twister', [seed; n]);
  kind = 1 + mod(n, size(readers, 1));
  seeds = readers{kind, 1};
  bytes = damaged(uint8(seeds{ceil(numel(seeds) * rand())}));
  write(file, bytes);
  if files == 1
    write(fullfile(fileparts(which('knngraph')), 'build', 'mutated'), bytes);
  end
  problem = '';
  try
    problem = readers{kind, 2}(file);
    counts(kind, 1) = counts(kind, 1) + 1;
  catch err
    counts(kind, 2) = counts(kind, 2) + 1;
    if ~any(strcmp(err.identifier, ids))
      problem = sprintf('the identifier ''%s'' is not in docs/api.md: %s', err.identifier, err.message);
    elseif numel(err.message) > 1000 || any(err.message < 32 & err.message ~= 10) || ~is_utf8(err.message)
      problem = ['the message is long, has control characters, or is no UTF-8: ' mat2str(double(err.message))];
    end
  end
  if ~isempty(problem)
    failures{end + 1} = sprintf('file %d of seed %d: %s', n, seed, problem); %#ok<AGROW>
  end
end
end

function write(file, bytes)
f = fopen(file, 'w');
fwrite(f, bytes);
fclose(f);
end

function bytes = damaged(bytes)
% One change or some: another byte, a part left out or twice, an end.
special = uint8([9 10 13 34 44 59 0 255 195 35 33 94 61 39 254 239 32]);
for change = 1:ceil(5 * rand() ^ 2)
  at = ceil(numel(bytes) * rand());
  far = min(numel(bytes), at + floor(20 * rand()));
  switch ceil(6 * rand())
    case {1, 2}
      bytes(at) = special(ceil(numel(special) * rand()));
    case 3
      bytes(at) = floor(256 * rand());
    case 4
      bytes(at:far) = [];
    case 5
      bytes = bytes([1:far, at:end]);
    otherwise
      if rand() < 0.3
        bytes = bytes(1:at);
      end
  end
  if isempty(bytes)
    bytes = uint8(10);
  end
end
end

function problem = sets_of(sets)
% '' if they are as the help of knng.readsets says.
problem = '';
n = numel(sets.names);
texts = @(c) iscellstr(c) && all(cellfun('size', c(:), 1) <= 1);
if ~isequal(size(sets.names), size(sets.descriptions), size(sets.genes), [n 1]) || n < 1 || ~texts(sets.names) || ~texts(sets.descriptions)
  problem = 'names, descriptions and genes are not columns of one length';
elseif ~all(cellfun(@(g) texts(g) && size(g, 2) == 1 && numel(unique(g)) == numel(g) && ~any(cellfun('isempty', g)), sets.genes))
  problem = 'genes of a set are no column of different texts';
end
end

function problem = annotated(ds)
% '' if they are as the help of knng.annotate says.
problem = '';
columns = struct2cell(ds.annotation);
if ~all(cellfun(@(c) iscellstr(c) && isequal(size(c), [2 1]), columns))
  problem = 'a column of annotation has not one text for each row';
elseif isfield(ds, 'symbols') && ~isempty(ds.symbols) && ~(iscellstr(ds.symbols) && isequal(size(ds.symbols), [2 1]))
  problem = 'symbols are not one text for each row';
end
end

function problem = tabled(f)
% '' if the phenotypes of two samples in one cluster are as the help of knng.clustertable says.
problem = '';
[t, e] = f();
if numel(t.cluster) ~= 1 || t.size ~= 2 || numel(e.overlap) ~= numel(e.class) || ~all(e.overlap >= 0 & e.overlap <= e.clustersize & e.size <= 2)
  problem = 'the table of clusters counts other samples than there are';
end
end

function ok = is_utf8(text)
ok = true;
try
  native2unicode(uint8(text), 'utf-8');
catch
  ok = false;
end
end
