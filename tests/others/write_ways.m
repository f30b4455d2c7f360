function write_ways (folder)
%WRITE_WAYS  Ways, bridges, ranks, hubs, clusters and labels in graphs, for tests/others/read_ways.py: FOLDER/NAME.mat of each graph, with
%   A (without its stored zeros' stand-ins), directed and undirected results.

ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
rand ('twister', 5);
sets = {'genes', ds.X(1:600, :), 'pearson', 6; 'patients', ds.X', 'pearson', 3};
for i = 1:12
  sets(end+1, :) = {sprintf('random%d', i), rand(20 + 30 * i, 1 + mod(i, 4)), 'euclidean', 1 + mod(i, 5)}; %#ok<AGROW>
end
for i = 1:size (sets, 1)
  [name, X, metric, k] = sets{i, :};
  A = knngraph (X, k, metric, 'Progress', 'off');
  n = size (A, 1);
  Y = NaN (n, 1);
  Y([1 2 n]) = [1 2 3];
  s = struct ('A', A, 'k', k, 'Y', Y);
  for directed = [0 1]
    for length_is = {'hops', 'distance'}
      options = {'Directed', directed, 'Length', length_is{1}};
      tag = sprintf ('%s%d', length_is{1}, directed);
      [s.(['before' tag]), s.(['far' tag])] = knng.shortestpath (A, 2, options{:});
      s.(['between' tag]) = knng.betweenness (A, options{:});
    end
  end
  s.rank = knng.pagerank (A);
  s.weighted = knng.pagerank (A, 'Weight', 'gaussian', 'Damping', 0.7);
  s.restart = knng.pagerank (A, 'Restart', [2 n]);
  s.W = knng.adjacency (A, 'Weight', 'gaussian');
  s.S = knng.adjacency (A, 'Weight', 'gaussian', 'Symmetrize', 'union');
  for seed = 1:10
    [s.community(:, seed), s.modularity(seed)] = knng.louvain (s.S, 'Weight', 'given', 'Seed', seed);
  end
  s.M = knng.mutual (A);
  s.count = knng.hubness (A);
  warning ('off', 'knng:graph:faint', 'local');
  [s.label, s.share] = knng.labelspread (A, Y, 'Alpha', 0.8);
  save ('-v7', fullfile (folder, [name '.mat']), '-struct', 's');
end
end
