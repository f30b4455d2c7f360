function [name, note] = foreign_option (opt, text)
%FOREIGN_OPTION  What an option of MATLAB, scikit-learn, umap-learn or igraph is called here.
%   [NAME, NOTE] = knng.internal.foreign_option (OPT, TEXT): TEXT is no option of a function whose options are the fields of the
%   struct OPT. NAME is the one that does what TEXT does elsewhere, NOTE what else there is to say; '' where there is nothing.

  persistent t patterns
  if (isempty (t))
    t = table ();
    patterns = strcat ('^(', t(:, 1), ')$');
  end
  [name, note] = deal ('');
  low = char (text + 32 * (text >= 'A' & text <= 'Z'));      % lower warns of what is no UTF-8
  low(low == '_') = [];
  if (any (low > 127))                                       % no name anywhere, and regexp wants UTF-8
    return
  end
  for r = reshape (find (~cellfun ('isempty', regexp (low, patterns, 'once'))), 1, [])
    if (has (opt, t{r, 2}))
      [name, note] = t{r, 3:4};
      return
    end
  end
  at = {'Distance', 'Metric'};
  at = at(isfield (opt, at));
  if (~isempty (at))
    try
      knng.internal.metric (text);
      note = sprintf ('a metric comes behind the name of its option, and that behind all other arguments: ''%s'', ''%s''', at{1}, text);
    catch
    end
  end
end

function yes = has (opt, fields)
% Whether OPT has all of the fields in the text FIELDS, and none of those behind a ~.
  yes = true;
  for word = strsplit (fields, ' ')
    f = word{1};
    if (~isempty (f) && f(1) == '~')
      yes = yes && ~isfield (opt, f(2:end));
    elseif (~isempty (f))
      yes = yes && isfield (opt, f);
    end
  end
end

