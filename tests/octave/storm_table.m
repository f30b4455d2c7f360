function t = storm_table(folder)
%STORM_TABLE  What the storm calls: a row for every public function and every gateway.
%   t = storm_table(folder) writes the files that calls read into folder, and returns
%     t.rows     struct array
%                  name, f   as it is called, and its handle
%                  forms     right calls: cell of lists of Octave code, an argument each. '$X' is any code of t.kinds.X,
%                            '$X...' up to three of its groups one after the other (options)
%                  results   how many results it has at most, or [least most]
%                  igraph    true: it needs igraph
%                  check     @(args, out) returns '' or what is wrong with the results of a call that was accepted
%     t.kinds    codes of arguments, by name; a code may be a cell of codes that belong together
%     t.hostile  codes of everything that an argument should not be
%     t.wraps    codes that make something else of an argument, '%s'
%     t.samples  names of the formats of which there is a file to read (see samples); test_storm asks that all have one
%     t.refresh  makes the files again, after a call of a row with `writes`: knng.write and knng.demo, which put files
%                anywhere
%   To add a function, add a row: its right calls, and what is known of its results beforehand. A row for a function
%   whose results are hard to foresee checks sizes and classes at least.

files = make_files(folder);
t.refresh = @() make_files(folder);
known = @(name) fullfile(folder, name);
quoted = @(name) ['''' known(name) ''''];

k = struct();
k.X = {'[0 0; 1 0; 0 2; 5 5]', 'magic (4)', 'single (magic (5))', 'mod ((1:40)'' * [0.137 0.713 0.371], 1)', '(1:9)''', ...
       '1:5', 'eye (6)', 'zeros (3, 2)', 'hilb (6)', '1e300 * magic (4)', '4.9e-324 * magic (4)', '1e8 + magic (6)', ...
       '[1 2 3; NaN 1 2; 3 1 2; Inf 0 0; 2 2 2]', 'repmat ([1 2 3; 3 1 2], 9, 1)', 'single ([1e30 1; 2 3; 4 NaN])', ...
       'mod ((1:20)'' * (1:17), 3)', '[-0 0; 0 -0; 1 1]', '7', 'eye (5)(:, [2 1 4 3 5])', '0:0.25:2', '(0:0.25:2)'''};
k.k = {'1', '2', '3', '2', 'int8 (2)', 'uint64 (3)', 'single (1)', '100', '2^53'};
k.few = {'2', '3', 'int8 (2)', 'uint64 (3)', 'single (2)', '100'};          % where 1 is refused
k.array = [k.X, {'int64 (magic (5)) - 9', 'uint8 (250:260)', 'mod (reshape (1:24, 3, 4, 2), 5) > 2', 'single ([NaN 1 -0 0])', '[]', 'zeros (0, 3)'}];
k.kdim = {{'2', '1'}, {'0', '2'}, {'int8 (3)', 'uint8 (2)'}, {'100', '3'}};
k.metric = strcat('''', [metric_names(), {'Pearson', 'CITYBLOCK', 'corr', 'eucl'}], '''');
k.option = {{'''Threads''', '1'}, {'''Threads''', '3'}, {'''threads''', 'int16 (2)'}, {'''TileSize''', '16'}, ...
            {'''TileSize''', '1'}, {'''TILESIZE''', '2^31'}, {'''Device''', '''cpu'''}, {'''Device''', '''auto'''}, ...
            {'''MaxMemory''', '1e9'}, {'''MaxMemory''', 'Inf'}, {'''MaxDeviceMemory''', '1e9'}, ...
            {'''Progress''', '''off'''}, {'''Progress''', '''Auto'''}, {'''Progress''', '''on'''}, ...
            {'''Prune''', '''on'''}, {'''prune''', '''OFF'''}, {'''Target''', '''auto'''}, {'''Target''', '''plain'''}, {'''Target''', '''blas'''}};
k.shortoption = {{'''thr''', '2'}, {'''dev''', '''cpu'''}, {'''Metric''', '''cosine'''}, {'''dist''', '''corr'''}, {'''Distance''', '''sqeucl'''}};   % not of the gateways
k.searchoption = [k.option, cellfun(@(c) {{'''K''', c}}, k.k), cellfun(@(c) {{'''Distance''', c}}, k.metric)];
k.matlaboption = [k.shortoption, {{'''NumNeighbors''', '2'}, {'''numn''', '1'}, {'''NSMethod''', '''kdtree'''}, ...
                                  {'''IncludeTies''', 'false'}, {'''sort''', 'true'}, {'''BucketSize''', '9'}}];
k.how = {'struct (''Threads'', 2, ''Progress'', ''off'')', 'struct (''Threads'', [], ''K'', 3)', 'struct (''Progress'', ''Auto'')'};   % of gateways
s = samples();
t.samples = {s.format};
formats = knng.internal.write('formats');
all_quoted = @(before, names) cellfun(@(name) quoted([before name]), names, 'UniformOutput', false);
graphs = {s([s.graph]).format};
k.file = [all_quoted('data.', {s(~[s.graph]).format}), {quoted('good.nbi'), quoted('classes.nbi'), quoted('good.nbi.gz'), quoted('with blank.nbi')}];
k.graphfile = all_quoted('graph.', graphs);
k.textoption = {{'''DecimalComma''', 'false'}, {'''decimal''', '''auto'''}, {'''HeaderLines''', '0'}, {'''Missing''', '''ND'''}, ...
                {'''missing''', '{''ND'', ''%s''}'}};     % that change nothing
k.tableoption = [k.textoption, {{'''Delimiter''', ''','''}, {'''delimiter''', '''COMMA'''}, {'''NamesColumn''', '1'}, {'''names''', 'int8 (1)'}}];
k.n = {'1', '4', '100', 'int32 (7)', '50000'};
k.ds = {'struct (''X'', magic (4), ''names'', {{''a'', ''b'', ''c'', ''d''}})', ...
        'struct (''X'', [1 1 1 1; 1 2 4 3; NaN 1 2 2; 3 2 1 1], ''names'', {{''a''; ''b''; ''c''; ''a''}})'};
k.ds{3} = ['struct (''X'', magic (4), ''names'', {{''a'', ''b'', ''c'', ''d''}}, ''symbols'', {{''S''; ''''; ''T /// %s''; ''S''}}, ' ...
          '''annotation'', struct (''title'', {{''x'', ''y'', ''z%d'', ''z''}}))'];
k.ops = {'''difference''', '''Ratio''', '{''-'', ''*''}', '{''sum'', ''product'', ''/''}'};
k.pairoption = {{'''Metafeatures''', '''difference'''}, {'''meta''', '{''*'', ''Sum''}'}, {'''METAFEATURES''', '''/'''}, {'''Metafeatures''', '''-''', '''Rows''', '''pairwise'''}};
k.lists = {{'[2 3; 1 3; 1 2; 3 2]', '[1 2; 1 3; 2 3; 3 4]'}, {'[2 3; 1 0; 0 0; 3 2]', 'single ([1 2; 1 NaN; NaN NaN; 3 4])'}, ...
           {'int32 ([4; 3; 2; 1])', '[0; 1; 2; Inf]'}};
k.tables = k.lists(1:2);
k.A = {'sparse ([0 1.5 0; 2 0 realmin; 0 0 0])', 'sparse (3, 3)', 'sparse (magic (3))', 'sparse (hilb (3) > 0.4)'};
k.A2 = {'sparse ([0 1.5 0; 2 0 realmin; 0 0 0])', 'sparse (5, 5)', 'sparse (hilb (6))', 'knngraph ((1:30)'' .^ 2, 3)'};
k.mstoption = {{'''K''', '1'}, {'''k''', '''AUTO'''}, {'''K''', '''connected'''}, {'''K''', 'int8 (2)'}};
k.edgeoption = {{'''Metric''', '''cityblock'''}, {'''directed''', 'true'}, {'''DIRECTED''', '0'}, {'''Tests''', '100'}};
k.dstarget = strcat('''out.', [[formats(~[formats.graph]).endings], {'nbi.gz'}], '''');
k.target = strcat('''out.', [[formats([formats.graph]).endings], {'gml.gz', 'knn.gz'}], '''');
k.writeoption = {{'''Names''', '{''a'', ''b c'', ''d''}'}, {'''Groups''', '[1 NaN 2]'}, {'''Groups''', '{''a''; ''''; ''%''}'}, ...
                 {'''Positions''', '[0 0; 1 2; 3 4]'}, {'''XY''', 'ones (3, 2)'}, {'''Attributes''', 'struct (''a'', [1 NaN 2], ''b'', {{''x'', '''', ''%s''}})'}, {'''Directed''', 'true'}, {'''format''', '''csv'''}, {'''FORMAT''', '''gml'''}};
k.adjacencyoption = {{'''Weight''', '''binary'''}, {'''weight''', '''DISTANCE'''}, {'''Weight''', '''similarity''', '''Metric''', '''pearson'''}, ...
                     {'''Symmetrize''', '''union'''}, {'''Symmetrize''', '''mutual'''}, {'''Symmetrize''', '''mean'''}, {'''Columns''', '4'}, ...
                     {'''Weight''', '''gaussian'''}, {'''Weight''', '''gaussian''', '''Bandwidth''', '''auto'''}, {'''weight''', '''JACCARD'''}, ...
                     {'''Weight''', '''gaussian''', '''bandwidth''', '0.3'}, {'''Weight''', '''snn'''}, {'''Neighbor''', '2'}};
k.verifyoption = {{'''Sample''', '2'}, {'''Rows''', '''ALL'''}, {'''Sample''', 'Inf'}, {'''Seed''', '7'}, {'''Threads''', '2'}, {'''progress''', '''off'''}, {'''Queries''', '[]'}};
k.Y = {'[1 1 2 2]', '{''a'', ''b'', ''a'', ''''}', '[''b ''; ''ab''; ''b ''; ''ab'']', '[true; false; true; true]', '[NaN 3 -1 3]', ...
       'int8 ([1 2 3 4])'};
k.fitoption = {{'''NumNeighbors''', '3'}, {'''Rows''', '''pairwise''', '''MinValid''', '1'}, {'''numneighbors''', 'int8 (2)'}, {'''DistanceWeight''', '''inverse'''}, ...
               {'''DistanceWeight''', '''squaredinverse'''}, {'''BreakTies''', '''nearest'''}, {'''BreakTies''', '''Random'''}, ...
               {'''Standardize''', 'true'}, {'''Prior''', '''uniform'''}, {'''Seed''', '9'}, {'''Distance''', '''cityblock'''}, {'''IncludeTies''', 'true'}, {'''DistanceWeight''', '@(d) 1 ./ d'}};
k.splitoption = {{'''KFold''', '2'}, {'''Leaveout''', '''on'''}, {'''Holdout''', '0.5'}, {'''CVPartition''', '[1 2 1 2]'}};
k.cvkoption = [k.fitoption([2, 4:end]), {{'''Ks''', '1:3'}, {'''Ks''', '[7 1 1]'}, {'''LossFun''', '''classiferror'''}}];
k.Mdl = {'knng.fitcknn ([0 0; 1 0; 0 2; 5 5], [1 1 2 2], ''NumNeighbors'', 3)', ...
         'knng.fitcknn (single ([0 0; 1 0; 0 2; 5 5]), {''a'', ''b'', ''a'', ''c''}, ''Standardize'', true, ''BreakTies'', ''random'')', ...
         'knng.fitcknn ([0 0; NaN 0; 0 2; 5 5], [''b ''; ''ab''; ''b ''; ''ab''], ''DistanceWeight'', ''inverse'')', ...
         'knng.fitcknn ([0 0; NaN 1; 0 2; 5 NaN], [1 1 2 2], ''Rows'', ''pairwise'', ''MinValid'', 1)'};
k.RMdl = {'knng.fitrknn ([0 0; 1 0; 0 2; 5 5], 1:4, ''K'', 2, ''DistanceWeight'', @(d) 1 ./ d)', ...
          'knng.fitrknn (single ([0 0; NaN 1; 0 2; 5 NaN]), [1 3 NaN 2], ''Rows'', ''pairwise'', ''IncludeTies'', true, ''K'', 1)'};
k.fitroption = {{'''NumNeighbors''', '3'}, {'''Rows''', '''pairwise'''}, {'''DistanceWeight''', '@(d) exp (-d)'}, {'''IncludeTies''', 'true'}, ...
                {'''Standardize''', 'true'}, {'''KFold''', '2'}, {'''crossval''', '''ON'''}, {'''Distance''', '''cityblock'''}};
k.optimizeoption = {{'''Standardize''', 'true'}, {'''Hyper''', 'struct (''KFold'', 2)'}, {'''K''', '2'}, {'''DistanceWeight''', '@(d) exp (-d)'}};
k.CVMdl = cellfun(@(c) ['knng.crossval (' c ', ''KFold'', 2)'], k.Mdl(1:2), 'UniformOutput', false);
k.map = {'knngraph (mod ((1:40)'' * [0.137 0.713 0.371], 1), 6)', 'knngraph ((1:30)'', 4)', 'sparse (toeplitz ([0 1 2 0 0 0 0]))'};
k.dims = {'1', '2', 'int8 (1)', 'single (2)'};
k.mapoption = {{'''Alpha''', '0'}, {'''alpha''', '0.5'}, {'''Epsilon''', '''knn'''}, {'''Epsilon''', '''AUTO'''}, {'''Epsilon''', '0.3'}, {'''Tolerance''', '1e-8'}, ...
               {'''Time''', '0'}, {'''Time''', '7'}, {'''Component''', '''largest'''}, {'''Device''', '''cpu'''}};
k.louvainoption = {{'''Weight''', '''binary'''}, {'''weight''', '''similarity''', '''Metric''', '''cityblock'''}, {'''Weight''', '''given'''}, ...
                   {'''Resolution''', '0.5'}, {'''Resolution''', 'int8 (2)'}, {'''Seed''', '9'}};
k.wayoption = {{'''Length''', '''hops'''}, {'''len''', '''DISTANCE'''}, {'''Directed''', 'true'}, {'''Threads''', '2'}};
k.rankoption = {{'''Damping''', '0.5'}, {'''damping''', 'int8 (0)'}, {'''Restart''', '[]'}, {'''restart''', 'uint8 (2)'}, {'''Weight''', '''jaccard'''}, {'''weight''', '''SNN'''}};
k.spreadoption = {{'''Alpha''', '0'}, {'''alpha''', 'single (0.5)'}, {'''Weight''', '''binary'''}, {'''weight''', '''similarity''', '''Metric''', '''cosine'''}};
k.leidenoption = [k.louvainoption, {{'''Objective''', '''CPM'''}, {'''objective''', '''Modularity'''}, {'''Beta''', '0.1'}, ...
                                    {'''Iterations''', '1'}, {'''Iterations''', 'Inf'}}];
k.plotoption = {{'''Groups''', '[1 NaN 2]'}, {'''Groups''', '{''a''; ''''; ''%s''}'}, {'''Labels''', '{''a'', ''b_%d'', ''''}'}, {'''Layout''', '''fr'''}, {'''Title''', '''%s'''}};
k.pageoption = {{'''Groups''', '[1 NaN 2 2]'}, {'''groups''', '{''a''; ''''; ''%s''; ''</script>''}'}, {'''Labels''', '{''a'', ''b_%d'', '''', ''<b>''}'}, ...
                {'''Values''', '''FINE'''}, {'''values''', '''none'''}, {'''Title''', '''<&%d>'''}, {'''MaxSize''', 'Inf'}, {'''Metric''', '''cityblock'''}, ...
                {'''Phenotypes''', '{''age'', [1 2 NaN 4]; ''sex'', {''f'', ''m'', '''', ''f''}}'}, {'''Info''', 'struct ()'}, {'''Seed''', '3'}, ...
                {'''Clustergram''', '''none'''}, {'''clustergram''', '''AUTO'''}};
k.ns = {'knng.createns (magic (4))', 'knng.createns (single (magic (4)), ''Distance'', ''cosine'')', 'knng.createns (magic (4), ''Prune'', ''on'')'};
k.nsoption = [cellfun(@(c) {{'''K''', c}}, k.k), k.option([1:3, 9:10, 12:14]), {{'''numn''', '3'}, {'''IncludeTies''', 'false'}, {'''sort''', 'true'}}];
k.model = {['struct (''Y'', [1; 0.5; -1; 2; NaN], ''lambda'', 0.5, ''alpha'', 1, ''time'', 1, ''epsilon'', 0.1, ''scale'', [], ' ...
            '''density'', [1; 2; 3; 2; NaN], ''dimension'', 2)'], ...
           ['struct (''Y'', ones (5, 2), ''lambda'', [0.5; 0.1], ''alpha'', 0, ''time'', 0, ''epsilon'', [], ''scale'', (1:5)'', ' ...
            '''density'', (1:5)'', ''dimension'', NaN)']};
k.epsilon = {'0', '1', 'single (0.3)', 'int8 (5)', 'Inf', '1e300'};
k.minsize = {'2', '3', 'int8 (5)', '2^53', 'single (2)'};
k.densityoption = {{'''MinSamples''', '1'}, {'''MinSamples''', 'uint8 (4)'}, {'''ClusterSelectionMethod''', '''leaf'''}, ...
                   {'''ClusterSelectionMethod''', '''EOM'''}, {'''ClusterSelectionEpsilon''', '1'}, {'''ClusterSelectionEpsilon''', 'Inf'}, ...
                   {'''MaxClusterSize''', '3'}, {'''MaxClusterSize''', 'Inf'}, {'''AllowSingleCluster''', 'true'}};
k.order = {'nthargout (2, @knng.optics, [0 0; 1 0; 0 2; 5 5], 2)', 'nthargout (2, @knng.optics, magic (6), 3, ''MaxEpsilon'', 30)'};
k.valleyoption = {{'''Xi''', '0.2'}, {'''MinClusterSize''', 'int8 (2)'}, {'''PredecessorCorrection''', 'false'}, {'''ClusterMethod''', '''XI''', '''xi''', 'single (0.5)'}};
k.opticsoption = [{{'''MaxEpsilon''', '3'}, {'''maxe''', 'int8 (2)'}}, k.valleyoption];
k.clusteroption = [cellfun(@(c) {{'''Distance''', c}}, k.metric), k.option(1:3), k.option(7:14)];
k.rangeoption = [k.option, cellfun(@(c) {{'''Distance''', c}}, k.metric), {{'''NSMethod''', '''kdtree'''}, {'''sort''', 'false'}, {'''BucketSize''', '9'}}];
k.lofoption = [{{'''K''', '2'}, {'''numn''', 'int8 (3)'}, {'''IncludeTies''', 'true'}, {'''K''', '1', '''include''', 'true'}}, k.clusteroption];
k.dimoption = {{'''Method''', '''TWONN'''}, {'''meth''', '''mle'''}, {'''Threads''', '1'}};
k.meansoption = [{{'''OnlinePhase''', '''ON'''}, {'''online''', '''on''', '''Distance''', '''cosine'''}, {'''Distance''', '''cityblock'''}, {'''Distance''', '''cosine'''}, {'''dist''', '''corr'''}, {'''Start''', '''sample'''}, {'''start''', '''UNIFORM'''}, ...
                  {'''Start''', '''cluster'''}, {'''Replicates''', '3'}, {'''rep''', 'int8 (2)'}, {'''MaxIter''', '2'}, {'''EmptyAction''', '''drop'''}, ...
                  {'''OnlinePhase''', '''off'''}, {'''Options''', 'struct (''MaxIter'', 3)'}, {'''Seed''', '9'}}, k.option([1:3, 9:10, 12:14])];
k.medoidsoption = [{{'''Start''', '''sample'''}, {'''start''', '''PLUS'''}, {'''Replicates''', '3'}, {'''rep''', 'int8 (2)'}, {'''MaxIter''', '2'}, ...
                    {'''Algorithm''', '''PAM'''}, {'''Options''', 'struct (''MaxIter'', 3)'}, {'''Seed''', '9'}}, cellfun(@(c) {{'''Distance''', c}}, k.metric), k.option([1:3, 9:10, 12:14])];
k.infooption = [{{'''K''', '1'}, {'''numn''', 'int8 (9)'}, {'''Standardize''', 'false'}, {'''Target''', '''AUTO'''}, {'''tar''', '''discrete'''}}, k.option([1:3, 9:10, 12:14])];
k.criterion = {'''gap''', '''CalinskiHarabasz''', '''DAVIESBOULDIN''', '''silhouette'''};
k.gapmetric = {'''cityblock''', '''cosine''', '''Correlation''', '''sqeuclidean'''};
k.evaloption = [{{'''ClusterPriors''', '''equal'''}, {'''ReferenceDistribution''', '''uniform'''}, {'''searchmethod''', '''firstMaxSE'''}, {'''Seed''', '9'}}, k.option([1:3, 12:14])];
k.clusters = {'1', '2', 'int8 (3)', 'single (4)'};
k.S = {'sparse ([0 1 2; 1 0 0; 2 0 5])', 'ones (3)', 'logical (magic (3) > 0)', 'sparse (toeplitz ([0 1 realmin 2 0 0]))'};
k.spectraloption = [{{'''SimilarityGraph''', '''KNN'''}, {'''NumNeighbors''', '5'}, {'''numneighbors''', 'int8 (9)'}, ...
                     {'''KNNGraphType''', '''complete'''}, {'''KernelScale''', '''auto'''}, {'''KernelScale''', '0.5'}, ...
                     {'''LaplacianNormalization''', '''symmetric'''}, {'''LaplacianNormalization''', '''None'''}, ...
                     {'''ClusterMethod''', '''kmeans'''}, {'''Seed''', '5'}, {'''Distance''', '''cityblock'''}, {'''Radius''', '1'}}, ...
                    k.option([1 7 12])];
k.linkage = {'''single''', '''complete''', '''Average''', '''weighted''', '''ward''', '''centroid''', '''median'''};
k.y = {'[1 3 9 10 2 8 9 6 7 1]', '1', '[0 0 0]', '[1 Inf 2 Inf Inf 3]', 'single ([1 2 3])'};
k.Z = {'knng.linkage ([1; 2; 4; 10; 11], ''average'')', '[1 2 0; 3 4 Inf]', 'zeros (0, 3)', '[2 3 2; 1 4 1]'};
k.cutoption = {{'''Cutoff''', '1'}, {'''Cutoff''', '[0.5 Inf 2]'}, {'''cut''', '1', '''Criterion''', '''DISTANCE'''}, {'''Cutoff''', 'single (1)', '''Depth''', '3'}, ...
               {'''MaxClust''', '2'}, {'''maxclust''', 'int8 ([1 9])'}};
k.gramoption = {{'''Standardize''', '''column'''}, {'''stand''', '2'}, {'''Cluster''', '''ROW'''}, {'''clu''', '1'}, {'''RowPDist''', '''city'''}, ...
                {'''ColumnPDist''', '''sqeuclidean'''}, {'''Linkage''', '''complete'''}, {'''Linkage''', '{''single'', ''Complete''}'}, ...
                {'''OptimalLeafOrder''', 'false'}, {'''MaxClust''', '2'}, {'''MaxClust''', '[3 2]'}, {'''Colormap''', 'gray (3)'}, {'''Colormap''', '''Hot'''}, {'''colormap''', '@jet'}, ...
                {'''DisplayRange''', '2'}, {'''SymmetricRange''', 'false'}, {'''Subset''', '[3 1]'}, {'''Threads''', '2'}};
k.pcaoption = {{'''NumComponents''', '2'}, {'''numcomp''', 'int8 (1)'}, {'''Algorithm''', '''EIG'''}, {'''Algorithm''', '''randomized''', '''NumComponents''', '1'}, ...
               {'''Iterations''', '2'}, {'''Centered''', 'false'}, {'''Rows''', '''Complete'''}, {'''Seed''', '9'}};
k.isomapoption = {{'''Landmarks''', '7'}, {'''land''', '''AUTO'''}, {'''Landmarks''', 'int8 (100)'}, {'''Component''', '''largest'''}, {'''Seed''', '9'}, {'''Threads''', '2'}};
k.laplacianoption = {{'''Weight''', '''BINARY'''}, {'''weight''', '''gaussian'''}, {'''Weight''', '''gaussian''', '''Bandwidth''', '0.5'}, ...
                     {'''Weight''', '''Gaussian''', '''band''', '''SelfTuning'''}, {'''Tolerance''', '1e-6'}, {'''Component''', '''largest'''}, {'''Threads''', '2'}};
k.tsneoption = {{'''Verbose''', '2'}, {'''verb''', 'true', '''NumPrint''', 'int8 (3)'}, {'''Perplexity''', '2'}, {'''perp''', 'single (1)'}, {'''NumDimensions''', '3'}, {'''numdim''', 'int8 (1)'}, {'''Exaggeration''', '4'}, ...
                {'''LearnRate''', '0.5'}, {'''learn''', '''AUTO'''}, {'''MaxIter''', '0'}, {'''MaxIter''', '7'}, {'''Options''', 'struct (''MaxIter'', 3)'}, ...
                {'''Algorithm''', '''EXACT'''}, {'''Theta''', '0'}, {'''theta''', '1'}, {'''InitialY''', '''RANDOM'''}, {'''initial''', '''Spectral'''}, ...
                {'''Seed''', '9'}, {'''Threads''', '2'}, {'''Progress''', '''off'''}};
k.tsnepointoption = [k.tsneoption, {{'''Standardize''', 'true'}}];
k.umapoption = {{'''NumDimensions''', '1'}, {'''numdim''', 'int8 (3)'}, {'''MinDist''', '0'}, {'''Spread''', 'single (2)'}, {'''NumEpochs''', '3'}, ...
                {'''NumEpochs''', '0'}, {'''NegativeSamples''', '0'}, {'''negative''', 'uint8 (64)'}, {'''LearnRate''', '0.5'}, {'''Start''', '''RANDOM'''}, ...
                {'''Seed''', '9'}, {'''Threads''', '2'}, {'''Progress''', '''off'''}};
k.silhouetteoption = k.option([1:3, 12:14]);
k.imputeoption = {{'''By''', '''columns'''}, {'''by''', '''ROWS'''}, {'''Distance''', '''cityblock'''}, {'''Distance''', '''correlation'''}, ...
                  {'''Distance''', '{''minkowski'', 3}'}, {'''dist''', '''JACCARD'''}, {'''Metric''', '''cheb'''}, {'''Weights''', '''equal'''}, ...
                  {'''Distance''', '''SEuclidean'''}, {'''dist''', '''minkowski'''}, {'''weights''', '''SquaredInverse'''}, {'''Threads''', '2'}, {'''progress''', '''off'''}};
k.filteroption = {{'''MinMean''', '-1'}, {'''MinVariance''', 'int8 (0)'}, {'''lowmean''', '10'}, {'''LowVariance''', 'single (20)'}, {'''MaxMissing''', '[]'}};
k.method = {'''quantile''', '''ZScore''', '''median'''};
k.collapseoption = {{'''Method''', '''MaxMean'''}, {'''method''', '''mean'''}, {'''Method''', '''median'''}, {'''FewestMissing''', 'false'}, {'''few''', '1'}};
k.compareoption = {{'''Method''', '''RANKS'''}, {'''method''', '''welch'''}, {'''Sort''', 'false'}, {'''Class''', '2'}, {'''against''', '1'}};
k.annotateoption = {{'''Key''', '''PROBE'''}, {'''Key''', '1'}, {'''Columns''', '''Symbol'''}, {'''Columns''', '2'}, {'''HeaderLines''', '0'}, {'''Symbols''', '0'}, {'''symbols''', '''Symbol'''}};
k.enrichoption = {{'''MinSize''', '2'}, {'''maxsize''', 'Inf'}, {'''Background''', '''SETS'''}, {'''MinOverlap''', '2'}, {'''MaxFDR''', '0.5'}};
k.results = {'struct (''i'', [1; 2], ''name'', {{''=a''; ''b,c''}}, ''mean'', [NaN 1; 2 3], ''classes'', {{''x'', ''%s''}})', 'struct (''p'', zeros (0, 1))'};
k.sets = {quoted('sets.gmt'), 'struct (''names'', {{''s'', ''t''}}, ''genes'', {{{''a'', ''b'', ''c'', ''S'', ''T''}, {''a'', ''d'', ''x'', ''%s'', ''S'', ''T''}}})'};
k.holes = {'[1 2 3; NaN 1 2; 3 1 NaN; 2 2 2]', 'single ([1 NaN; 2 4; NaN NaN; 5 1])', 'mod ((1:40)'' * [0.137 0.713 0.371], 1) + 0 ./ (mod ((1:40)'' * [7 5 3], 11) > 2)', 'magic (4)', '[NaN; 1]'};
t.kinds = k;

k.gapoption = {{'''Rows''', '''pairwise'''}, {'''rows''', '''PAIRWISE''', '''MinValid''', '1'}, ...
               {'''Rows''', '''pairwise''', '''minvalid''', 'int8 (1)'}, {'''Rows''', '''pairwise''', '''Distance''', '''spearman'''}, ...
               {'''Rows''', '''pairwise''', '''Distance''', '''cityblock'''}, {'''Threads''', '2'}};
t.kinds = k;

graph = {{'$X', '$k'}, {'$X', '$k', '$metric'}, {'$X', '$k', '$option...'}, {'$X', '$k', '$metric', '$option...'}};
search = {{'$X', '$X'}, {'[0 0; 1 0; 0 2; 5 5]', '[1 2; 3 NaN]', '$searchoption...'}, ...
          {'magic (4)', 'single (magic (4)(2:3, :))', '$searchoption...'}, {'mod ((1:40)'' * [0.137 0.713 0.371], 1)', ...
           '[1 2 3; 1 1 1]', '$searchoption...'}};
behind = @(word, forms) cellfun(@(f) [{['''' word '''']}, f], forms, 'UniformOutput', false);
estimate = {{'$n', '$n', '$k', '''Calibrate''', 'false'}, {'$n', '$n', '$k', '$metric', '$option...', '''Calibrate''', 'false'}, ...
            {'$n', '3', '$k', '''Queries''', '$n', '''Class''', '''single''', '''Calibrate''', 'false'}, ...
            {'$n', '$n', '$k', '''Ranks''', '$n', '''Network''', '$n', '''Calibrate''', 'false'}, ...
            {'$n', '$n', '$k', '''Calibrate''', 'false', '''Rows''', '''pairwise''', '''MinValid''', '1'}};
verify = {{'[0 0; 1 0; 0 2; 5 5]', '''cityblock''', '[2 3; 1 3; 1 2; 3 2]', '[1 2; 1 3; 2 3; 8 9]', '$verifyoption...'}, ...
          {'[0 0; 1 0; 0 2; 5 5]', '''euclidean''', '$tables', '$verifyoption...'}, ...
          {'[0 0; 1 0; 0 2; 5 5]', '''euclidean''', '[2; 1]', '[1; 1]', '''Queries''', '[1 0.4; 0.1 0]'}};
t.rows = [ ...
  row('knngraph', [graph, {{'$X', '$k', '$shortoption...'}, {'$X', '$k', '$metric', '$shortoption...'}, {'$file', '$k'}, {'$file', '$k', '$metric', '$option...'}, {'$holes', '$k', '$gapoption...'}, {'[1 2 3; NaN 1 2; 3 1 NaN; 2 2 2]', '$k', '''Rows''', '''complete'''}, {'$X', '$k', '$metric', '$pairoption...', '$option...'}, {'$ds', '$k', '''Metafeatures''', '$ops'}}], 3, @(a, r) check_graph(a, r, files, true)), ...
  row('knng.knnsearch', [search(2:end), {{'magic (4)', 'magic (4)(2:3, :)', '$matlaboption...'}, {'magic (4)', '[1 NaN 3 4; 2 2 2 9]', '$gapoption...'}, {'magic (4)', '[1 NaN 3 4; 2 2 2 9]', '''Rows''', '''complete'''}}], 3, @check_search), ...
  row('knng.rangesearch', {{'[0 0; 1 0; 0 2; 5 5]', '[1 2; 3 NaN]', '$epsilon', '$rangeoption...'}, {'magic (4)', 'single (magic (4)(2:3, :))', '$epsilon'}, ...
                           {'mod ((1:40)'' * [0.137 0.713 0.371], 1)', '[1 2 3; 1 1 1]', '$epsilon', '$rangeoption...'}}, 3, @check_rangesearch), ...
  row('knng.rangegraph', {{'$X', '$epsilon'}, {'$X', '$epsilon', '$metric'}, {'$X', '$epsilon', '$rangeoption...'}}, 3, @check_rangegraph), ...
  row('knng.internal.search', {{'''rangesearch''', '[0 0; 1 0; 0 2; 5 5]', '[1 2; 3 NaN]', '$epsilon', '''Distance''', '$metric', '$how'}, ...
                               {'''rangegraph''', '$X', '$epsilon', '''Prune''', '''on'''}}, 4, @check_range_gateway), ...
  row('knng.internal.search', {{'''rangematrix''', '$X', '$epsilon', '$how'}}, 2, @check_range_gateway), ...
  row('knng.knnsearch', {{'$ns', 'magic (4)(2:3, :)'}, {'$ns', 'single (magic (4)(1, :))', '$nsoption...'}}, 3, @check_asked), ...
  row('knng.createns', {{'$X'}, {'$X', '$option...'}, {'$X', '''Metric''', '$metric', '$option...'}}, 2, @check_searcher), ...
  row('knng.release', {{'$ns'}, {'''all'''}, {'''ALL'''}}, 1, @check_release), ...
  row('knng.searchers', {{}}, 1, @check_searchers), ...
  row('knng.read', {{'$file'}, {'$graphfile'}, {'$file', '$textoption...'}, {quoted('data.table'), '$tableoption...'}}, 1, @(a, r) check_read(a, r, files)), ...
  row('knng.neighbors', {{'$ds', '$lists', '''b'''}, {'$ds', '$lists', '2', '1'}, {'$ds', '$lists', '1', 'int8 (9)'}, {k.ds{3}, '$lists', '''S'''}, {k.ds{3}, '$lists', '''z''', '2'}}, 1, ...
      @check_neighbors), ...
  row('knng.write', {{'$target', '$A'}, {'$target', '$A', '$writeoption...'}, {'''out.csv''', '$A', '''Encoding''', '''latin1'''}, {'''out.net''', '$A', '''encoding''', '''Windows-1252'''}, {'$target', '$tables'}, {'$dstarget', '$ds'}, {'''out.csv''', '$results'}, {'''out.tsv''', '$results'}}, 0, ...
      @(a, r) check_write(a, a(2:end))), ...
  row('knng.verify', verify, 2, @check_verify), ...
  row('knng.verify', {{'[0 0; 1 0; 0 2; 5 5]', '''euclidean''', quoted('tables.h5')}, ...
                      {'[0 0; 1 0; 0 2; 5 5]', '''cosine''', quoted('tables.h5'), '''Sample''', '1'}, ...
                      {'[0 0; 1 0; 0 2; 5 5]', quoted('tables.h5')}}, 2, @check_verify_file), ...
  row('knng.internal.verify', {{'[0 0; 1 0; 0 2; 5 5]', '''euclidean''', '[2; 1; 1; 3]', '[1; 1; 2; sqrt(34)]', '[]', '10', '0', ...
                                '$how'}, {'[0; 1]', '''euclidean''', '[3; 1; 1]', '[1; 1; 1]', '[]', '10', '0', '0', '[1]', '$how'}}, [6 6], @(a, r) ''), ...
  row('knng.mink', {{'$array', '$k'}, {'$array', '$kdim'}, {'$array', '$k', '''ComparisonMethod''', '''abs'''}}, 2, @check_select), ...
  row('knng.maxk', {{'$array', '$k'}, {'$array', '$kdim'}, {'$array', '$k', '2', '''comparisonmethod''', '''AUTO'''}}, 2, @check_select), ...
  row('knng.internal.topk', {{'0', '$array', '$k', '[]', '''auto''', '''auto'''}, ...
      {'1', '$array', '$k', '2', '''abs''', '''cpu''', '$how'}}, [3 3], @(a, r) check_select(a(2:4), r([1:min(end, 1), 3:end]))), ...
  row('knng.trim', {{'$tables', '1'}, {'$tables', 'uint8 (2)'}}, 2, @check_trim), ...
  row('knng.trim', {{'$A', '$k'}}, 1, @check_trim), ...
  row('knng.diffusionmap', {{'$map', '$dims', '$mapoption...'}}, 3, @check_map), ...
  row('knng.internal.spmv', {{'sparse ([0 1.5 0; 2 0 realmin; 0 0 0])', '[1; 2; NaN]'}, {'sparse (3, 5)', 'ones (3, 1)'}, {'sparse (0, 2)', 'zeros (0, 1)'}}, 1, ...
      @check_product), ...
  row('knng.internal.heat', {{'''bins''', 'sparse ([0 3; 3 0])'}}, 3, @(a, r) ''), ...
  row('knng.internal.heat', {{'''wanting''', 'sparse ([0 3; 3 0])', '2', '[true; false]'}}, 1, @(a, r) ''), ...
  row('knng.internal.heat', {{'''weights''', 'sparse ([0 3; 3 0])', '2', '0.5'}}, 2, @(a, r) ''), ...
  row('knng.internal.eigen', {{'speye (9)', 'ones (9, 1)', '1', 'zeros (9, 0)', '2', '1e-6', '9', '''auto'''}, {'sparse (3, 3)', '[1; 2; 3]', '0', '[1; 0; 0]', '1', '0', '1', '''cpu'''}}, 5, ...
      @(a, r) ''), ...
  row('knng.scatter', {{'[0 1; 2 3; NaN 4]'}, {'single ([0 1 1; 2 3 2])', '[1 2]'}, {'[0 1; 2 3; 5 4]', '{''a'', '''', ''b_%s''}'}, ...
                       {'(1:50)'' * [1 2]', '(1:50) / 7', '''Title''', '''a_%d''', '''Legend''', 'false'}}, 1, @check_scatter), ...
  row('knng.mutual', {{'$tables'}}, 3, @(a, r) check_rows_of(a, r, 3)), ...
  row('knng.mutual', {{'$A2'}}, 2, @(a, r) check_rows_of(a, r, 2)), ...
  row('knng.hubness', {{'$tables'}, {'$A2'}}, 2, @(a, r) check_rows_of(a, r, 1)), ...
  row('knng.mutualproximity', {{'$tables', '1'}, {'$tables', 'uint8 (2)'}}, 2, @(a, r) check_rows_of(a, r, 0)), ...
  row('knng.mutualproximity', {{'$A2', '1'}, {'$A2', 'int8 (2)'}}, 1, @(a, r) check_rows_of(a, r, 0)), ...
  row('knng.shortestpath', {{'$tables', '1', '$wayoption...'}, {'$A2', 'int8 (2)', '$wayoption...'}, {'$A2', '3', '[3 1; 2 2]', '$wayoption...'}}, 2, ...
      @check_ways), ...
  row('knng.betweenness', {{'$tables', '$wayoption...'}, {'$A2', '''Cutoff''', '2'}, {'$map', '$wayoption...'}}, 1, @(a, r) check_rows_of(a, r, 1)), ...
  row('knng.pagerank', {{'$tables', '$rankoption...'}, {'$map', '$rankoption...'}, {'$A2', '''Restart''', '[3 1]'}}, 1, @(a, r) check_rows_of(a, r, 1)), ...
  row('knng.labelspread', {{'$tables', '$Y', '$spreadoption...'}, {'sparse (toeplitz ([0 1 2 0]))', '$Y', '''Weight''', '''given'''}}, 2, ...
      @(a, r) check_rows_of(a, r, 2)), ...
  row('knng.leiden', {{'$tables', '$leidenoption...'}, {'$map', '$leidenoption...'}}, 2, @check_clusters), ...
  row('knng.louvain', {{'$tables', '$louvainoption...'}, {'$map', '$louvainoption...'}}, 2, @check_clusters), ...
  row('knng.plot', {{'$A', '''XY''', 'magic (3)(:, 1:2)', '$plotoption...'}, {'$tables', '''XY''', 'magic (4)(:, 1:2)', '''Seed''', '1'}}, 2, ...
      @check_plot), ...
  row('knng.internal.louvain', {{'$map', '3', '0.5'}, {'sparse (toeplitz ([0 1 2 0 0 0 0]))', '0', '1'}}, 2, @check_clusters), ...
  row('knng.internal.igraph', {{'''leiden''', '$map', '3', '1', '''CPM''', '0.01', 'Inf'}, {'''louvain''', '$map', '3', '0.5'}, ...
                               {'''tree''', '$map', '0'}}, 2, @(a, r) check_clusters(a(2:end), r)), ...
  row('knng.internal.igraph', {{'''layout''', '$map', '1', '''fr'''}, {'''layout''', '$map', '2', '''KK'''}, ...
                               {'''layout''', 'sparse ([0 1; 1 0])', '2', '''drl'''}}, 1, @check_layout), ...
  row('knng.internal.igraph', {{'''lengths''', '$map', '0', '1', '[2; 1; 2]'}, {'''lengths''', 'sparse ([0 1; 1 0])', '0', '0', '[]'}}, 2, @(a, r) ''), ...
  row('knng.explore', {{'''out.html''', '$ds', '$lists', '''XY''', 'magic (4)(:, 1:2)', '''Groups''', '''none''', '$pageoption...'}, ...
                       {'''out.htm''', 'magic (4)', '$lists', '''Layout''', '''none''', '''Groups''', '[1 1 2 2]', '$pageoption...'}, ...
                       {'''out.html''', '$A', '''Layout''', '''none''', '''Groups''', '''none'''}}, 1, @check_explore), ...
  row('knng.internal.explore', {{'''hash''', 'uint8 (1:70)'}, {'''pack''', 'uint8 (1:70)', '7'}, {'''pack''', 'uint8 ([])', '8'}, {'''version''', 'uint8 (0)'}}, 1, ...
      @(a, r) ''), ...
  row('knng.internal.explore', {{'''write''', 'uint8 (1:70)', '''out.bin'''}}, 1, @(a, r) ''), ...
  row('knng.profile', {{'$ds', '[2 3; 1 3; 1 2; 3 2]', '''b'''}, {'$ds', '[2 3 0]', '1', '''K''', '1'}, ...
                       {'$ds', '[2; 1; 1; 3]', '2', '''Labels''', '{''%d'', '''', ''a_b'', ''b''}', '''Standardize''', 'false'}}, 1, @check_scatter), ...
  row('knng.heatmap', {{'$ds'}, {'$ds', '[2 1 2 NaN]'}, {'magic (4)', '{''%s''; ''''; ''b''; ''%s''}', '''Limit''', '3'}, ...
                       {'single ([1 2 NaN; 4 5 5])', '[]', '''Labels''', '{''%d'', ''a_b''}', '''Standardize''', 'false'}, ...
                       {'magic (4)', '[1 2 1 2]', '''Mark''', '[1 3]', '''Phenotypes''', '{''a_%s'', {''x'', '''', ''%d'', ''x''}; ''b'', [1 2 NaN Inf]}'}}, 3, @check_heatmap), ...
  row('knng.clustergram', {{'$ds'}, {'magic (4)', '''RowLabels''', '{''%s'', ''a_b'', ''c'', ''d''}', '''CallOut''', '''a_b'''}, ...
                           {'magic (5)', '''Dendrogram''', '[1 Inf]'}, {'magic (5)', '''dendro''', '{''default'', []}', '''MaxClust''', '[1 2]'}, ...
                           {'[1 2 NaN; 4 5 5; Inf 0 1]', '''Phenotypes''', '{''a_%s'', {''x'', '''', ''%d''}; ''b'', [1 2 NaN]}', '$gramoption...'}}, 2, ...
      @check_clustergram), ...
  row('knng.nystrom', {{'$model', '[1 3; 2 0]', '[1 2; 0 NaN]'}, {'$model', 'sparse ([0 1 2 0 realmin])'}}, 1, @check_nystrom), ...
  row('knng.duplicates', {{'$X'}, {'$X', '$metric'}}, 3, @check_duplicates), ...
  row('knng.metafeatures', {{'$X', '[]', '$ops'}, {'magic (3)', '{''a'', ''b%s'', ''''}', '$ops'}}, 3, @check_metafeatures), ...
  row('knng.metafeatures', {{'$ds'}, {'$ds', '$ops'}}, 3, @check_metafeatures), ...
  row('knng.metanames', {{'3', '$ops', '[1 0; 3 3]'}, {'{''a'', ''b%s'', ''''}', '$ops', 'int8 (1:6)'}, {'$ds', '$ops', '10'}}, 2, @check_metanames), ...
  row('knng.internal.metafeatures', {{'$X', '[1 3]', '[]'}, {'magic (3)', '4', '{''a'', ''b%s'', ''''}'}}, 4, @(a, r) ''), ...
  row('knng.internal.leaforder', {{'toeplitz ([0 1 5 2])'}, {'ones (7)'}, {'zeros (0, 0)'}, {'3'}}, 2, @check_order), ...
  row('knng.addphenotype', {{'$ds', '''new''', '1:size (magic (4), 2)'}, {'$ds', '''%d''', '{''x'', ''y'', ''y'', ''''}'}}, 1, ...
      @check_addphenotype), ...
  row('knng.annotate', {{'$ds', 'struct (''probe'', {{''a'', ''b'', ''c'', ''d''}}, ''Symbol'', {{''%s'', ''--'', '''', ''Z''}})', '$annotateoption...'}}, 2, @check_annotate), ...
  row('knng.compare', {{'$ds', '[1 1 2 2]', '$compareoption...'}, {'$ds', '$Y', '''Method''', '''ranks'''}, {'magic (9)', 'mod (1:9, 3)', '$compareoption...'}}, 1, ...
      @check_compare), ...
  row('knng.enrich', {{'$ds', '$Y', '$sets', '''MinSize''', '1', '$enrichoption...'}, {'{''a'', ''b /// c'', ''--'', ''d''}', '[1 3]', '$sets', '''MinSize''', '1'}}, 2, @check_enrich), ...
  row('knng.readsets', {{quoted('sets.gmt')}}, 1, @check_readsets), ...
  row('knng.clustertable', {{'$ds', '$Y'}, {'$ds', '$Y', '''Of''', '''samples'''}, {'$ds', '$Y', '''Metric''', '''pearson''', '''Of''', '''rows'''}, {'$ds', '$Y', '''of''', '''samples''', '''Phenotypes''', '{''sex'', {''f'', ''m'', '''', ''f''}}'}, ...
                             {'magic (5)(:, 1:3)', '[2 2 1]'}, {'struct (''X'', magic (3), ''samples'', {{''s'', ''t'', ''u''}})', '[1 1 2]', '''of''', '''samples''', ...
                              '''Phenotypes''', quoted('samples.csv')}}, 2, @check_clustertable), ...
  row('knng.fitcknn', {{'[0 0; 1 0; 0 2; 5 5]', '$Y'}, {'[0 0; 1 0; 0 2; 5 5]', '$Y', '$fitoption...'}, {'magic (4)', '[1 2 1 2]', '$splitoption'}, ...
                      {'magic (4)', '[1 2 1 2]', '''OptimizeHyperparameters''', '''all''', '$optimizeoption...'}}, 1, @check_model), ...
  row('knng.fitrknn', {{'[0 0; 1 0; 0 2; 5 5]', '[1 2 NaN 9]'}, {'[0 0; 1 0; 0 2; 5 5]', 'magic (4)', '$fitroption...'}, ...
                      {'magic (4)', '1:4', '''OptimizeHyperparameters''', '{''DistanceWeight'', ''NumNeighbors''}', '$optimizeoption...'}}, 1, @check_model), ...
  row('knng.predict', {{'$RMdl', '[1 2; 3 NaN; 0 0]'}}, 1, @check_predict), ...
  row('knng.predict', {{'$Mdl', '[1 2; 3 NaN; 0 0]'}}, 3, @check_predict), ...
  row('knng.loss', {{'knng.fitcknn ([0 0; 1 0; 0 2; 5 5], [1 1 2 2])', '[1 2; 3 NaN]', '[1 2]', '''LossFun''', '''classiferror'''}, {'$RMdl', '[1 2; 3 NaN]', '[1 2]'}}, 1, @check_loss), ...
  row('knng.resubLoss', {{'$Mdl'}, {'$Mdl', '''LossFun''', '''mincost'''}}, 1, @check_loss), ...
  row('knng.crossval', {{'$Mdl'}, {'knng.fitcknn (magic (4), [1 2 1 2])', '$splitoption', '''Seed''', '3'}}, 1, @check_split), ...
  row('knng.kfoldPredict', {{'$CVMdl'}}, 3, @check_predict), ...
  row('knng.kfoldLoss', {{'$CVMdl'}, {'$CVMdl', '''Mode''', '''individual'''}}, 1, @check_loss), ...
  row('knng.confusionmat', {{'[''a'';''b'']', '[''b'';''b'']'}, {'[true false]', '[true true]'}, {'[1 2 NaN]', '[2 2 1]', '''Order''', '[2 1]'}, {'{''a'', ''''}', '{''b'', ''a''}', '''order''', '{''b''}'}}, 2, @check_confusion), ...
  row('knng.rocmetrics', {{'[1 2 NaN 1]', '[0.1 0.9; 0.5 0.5; 1 0; NaN 1]', '[2 1]'}, {'{''a'', ''b''}', 'single ([1; Inf])', '{''b''}'}}, 1, @check_curves), ...
  row('knng.cvk', {{'[0 0; 1 0; 0 2; 5 5]', '[1 2 1 2]', '$splitoption', '$cvkoption...'}}, 2, @check_curve), ...
  row('knng.dbscan', {{'$X', '$epsilon', '$k'}, {'$X', '$epsilon', '$k', '$clusteroption...'}}, 2, @check_dbscan), ...
  row('knng.hdbscan', {{'$X', '$minsize'}, {'$X', '$minsize', '$clusteroption...'}, {'$X', '$minsize', '$densityoption...'}}, 4, @check_hdbscan), ...
  row('knng.optics', {{'$X', '$minsize'}, {'$X', '$minsize', '$clusteroption...'}, {'$X', '$minsize', '$opticsoption...'}, {'$order', '$valleyoption...'}, ...
                       {'$order', '''Epsilon''', '2'}, {'$X', '$minsize', '''MaxEpsilon''', '2', '''ClusterMethod''', '''dbscan'''}}, [1 2], @check_optics), ...
  row('knng.internal.optics', {{'''order''', '[0; 1; 5; 7]', '$metric', '[1; 1; 2; 2]', 'Inf', '0', '8', '$how'}}, [1 4], @check_places), ...
  row('knng.internal.optics', {{'''memory''', '4', '1', '0', '$how'}}, 0, @check_places), ...
  row('knng.internal.optics', {{'''valleys''', '[Inf; 1; 2; 1]', '[0; 1; 1; 3]', '0.1', '2', '2', '1', '$how'}}, [1 2], @check_places), ...
  row('knng.internal.spanning', {{'[0; 1; 5; 7]', '$metric', '[2; 1; 4; 3]', '[1; 1; 2; 2]', '[]', '''on''', '0', '0', '$how'}, ...
                                 {'[0; 1; 5; 7]', '''euclidean''', '[2; 1; 4; 3]', '[1; 1; 2; 2]', '[1; 1; 2; 2]', '''auto''', '0', '8', '$how'}}, [1 5], @check_spanning), ...
  row('knng.internal.condense', {{'4', '[1; 2; 3]', '[2; 3; 4]', '[1; 2; 2]', '2', '0', '1', '0', '0'}, ...
                                 {'5', '[1; 1]', '[4; 3]', '[0; Inf]', '2', '1', '0', '1', '3', '$how'}}, [1 10], @check_condense), ...
  row('knng.spectralcluster', {{'mod ((1:40)'' * [0.137 0.713 0.371], 1)', '$clusters', '$spectraloption...'}, ...
                               {'$S', '1', '''Distance''', '''precomputed'''}}, 3, @check_spectral), ...
  row('knng.filterrows', {{'$holes', '''LowVariance''', '25'}, {'$ds', '''MaxMissing''', '0.5', '$filteroption...'}}, 3, @check_filterrows), ...
  row('knng.normalize', {{'$holes', '$method'}, {'$holes', '$method', '''By''', '''rows'''}, {'$ds', '$method', '''by''', '''COLUMNS'''}, ...
                         {'$holes', '''log2''', '''Offset''', '9'}}, 3, @check_normalize), ...
  row('knng.collapse', {{'[0 0; 1 0; NaN 2; 5 5]', '$Y', '$collapseoption...'}, {'$ds', '$Y', '$collapseoption...'}}, 4, @check_collapse), ...
  row('knng.impute', {{'$holes'}, {'$holes', '$k'}, {'$holes', '$k', '$imputeoption...'}, {'$holes', '2', '''Weights''', '[3 1]'}, {'$holes', '$k', '''Median''', 'true'}, {'$ds', '$k'}, ...
                       {'[1 2 3; NaN 1 2; 3 1 1; 2 2 5]', '$k', '''Distance''', '''mahalanobis'''}, ...
                       {'[1 2 3; NaN 1 2; 3 1 1; 2 2 5]', '$k', '''Distance''', '@(x, Y) sum (abs (bsxfun (@minus, Y, x)), 2)'}}, 2, @check_impute), ...
  row('knng.internal.impute', {{'$holes', '''euclidean''', '2', '1', '[]', '0', '[]', '[]'}, {'$holes', '''cityblock''', '2', '3', '[1 0.5]', '1', '[]', '[]', '$how'}, ...
                               {'$holes', '''jaccard''', '2', '1', '[]', '0', '[]', '[]'}, {'$holes', '''cosine''', '2', '1', '[]', '0', '[]', '[]'}}, 2, ...
      @check_impute), ...
  row('knng.kmeans', {{'mod ((1:40)'' * [0.137 0.713 0.371], 1)', '$clusters', '$meansoption...'}, {'$X', '1'}, {'[0 0; 1 0; 0 2; 5 5]', '[]', '''Start''', '[0 1; 5 5]'}}, ...
      5, @check_kmeans), ...
  row('knng.internal.kmeans', {{'[0 0; 1 0; 0 2; 5 5]', '''cityblock''', '2', '[]', '[0.1 0.5; 0.7 0.2]', '9', '0', '0', '1', '$how'}, ...
                               {'magic (4)', '''cosine''', '2', 'ones (2, 4)', '[]', '9', '2', '1e9', '0'}}, 6, @(a, r) ''), ...
  row('knng.kmedoids', {{'mod ((1:40)'' * [0.137 0.713 0.371], 1)', '$clusters', '$medoidsoption...'}, {'$X', '1'}, {'[0 0; 1 0; 0 2; 5 5]', '[]', '''Start''', '[0 1; 5 5]'}}, ...
      6, @check_kmeans), ...
  row('knng.internal.kmedoids', {{'[0 0; 1 0; 0 2; 5 5]', '''cityblock''', '2', '0', '[0.1 0.5; 0.7 0.2]', '9', '0', '$how'}, ...
                                 {'magic (4)', '''cosine''', '2', '2', '[1; 3]', '9', '1e9'}, {'magic (4)', '''pearson''', '3', '1', '[0.3; 0.5; 0.1]', '9', '0'}}, 6, @(a, r) ''), ...
  row('knng.mutualinfo', {{'[0 0; 1 0; 0 2; 5 5]', '$Y', '$infooption...'}, {'mod ((1:40)'' * [0.137 0.713 0.371], 1)', 'mod (1:40, 7)', '$infooption...'}, ...
                          {'[1 NaN; 2 3; Inf 1]', '{''a'', ''b'', ''a''}'}}, 2, @check_information), ...
  row('knng.evalclusters', {{'mod ((1:40)'' * [0.137 0.713 0.371], 1)', '''kmeans''', '$criterion', '''KList''', '[1 3 2]', '''B''', '2', '$evaloption...'}, ...
                            {'mod ((1:40)'' * [0.137 0.713 0.371], 1)', '''kmeans''', '''gap''', '''KList''', '[2 1]', '''B''', '2', '''Distance''', '$gapmetric', '$evaloption...'}, ...
                            {'[0 0; 1 0; 0 2; 5 5]', '[1 1 1; 2 2 1; 1 3 1; 2 4 1]', '''silhouette''', '$evaloption...'}, ...
                            {'mod ((1:40)'' * [0.137 0.713 0.371], 1)', '''linkage''', '$criterion', '''KList''', '[1 3 2]', '''B''', '2', '$evaloption...'}}, 1, @check_evaluation), ...
  row('knng.silhouette', {{'[0 0; 1 0; 0 2; 5 5]', '$Y'}, {'[0 0; 1 0; 0 2; 5 5]', '$Y', '$metric', '$silhouetteoption...'}}, 2, @check_silhouette), ...
  row('knng.internal.silhouette', {{'[0 0; 1 0; 0 2; 5 5]', '$metric', '[1; 2; 1; 0]', '$how'}}, 1, @check_silhouette), ...
  row('knng.linkage', {{'mod ((1:40)'' * [0.137 0.713 0.371], 1)', '$linkage'}, {'magic (4)', '$linkage', '$metric', '$silhouetteoption...'}, ...
                       {'$y', '$linkage'}, {'single ([0 0; 1 0; 0 2; 5 5])', '$linkage', '''euclidean''', '''SaveMemory''', '''on'''}}, 1, @check_linkage), ...
  row('knng.internal.linkage', {{'''points''', 'magic (4)', '''euclidean''', '''average''', '[]', '''auto''', '[]', '$how'}, {'''points''', 'magic (4)', '''euclidean''', '''ward''', '1e6', '''cpu''', '1e6'}, {'''distances''', '[1 3 9 10 2 8 9 6 7 1]', '''ward''', '1e9', '''auto''', '[]'}}, 2, @(a, r) ''), ...
  row('knng.internal.linkage', {{'''edges''', '3', '[1; 1]', '[2; 3]', '[5; 4]', '$how'}, {'''pairs''', 'magic (4)', '$metric', '$how'}, ...
                                {'''check''', 'magic (4)', '$metric'}}, 1, @(a, r) ''), ...
  row('knng.internal.tree', {{'''cut''', '[1 2 1; 3 4 2]', '[1; 2]', '[1; 3]', '$how'}, {'''cophenet''', '$Z'}, {'''inconsistent''', '$Z', '$k'}, {'''check''', '$Z'}}, 1, ...
      @(a, r) ''), ...
  row('knng.cluster', {{'$Z', '$cutoption'}}, 1, @check_cut), ...
  row('knng.clusterdata', {{'magic (4)', '2'}, {'magic (4)', '1.2'}, {'mod ((1:40)'' * [0.137 0.713 0.371], 1)', '''Linkage''', '$linkage', '$cutoption'}, ...
                           {'magic (4)', '$cutoption', '''Distance''', '$metric', '$silhouetteoption...'}}, 1, @check_clusterdata), ...
  row('knng.cophenet', {{'[1 2 1; 3 4 2]', '[1, 2, 3]'}, {'[1 2 1; 3 4 2]', '[0 1 2; 1 0 3; 2 3 0]'}, {'[2 3 1; 1 4 2]', 'magic (3)', '$metric'}}, 2, @check_cophenet), ...
  row('knng.optimalleaforder', {{'[1 2 1; 3 4 2]', '[1, 2, 3]'}, {'[2 3 1; 1 4 2]', 'magic (3)', '$metric'}, {'[1 2 1; 3 4 2]', '[0 1 2; 1 0 3; 2 3 0]', '''Threads''', '2'}, ...
                                {'[1 2 1; 3 4 2]', '[1, 2, 3]', '''Transformation''', '''INVERSE'''}, {'[1 2 1; 3 4 2]', '[1, 2, 3]', '''transf''', '@(D) exp (-D)'}}, 1, ...
      @check_leaves), ...
  row('knng.dendrogram', {{'$Z'}, {'$Z', '3', '''Orientation''', '''LEFT'''}, {'[1 2 1; 3 4 2]', '0', '''Reorder''', '[3 2 1]', '''Labels''', '{''%s'', ''a_b'', ''''}'}, ...
                          {'$Z', '''ColorThreshold''', '''default'''}, {'[1 2 1; 3 4 2]', '''Labels''', '[''a''; ''_''; ''%'']'}}, 3, @check_dendrogram), ...
  row('knng.inconsistent', {{'$Z'}, {'$Z', '$k'}}, 1, @check_inconsistent), ...
  row('knng.isomap', {{'knngraph ((1:30)'', 4)', '1', '$isomapoption...'}, {'knngraph (mod ((1:40)'' * [0.137 0.713 0.371], 1), 9)', '$dims', '$isomapoption...'}}, 2, ...
      @(a, r) check_rows_of(a, r(1:min (end, 1)), 0)), ...
  row('knng.laplacianeigenmaps', {{'knngraph ((1:30)'', 4)', '1', '$laplacianoption...'}, {'knngraph (mod ((1:40)'' * [0.137 0.713 0.371], 1), 9)', '$dims', '$laplacianoption...'}}, 2, ...
      @(a, r) check_rows_of(a, r(1:min (end, 1)), 0)), ...
  row('knng.umap', {{'$A2', '$umapoption...'}, {'$tables', '$umapoption...'}, {'$X', '$umapoption...'}, ...
                    {'mod ((1:40)'' * [0.137 0.713 0.371], 1)', '''K''', '$k', '''Distance''', '$metric', '$umapoption...'}}, 2, @check_umap), ...
  row('knng.lof', {{'$A2'}, {'$tables', '''Threads''', '2'}, {'$X', '$lofoption...'}, {'[0 0; 1 0; 0 2; 5 5]', '''Queries''', '[1 NaN; 2 2]', '$lofoption...'}}, 3, @check_lof), ...
  row('knng.intrinsicdim', {{'$A2', '$dimoption'}, {'$tables', '''Threads''', '2'}, {'$tables', '''Distance''', '$metric'}, {'$X', '$clusteroption...'}, {'$X', '$dimoption', '''K''', '$few'}}, 2, @check_dimension), ...
  row('knng.internal.umap', {{'''weigh''', 'sparse ([0 1 2; 1 0 0; 2 0 0])', '$how'}, ...
                             {'''layout''', 'sparse ([0 1 0.5; 1 0 0; 0.5 0 0])', 'magic (3)', '1.5', '0.9', '7', '5', '1', '3', '$how'}}, 1, @(a, r) ''), ...
  row('knng.tsne', {{'$A2', '$tsneoption...'}, {'$X', '$tsnepointoption...'}, {'knngraph ((1:30)'', 4)', '$tsneoption...'}, ...
                    {'mod ((1:40)'' * [0.137 0.713 0.371], 1)', '''MaxIter''', '20', '''Distance''', '$metric', '$tsnepointoption...'}}, 2, @check_tsne), ...
  row('knng.internal.tsne', {{'''weigh''', 'sparse ([0 1 2; 1 0 0; 2 0 0])', '1.5', '$how'}}, 1, @(a, r) ''), ...
  row('knng.internal.tsne', {{'''layout''', 'sparse ([0 1 0.5; 1 0 0; 0.5 0 0] / 3)', 'magic (3)', '7', '3', '12', '1.5', '0.5', '0', '2', '[]', '$how'}, ...
                             {'''layout''', 'sparse ([0 1 0.5; 1 0 0; 0.5 0 0] / 3)', 'magic (3)', '7', '3', '12', '1.5', '0.5', '2', '7', 'ones (18, 1)', '$how'}}, 4, @(a, r) ''), ...
  row('knng.pca', {{'$X', '$pcaoption...'}, {'$X', '''Economy''', 'false'}, {'[1 2 3; NaN 1 2; 3 1 9; 2 2 4; 7 NaN 1; 5 3 3]', '''Rows''', '''PAIRWISE'''}}, [1 6], @check_pca), ...
  row('knng.internal.duplicates', {{'$X', '$metric'}}, 3, @check_duplicates), ...
  row('knng.internal.blocks', {{'$X', '$k', '$metric', '2', '''cpu''', '[]'}, {'$X', '$k', '$metric', '3', '[]', '16', '$how'}}, ...
      4, @check_blocks), ...
  row('knng.adjacency', {{'$tables', '$adjacencyoption...'}, {'sparse ([0 1.5 0; 2 0 realmin; 0 0 0])', '$adjacencyoption...'}}, 1, ...
      @check_weights), ...
  row('knng.conncomp', {{'$A2'}, {'$tables'}}, 2, @check_parts), ...
  row('knng.minspantree', {{'$A2'}, {'$tables'}, {'mod ((1:40)'' * [0.137 0.713 0.371], 1)', '''Distance''', '$metric'}}, [0 3], @check_tree), ...
  row('knng.mstknn', {{'$map', '$mstoption...'}, {'[0 0; 1 0; 0 2; 5 5]', '$mstoption...'}, ...
                      {'mod ((1:40)'' * [0.137 0.713 0.371], 1)', '''Distance''', '$metric'}}, 2, @check_mstknn), ...
  row('knng.edges', {{'$A2', '$edgeoption...'}, {'$tables', '$edgeoption...'}, ...
                     {'knngraph (magic (6), 2, ''pearson'')', '''Metric''', '''pearson''', '''Samples''', '6'}}, 1, @check_edges), ...
  row('knng.internal.forest', {{'''components''', '$A2'}}, 2, @(a, r) check_parts(a(2:end), r)), ...
  row('knng.internal.forest', {{'''tree''', '$A2', '[]', '[]'}, {'''tree''', 'knngraph ((1:5)'', 1)', 'ones (5, 1)', '[1 1 2 3 3]'}}, [3 5], ...
      @(a, r) check_tree(a(2:end), r(1:end * (numel(r) > 1)))), ...
  row('knng.internal.forest', {{'''clusters''', 'knngraph ((1:5)'', 2)', '[1 2 3]', '[2; 3; 4]', '[1 1 1]', '1'}}, 3, @(a, r) ''), ...
  row('knng.estimate', [estimate, {{'[0 0; 1 0; 0 2; 5 5]', '$k', '''Calibrate''', 'false'}}], 1, @check_estimate), ...
  row('knng.checksum', {{'$tables'}}, 1, @check_checksum), ...
  row('knng.checksum', {{quoted('tables.h5')}}, 1, @check_checksum_file), ...
  row('knng.loadgraph', {{quoted('tables.h5')}, {quoted('tables.h5'), '[4 1 4]'}, {quoted('tables.h5'), 'int8 (2)'}}, 3, @check_loadgraph), ...
  row('knng.devices', {{}}, 2, @check_devices), ...
  row('knng.demo', {{}, {}, {}, {'''sample'''}}, 1, @check_demo), ... % the last one draws a picture, which takes time
  row('knng.internal.read', {{'$file'}, {'$graphfile'}, {'$file', '[]', '[]', 'struct (''Missing'', ''ND'', ''HeaderLines'', 0)'}}, 1, @(a, r) check_read(a, r, files)), ...
  row('knng.internal.write', {{'$target', '''''', '[]', 'sparse ([0 1; 2 0])', 'uint8 ([])', 'uint8 ([])', '[]', '[]', '[]'}, ...
                              {'$target', '''gml''', '1', 'sparse (magic (3))', 'uint8 ([97 0 98 0 99 0])', 'uint8 ([97 0])', ...
                               '[0; 1; 1]', 'ones (3, 2)', 'struct (''name'', uint8 ([97 0]), ''key'', uint8 ([97 0]), ''values'', {[1; NaN; 3], uint8([97 0 0 98 0])})'}}, 1, @(a, r) check_write(a, a(4:end))), ...
  row('knng.internal.write', {{'''formats'''}}, 1, @(a, r) ''), ...
  row('knng.internal.checksum', {{'$tables'}}, 1, @check_checksum), ...
  row('knng.internal.graph_file', {{'''load''', quoted('tables.h5')}, {'''load''', quoted('tables.h5'), '[4 1 4]', '$how'}}, 3, ...
      @(a, r) check_loadgraph(a(2:end), r)), ...
  row('knng.internal.graph_file', {{'''checksum''', quoted('tables.h5')}, {'''can'''}}, 1, @(a, r) ''), ...
  row('knng.internal.adjacency', {{'[2 3; 1 3; 1 2; 3 2]', '[1 2; 1 3; 2 3; 3 4]'}, ...
                                  {'[2 3; 1 0; 0 0]', 'single ([0 2; 1 NaN; NaN NaN])'}, {'zeros (1, 0)', 'zeros (1, 0)'}, ...
                                  {'sparse ([0 1.5 0; 2 0 realmin; 0 0 0])', '1'}}, ...
      1, @check_adjacency), ...
  row('knng.internal.search', [behind('graph', graph), behind('search', search(2:end))], 3, @check_gateway), ...
  row('knng.internal.search', {{'''devices'''}}, 2, @check_gateway), ...
  row('knng.internal.search', {{'''metrics'''}, {'''id'''}, {'''searchers'''}, {'''searcher''', '5'}, {'''drop''', '5'}}, 1, @check_gateway), ...
  row('knng.internal.search', behind('plan', estimate), 1, @check_gateway), ...
  row('knng.internal.search', {{'''release'''}}, 0, @check_gateway)];

number = {'0', '-0', '-1', '0.5', '1.5', 'NaN', 'Inf', '-Inf', 'NA', 'eps', 'realmin', 'realmax', '4.9e-324', '2^31', ...
          '2^32 + 1', '2^53 + 2', '2^63', '2^64', '1e308', '-2^63', 'single (2.5)', 'single (Inf)', 'complex (1, 0)', '1i', ...
          'single (2i)', 'complex (NaN, Inf)', 'sparse (3)', 'sparse (1i)', 'sparse (true)', 'true', 'false', 'int8 (-1)', ...
          'uint8 (0)', 'intmin (''int64'')', 'intmax (''int64'')', 'intmax (''uint64'')', 'intmin (''int8'')', ...
          'int64 (9007199254740993)', 'int32 (2)', 'int16 (1)', 'uint16 (65535)', 'uint32 (7)', 'pi'};
none = {'[]', '{}', '''''', '""', 'zeros (0, 3)', 'zeros (3, 0)', 'zeros (1, 0)', 'single ([])', 'cell (0, 3)', 'struct ([])', ...
        'struct ()', 'int8 ([])', 'logical ([])', 'sparse (0, 0)', 'sparse (3, 0)', 'sparse (0, 3)', 'zeros (0, 3, 2)', ...
        'zeros (2, 0, 2)', 'char (zeros (3, 0))', 'char (zeros (0, 3))', '1:0', 'zeros (2^40, 0)', 'zeros (0, 2^50)', ...
        'cell (2^40, 0)', 'repmat (struct (''a'', 1), 0, 2)', 'zeros (2^31, 0, ''single'')'};
matrix = {'magic (4)', '-magic (4)', '[1 2; 3 NaN]', 'ones (3, 3, 3)', 'ones (2, 2, 0)', 'cat (3, [1 2], [3 4])', '10:-1:1', ...
          '1:1000', 'eye (4)(:, [2 1 4 3])', 'eye (3, 5)', '-eye (3)', 'inv (diag ([1 2 4]))', 'diag (single ([1 2 3]))', ...
          'sparse (eye (4))', 'sparse (magic (4) > 5)', 'sparse (magic (4))', 'sparse (1i * magic (3))', ...
          'NaN (4, 3)', 'Inf (3)', '-Inf (2, 5)', 'complex (magic (4), 1)', 'single (complex (magic (3), 0))', ...
          'realmax * magic (3)', 'int8 (magic (4))', 'uint8 (magic (4))', 'int16 (magic (4))', 'uint16 (magic (4))', ...
          'int32 (magic (4))', 'uint32 (magic (4))', 'int64 (magic (4))', 'uint64 (magic (4))', 'magic (4) > 5', 'true (3, 3)', ...
          'bitmax (''single'')', 'zeros (1, 5000)', 'zeros (300, 1)', 'ones (4, 2)', 'zeros (2, 2, 2, 2)', '[1 2]', '[1; 2]', ...
          '[intmin(''int64''), intmax(''int64'')]', 'repmat (intmax (''uint64''), 3, 3)', 'int8 (1):int8 (4)', 'NA (2)'};
text = {'''x''', '''euclidean''', '''pearsn''', '[''ab''; ''cd'']', '[''c''; ''p''; ''u'']', 'char (0)', '[''pearson'', 0]', ...
        'char (255)', 'char ([195 164 0 120])', 'char ([195 164 226 130 172])', 'char ([226 130])', 'char (1:255)', '''%s%n%d''', ...
        '''%''', '''100%%''', '"\n"', '"a\tb\r\n"', ''' ''', '''NaN''', '''3''', '''auto''', '''gpu''', '''on''', '''K''', '''fail''', ...
        '''graph''', '''../..''', '''/''', '''/dev/null''', '''/dev/zero''', '''~''', '''/nonexistent/x''', '''.''', '''-''', '''|ls''', ...
        '''*''', 'repmat (''x'', 1, 63)', 'repmat (''x'', 1, 100000)', 'repmat (''/x'', 1, 3000)', 'cat (3, ''a'', ''b'')', ...
        'reshape (''auto'', 1, 2, 2)', 'reshape (''cpu'', 1, 1, 3)', 'repmat (''pear'', 3, 1)', '"euclidean"', ...
        '[''cpu'', char(0)]', '''\\server\x''', '''$(ls)''', 'char (128:160)'};
paths = [all_quoted('cut.', t.samples), all_quoted('bad%.', t.samples), k.graphfile, ...
         {quoted(''), quoted('empty'), quoted('text'), quoted('bytes'), quoted('cut.gz'), quoted('long'), ...
         quoted('no-such-file'), quoted('loop'), quoted('promise.nbi'), quoted('nul.nbi'), ...
         [quoted('good.nbi') '(1:end-1)'], ['[' quoted('good.nbi') ', char(0), ''x'']'], ['[' quoted('good.nbi') '; ' quoted('good.nbi') ']'], ...
         ['[' quoted('') ', char(255), ''.nbi'']'], ['[' quoted('good.nbi') ', ''/'']']}];
other = {'{1}', '{''pearson''}', '{1, ''a''; @sin, []}', '{{{}}}', 'cell (3)', 'cell (2, 2, 2)', 'cellstr (''K'')', '{''K'', 1}', ...
         'struct (''a'', 1)', 'struct (''a'', {1, 2, 3})', 'struct (''X'', {1, 2}, ''names'', ''a'')', ...
         'struct (''X'', magic (4), ''names'', {{''a'', ''b'', ''c''}})', 'struct (''X'', {{}}, ''names'', {{}})', ...
         'struct (''X'', sparse (eye (2)), ''names'', {{''a'', ''b''}})', 'struct (''X'', ones (2, 2, 2), ''names'', {{''a'', ''b''}})', ...
         'struct (''X'', zeros (0, 2), ''names'', {{}})', 'struct (''X'', int8 (magic (2)), ''names'', {{''a'', ''''}})', ...
         'struct (''X'', complex (magic (2), 1), ''names'', {{''a'', ''%s''}})', 'repmat (struct (''a'', 1), 2, 2)', ...
         '@sin', '@(x) x', '@knngraph', '@(varargin) error (''planted'')', 'containers.Map ()', 'containers.Map (''a'', 1)', ...
         'containers.Map ({''X'', ''names''}, {1, 2})', 'inline (''x'')', 'inputParser ()', 'MException (''a:b'', ''c'')', ...
         'onCleanup (@() 1)', 'weboptions ()', 'javaObject (''java.lang.String'', ''x'')', '{containers.Map (), @sin}', ...
         'struct (''f'', @sin)', '{@sin}', '1:0.5:4'};
t.hostile = [number, none, matrix, text, paths, other];
t.wraps = {'sparse (%s)', 'single (%s)', 'double (%s)', 'int8 (%s)', 'uint8 (%s)', 'int64 (%s)', 'uint64 (%s)', 'logical (%s)', ...
           'char (%s)', '{%s}', 'struct (''a'', {%s})', 'complex (%s, 0)', 'complex (%s, 1)', 'cat (3, %s, %s)', '[%s, NaN]', ...
           '[%s; Inf]', '[%s, %s]', '[%s; %s]', '[%s, ''x'']', '[%s, char(0)]', '[''x'', %s]', '(%s)''', '(%s)(:)', '-(%s)', ...
           '(%s)(1:end-1)', '(%s)(1, :)', '(%s)(:, 1)', '(%s)(:, [])', '(%s)([], :)', 'repmat (%s, 2, 1)', 'repmat (%s, 0, 1)', ...
           'repmat (%s, [1 1 2])', '1e308 * (%s)', '4.9e-324 * (%s)', '(%s) + 0.5', '(%s) - 1', '(%s) * 1i', '@() %s', ...
           'num2cell (%s)', 'mat2cell (%s, 1)', 'full (%s)', 'upper (%s)', 'lower (%s)', 'fliplr (%s)', 'flipud (%s)', 'cellstr (%s)', ...
           'num2str (%s)', 'isnan (%s)', 'NaN * (%s)', 'reshape (%s, 1, 1, [])', 'bitcmp (uint8 (%s))', 'diag (%s)', ...
           'typecast (%s, ''uint8'')', 'func2str (@() %s)'};
end

function r = row(name, forms, results, check)
r = struct('name', name, 'igraph', any(strcmp(name, {'knng.leiden', 'knng.shortestpath', 'knng.betweenness', 'knng.pagerank', 'knng.isomap', 'knng.internal.igraph'})), ...
           'writes', any(strcmp(name, {'knng.write', 'knng.internal.write', 'knng.demo', 'knng.explore', 'knng.internal.explore'})), ...
           'f', eval(['@' name]), 'forms', {forms}, 'results', results(end), 'least', results(1) * (numel(results) > 1), 'check', check);
end

% ---- files -----------------------------------------------------------------------------------------------------------

function files = make_files(folder)
% The files that calls read, and no others; a map from the name of a good one to what is in it.
old = setdiff(readdir(folder), {'.', '..'});
for i = 1:numel(old)
  [~] = unlink([folder, '/', old{i}]);       % not so a folder; fullfile wants names in UTF-8
end
s = samples();
good = s(strcmp({s.format}, 'nbi')).text;
X = [1 2 3; 4 NaN 6; 1 2 4; 0 0.5 -300];
put(fullfile(folder, 'good.nbi'), good);
put(fullfile(folder, 'with blank.nbi'), good);
put(fullfile(folder, 'classes.nbi'), strrep(good, '<End', sprintf('<SamplesNames>\ns1 s2 s3\n<SamplesClasses>\nx 1 NA\n<End')));
persistent packed
if isempty(packed)
  gzip(fullfile(folder, 'good.nbi'));
  packed = get(fullfile(folder, 'good.nbi.gz'));
end
put(fullfile(folder, 'good.nbi.gz'), packed);
put(fullfile(folder, 'cut.gz'), packed(1:end - 12));
here = fileparts(mfilename('fullpath'));
put(fullfile(folder, 'tables.h5'), get(fullfile(here, 'graph.h5')));
put(fullfile(folder, 'empty'), '');
put(fullfile(folder, 'sets.gmt'), sprintf('s\tby %%s\ta\tb\tS\tT\nt\t\tb\td\tx\tS\tT\n'));
put(fullfile(folder, 'samples.csv'), sprintf('sample,sex,"age %%s"\nt,f,7\ns,m,NA\nu,"f, m",1e3\n'));
put(fullfile(folder, 'text'), sprintf('the quick brown fox\n1 2 3\n'));
put(fullfile(folder, 'bytes'), char(mod((0:4095) * 167, 256)));
put(fullfile(folder, 'long'), ['<MicroarrayData>' repmat('x', 1, 200000)]);
put(fullfile(folder, 'promise.nbi'), sprintf('<MicroarrayData>\n2000000000 2000000000\na 1 2\n<EndOfFile>\n'));
put(fullfile(folder, 'nul.nbi'), strrep(good, 'NA', char([78 0 65])));
symlink(fullfile(folder, 'loop'), fullfile(folder, 'loop'));
files = containers.Map();
for name = {'good.nbi', 'good.nbi.gz', 'with blank.nbi', 'classes.nbi'}
  files(fullfile(folder, name{1})) = X;
end
bad = ['%s%n' char([255 0])];
for f = s
  name = ['data.' f.format];
  if f.graph
    name = ['graph.' f.format];
  else
    files(fullfile(folder, name)) = X;
  end
  put_sample(fullfile(folder, name), f.text, f.format);
  put_sample(fullfile(folder, ['cut.' f.format]), f.text(1:floor(0.7 * end)), f.format);
  if f.early && ~f.graph
    files(fullfile(folder, ['cut.' f.format])) = [X(1:2, :); X(3, 1:2), NaN];   % a whole table, of which the last value is missing
  end
  put_sample(fullfile(folder, ['bad%.' f.format]), strrep(strrep(f.text, '0.5', bad), '1.5', bad), f.format);
end
end

function s = samples()
% A short file of each format that is read: its text, and whether a part of it may be a whole file. A data set is X of
% make_files, with rows a to d; a graph has the edges 1 to 2 of weight 1.5 and 2 to 3 of weight 2.
s = [sample('nbi', '<MicroarrayData>\n4 3\na 1 2 3\nb 4 NA 6\nc 1 2 4\nd 0 0.5 -3e2\n<EndOfFile>\n'), ...
     sample('abk', 'FEATURESINROWS\nTARGETNOTPRESENT\nNONE\n4\n3\ndummy s1 s2 s3\na 1 2 3\nb 4 NA 6\nc 1 2 4\nd 0 0.5 -3e2\n'), ...
     sample('geo', '!series_matrix_table_begin\n"ID_REF"\t"s1"\t"s2"\t"s3"\n"a"\t1\t2\t3\n"b"\t4\t\t6\n"c"\t1\t2\t4\n"d"\t0\t0.5\t-3e2\n!series_matrix_table_end\n'), ...
     sample('soft', '^DATASET = GDS1\n!dataset_table_begin\nID_REF\tIDENTIFIER\tGSM1\tGSM2\tGSM3\na\tx\t1\t2\t3\nb\tx\t4\tNA\t6\nc\tx\t1\t2\t4\nd\tx\t0\t0.5\t-3e2\n!dataset_table_end\n'), ...
     sample('gct', '#1.2\n4\t3\nName\tDescription\ts1\ts2\ts3\na\tx\t1\t2\t3\nb\tx\t4\tNA\t6\nc\tx\t1\t2\t4\nd\tx\t0\t0.5\t-3e2\n'), ...
     sample('table', ',s1,s2,s3\na,1,2,3\nb,4,NA,6\nc,1,2,4\nd,0,0.5,-3e2\n', 'may end early'), ...
     sample('cells', '%%%%MatrixMarket matrix coordinate real general\n4 3 11\n1 1 1\n2 1 4\n3 1 1\n1 2 2\n2 2 NA\n3 2 2\n4 2 0.5\n1 3 3\n2 3 6\n3 3 4\n4 3 -3e2\n'), ...
     sample('gml', 'graph [ directed 1\nnode [ id 1 ]\nnode [ id 2 ]\nnode [ id 3 ]\nedge [ source 1 target 2 weight 1.5 ]\nedge [ source 2 target 3 weight 2 ]\n]\n', 'may end early'), ...
     sample('graphml', '<?xml version="1.0"?>\n<graphml>\n<key id="weight" for="edge" attr.name="weight" attr.type="double"/>\n<graph edgedefault="directed">\n<node id="1"/><node id="2"/><node id="3"/>\n<edge source="1" target="2"><data key="weight">1.5</data></edge>\n<edge source="2" target="3"><data key="weight">2</data></edge>\n</graph>\n</graphml>\n'), ...
     sample('gexf', '<?xml version="1.0"?>\n<gexf version="1.3">\n<graph defaultedgetype="directed">\n<nodes><node id="1"/><node id="2"/><node id="3"/></nodes>\n<edges><edge source="1" target="2" weight="1.5"/>\n<edge source="2" target="3" weight="2"/></edges>\n</graph>\n</gexf>\n'), ...
     sample('cyjs', '{"directed": true,\n"elements": {"nodes": [{"data": {"id": "1"}}, {"data": {"id": "2"}}, {"data": {"id": "3"}}],\n"edges": [{"data": {"source": "1", "target": "2", "weight": 1.5}},\n{"data": {"source": "2", "target": "3", "weight": 2}}]}}\n'), ...
     sample('net', '*Vertices 3\n*Arcs\n1 2 1.5\n2 3 2\n', 'may end early'), ...
     sample('mtx', '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1.5\n2 3 2\n'), ...
     sample('csv', 'source,target,weight\n1,2,1.5\n2,3,2\n', 'may end early'), ...
     sample('knn', '3 2\n0 1 1.5\n1 2 2\n')];
end

function put_sample(file, text, format)
% A matrix of cells is a folder of three files.
if strcmp(format, 'cells')
  [~, ~] = mkdir(file);
  put(fullfile(file, 'features.tsv'), sprintf('%c\tx\n', 'abcd'));
  put(fullfile(file, 'barcodes.tsv'), sprintf('s1\ns2\ns3\n'));
  file = fullfile(file, 'matrix.mtx');
end
put(file, text);
end

function s = sample(format, text, ~)
f = knng.internal.write('formats');
s = struct('format', format, 'graph', f(strcmp({f.name}, format)).graph, 'text', sprintf(text), 'early', nargin > 2);
end

function put(file, bytes)
f = fopen(file, 'w');
fwrite(f, bytes);
fclose(f);
end

function bytes = get(file)
f = fopen(file);
bytes = fread(f, Inf, 'uint8=>uint8')';
fclose(f);
end

% ---- what an accepted call must have been, and returned ----------------------------------------------------------------

function problem = check_graph(args, out, files, one_is_sparse)
X = args{1};
if ischar(X)
  if ~isKey(files, X)
    problem = 'a file that is none was accepted';
    return
  end
  X = files(X);
end
rest = args(3:end);
metric = 'euclidean';
if mod(numel(rest), 2) == 1
  metric = rest{1};
  rest = rest(2:end);
end
[problem, ~, metric, gaps, ops] = legal_options(rest, false, metric);
if isempty(problem) && ~isempty(ops)
  if isstruct(X)
    X = X.X;
  end
  if ~legal_matrix(X) || strcmp(gaps.rows, 'complete')
    problem = 'metafeatures of no matrix, or with ''complete'', were accepted';
    return
  end
  X = knng.metafeatures(X, [], ops);
end
if isempty(problem)
  problem = hold(X, [], args{2}, metric, out, one_is_sparse, gaps);
end
end

function problem = check_search(args, out)
[problem, k, metric, gaps] = legal_options(args(3:end), true, 'euclidean');
if isempty(problem) && ~(legal_matrix(args{2}) && size(args{2}, 2) == size(args{1}, 2))
  problem = 'a Y that is none was accepted';
elseif isempty(problem)
  problem = hold(args{1}, args{2}, k, metric, out, false, gaps);
end
end

function problem = check_rangesearch(args, out)
[problem, ~, metric] = legal_options(args(4:end), true, 'euclidean');
if isempty(problem) && ~(legal_matrix(args{2}) && size(args{2}, 2) == size(args{1}, 2))
  problem = 'a Y that is none was accepted';
elseif isempty(problem)
  problem = within(args{1}, args{2}, args{3}, metric, out);
end
end

function problem = check_rangegraph(args, out)
metric = 'euclidean';
options = args(3:end);
if mod(numel(options), 2)
  metric = options{1};
  options(1) = [];
end
[problem, ~, metric] = legal_options(options, true, metric);
if isempty(problem)
  problem = within(args{1}, [], args{2}, metric, out);
end
end

function problem = check_range_gateway(args, out)
% The lists of the gateway stand in one row.
problem = '';
if strcmpi(args{1}, 'rangematrix')
  out = out(1:min(end, 1));
elseif numel(out) > 2
  out = {mat2cell(out{2}, 1, out{1})', mat2cell(out{3}, 1, out{1})'};
else
  return
end
metric = 'euclidean';
if strcmpi(args{1}, 'rangesearch')
  if numel(args) > 5 && ischar(args{5}) && strcmpi(args{5}, 'Distance')
    metric = args{6};
  end
  problem = within(args{2}, args{3}, args{4}, metric, out);
else
  problem = within(args{2}, [], args{3}, metric, out);
end
end

function problem = within(X, Y, r, metric, out)
% '' if out is what of all the oracle's neighbours lies within r, bit by bit.
problem = '';
if ~legal_matrix(X)
  problem = 'an X that is none was accepted';
elseif ~legal_number(r, 0, Inf, false)
  problem = 'a radius that is none was accepted';
elseif ~ischar(metric)
  problem = 'a metric that is none was accepted';
elseif numel(X) * max([1, size(Y, 1), (isempty(Y)) * size(X, 1)]) > 1e6 || isempty(out)
  return                             % too large to be compared with the oracle here
else
  n = size(X, 1);
  [idx, dist] = oracle(double(full(X)), double(full(Y)), n, whole_name(metric));
  near = dist <= double(full(r));
  [i, ~] = find(near);
  if numel(out) == 1 && issparse(out{1})
    dist = dist(near);
    if isa(X, 'single')
      dist = double(single(dist));
    end
    if ~isequal(out{1}, sparse(i, idx(near), max(dist, realmin), n, n))
      problem = 'another sparse matrix than the oracle''s';
    end
    return
  end
  if isa(X, 'single') || isa(Y, 'single')
    dist = single(dist);
  end
  for row = 1:size(idx, 1)
    if ~same_bits(out{1}{row}, reshape(idx(row, near(row, :)), 1, [])) || ...
       (numel(out) > 1 && ~same_bits(out{2}{row}, reshape(dist(row, near(row, :)), 1, [])))
      problem = 'other rows within the radius than the oracle''s';
    end
  end
  if size(idx, 1) ~= numel(out{1}) || (numel(out) > 2 && ~(isstruct(out{3}) && out{3}.memory.peak <= out{3}.memory.planned))
    problem = 'lists of another number of rows, or info is wrong';
  end
end
end

function problem = check_asked(args, out)
% Of a searcher in place of X: all that there are have the rows of magic (4).
if isstruct(args{1})
  X = cast(magic(4), args{1}.class);
  args = [{X}, args(2:end), {'Distance', args{1}.Distance}];
end
problem = check_search(args, out);
end

function problem = check_searcher(args, out)
problem = '';
X = args{1};
if isempty(out)
  return
elseif ~legal_matrix(X) || ~isequal(size(X), [out{1}.rows, out{1}.columns]) || ~strcmp(class(X), out{1}.class)
  problem = 'a matrix that is none was accepted, or fields are wrong';
  return
end
Y = X(1, :); %#ok<NASGU>
found = cell(1, 3);
evalc('[found{:}] = knng.knnsearch (out{1}, Y);');
problem = hold(X, X(1, :), 1, out{1}.Distance, found, false);
end

function problem = check_release(args, out)
problem = '';
if ~isempty(out) && ~legal_number(out{1}, 0, 100, true)
  problem = 'another number than that of searchers';
elseif ischar(args{1}) && ~isempty(knng.searchers())
  problem = 'some are left';
end
end

function problem = check_searchers(~, out)
problem = '';
if ~isempty(out) && ~(isstruct(out{1}) && isequal(size(out{1}, 2), 1) && isequal(fieldnames(out{1})', {'id', 'rows', 'columns', 'class', 'Distance', 'bytes', 'gpu', 'gpubytes'}))
  problem = 'no list of searchers';
end
end

function problem = check_gateway(args, out)
switch lower(args{1})
  case 'graph'
    problem = check_graph(args(2:end), out, containers.Map(), false);
  case 'search'
    problem = check_search(args(2:end), out);
  case 'devices'
    problem = check_devices({}, out);
  case 'plan'
    problem = '';
  case {'release', 'fail', 'metrics', 'id', 'searchers', 'searcher', 'drop'}
    problem = '';
  otherwise
    problem = 'a call of no kind was accepted';
end
end

function ok = legal_matrix(X)
ok = isfloat(X) && isreal(X) && ~issparse(X) && ndims(X) == 2 && ~isempty(X);
end

function ok = legal_number(x, low, high, whole)
ok = isnumeric(x) && isreal(x) && numel(x) == 1 && double(x) >= low && double(x) <= high && (~whole || x == fix(x));
end

function [problem, k, metric, gaps, ops] = legal_options(pairs, search, metric)
k = 1;
ops = {};
problem = '';
gaps = struct('rows', 'all', 'least', []);
names = {'threads', 'tilesize', 'maxmemory', 'maxdevicememory', 'device', 'progress', 'target', 'distance', 'metric', 'prune', 'rows', 'minvalid'};
if search
  names = [names, {'k', 'numneighbors', 'nsmethod', 'bucketsize', 'includeties', 'sortindices'}];
else
  names = [names, {'metafeatures'}];
end
one_of = @(v, list) ischar(v) && any(strcmpi(v, list));
for i = 1:2:numel(pairs)
  if i == numel(pairs) || ~ischar(pairs{i})
    problem = 'an option without a name or a value was accepted';
    return
  end
  v = pairs{i + 1};
  ok = true;
  switch spelt_out(names, pairs{i})
    case 'threads'
      ok = legal_number(v, 1, 4096, true);
    case 'tilesize'
      ok = legal_number(v, 1, 2 ^ 31, true);
    case {'maxmemory', 'maxdevicememory'}
      ok = legal_number(v, 1, Inf, false);
    case 'device'                          % the last one counts
      ok = any(strncmpi(pairs(i + 2:2:end), 'de', 2)) || one_of(v, {'auto', 'cpu', 'gpu'}) || (isnumeric(v) && all(v(:) >= 1) && all(v(:) == fix(v(:))));
    case 'progress'
      ok = one_of(v, {'auto', 'on', 'off'});
    case 'prune'
      ok = one_of(v, {'auto', 'on', 'off'});
    case 'target'                          % the last one counts
      ok = any(strncmpi(pairs(i + 2:2:end), 'ta', 2)) || one_of(v, {'auto', 'avx512', 'avx2', 'plain', 'blas'});
    case 'rows'
      ok = one_of(v, {'all', 'complete', 'pairwise'});
      gaps.rows = lower(v);
    case 'metafeatures'                    % what is none is refused by knng.metafeatures, too
      ops = v;
    case 'minvalid'
      ok = legal_number(v, 1, 2 ^ 30, true);
      gaps.least = double(v);
    case {'k', 'numneighbors'}
      ok = search;
      k = v;
    case {'distance', 'metric'}
      metric = v;
    case 'nsmethod'
      ok = one_of(v, {'exhaustive', 'kdtree'});
    case 'bucketsize'
      ok = numel(v) == 1 && v >= 1;
    case 'includeties'
      ok = numel(v) == 1 && v == 0;
    case 'sortindices'
      ok = numel(v) == 1 && (v == 0 || v == 1);
    otherwise
      ok = false;
  end
  if ~ok
    problem = sprintf('an option ''%s'' that is wrong was accepted', pairs{i});
    return
  end
end
end

function name = spelt_out(names, text)
% The one of the names that the text is, or begins alone; or the text.
name = lower(text);
at = find(strncmp(names, name, numel(name)));
if ~any(strcmp(names, name)) && numel(at) == 1 && numel(name) > 0
  name = names{at};
end
end

function metric = whole_name(metric)
% The metric as the oracle knows it.
table = knng.internal.search('metrics');
metric = spelt_out({table.name}, metric);
if ~any(strcmp({table.name}, metric))
  metric = spelt_out(setdiff({table.alias}, {''}), metric);
end
end

function problem = hold(X, Y, k, metric, out, one_is_sparse, gaps)
% '' if out is what the oracle finds, bit by bit. GAPS, if it is given: .rows, .least, the options 'Rows' and 'MinValid'.
problem = '';
more = {};
if nargin > 6 && ~isempty(gaps.least) && ~strcmp(gaps.rows, 'pairwise')
  problem = '''MinValid'' of nothing was accepted';
  return
elseif nargin > 6 && strcmp(gaps.rows, 'complete') && legal_matrix(X)
  keep = ~any(isnan([X; Y]), 1);
  X = X(:, keep);
  if ~isempty(Y)
    Y = Y(:, keep);
  end
elseif nargin > 6 && strcmp(gaps.rows, 'pairwise')
  more = {[gaps.least, min(3, size(X, 2))](1)};
end
if ~legal_matrix(X)
  problem = 'an X that is none was accepted';
elseif ~legal_number(k, 1, 2 ^ 53, true)
  problem = 'a k that is none was accepted';
elseif ~ischar(metric)
  problem = 'a metric that is none was accepted';
elseif numel(X) * max(1, size(Y, 1)) > 1e6 || isempty(out)
  return                             % too large to be compared with the oracle here
else
  [idx, dist] = oracle(full(X), full(Y), double(k), whole_name(metric), more{:});
  if numel(out) == 1 && one_is_sparse
    n = size(X, 1);
    [i, c] = find(idx);
    at = sub2ind(size(idx), i, c);
    if ~isequal(out{1}, sparse(i, idx(at), max(double(dist(at)), realmin), n, n))
      problem = 'another sparse matrix than the oracle''s';
    end
  elseif ~same_bits(out{1}, idx) || (numel(out) > 1 && ~same_bits(out{2}, dist))
    problem = 'other neighbours than the oracle''s';
  elseif numel(out) > 2 && ~(isstruct(out{3}) && out{3}.memory.peak <= out{3}.memory.planned)
    problem = 'info is wrong';
  end
end
end

function same = same_bits(a, b)
same = strcmp(class(a), class(b)) && isequal(size(a), size(b)) && ...
       isequal(typecast(a(:), 'uint8'), typecast(b(:), 'uint8'));
end

function problem = check_read(args, out, files)
problem = '';
s = samples();
if isempty(out) || isempty(args{1})           % of no file the gateway looks at the options alone
  return
end
ds = out{1};
if numel(args) > 1 && ~changes_nothing(args(2:end))
  if ~isstruct(ds) || ~any(isfield(ds, {'X', 'A'}))
    problem = 'no struct as it should be';
  end
elseif ~isempty(strfind(args{1}, 'graph.')) && numel(args) > 1 && any(strncmpi(args(2:2:end), 'names', 5) | strncmpi(args(2:2:end), 'delim', 5))
  if ~isstruct(ds) || ~isfield(ds, 'X')
    problem = 'no table, as the option asks for';
  end
elseif ~isempty(strfind(args{1}, 'graph.'))
  if ~isstruct(ds) || ~isequal(full(ds.A), [0 1.5 0; 0 0 2; 0 0 0])
    problem = 'another graph than the file has';
  end
elseif any(strcmp(regexp(args{1}, 'cut\.\w+$', 'match', 'once'), strcat('cut.', {s([s.early]).format})))
  % a cut file may be a whole one of its format
elseif ~isstruct(ds) || ~all(isfield(ds, {'X', 'names', 'samples', 'classes'})) || ~isa(ds.X, 'double') ...
   || ~iscellstr(ds.names) || ~isequal(size(ds.names), [size(ds.X, 1), 1])
  problem = 'no struct as it should be';
elseif isKey(files, args{1}) && ~isequaln(ds.X, files(args{1}))
  problem = 'other values than the file has';
elseif ~isKey(files, args{1}) && isempty(strfind(args{1}, 'good.nbi'))
  problem = 'a file that is none was read';
end
end

function yes = changes_nothing(pairs)
% Options of knng.read, or arguments of its gateway, as k.tableoption has them.
for i = 2:2:numel(pairs)
  yes = ischar(pairs{i}) && ndims(pairs{i}) == 2 && any(strcmpi(pairs{i}, {',', 'comma', 'auto', 'ND'})) || isequal(pairs{i}, {'ND', '%s'}) || isequal(pairs{i}, []) || ...
        (isscalar(pairs{i}) && (isnumeric(pairs{i}) || islogical(pairs{i})) && ~strncmpi(pairs{i - 1}, 'miss', 4) && ...
         pairs{i} == strncmpi(pairs{i - 1}, 'names', 5));
  if ~yes
    return
  end
end
end

function problem = check_neighbors(args, out)
problem = '';
ds = args{1};
if issparse(args{2})
  [idx, dist] = knng.internal.tables(args(2));
  args = [args(1), {idx, dist}, args(3:end)];
end
if ~isstruct(ds)
  ds = struct('X', ds);
end
if ~isfield(ds, 'names') || isempty(ds.names)
  ds.names = arrayfun(@(i) sprintf('%d', i), (1:size(ds.X, 1))', 'UniformOutput', false);
end
idx = double(args{2});
row = args{4};
if ischar(row) && ~any(strcmp(ds.names, row)) && isfield(ds, 'symbols')
  called = find(strcmp(ds.symbols, row) | strcmp(ds.annotation.title(:), row));
  if isempty(called) || isempty(row)
    problem = 'a name that is none was accepted';
  elseif ~isempty(out) && numel(called) > 1 && ~all(ismember(out{1}.of, called))
    problem = 'other rows than are called so';
  end
  return
elseif ischar(row)
  row = find(strcmp(ds.names, row), 1);
end
row = double(row);
if ~(isscalar(row) && row >= 1 && row <= numel(ds.names))
  problem = 'a name that is none was accepted';
  return
end
k = size(idx, 2);
if numel(args) > 4
  k = min(k, double(args{5}));
end
found = idx(row, 1:k);
found = reshape(found(cumsum(found == 0) == 0), [], 1);
if ~isempty(out) && ~(isequal(out{1}.index, found) && isequal(out{1}.rank, (1:numel(found))') && ...
   isequal(out{1}.name(:), reshape(ds.names(found), [], 1)) && isequal(numel(out{1}.r), numel(found)))
  problem = 'other neighbours than the lists have';
end
end

function problem = check_estimate(~, out)
problem = '';
if ~isempty(out) && ~(out{1}.fits == isempty(out{1}.problem) && out{1}.memory.least <= out{1}.memory.planned && out{1}.threads >= 1)
  problem = 'fields that contradict each other';
end
end

function problem = check_write(args, graph)
% What .knn holds is read back, to the bit; so is a data set, by knng.read.
problem = '';
file = args{1};
if numel(args) == 2 && isstruct(args{2}) && isfield(args{2}, 'X') && ~isfield(args{2}, 'A')
  formats = knng.internal.write('formats');
  name = ostrsplit(file, '.');         % regexprep wants UTF-8
  name = name(1:end - strcmpi(name{end}, 'gz'));
  ending = ['.', lower(name{end})];
  if ~any(strcmp(ending, strcat('.', [formats([formats.read]).endings])))
    return                             % a format that is not read
  end
  ds = knng.read(file);
  if ~isequaln(ds.X, double(full(args{2}.X)))
    problem = 'the file holds another data set';
  end
  return
end
if ~strcmp(file, 'out.knn') || any(cellfun(@(v) ischar(v) && any(strcmpi(v, {'format', 'gml'})), args(2:end)))
  return
end
A = graph{1};
if isstruct(A)
  A = A.A;
elseif ~issparse(A)
  n = size(A, 1);
  [i, c] = find(graph{1});
  at = sub2ind(size(A), i(:), c(:));
  A = sparse(i(:), graph{1}(at), max(double(graph{2}(at)), realmin), n, n);
end
[i, j, w] = find(double(A));
w(w == realmin) = 0;
edges = sortrows([i(:), w(:), j(:)]);
f = fopen(file);
numbers = fscanf(f, '%g');
fclose(f);
if ~isequaln(numbers, [size(A, 1); numel(i); reshape([edges(:, [1 3]) - 1, edges(:, 2)]', [], 1)])
  problem = 'the file holds another graph';
end
end

function problem = check_verify(args, out)
% It is right where the oracle finds the same.
problem = '';
at = find(strcmpi(args(5:2:end), 'Queries'));
Y = [];
if ~isempty(at)
  Y = args{4 + 2 * at(end)};
end
if isempty(Y)
  Y = [];
end
[idx, dist] = oracle(full(args{1}), full(Y), max(1, size(args{3}, 2)), whole_name(args{2}));
right = isequal(idx, args{3}) && isequaln(dist, cast(args{4}, class(dist))) && isequaln(double(dist), double(args{4}));
if numel(out) > 0 && out{1} ~= right
  problem = 'says that a graph is right which is wrong, or that it is wrong';
end
end

function problem = check_checksum(args, out)
problem = '';
if numel(args) == 1                        % A
  [args{1:2}] = knng.internal.tables(args);
end
idx = args{1}';
bits = reshape(typecast(reshape(double(args{2}'), [], 1), 'int64'), size(idx));
bits(isnan(args{2}')) = typecast(NaN, 'int64');
words = [int64(size(args{1})'); reshape([int64(idx); bits], [], 1)];
if ~isempty(out) && ~strcmp(out{1}, hash('sha256', char(typecast(words, 'uint8')')))
  problem = 'another checksum';
end
end

function problem = check_checksum_file(args, out)
problem = '';
if ischar(args{1}) && ~isempty(out)
  [idx, dist] = knng.loadgraph(args{1});
  problem = check_checksum({idx, dist}, out);
elseif ~isempty(out)
  problem = check_checksum(args, out);
end
end

function problem = check_verify_file(args, out)
% Points that were moved or mirrored have the same distances. Without a metric it is that of the file.
problem = '';
X = args{1};
if ~isempty(regexp(args{2}, 'tables\.h5$', 'once'))
  args = [args(1), {'euclidean'}, args(2:end)];
end
if numel(out) > 0 && ischar(args{3}) && out{1}
  moved = isnumeric(X) && ~isempty(X) && columns(X) == 2;
  moved = moved && any(cellfun(@(Y) isequal(abs(double(X) - double(X(1, :))), Y), {[0 0; 1 0; 0 2; 5 5], [0 0; 0 1; 2 0; 5 5]}));
end
if numel(out) > 0 && ischar(args{3}) && out{1} && ~(moved && strncmp(whole_name(args{2}), 'euclidean', 9))
  problem = 'says that a graph is right which is wrong';
end
end

function problem = check_loadgraph(args, out)
% The file is tests/octave/graph.h5.
problem = '';
idx = [2 3; 1 3; 1 2; 3 2];
dist = [1 2; 1 sqrt(5); 2 sqrt(5); sqrt(34) sqrt(41)];
rows = 1:4;
if numel(args) > 1 && ~isstruct(args{2})
  rows = double(args{2});
end
if numel(out) > 0 && ~isequal(out{1}, idx(rows, :)) || numel(out) > 1 && ~isequal(out{2}, dist(rows, :))
  problem = 'other rows';
elseif numel(out) > 2 && ~isequal(out{3}, struct('n', 4, 'k', 2, 'class', 'double', 'metric', 'euclidean'))
  problem = 'another file';
end
end

function problem = check_adjacency(args, out)
problem = '';
if isempty(out) || issparse(args{1})         % of a matrix it looks at nothing else
  return
end
[idx, dist] = args{:};
[i, c] = find(idx);
at = sub2ind(size(idx), i(:), c(:));
n = size(idx, 1);
if ~isequal(out{1}, sparse(i(:), idx(at), max(double(dist(at)), realmin), n, n))
  problem = 'another matrix';
end
end

function problem = check_trim(args, out)
problem = '';
k = double(args{end});
if isempty(out)
  return
elseif issparse(args{1})
  if ~isequal(size(out{1}), size(args{1})) || any(sum(out{1} ~= 0, 2) > k)
    problem = 'rows with more than k entries';
  end
elseif ~isequaln(out{1}, args{1}(:, 1:k)) || (numel(out) > 1 && ~isequaln(out{2}, args{2}(:, 1:k)))
  problem = 'other columns than the first';
end
end

function problem = check_blocks(args, out)
% The graph of pairs of blocks is the graph.
problem = '';
if ~legal_matrix(args{1})
  problem = 'an X that is none was accepted';
elseif ~isempty(out)
  [idx, dist] = knngraph(args{1:3}, 'Device', 'cpu');
  if ~isequal(out{1}, idx) || (numel(out) > 1 && ~isequaln(out{2}, dist))
    problem = 'other neighbours than knngraph';
  end
end
end

function problem = check_duplicates(args, out)
% Rows of a group are equal, at least to what measures them; groups count up.
problem = '';
if ~legal_matrix(args{1})
  problem = 'an X that is none was accepted';
elseif ~isempty(out) && (size(out{1}, 1) ~= size(args{1}, 1) || out{1}(1) ~= 1 || any(diff(cummax(out{1})) > 1))
  problem = 'no numbers of groups';
elseif numel(out) > 1 && numel(args) == 1 && ~all(all(args{1}(out{2}(out{1}), :) == args{1} | ~isfinite(args{1})))
  problem = 'different rows in one group';
elseif numel(out) > 2 && ~isequal(out{3}, accumarray(out{1}, 1))
  problem = 'other counts';
end
end

function problem = check_hdbscan(args, out)
% Numbers in the order of first rows; noise has probability 0; what is said of rows is said of all.
problem = '';
n = size(args{1}, 1);
if ~legal_matrix(args{1}) || ~(numel(args{2}) == 1 && args{2} >= 2 && args{2} == fix(args{2}))
  problem = 'an argument that is wrong was accepted';
elseif numel(out) > 0 && (numel(out{1}) ~= n || any(out{1} == 0) || any(diff([0; cummax(out{1}(out{1} > 0))]) > 1))
  problem = 'no numbers of clusters';
elseif numel(out) > 1 && (numel(out{2}) ~= n || ~all(out{2} >= 0 & out{2} <= 1) || any(out{2}(out{1} < 0) > 0))
  problem = 'no probabilities';
elseif numel(out) > 2 && (numel(out{3}) ~= n || any(out{3} < 0 | out{3} > 1))
  problem = 'no scores';
elseif numel(out) > 3 && (any(out{4}.parent(1:end-1) <= (1:numel(out{4}.parent)-1)') || ~issorted(out{4}.edges(:, 3)))
  problem = 'no tree';
end
end

function problem = check_optics(args, out)
% Every row has its place; clusters are places; noise is -1.
problem = '';
if ~isstruct(args{1}) && (~legal_matrix(args{1}) || ~(numel(args{2}) == 1 && args{2} >= 2 && args{2} == fix(args{2})))
  problem = 'an argument that is wrong was accepted';
elseif numel(out) > 0 && any(out{1} == 0 | out{1} < -1 | out{1} ~= fix(out{1}))
  problem = 'no numbers of clusters';
elseif numel(out) > 1 && (~isequal(sort(out{2}.order), (1:numel(out{1}))') || any(isnan(out{2}.reach)) || any(diff(out{2}.clusters, 1, 2) < 0))
  problem = 'no order';
end
end

function problem = check_places(args, out) %#ok<INUSL>
problem = '';
for o = out
  if any(isnan(o{1}) | o{1} < 0)
    problem = 'no places';
  end
end
end

function problem = check_lof(args, out)
% Scores and densities of all rows, none below 0.
problem = '';
n = size(args{1}, 1);
for i = 1:min(numel(out), 2)
  if ~isequal(size(out{i}), [n 1]) || any(out{i} < 0)
    problem = 'no scores and densities';
  end
end
if numel(out) > 2 && (size(out{3}, 2) ~= 1 || any(out{3} < 0))
  problem = 'no scores of new rows';
end
end

function problem = check_dimension(args, out)
% A number of its own for all, and for each row, none below 0.
problem = '';
if numel(out) > 0 && (~isequal(size(out{1}), [1 1]) || out{1} < 0)
  problem = 'no dimension';
elseif numel(out) > 1 && (~isequal(size(out{2}), [size(args{1}, 1), 1]) || any(out{2} < 0))
  problem = 'not a dimension for each row';
end
end

function problem = check_information(args, out)
% A number for each column, and how many rows it is of.
problem = '';
[n, d] = size(args{1});
if ~legal_matrix(args{1})
  problem = 'an X that is none was accepted';
elseif numel(out) > 0 && (~isequal(size(out{1}), [d 1]) || any(isinf(out{1}) | out{1} > log(n) + 1e-9))
  problem = 'no information';
elseif numel(out) > 1 && (any(out{2} < 0 | out{2} > n) || any(isnan(out{1}) ~= (out{2} < 2)))
  problem = 'other numbers of rows';
end
end

function problem = check_spanning(args, out)
problem = '';
if numel(out) > 3 && (numel(out{1}) >= max(1, numel(out{4})) || any(out{1} >= out{2}))
  problem = 'no tree';
end
end

function problem = check_condense(args, out)
problem = '';
n = double(args{1});
if numel(out) > 0 && (numel(out{1}) ~= n || any(out{1} == 0)) || (numel(out) > 5 && any(out{6}(1:end-1) <= (1:numel(out{6})-1)'))
  problem = 'no clusters';
end
end

function problem = check_umap(args, out)
problem = '';
n = size(args{1}, 1);
if isempty(out)
  return
elseif size(out{1}, 1) ~= n || any(any(isinf(out{1}))) || any(any(isnan(out{1}), 1) ~= any(isnan(out{1}(:))))
  problem = 'no places';
elseif numel(out) > 1 && (~isequal(size(out{2}), [n n]) || ~isequal(out{2}, out{2}') || any(nonzeros(out{2}) > 1))
  problem = 'no memberships';
end
end

function problem = check_tsne(args, out)
problem = '';
if isempty(out)
  return
elseif size(out{1}, 1) ~= size(args{1}, 1) || any(any(isinf(out{1}))) || any(any(isnan(out{1}), 1) ~= any(isnan(out{1}(:))))
  problem = 'no places';
elseif numel(out) > 1 && ~(isscalar(out{2}) && isfinite(out{2}))
  problem = 'no divergence';
end
end

function problem = check_pca(args, out)
problem = '';
if ~legal_matrix(args{1})
  problem = 'an argument that is wrong was accepted';
elseif ~isempty(out) && (size(out{1}, 1) ~= size(args{1}, 2) || (numel(out) > 1 && ~isequal(size(out{2}), [size(args{1}, 1), size(out{1}, 2)])))
  problem = 'no coefficients and scores';
elseif numel(out) > 2 && (any(out{3} < 0) || any(diff(out{3}) > 0))
  problem = 'no variances';
end
end

function problem = check_dbscan(args, out)
% Numbers that count up with the core points, which are what all distances say.
problem = '';
metric = 'euclidean';
at = find(strcmpi(args(4:2:end), 'Distance'));
if ~isempty(at)
  metric = args{3 + 2 * at(end)};
end
if ~legal_matrix(args{1}) || ~(numel(args{3}) == 1 && args{3} >= 1 && args{3} == fix(args{3})) || ~(numel(args{2}) == 1 && args{2} >= 0)
  problem = 'an argument that is wrong was accepted';
elseif numel(out) > 1 && numel(args{1}) * size(args{1}, 1) < 1e6
  X = double(args{1});
  [idx, dist] = oracle(X, X, size(X, 1), whole_name(metric));
  [i, ~] = find(idx > 0);
  at = sub2ind([1 1] * size(X, 1), i, idx(idx > 0));
  near = logical(eye(size(X, 1))) & idx(:, 1) > 0;
  near(at(dist(idx > 0) <= double(args{2}))) = true;
  core = sum(near, 2) >= double(args{3});
  least = cummax(out{1});
  if ~isequal(out{2}, core)
    problem = 'other core points';
  elseif any(diff([0; least(least > 0)]) > 1) || any(out{1}(core) < 1) || ~isequal(out{1} > 0, any(near(:, core), 2))
    problem = 'no clusters of these core points';
  end
end
end

function problem = check_spectral(args, out)
% Clusters that count up with their rows, NaN where V is; eigenvalues that ascend.
problem = '';
if isempty(out)
  return
end
idx = out{1};
count = max(idx);
if ~isequal(size(idx), [size(args{1}, 1), 1]) || ~(count >= 1 && count <= double(args{2})) || ...
   any(diff([0; cummax(idx(~isnan(idx)))]) > 1)
  problem = 'no clusters';
elseif numel(out) > 1 && ~(isequal(size(out{2}), [numel(idx), double(args{2})]) && isequal(isnan(out{2}(:, 1)), isnan(idx)))
  problem = 'no eigenvectors';
elseif numel(out) > 2 && ~(numel(out{3}) == double(args{2}) && issorted(out{3}) && all(out{3} >= 0))
  problem = 'no eigenvalues of a Laplacian';
end
end

function problem = check_silhouette(args, out)
problem = '';
if ~legal_matrix(args{1})
  problem = 'an X that is none was accepted';
elseif ~isempty(out) && ~(isequal(size(out{1}), [size(args{1}, 1), 1]) && all(isnan(out{1}) | abs(out{1}) <= 1))
  problem = 'no value for each row';
end
end

function problem = check_kmeans(args, out)
% Every row of numbers is in a cluster, at its nearest centre or as near.
problem = '';
X = args{1};
if ~legal_matrix(X)
  problem = 'an X that is none was accepted';
elseif numel(out) > 3
  [idx, C, sumd, D] = deal(out{1:4});
  in = find(~isnan(idx));
  own = D(sub2ind(size(D), in, idx(in)));
  slack = 0; % what single rows are moved by is no distance, and equal only but for rounding
  if any(cellfun(@(a) ischar(a) && numel(a) > 1 && strncmpi(a, 'onlinephase', numel(a)), args(2:end)))
    slack = 1e-12 * max(D(:));
  end
  if ~isequal(size(C), [size(D, 2), size(X, 2)]) || ~isequal(size(D), [size(X, 1), numel(sumd)]) || any(own > min(D(in, :), [], 2) + slack)
    problem = 'a row is not at its nearest centre, or sizes are wrong';
  end
end
end

function problem = check_evaluation(args, out)
problem = '';
if ~legal_matrix(args{1})
  problem = 'an X that is none was accepted';
elseif ~isempty(out) && ~(numel(out{1}.CriterionValues) == numel(out{1}.InspectedK) && isequal(size(out{1}.OptimalY), [size(args{1}, 1), 1]) ...
                          && (isnan(out{1}.OptimalK) || any(out{1}.OptimalK == out{1}.InspectedK)))
  problem = 'no value for each number of clusters, or no best one';
end
end

function problem = check_linkage(args, out)
problem = '';
n = size(args{1}, 1);
if n == 1 && numel(args) < 3
  n = round((1 + sqrt(1 + 8 * numel(args{1}))) / 2);
end
if isempty(out)
  return
elseif ~(isequal(size(out{1}), [n - 1, 3]) && all(out{1}(:, 1) < out{1}(:, 2)) && isequal(sort(vec(out{1}(:, 1:2))), (1:2 * n - 2)'))
  problem = 'no tree';
elseif ~(numel(args) > 1 && any(strcmpi(args{2}, {'centroid', 'median'}))) && ~issorted(out{1}(:, 3))
  problem = 'heights that fall';
end
end

function problem = check_cut(args, out)
problem = '';
if ~isempty(out) && ~(size(out{1}, 1) == size(args{1}, 1) + 1 && all(out{1}(1, :) == 1) && all(vec(diff(cummax(out{1}, 1), 1, 1)) <= 1))
  problem = 'no clusters';
end
end

function problem = check_clusterdata(args, out)
problem = '';
if ~isempty(out) && ~(size(out{1}, 1) == size(args{1}, 1) && all(out{1}(1, :) == 1) && all(vec(diff(cummax(out{1}, 1), 1, 1)) <= 1))
  problem = 'no clusters';
end
end

function problem = check_cophenet(args, out)
problem = '';
n = size(args{1}, 1) + 1;
if ~isempty(out) && ~(isscalar(out{1}) && (isnan(out{1}) || abs(out{1}) < 1 + 1e-9))
  problem = 'no correlation';
elseif numel(out) > 1 && ~(isequal(size(out{2}), [1, n * (n - 1) / 2]) && all(ismember(out{2}, args{1}(:, 3))))
  problem = 'no heights of the tree';
end
end

function problem = check_leaves(args, out)
problem = '';
if ~isempty(out) && ~isequal(sort(out{1}), 1:size(args{1}, 1) + 1)
  problem = 'no order of the rows';
end
end

function problem = check_dendrogram(args, out)
problem = '';
n = size(args{1}, 1) + 1;
if numel(out) > 1 && ~(isequal(size(out{2}), [n 1]) && all(out{2} >= 1 & out{2} <= n))
  problem = 'no leaf for each row';
elseif numel(out) > 2 && ~isequal(sort(out{3}), 1:max(out{2}))
  problem = 'no order of the leaves';
end
end

function problem = check_inconsistent(args, out)
problem = '';
if ~isempty(out) && ~(isequal(size(out{1}), [size(args{1}, 1), 4]) && all(out{1}(:, 3) >= 1 & out{1}(:, 3) <= size(args{1}, 1)))
  problem = 'no four numbers a step';
end
end

function problem = check_impute(args, out)
% What was there stays, and what was filled in lies among the values.
problem = '';
X = args{1};
if isstruct(X)
  X = X.X;
  if ~isempty(out)
    out{1} = out{1}.X;
  end
end
if isempty(out)
  return
end
known = ~isnan(X);
Z = out{1};
if ~(strcmp(class(Z), class(X)) && isequal(size(Z), size(X)) && isequal(Z(known), X(known)))
  problem = 'not the values that were there';
elseif any(isinf(Z(:))) || any(Z(:) < min(X(:))) || any(Z(:) > max(X(:)))
  problem = 'values beyond those of X';
end
end

function problem = check_filterrows(args, out)
problem = '';
X = args{1};
if isempty(out)
  return
elseif isstruct(X)
  if numel(out{1}.names) ~= size(out{1}.X, 1)
    problem = 'not a name for each row';
  end
  X = X.X;
  out{1} = out{1}.X;
end
if isempty(out{1}) || size(out{1}, 2) ~= size(X, 2) || ~all(ismember(out{1}(~isnan(out{1})), X)) || ~strcmp(class(out{1}), class(X))
  problem = 'other rows than those of X';
elseif numel(out) > 1 && ~(out{2}.kept == size(out{1}, 1) && out{2}.kept + out{2}.left == size(X, 1) && ...
                           out{2}.left == out{2}.missing + out{2}.mean + out{2}.variance)
  problem = 'numbers that do not belong together';
elseif numel(out) > 2 && ~isequaln(out{1}, X(out{3}, :))
  problem = 'rows of other numbers';
end
end

function problem = check_normalize(args, out)
% What is missing stays so, and nothing else is.
problem = '';
X = args{1};
if isstruct(X)
  X = X.X;
  if ~isempty(out)
    out{1} = out{1}.X;
  end
end
if ~isempty(out) && ~(isequal(isnan(out{1}), isnan(X)) && strcmp(class(out{1}), class(X)))
  problem = 'other values are missing than before';
end
end

function problem = check_collapse(args, out)
problem = '';
X = args{1};
if isstruct(X)
  X = X.X;
  if ~isempty(out)
    out{1} = out{1}.X;
  end
end
if ~isempty(out) && ~(strcmp(class(out{1}), class(X)) && size(out{1}, 2) == size(X, 2) && size(out{1}, 1) <= size(X, 1))
  problem = 'another class or size';
elseif numel(out) > 1 && out{2}.groups ~= size(out{1}, 1)
  problem = 'another number of groups';
elseif numel(out) > 3 && ~(isequal(out{4}(out{3}), (1:out{2}.groups)') && sum(isnan(out{4})) == out{2}.left && ...
                           numel(out{4}) == size(X, 1))
  problem = 'numbers that do not belong together';
end
end

function problem = check_model(~, out)
problem = '';
if ~isempty(out) && isfield(out{1}, 'Mdl')                     % cross-validated
  out{1} = out{1}.Mdl;
end
if ~isempty(out) && ~(isstruct(out{1}) && size(out{1}.X, 1) == out{1}.NumObservations && ...
                      (~isfield(out{1}, 'Prior') || abs(sum(out{1}.Prior) - 1) < 1e-12))
  problem = 'no model';
end
end

function problem = check_predict(args, out)
% A label for each row, and scores of sum 1 where there are any.
problem = '';
if isfield(args{1}, 'Partition')
  m = args{1}.Partition.NumObservations;
else
  m = size(args{2}, 1);
end
if numel(out) > 0 && size(out{1}, 1) ~= m
  problem = 'another number of labels than of rows';
elseif numel(out) > 1 && ~(size(out{2}, 1) == m && all(isnan(out{2}(:, 1)) | abs(sum(out{2}, 2) - 1) < 1e-12))
  problem = 'scores whose sum is not 1';
elseif numel(out) > 2 && ~isequal(size(out{3}), size(out{2}))
  problem = 'costs of another size';
end
end

function problem = check_loss(~, out)
problem = '';
if ~isempty(out) && ~(isa(out{1}, 'double') && size(out{1}, 2) == 1 && all(isnan(out{1}) | out{1} >= 0))
  problem = 'no loss';
end
end

function problem = check_split(args, out)
problem = '';
if ~isempty(out) && ~(any(numel(out{1}.Partition.fold) == [args{1}.NumObservations, numel(args{1}.RowsUsed)]) && all(out{1}.Partition.fold >= 0))
  problem = 'no parts';
end
end

function problem = check_curve(~, out)
problem = '';
if numel(out) > 0 && ~(size(out{1}, 1) == 1 && all(isnan(out{1}) | out{1} >= 0))
  problem = 'no curve';
elseif numel(out) > 1 && numel(out{1}) ~= numel(out{2})
  problem = 'not a loss for each k';
end
end

function problem = check_map(args, out)
% A row for each point, NaN in all columns or in none; eigenvalues that descend.
problem = '';
if isempty(out)
  return
elseif size(out{1}, 1) ~= size(args{1}, 1) || any(any(isnan(out{1})) & ~all(isnan(out{1}) == isnan(out{1}(:, 1)))) || any(isinf(out{1}(:)))
  problem = 'no map';
elseif numel(out) > 1 && ~(numel(out{2}) == size(out{1}, 2) && issorted(-out{2}) && all(out{2} > 0 & out{2} <= 1))
  problem = 'no eigenvalues of a walk';
elseif numel(out) > 2 && ~isequaln(out{3}.Y, out{1})
  problem = 'a model of something else';
end
end

function problem = check_product(args, out)
problem = '';
if isempty(out) || isempty(args{2})  % which may claim 2^50 columns
  return
end
want = full(args{1}' * args{2});
off = abs(out{1} - want) > 1e-12 * full(abs(args{1})' * abs(args{2}));
if ~(isequal(size(out{1}), [size(args{1}, 2), 1]) && ~any(off(:)))
  problem = 'no product';
end
end

function problem = check_scatter(~, out)
problem = '';
if ~isempty(out) && ~all(ishandle(out{1}))
  problem = 'no handles';
end
end

function problem = check_explore(args, out)
% A page of the size that it says.
problem = '';
d = dir(args{1});
if isempty(d) || d(1).bytes < 10000
  problem = 'no page';
elseif ~isempty(out) && ~(out{1}.bytes == d(1).bytes && sum(cell2mat(struct2cell(out{1}.blocks))) == d(1).bytes)
  problem = 'another number of bytes';
end
end


function problem = check_metafeatures(args, out)
problem = '';
X = args{1};
if isstruct(X)
  X = X.X;
  if ~isempty(out)
    out{1} = out{1}.X;
  end
end
if ~isempty(out) && ~(isequaln(out{1}(1:size(X, 1), :), X) && strcmp(class(out{1}), class(X)) && size(out{1}, 2) == size(X, 2))
  problem = 'does not begin with X';
end
end

function problem = check_metanames(args, out)
problem = '';
if numel(out) > 0 && numel(args) > 2 && ~(iscellstr(out{1}) && isequal(size(out{1}), size(args{3})))
  problem = 'not a text for each row';
elseif numel(out) > 1 && ~(size(out{2}, 1) == numel(out{1}) && size(out{2}, 2) == 3)
  problem = 'no pair for each row';
end
end

function problem = check_heatmap(args, out)
problem = '';
if numel(out) > 2 && ~(numel(out{2}) == numel(unique(out{2})) && numel(out{3}) == numel(unique(out{3})))
  problem = 'no order of rows and columns';
end
end

function problem = check_clustergram(args, out)
% A number for each row and column that is drawn, and a cluster for those rows alone; one value has none, nor have huge ones.
problem = '';
if isempty(out)
  return
end
X = args{1};
if isstruct(X)
  X = X.X;
end
s = out{1};
if numel(s.RowOrder) ~= numel(unique(s.RowOrder)) || ~isequal(sort(s.ColumnOrder), (1:size(X, 2))')
  problem = 'no order of rows and columns';
elseif ~isequal(size(s.RowClusters), [size(X, 1), 1]) || any(~ismember(find(~isnan(s.RowClusters)), s.RowOrder)) || ...
       any(sum(abs(X(s.RowOrder(isnan(s.RowClusters(s.RowOrder))), :)) < 1e150, 2) > 1)
  problem = 'no cluster for each row that has values';
elseif numel(s.RowLabels) ~= numel(s.RowOrder) || ~(isempty(s.RowTree) || size(s.RowTree, 1) == numel(s.RowOrder) - 1)
  problem = 'other rows in another field';
end
end

function problem = check_order(args, out)
problem = '';
if ~isempty(out) && ~isequal(sort(out{1}), (1:size(args{1}, 1))')
  problem = 'no order of the rows';
end
end

function problem = check_addphenotype(args, out)
problem = '';
if ~isempty(out) && ~(isequaln(out{1}.X(1:end-1, :), args{1}.X) && strcmp(out{1}.names{end}, args{2}) && numel(out{1}.names) == size(out{1}.X, 1))
  problem = 'no row more';
end
end

function problem = check_compare(args, out)
% Every row once, p from 0 to 1, smallest first unless the rows stay in order.
problem = '';
if isempty(out)
  return
end
X = args{1};
if isstruct(X)
  X = X.X;
end
t = out{1};
known = t.p(~isnan(t.p));
if ~isequal(sort(t.row), (1:size(X, 1))') || ~(issorted(known) || isequal(t.row, (1:size(X, 1))'))
  problem = 'other rows, or another order';
elseif any(known < 0 | known > 1) || any(t.fdr < t.p) || ~isequal(isnan(t.p), isnan(t.fdr))
  problem = 'no p-values';
elseif size(t.mean, 2) ~= numel(t.classes) || ~isequal(isnan(t.mean), t.count == 0) || any(sum(t.count, 2) > sum(~isnan(X(t.row, :)), 2))
  problem = 'other classes';
end
end

function problem = check_annotate(args, out)
% A text of each column for each row, those of the table where there is its name.
problem = '';
if isempty(out)
  return
end
es = out{1};
n = size(args{1}.X, 1);
columns = struct2cell(es.annotation);
if ~isequaln(es.X, args{1}.X) || any(cellfun('prodofsize', columns) ~= n) || ~all(cellfun(@iscellstr, columns))
  problem = 'not a text for each row';
elseif numel(out) > 1 && ~(out{2}.found >= 1 && out{2}.found <= n && out{2}.lines >= 1)
  problem = 'numbers that cannot be';
end
end

function problem = check_enrich(~, out)
% Counts that belong together, p from 0 to 1, smallest first in each cluster.
problem = '';
if isempty(out)
  return
end
t = out{1};
genes = cellfun(@(g) sum(g == ',') + 1, t.genes);
if ~isequal(genes, t.overlap) || any(t.overlap > min(t.size, t.clustersize)) || any(t.size > t.total)
  problem = 'other counts than genes';
elseif any(t.p < 0 | t.p > 1 | t.fdr < t.p * (1 - 1e-12))
  problem = 'no p-values';
elseif numel(out) > 1 && ~(out{2}.tested + out{2}.small + out{2}.large == out{2}.sets && all(t.size <= out{2}.background))
  problem = 'numbers that do not belong together';
end
end

function problem = check_clustertable(args, out)
problem = '';
if isempty(out)
  return
end
t = out{1};
if sum(t.size) > max(numel(args{2}), size(args{2}, 1)) || any(t.tightness < -1) || numel(t.name) ~= numel(t.size) || any(t.centre < 1)
  problem = 'no table of clusters';
elseif numel(out) > 1 && any(out{2}.p < 0 | out{2}.p > 1 | out{2}.overlap > min(out{2}.size, out{2}.clustersize))
  problem = 'no p-values';
end
end

function problem = check_readsets(~, out)
problem = '';
if ~isempty(out) && ~(numel(out{1}.names) == numel(out{1}.genes) && numel(out{1}.names) == numel(out{1}.descriptions))
  problem = 'not a name and a description for each set';
end
end

function problem = check_clusters(args, out)
% A cluster for each point.
problem = '';
if ~isempty(out) && ~isequal(size(out{1}), [size(args{1}, 1), 1])
  problem = 'not a number for each point';
elseif ~isempty(out) && ~ischar(args{1}) && any(out{1} ~= fix(out{1}) | out{1} < 0 | out{1} > numel(out{1}))
  problem = 'no clusters';
end
end

function problem = check_rows_of(args, out, last)
% Results have a row for each point, and number LAST of them, if there is one, holds no negative numbers.
problem = '';
n = size(args{1}, 1);
if any(cellfun(@(r) ~isstruct(r) && size(r, 1) ~= n, out))
  problem = 'not a row for each point';
elseif last > 0 && numel(out) >= last && any(out{last}(:) < 0)
  problem = 'negative numbers';
end
end

function problem = check_ways(args, out)
% Rows on ways, or before each row, and lengths of the same number.
problem = '';
if isempty(out)
  return
end
way = out{1};
if iscell(way)
  way = [way{:}];
elseif numel(out) > 1 && numel(out{2}) > 1 && ~isequal(size(way), size(out{2}))
  problem = 'not as many rows as lengths';
end
if any(way(:) ~= fix(way(:)) | way(:) < 0 | way(:) > size(args{1}, 1)) || (iscell(out{1}) && any(way == 0))
  problem = 'no rows of the graph';
elseif numel(out) > 1 && (any(isnan(out{2}(:)) | out{2}(:) < 0) || (iscell(out{1}) && ~isequal(size(out{1}), size(out{2}))))
  problem = 'no lengths';
end
end

function problem = check_confusion(args, out)
% Counts of pairs, a row and a column for each class.
problem = '';
if isempty(out)
  return
end
C = out{1};
if size(C, 1) ~= size(C, 2) || (numel(out) > 1 && size(out{2}, 1) ~= size(C, 1))
  problem = 'not a row and a column for each class';
elseif any(C(:) ~= fix(C(:)) | C(:) < 0) || sum(C(:)) > numel(args{1})
  problem = 'not as many pairs as there are';
end
end

function problem = check_curves(args, out)
% Curves ascend from (0, 0) to (1, 1), and have at most the unit square below them.
problem = '';
if isempty(out)
  return
end
r = out{1};
if numel(r.AUC) ~= numel(r.Curves) || any(r.AUC < 0 | r.AUC > 1) || r.NumObservations > numel(args{1})
  problem = 'not an area for each curve';
end
for c = find(~isnan(r.AUC))
  rates = [r.Curves(c).FalsePositiveRate(:), r.Curves(c).TruePositiveRate(:)];
  if any(any(diff(rates) < 0)) || ~isequal(rates([1 end], :), [0 0; 1 1]) || any(diff(r.Curves(c).Threshold) >= 0)
    problem = 'a curve does not ascend from (0, 0) to (1, 1)';
  end
end
end

function problem = check_layout(args, out)
problem = '';
if ~isempty(out) && ~(size(out{1}, 1) == size(args{2}, 1) && all(isfinite(out{1}(:))))
  problem = 'not a place for each point';
end
end

function problem = check_plot(~, out)
problem = '';
if ~isempty(out) && ~all(ishandle([out{1}.edges; out{1}.points; out{1}.labels]))
  problem = 'no handles';
end
end

function problem = check_nystrom(args, out)
problem = '';
if ~isempty(out) && ~isequal(size(out{1}), [size(args{2}, 1), size(args{1}.Y, 2)])
  problem = 'not a row for each point';
end
end

function problem = check_weights(args, out)
% Finite where the distances are, with an edge for an edge, and symmetric where that was asked for.
problem = '';
rest = args(2:end);
given = args{1};
edges = @(A) nnz(A);
if ~issparse(given)
  rest = args(3:end);
  edges = @(A) nnz(given);
end
at = find(strcmpi(rest(1:2:end), 'Symmetrize'));
rule = 'none';
if ~isempty(at)
  rule = lower(rest{2 * at(end)});
end
if isempty(out)
  return
elseif ~issparse(out{1}) || size(out{1}, 1) ~= size(given, 1) || any(isnan(nonzeros(out{1})))
  problem = 'no matrix of weights';
elseif strcmp(rule, 'none') && nnz(out{1}) ~= edges(given)
  problem = 'another number of edges';
elseif ~strcmp(rule, 'none') && ~isequal(out{1}, out{1}')
  problem = 'a matrix that is not symmetric';
end
end

function problem = check_parts(args, out)
% Numbers count up, and neighbours have the same one.
problem = '';
if isempty(out)
  return
end
[bins, n] = deal(out{1}, size(args{1}, 1));
if ~isequal(size(bins), [1 n]) || (n > 0 && (bins(1) ~= 1 || any(diff(cummax(bins)) > 1)))
  problem = 'no numbers of parts';
elseif numel(out) > 1 && ~isequal(out{2}, accumarray(bins(:), 1, [max([0, bins]), 1])')
  problem = 'other sizes';
elseif issparse(args{1})
  [i, j] = find(args{1});
  if any(bins(i) ~= bins(j))
    problem = 'an edge between two parts';
  end
end
end

function problem = check_edges(~, out)
problem = '';
if ~isempty(out) && ~(issorted(out{1}.distance) && all(structfun(@(c) numel(c) == numel(out{1}.i), out{1})) && all(out{1}.i ~= out{1}.j))
  problem = 'no list of edges';
end
end

function problem = check_mstknn(args, out)
problem = '';
n = size(args{1}, 1);
if isempty(out)
  return
end
there = find(~isnan(out{1}));                              % rows without distances are in none
labels = out{1}(there);
if ~(isequal(size(out{1}), [n 1]) && all(labels(1:min(numel(there), 1)) == 1) && all(diff(cummax(labels)) <= 1))
  problem = 'no labels';
elseif numel(out) > 1 && ~(isequal(reshape(knng.conncomp(out{2}(there, there)), [], 1), labels(:)) && nnz(out{2}) == nnz(out{2}(there, there)))
  problem = 'edges of other clusters';
end
end

function problem = check_tree(args, out)
% Edges of the graph, at most one fewer than rows.
problem = '';
n = size(args{1}, 1);
if numel(out) >= 3 && (~(numel(out{1}) == numel(out{2}) && all(out{1} < out{2}) && issorted(out{3})) || numel(out{1}) > max(0, n - 1))
  problem = 'no edges of a tree';
elseif numel(out) == 1 && ~(issparse(out{1}) && isequal(out{1}, out{1}') && nnz(out{1}) <= max(0, 2 * n - 2))
  problem = 'no tree';
end
end

function problem = check_demo(~, out)
problem = '';
if numel(out) > 0 && ~iscellstr(out{1})
  problem = 'no list of names';
end
end

function problem = check_devices(~, out)
problem = '';
if numel(out) > 0 && ~(isstruct(out{1}) && isfield(out{1}, 'problem'))
  problem = 'no list of devices';
elseif numel(out) > 1 && ~(ischar(out{2}) && isempty(out{1}) == ~isempty(out{2}))
  problem = 'no reason, or one too many';
end
end

function problem = check_select(args, out)
% Of every vector the first of its elements, no element twice, sorted one way or the other.
problem = '';
[A, k] = args{1:2};
dim = [find(size(A) ~= 1, 1), 1](1);
if numel(args) > 2 && isnumeric(args{3}) && ~isempty(args{3})
  dim = double(args{3});
end
n = size(A, dim);
k = min(double(k), n);
order = [dim, setdiff(1:max(dim, ndims(A)), dim)];
turned = @(x) reshape(permute(x, order), size(x, dim), []);
if ~(isnumeric(A) || islogical(A)) || issparse(A) || ~isreal(A)
  problem = 'an A that is none was accepted';
elseif ~isempty(out) && ~(strcmp(class(out{1}), class(A)) && size(out{1}, dim) == k && numel(out{1}) == numel(A) / max(n, 1) * k)
  problem = 'another class or size';
elseif numel(out) > 1 && k > 0 && ~isempty(A)
  at = turned(out{2});
  A = turned(A);
  v = turned(out{1});
  if ~isequaln(A(at + n * (0:columns(at) - 1)), v) || any(any(diff(sort(at), 1, 1) == 0))
    problem = 'other elements than those of the indices';
  elseif k == n && ~isequaln(sort(A, 1), sort(v, 1))
    problem = 'some elements are lost';
  end
end
end
