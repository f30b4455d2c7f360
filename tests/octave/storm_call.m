function [row, codes, args, results, plain] = storm_call(table, seed, n)
%STORM_CALL  Draws call number n of a storm from a table as storm_table's.
%   row      the row of the function
%   codes    the Octave code of each argument; args their values
%   results  how many results are asked for
%   plain    true: a right call as the row has it; false: mutated

state = rand('twister');
restore = onCleanup(@() rand('twister', state));
rand('twister', [seed; n]);
args = [];
while ~iscell(args)                        % not every code can be evaluated: not every wrap fits every argument
  [row, codes, results, plain] = draw(table);
  args = evaluate(codes);
end
end

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
