function test_help()
%TEST_HELP  The help of every public function, as a user meets it: shown, found, its examples run, its references exist.
%   What the text has to say is checked by tools/check-api.sh. An example is the code below a line '%   Example:'. It
%   runs by itself in an empty folder, and may give only those warnings whose identifiers stand in its comments. The
%   function in docs/memory.md has to count what plans count, and its table to be what plans say.
%   Prints each failure and at last 'N passed, N failed'.

root = fileparts(which('knngraph'));
files = [{'knngraph'}; regexprep(cellstr(ls(fullfile(root, '+knng', '*.m'))), '.*/(\w+)\.m$', 'knng.$1')];
files(strcmp(files, 'knng.Contents')) = [];
npass = 0;
nfail = 0;
leads = cell(numel(files), 1);                             % to whom 'See also' leads
for i = 1:numel(files)
  name = files{i};
  [text, format] = get_help_text(name);
  problems = {};
  if ~strcmp(format, 'plain text') || isempty(strfind(get_first_help_sentence(name, 200), upper(name)))
    problems{end + 1} = sprintf('help and lookfor do not show it (%s)', format);
  end
  also = regexp(text, 'See also (.*)', 'tokens', 'once');
  also = regexp([also{:}], '[\w.]*\w', 'match');
  for j = find(~strncmp(also, 'knng.', 5))
    if ~any(exist(also{j}) == [2 3 5])
      problems{end + 1} = sprintf('''See also'' names %s, which does not exist', also{j});
    end
  end
  leads{i} = find(ismember(files, also));
  problems = [problems, run_examples(text)];
  for j = 1:numel(problems)
    printf('FAIL %s: %s\n', name, problems{j});
  end
  npass = npass + isempty(problems);
  nfail = nfail + ~isempty(problems);
end
problems = {table_of_contents(files), not_found(files, leads), memory_page(fullfile(root, 'docs', 'memory.md')), memory_rows(root)};
for i = find(~cellfun(@isempty, problems))
  printf('FAIL %s\n', problems{i});
end
npass = npass + sum(cellfun(@isempty, problems));
nfail = nfail + sum(~cellfun(@isempty, problems));
printf('%d passed, %d failed\n', npass, nfail);
end

function problem = table_of_contents(files)
% '' if help knng.Contents names every function, lookfor finds it by what people look for, and knngraph leads to it.
problem = '';
text = get_help_text('knng.Contents');
lines = regexp(text, '(?<=\n     )(knng\S+)', 'match');
if ~isempty(setxor(lines, files)) || ~strcmp(text, get_help_text('Contents'))
  problem = 'help knng.Contents: it does not name the functions that there are';
end
for word = {'nearest', 'neighbor', 'cluster', 'k-means', 'leiden', 'classif', 'umap', 'missing', 'impute', 'imputation', 'normalize', 'gene set', 'expression', ...
            'correlation', 'p-value', 'enrich', 'pathway', 'fold change', 'outlier', 'single cell', 'csv', 'geo', 'hdf5', 'heat map', 'heatmap', 'dendrogram'}
  if ~any(strcmp(lookfor(word{1}), 'Contents'))
    problem = sprintf('lookfor %s: it does not find knng', word{1});
  end
end
if isempty(strfind(get_help_text('knngraph'), 'knng.Contents'))
  problem = 'help knngraph: it does not lead to knng.Contents';
end
end

function problem = not_found(files, leads)
% '' if 'See also' leads from knngraph, the first of the files, to every function, one text after the other.
found = 1;
grown = 0;
while numel(found) > grown
  grown = numel(found);
  found = unique([found; cat(1, leads{found})]);
end
problem = '';
left = setdiff(1:numel(files), found);
if ~isempty(left)
  problem = sprintf('''See also'' leads from knngraph to all but %s', strjoin(files(left)', ', '));
end
end

function problem = memory_page(file)
% '' if the function of the page counts the bytes that plans count; rows of n, m, d, k, a graph where m is n.
problem = '';
code = regexp(fileread(file), '```matlab\n(function b = planned.*?\nend\n)```', 'tokens', 'once');
eval(code{1});
for s = [2 2 1 1; 1000 1000 7 999; 3000 3000 295 20; 20000 20000 16 100; 20000 20000 100 20; 500 500 20000 5; 3000 50 30 3; ...
         7 9000 5 40; 1000 1000 3000 999; 250000 250000 2 20; 9000 9000 9000 10; 30000 5000 400 7]'
  graph = s(1) == s(2);
  queries = {'Queries', s(2)};
  e = knng.estimate(s(1), s(3), s(4), 'Device', 'cpu', 'Calibrate', false, queries{1:2 * ~graph});
  b = planned(s(1), s(2), s(3), s(4), e.tilesize, e.threads, graph, true);
  if b ~= e.memory.planned
    problem = sprintf('docs/memory.md: it counts %d bytes for %s, the plan %d', b, mat2str(s'), e.memory.planned);
  end
end
end

function problem = memory_rows(root)
% '' if the page has the table of how many rows fit as the plans have it now. tests/emulate/memory_pages.m looks at those of GPUs.
problem = '';
addpath(fullfile(root, 'tools'));
if isempty(strfind(fileread(fullfile(root, 'docs', 'memory.md')), memory_table('cpu')))
  problem = 'docs/memory.md: its table of rows on the CPU is not what tools/memory_table.m makes now';
end
rmpath(fullfile(root, 'tools'));
end

function problems = run_examples(text)
% What was wrong with the examples of a help text.
problems = {};
codes = regexp(text, '(?<=\n) {1,3}Example:?\n((?: *\n| {4,}.*\n)+)', 'tokens', 'dotexceptnewline');
if isempty(codes)
  problems = {'it has no example that can be run'};
end
former = pwd();
folder = tempname();
mkdir(folder);
cd(folder);
back = onCleanup(@() leave(folder, former));
for i = 1:numel(codes)
  lastwarn('', '');
  try
    run_alone(codes{i}{1});
  catch err
    if strcmp(err.identifier, 'knng:toolbox:noIgraph')
      continue
    end
    problems{end + 1} = sprintf('its example fails with %s: %s', err.identifier, err.message);
  end
  [warned, id] = last_warning();
  if ~isempty(warned) && (isempty(id) || isempty(strfind(codes{i}{1}, id)))
    problems{end + 1} = sprintf('its example warns: %s: %s', id, warned);
  end
  close('all');
end
end

function run_alone(code__)
% It finds no variable but its own text.
set(0, 'defaultfigurevisible', 'off');
evalc(code__);
end

function leave(folder, former)
cd(former);
confirm_recursive_rmdir(false, 'local');
rmdir(folder, 's');
end