function t = table ()
% In a row: how TEXT reads, as a regular expression, in lower case and without _; which options the function has and, behind ~, has not;
% NAME; NOTE. The first row that fits counts.
  k_first = 'k, the number of neighbours, is an argument before the options, as in knngraph (X, 20)';
  clusters_first = 'the number of clusters is an argument before the options';
  how = 'it says how to search, which changes no result here; leave it out';
  gaps = '(missing|na|nan|null|nodata)((value|code|string)s?)?|fill((value|code)s?)?';
  make_nan = 'make such numbers NaN, as in X(X == -9999) = NaN';
  gamma = 'gamma of scikit-learn is 1 over its square';
  minkowski = 'Minkowski''s distance of exponent 1 is ''Distance'', ''cityblock'', that of 2 ''euclidean'', of Inf ''chebychev''; there are no others';
  numbers = 'nclusters|numclusters|nclust|k';
  dims = 'ncomponents|numcomponents|nodims|ndims|numdims|numdimensions|dimensions';
  t = {
    'dist(ance)?(args|arguments|params?|parameters?)|p', 'By Weights Median', '', 'it stands in a cell behind the distance, as in ''Distance'', {''minkowski'', 3}'
    gaps,                          'Missing',             'Missing', ''
    gaps,                          'Rows',                '', [make_nan, '; ''Rows'' says what is done with NaN']
    gaps,                          'By Median',           '', [make_nan, ', which is filled in']
    gaps,                          'Distance',            '', [make_nan, ', which knng.impute fills in']
    'rows|columns',                'By Offset',           '', 'it is a value of ''By'', as in knng.normalize (X, ''zscore'', ''By'', ''columns'')'
    'rows|minvalid',               '',                    '', ['rows are compared whole here: fill missing values in with knng.impute, or, ' ...
                                                               'where a graph is taken, make it by knngraph (X, k, ''Rows'', ''pairwise'')']
    'objective(function)?|n?iterations|beta', 'Weight Resolution Seed ~Objective', '', ['knng.leiden has it, which takes the same graph; ' ...
                                                               'knng.louvain looks for modularity, until no move makes it larger']
    'standardise',                 'Standardize',         'Standardize', ''
    'names|symbols',               'Labels Layout',       'Labels', ''
    'pairwise|complete',           'Rows',                '', 'it says what is done with NaN as the value of ''Rows'', as in ''Rows'', ''pairwise'''
    '.*neighbou?r.*|k',            'Ks',                  'Ks', ''
    '.*neighbou?r.*|k',            'NSMethod TileSize ~K', '', ['all rows within the radius are found; the k nearest find knngraph (X, 20) and ' ...
                                                               'knng.knnsearch (X, Y, ''K'', 20)']
    'eps|epsilon|r|radius',        'NSMethod TileSize ~K', '', ['the radius is an argument before the options, as in knng.rangesearch (X, Y, 2) and ' ...
                                                               'knng.rangegraph (X, 2)']
    '.*neighbou?r.*|k',            'TileSize ~K',         '', k_first
    'percentneighbou?rs|numsamples', 'Algorithm Replicates', '', 'it is of algorithms that find worse medoids, to save time; leave it out'
    'nneighbou?rs',                'NegativeSamples',     'K', 'umap-learn counts the point itself, so that its 15 are 14 here'
    '.*neighbou?r.*',              'K',                   'K', ''
    '.*neighbou?r.*',              'NumNeighbors',        'NumNeighbors', ''
    '.*neighbou?r.*|k',            'Perplexity',          'Perplexity', 'three times as many neighbours are searched'
    '.*neighbou?r.*|k',            'By Median',           '', 'k, the number of neighbours, is an argument before the options, as in knng.impute (X, 10)'
    '.*neighbou?r.*|k',            'Component',           '', 'a graph has its neighbours: make it with another k, as in knngraph (X, 20)'
    'perplexity',                  'NegativeSamples',     'K', ''
    dims,                          'NumDimensions',       'NumDimensions', ''
    dims,                          'NumComponents',       'NumComponents', ''
    dims,                          'Component',           '', 'the number of dimensions is an argument before the options, as in knng.isomap (A, 2)'
    numbers,                       'MaxClust',            'MaxClust', ''
    'nclusters|k|ks',              'KList',               'KList', ''
    numbers,                       'Replicates',          '', clusters_first
    numbers,                       'KNNGraphType',        '', clusters_first
    'eps|epsilon|minpts|minsamples', 'Rows Device ~TileSize ~K ~NumNeighbors ~Ks', '', ['the radius and the least number of points are arguments ' ...
                                                               'before the options, as in knng.dbscan (X, 0.5, 5)']
    'minpts',                      'MinSamples',          'MinSamples', ''
    'minclustersize',              'MinSamples',          '', 'the least size of a cluster is an argument before the options, as in knng.hdbscan (X, 5)'
    'minpts|minsamples',           'PredecessorCorrection MaxEpsilon', '', 'minpts is an argument before the options, as in knng.optics (X, 5)'
    'eps',                         'PredecessorCorrection', 'Epsilon', ''
    'maxeps',                      'MaxEpsilon',          'MaxEpsilon', ''
    'eps|epsilon',                 'ClusterSelectionEpsilon', 'ClusterSelectionEpsilon', ''
    'randomstate|randomseed|rng',  'Seed',                'Seed', ''
    'njobs|nthreads|numthreads|useparallel', 'Threads',   'Threads', ''
    'display',                     'NumPrint',            'Verbose', ''
    'verbose|numprint|display',    'Progress',            'Progress', ''
    'niter|niterations|numiterations|maxiterations', 'MaxIter', 'MaxIter', ''
    'niter|maxiter|nepochs',       'NumEpochs',           'NumEpochs', ''
    'learningrate|eta',            'LearnRate',           'LearnRate', ''
    'negativesamplerate',          'NegativeSamples',     'NegativeSamples', ''
    'earlyexaggeration',           'Exaggeration',        'Exaggeration', ''
    'angle',                       'Theta',               'Theta', ''
    'method',                      'Theta',               'Algorithm', ''
    'init|initialy',               'Start',               'Start', ''
    'ninit|nstart|numreplicates',  'Replicates',          'Replicates', ''
    'gamma|resolutionparameter',   'Resolution',          'Resolution', ''
    'affinity',                    'SimilarityGraph',     'SimilarityGraph', ''
    'gamma',                       'KernelScale',         'KernelScale', gamma
    'gamma',                       'Bandwidth',           'Bandwidth', gamma
    'nlandmarks',                  'Landmarks',           'Landmarks', ''
    'followprobability',           'Damping',             'Damping', ''
    'personalization',             'Restart',             'Restart', ''
    'importance',                  'Damping',             'Weight', ''
    'method',                      'Length Directed',     'Length', '''unweighted'' of MATLAB is ''hops'', all others are ''distance'''
    'cost',                        'Length Directed',     'Length', 'the graph holds how long its edges are'
    'contamination(fraction)?',    'Queries K',           '', 'what is returned is the score of each row: take those above a border, as in score > 1.5'
    'novelty',                     'Queries K',           'Queries', ''
    'onlinephase',                 'Replicates',          '', 'single swaps are made as long as one makes the sum smaller; leave it out'
    'colou?rthreshold',            'CallOut',             'Dendrogram', ''
    'imputefun',                   'CallOut',             '', ['trees are of rows that knng.impute has filled in; give ds after another one to ' ...
                                                               'have it otherwise']
    'logtrans',                    'CallOut',             '', 'give the logarithms: ds.X = log2 (ds.X), or knng.normalize (ds, ''log2'')'
    'displayratio|showdendrogram|annot.*|(row|column)(groupmarker|labelscolor|labelsrotate)|labelswithmarkers', 'CallOut', '', ...
                                   'it is of the looks of a figure of MATLAB; leave it out. ''MaxClust'' marks clusters, ''CallOut'' rows'
    'nsmethod|searchmethod|bucketsize|sortindices|leafsize|algorithm', 'Device', '', how
    'nsmethod|searchmethod|bucketsize|sortindices|leafsize|algorithm', 'NSMethod', '', how
    'njobs|nthreads|numthreads|useparallel|threads', 'DistanceWeight ~Threads', '', ['a model searches where it is used: give ''Threads'' there, as in ' ...
                                                               'knng.predict (Mdl, X, ''Threads'', 2)']
    'prior|cost|classnames|breakties', 'DistanceWeight ~BreakTies', '', 'it is for classes, of which knng.fitcknn makes a model'
    'cachesize',                   '',                    '', how
    'standardi[sz]e',              'Distance',            '', 'do so before, as in knng.normalize (X, ''zscore'', ''By'', ''columns'')'
    'standardi[sz]e|whiten|variableweights', 'NumComponents', '', 'scale the columns before, as in knng.normalize (X, ''zscore'', ''By'', ''columns'')'
    'weights',                     'NumComponents',       '', ['components of weighted rows are those of sqrt (w) .* (X - w'' * X / sum (w)), w a column, ' ...
                                                               'with ''Centered'', false']
    'p|exponent',                  'Distance',            '', minkowski
    'p|exponent',                  'Metric',              '', strrep(minkowski, 'Distance', 'Metric')
    'cov',                         'Distance',            '', 'Mahalanobis'' distance is that of ''euclidean'' between the rows of X / chol (cov (X))'
    'scale',                       'Distance',            '', 'divide the columns by their scales before'
    'weights',                     'DistanceWeight ~BreakTies', 'DistanceWeight', ['''uniform'' of scikit-learn is ''equal'', ''distance'' is ''inverse''; ' ...
                                                               'weights of samples are left out, all of them weigh the same']
    'weights',                     'DistanceWeight',      'DistanceWeight', ['''uniform'' of scikit-learn is ''equal'', ''distance'' is ''inverse''; ' ...
                                                               'weights of samples are left out: leave ''Weights'' out, and give ''Prior'' where ' ...
                                                               'a class is to weigh more, or ''Cost'' where it may not be missed']
    'scoretransform|responsetransform', 'DistanceWeight ~BreakTies', '', 'transform what knng.predict returns, as in yfit = exp (knng.predict (Mdl, X))'
    'scoretransform|responsetransform', 'DistanceWeight', '', 'transform what knng.predict returns, as in [label, score] = knng.predict (Mdl, X), score = 2 * score - 1'
    'predictornames|responsename', 'DistanceWeight',      '', 'columns have no names in a model, and need none; leave it out'
    'categoricalpredictors',       'DistanceWeight',      '', 'give a column of 0 and 1 for each category, X(:, end + 1) = c == 2, and ''cityblock'''
    'transposed?',                 '',                    '', ['rows and columns change places in X'', those of a data set in ' ...
                                                               'ds = struct (''X'', ds.X'', ''names'', {ds.samples''}, ''samples'', {ds.names''})']
    'observationsin',              'DistanceWeight',      '', 'rows are samples: give X'' where columns are'
    };
