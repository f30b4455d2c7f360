function test_tutorial(file)
%TEST_TUTORIAL  docs/tutorial.md, as a reader types it: its blocks of code run in order, and print what the page says.
%   The blocks share one workspace, which is empty at first, and an empty folder. A block marked text right after one of
%   code is what that code prints; a block of code without one prints nothing. White space counts as one blank, and
%   '...' stands for any text. A warning is output too. The pictures and files that the page names are there at the end.
%   The example file of the page holds what tools/series_matrix.m says.
%   test_tutorial (FILE) runs another page. Prints each failure and at last 'N passed, N failed'.
root = fileparts(which('knngraph'));
page = nargin == 0;
if page
  file = fullfile(root, 'docs', 'tutorial.md');
end
blocks = parse(fileread(file));
results = run_all(blocks);
npass = sum(cellfun(@isempty, results));
for problem = results(~cellfun(@isempty, results))
  printf('FAIL %s: %s\n', file, problem{1});
end
nfail = numel(results) - npass;
if page
  problems = {example_file(root), finds_faults()};
  for i = 1:numel(problems)
    if ~isempty(problems{i})
      printf('FAIL %s\n', problems{i});
    end
    npass = npass + isempty(problems{i});
    nfail = nfail + ~isempty(problems{i});
  end
end
printf('%d passed, %d failed\n', npass, nfail);
end

function blocks = parse(text)
% b-by-3 cell: code, the output that is printed below it ('' if there is none), its line on the page.
[tokens, starts, ends] = regexp(text, '(?<=\n)```(\w*)\n(.*?)\n?```(?=\n)', 'tokens', 'start', 'end');
blocks = cell(0, 3);
for i = 1:numel(tokens)
  kind = tokens{i}{1};
  if strcmp(kind, 'matlab')
    blocks(end + 1, :) = {tokens{i}{2}, '', sum(text(1:starts(i)) == "\n") + 1};
  elseif strcmp(kind, 'text') && i > 1 && strcmp(tokens{i - 1}{1}, 'matlab') && isempty(strtrim(text(ends(i - 1) + 1:starts(i) - 1)))
    blocks{end, 2} = tokens{i}{2};
  end
end
end

function results = run_all(blocks)
% For each block what was wrong with it, or ''. They run in a folder of their own.
former = pwd();
folder = tempname();
mkdir(folder);
cd(folder);
back = onCleanup(@() leave(folder, former));
set(0, 'defaultfigurevisible', 'off');
shown = onCleanup(@() set(0, 'defaultfigurevisible', 'remove'));
results = run_in_order(blocks);
if all(cellfun(@isempty, results))
  results = [results, {files_there(blocks)}];
end
end

function results__ = run_in_order(blocks__)
% The workspace of the page: it finds no variables but these.
results__ = cell(1, rows(blocks__));
for i__ = 1:rows(blocks__)
  try
    output__ = evalc(blocks__{i__, 1});
    results__{i__} = judge(output__, blocks__{i__, 2});
  catch err__
    results__{i__} = sprintf('it fails with %s: %s', err__.identifier, err__.message);
  end
  if ~isempty(results__{i__})
    results__{i__} = sprintf('the block at line %d: %s', blocks__{i__, 3}, results__{i__});
  end
end
close('all');
end

function problem = judge(output, expected)
problem = '';
found = strtrim(regexprep(output, '\s+', ' '));
wanted = regexptranslate('escape', strtrim(regexprep(expected, '\s+', ' ')));
wanted = strrep(wanted, '\.\.\.', '.*?');
if ~strcmp(found, strtrim(expected)) && isempty(regexp(found, ['^', wanted, '$'], 'once'))
  problem = sprintf('it should print\n%s\nand prints\n%s', expected, output);
end
end

function problem = files_there(blocks)
% '' if every file that the code names as written is there, and holds something.
problem = '';
code = sprintf('%s\n', blocks{:, 1});
names = regexp(code, '(?:print|knng\.write|save)\s*\(''(?:-\w+'',\s*'')?([\w.-]+)''', 'tokens');
for i = 1:numel(names)
  s = stat(names{i}{1});
  if isempty(s) || s.size < 100
    problem = sprintf('it should have written %s', names{i}{1});
  end
end
if numel(names) < 4
  problem = 'of its files fewer than four are seen here';
end
end

function problem = example_file(root)
% '' if the example file is what its script makes of golub.nbi.gz.
problem = '';
folder = tempname();
mkdir(folder);
made = fullfile(folder, 'made.txt');
addpath(fullfile(root, 'tools'));
series_matrix(made);
shipped = gunzip(fullfile(root, 'examples', 'data', 'golub_series_matrix.txt.gz'), folder);
if ~strcmp(fileread(made), fileread(shipped{1}))
  problem = 'examples/data/golub_series_matrix.txt.gz is not what tools/series_matrix.m makes';
end
rmpath(fullfile(root, 'tools'));
confirm_recursive_rmdir(false, 'local');
rmdir(folder, 's');
end

function problem = finds_faults()
% '' if pages with a planted fault are seen to be wrong, and one without is not.
fine = sprintf('x\n\n```matlab\na = 1;\ndisp (a + 1)\n```\n\n```text\n2\n```\n');
faults = {strrep(fine, sprintf('\n2\n'), sprintf('\n3\n'))   % stale
          strrep(fine, '+ 1', '+ b')                         % fails
          strrep(fine, sprintf('```text\n2\n```\n'), '')     % prints what the page does not show
          strrep(fine, 'a = 1;', 'warning (''x:y'', ''z''); a = 1;')};
blocks = parse(fine);
problem = '';
if rows(blocks) ~= 1 || ~isempty([run_in_order(blocks){:}])
  problem = 'a page without fault is found to be wrong';
end
for i = 1:numel(faults)
  if isempty([run_in_order(parse(faults{i})){:}])
    problem = sprintf('planted fault %d is not found', i);
  end
end
end

function leave(folder, former)
cd(former);
confirm_recursive_rmdir(false, 'local');
rmdir(folder, 's');
end
