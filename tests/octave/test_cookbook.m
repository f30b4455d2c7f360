function test_cookbook()
%TEST_COOKBOOK  docs/cookbook.md, as a reader types it, in the way of test_tutorial; and what its table of calls from MATLAB
%   has on the right works. Prints each failure and at last 'N passed, N failed'.
root = fileparts(which('knngraph'));
page = fullfile(root, 'docs', 'cookbook.md');
lines = strsplit(evalc('test_tutorial(page)'), "\n");
printf('%s', sprintf('%s\n', lines{strncmp(lines, 'FAIL', 4)}));
count = sscanf(lines{end - 1}, '%d passed, %d failed');

rand('twister', 1);
X = rand(40, 5);
Y = rand(7, 5);
y = 1 + (X(:, 1) > 0.5);
classes = [1 1 1 2 2];
c = y;
m = 'cityblock';
k = 3;
r = 0.5;
n = 3;
A = knngraph(X, k);
ns = knng.createns(X);
D = mod((1:40 * 39 / 2) * 0.618, 1);        % distances of 40 rows
Z = knng.linkage(X, 'average');
[f, K] = deal('kmeans', 1:5);
figure('visible', 'off');
model = knng.fitcknn(X, y);
[~, scores] = knng.predict(model, X);
names = model.ClassNames;
calls = regexp(fileread(page), '(?<=\n)\| `[^\n]*\| `([^\n|]*)` \|(?=\n)', 'tokens');
calls = regexp([strjoin([calls{:}], '`, `')], '[^`]+', 'match');
calls = calls(~cellfun(@isempty, regexp(calls, '^(\[~, d\] = )?kn')));
for i = 1:numel(calls)
  call = strrep(calls{i}, 'predict (m,', 'predict (model,');
  problem = '';
  try
    evalc(call);
  catch err
    problem = err.message;
  end
  if ~isempty(problem)
    printf('FAIL %s: %s\n', call, problem);
  end
  count += [isempty(problem); ~isempty(problem)];
end
if numel(calls) < 12
  printf('FAIL of the calls only %d are seen here\n', numel(calls));
  count(2)++;
end
knng.release(ns);
printf('%d passed, %d failed\n', count);
end