end

%!test
%! f = @(fields, text) knng.internal.foreign_option (cell2struct (cell (numel (fields), 1), fields(:)), text);
%! assert (f ({'NumDimensions', 'K'}, 'N_Components'), 'NumDimensions');
%! assert (f ({'NumComponents'}, 'n_components'), 'NumComponents');
%! assert (f ({'KList', 'Seed'}, 'random_state'), 'Seed');
%! for word = {'Missing', 'FILL', 'FillValue', 'missing_values', 'na_values'}
%!   [name, note] = f ({'Rows', 'Distance'}, word{1});
%!   assert ({name, note}, {'', 'make such numbers NaN, as in X(X == -9999) = NaN; ''Rows'' says what is done with NaN'});
%!   [name, note] = f ({'K', 'Distance'}, word{1});
%!   assert ({name, note}, {'', 'make such numbers NaN, as in X(X == -9999) = NaN, which knng.impute fills in'});
%! end
%! assert (f ({'Missing'}, 'FillValue'), 'Missing');
%! assert (f ({'Weight'}, 'Missing'), '');
%! [name, note] = f ({'K', 'NegativeSamples'}, 'n_neighbors');
%! assert (name, 'K');
%! assert (strncmp (note, 'umap-learn counts the point itself', 34));
%! assert (f ({'MinSamples', 'Seed'}, char ([226 130])), '');
%! assert (f ({}, ''), '');
%! [name, note] = f ({'Distance', 'K'}, 'cityblock');
%! assert ({name, note}, {'', 'a metric comes behind the name of its option, and that behind all other arguments: ''Distance'', ''cityblock'''});
%! [name, note] = f ({'Metric'}, 'CORR');
%! assert (note, 'a metric comes behind the name of its option, and that behind all other arguments: ''Metric'', ''CORR''');
%! [~, note] = f ({'Method'}, 'Transposed');
%! ds = struct ('X', [1 2], 'names', {{'a'}}, 'samples', {{'s'; 't'}});
%! eval ([strrep(note, 'rows and columns change places in X'', those of a data set in ', '') ';']);
%! assert (ds.X, [1; 2]);
%! [~, note] = f ({'K', 'DistanceWeight'}, 'ScoreTransform');
%! assert (strncmp (note, 'transform what knng.predict returns, as in yfit', 47));
%! [~, note] = f ({'K', 'DistanceWeight', 'BreakTies'}, 'ScoreTransform');
%! assert (strncmp (note, 'transform what knng.predict returns, as in [label, score]', 57));
%! [~, note] = f ({'K'}, 'cityblock');
%! assert (note, '');
%!test  # what there is comes before advice to do without
%! f = @(fields, text) knng.internal.foreign_option (cell2struct (cell (numel (fields), 1), fields(:)), text);
%! assert (f ({'Distance', 'Standardize'}, 'Standardise'), 'Standardize');
%! assert (f ({'Ks', 'KFold', 'Rows', 'Device'}, 'n_neighbors'), 'Ks');
%! assert (f ({'Ks', 'KFold'}, 'K'), 'Ks');
%! told = @(text, fields, what) assert (! isempty (strfind (nthargout (2, f, fields, text), what)), text);
%! told ('k', {'NSMethod', 'TileSize', 'Distance'}, 'within the radius are found');
%! told ('eps', {'NSMethod', 'TileSize', 'Distance'}, 'knng.rangesearch (X, Y, 2)');
%! told ('k', {'TileSize', 'Distance'}, 'knngraph (X, 20)');
%! model = {'NumNeighbors', 'Distance', 'DistanceWeight', 'NSMethod'};
%! told ('Weights', [model, {'BreakTies'}], 'weights of samples are left out: leave ''Weights'' out, and give ''Prior''');
%! told ('weights', model, 'weights of samples are left out, all of them weigh the same');
%! told ('n_jobs', model, 'knng.predict (Mdl, X, ''Threads'', 2)');
%! told ('algorithm', model, 'leave it out');
%! told ('Prior', model, 'knng.fitcknn');
%! told ('P', {'TileSize', 'Distance'}, 'of exponent 1 is ''Distance'', ''cityblock'', that of 2');
%! told ('exponent', {'Metric'}, '''Metric'', ''cityblock'', that of 2');
%! assert (f ({'TileSize', 'Distance'}, 'P'), '');            % which is no 'Distance'
%! told ('Weights', {'NumComponents', 'Centered'}, 'sqrt (w)');
%! told ('Method', {'Length', 'Directed', 'Threads'}, '''unweighted'' of MATLAB is ''hops''');
