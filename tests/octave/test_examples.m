function nfail = test_examples ()
%TEST_EXAMPLES  The lines that examples/*.m offer to copy, which are not those that they run themselves: in an empty folder that
%   has the data they begin with, as a reader types them. They end without a warning, write what they name, and geo.m and cluster.m
%   come to the same answers as when they are run.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@geo, @leukaemia, @microarray, @from_matlab};
nfail = run_checks (checks);
end

function geo ()
lines = lines_of ('geo');
assert (numel (lines) >= 14 && numel (lines) <= 20);         % from a file to a page in twenty lines
[folder, gone] = workplace (); %#ok<ASGLU>
typed = evalc ('run_lines (lines, folder)');
assert (~isempty (strfind (typed, 'CD33 (row 285) has 5 neighbours')) && ~isempty (regexp (typed, '\n +\d+ +RESPIRATION ')), typed);
written = {'clusters.png', 'differ.csv', 'geo.html'};
assert (cellfun (@(f) exist (fullfile (folder, f), 'file'), written), [2 2 2]);
mine = fileread (fullfile (folder, 'differ.csv'));
[other, gone_too] = workplace (); %#ok<ASGLU>
said = evalc ('knng.demo (''geo'', other)');
assert (fileread (fullfile (other, 'differ.csv')), mine);
clusters = @(text) regexp (text, '\n\d+ clusters of 876 rows.*', 'match', 'once');
table = @(text) regexp (clusters (text), '\n +\d+ +\d+ [^\n]*', 'match');
assert (~isempty (table (said)));
assert (table (typed), table (said));
end

function leukaemia ()
[folder, gone] = workplace (); %#ok<ASGLU>
run_lines (lines_of ('leukaemia'), folder);
end

function microarray ()
[folder, gone] = workplace (); %#ok<ASGLU>
said = evalc ('run_lines (lines_of (''microarray''), folder)');
assert (~isempty (regexp (said, '\n +20 +\S+ +\d+ ')), said);
end

function from_matlab ()
lines = lines_of ('cluster');
assert (numel (lines), 9);
lines{end+1} = ['printf (''%d %d\n'', size (X)), printf (''%d '', sort (accumarray (T, 1), ''descend''), sort (accumarray (k, 1), ''descend'')), ' ...
                'printf (''\n%.3f\n'', mean (s)), printf (''  %d %d'', accumarray ([P, ds.classes(:) + 1], 1)'')'];
[folder, gone] = workplace (); %#ok<ASGLU>
typed = evalc ('run_lines (lines, folder)');
[other, gone_too] = workplace (); %#ok<ASGLU>
said = evalc ('knng.demo (''cluster'', other)');
want = regexp (said, ['(\d+) genes of (\d+) patients, .*clusterdata: clusters of ([\d, ]+) genes.*kmeans: clusters of ([\d, ]+) genes' ...
                      '.*silhouette ([\d.]+),.*clusters with ALL and AML:([ \d]+)\n'], 'tokens', 'once');
numbers = @(text) sscanf (strrep (text, ',', ' '), '%f')';
assert (numbers (typed), numbers (strjoin (want, ' ')));
end

function lines = lines_of (name)
% Those with five blanks before them. Without igraph what a line offers in its place.
root = fileparts (which ('knngraph'));
text = fileread (fullfile (root, 'examples', [name, '.m']));
lines = regexp (text, '(?<=\n%     )\S[^\n]*', 'match');
assert (~isempty (lines));
if ~knng.internal.with_igraph ()
  lines(~cellfun (@isempty, strfind (lines, 'knng.leiden ('))) = [];
  lines = regexprep (lines, '^% cluster = knng.mstknn', 'cluster = knng.mstknn');
end
end

function run_lines (lines, folder)
% A warning ends them.
former = cd (folder);
back = onCleanup (@() cd (former));
restore = knng.internal.headless (); %#ok<NASGU>
warning ('off', 'knng:toolbox:noIgraph', 'local');           # the page says so where it has no map
lastwarn ('', '');
as_typed (strjoin (lines, "\n"));
[text, id] = lastwarn ();
assert (isempty (text), [id ': ' text]);
close all
end

function as_typed (text)
eval (text);
end

function [folder, gone] = workplace ()
% A new folder with the data of the examples.
root = fileparts (which ('knngraph'));
folder = tempname ();
mkdir (folder);
gone = onCleanup (@() remove (folder));
for name = {'golub.nbi.gz', 'leukaemia_series_matrix.txt.gz', 'leukaemia_platform.txt.gz', 'leukaemia_sets.gmt'}
  copyfile (fullfile (root, 'examples', 'data', name{1}), folder);
end
end

function remove (folder)
confirm_recursive_rmdir (false, 'local');
rmdir (folder, 's');
end
