%KNNG  Exact nearest neighbours (kNN graphs, nearest neighbors): clusters
%   (k-means, Leiden, trees), classification, maps (UMAP, t-SNE, PCA), outliers;
%   missing values (NaN: impute, imputation), filters, normalization (normalize);
%   gene expression: symbols, correlation, p-values, fold changes, gene sets
%   (pathway enrichment); files (CSV, GEO, 10x single cells, HDF5) and pictures
%   (heat maps, heatmap, dendrograms): help knng.Contents lists the functions.
%
%   Begin with help knngraph, or knng.demo, which runs examples. The pages in
%   docs are a tutorial, a cookbook and more.
%
%   You may look for: load, import, open: knng.read, of a graph knng.loadgraph;
%   save, export: knng.write, of a large graph 'Output' in knngraph; graph, kNN:
%   knngraph; search, query: knng.knnsearch; filter, select: knng.filterrows;
%   fill in: knng.impute; scale, standardize: knng.normalize; test, check:
%   knng.verify; time, memory: knng.estimate; draw: knng.plot, knng.scatter,
%   knng.heatmap; classify: knng.fitcknn; embed: knng.umap, knng.tsne, knng.pca.
%
%   Searches:
%
%     knngraph              Exact k-nearest-neighbour graph of the rows of a
%                           matrix.
%     knng.knnsearch        Exact nearest neighbours of query rows among
%                           reference rows.
%     knng.rangesearch      All reference rows within a radius of query rows,
%                           exactly.
%     knng.rangegraph       The graph of all rows of a matrix within a radius,
%                           exactly.
%     knng.createns         A searcher: reference rows prepared once, for many
%                           searches.
%     knng.release          Gives back the memory of a searcher.
%     knng.searchers        The searchers that there are, and the memory that
%                           they hold.
%     knng.estimate         What a search would take: time, memory and device.
%     knng.devices          The GPUs that knng can search on, or why there are
%                           none.
%     knng.demo             Run an example that comes with knng.
%
%   Graphs:
%
%     knng.neighbors        The neighbours of one row, by name.
%     knng.trim             The graph of a smaller k out of a larger one.
%     knng.adjacency        A sparse matrix of weights from a graph, directed
%                           or symmetric.
%     knng.edges            The edges of a graph as a list; of correlations
%                           with p-values.
%     knng.mutual           The edges of a graph that lead both ways.
%     knng.hubness          In how many lists of neighbours each row is.
%     knng.mutualproximity  A graph with fewer hubs: neighbours by mutual
%                           proximity.
%     knng.shortestpath     The shortest ways from one row to others in a
%                           graph.
%     knng.betweenness      How many shortest ways of a graph lead over each
%                           row.
%     knng.pagerank         How often a walk along the edges of a graph comes
%                           to each row.
%     knng.conncomp         The connected components of a graph.
%     knng.minspantree      The minimum spanning tree of points or of a graph.
%     knng.duplicates       Which rows of a matrix are the same.
%     knng.verify           Check a graph by computing rows again in another
%                           way.
%     knng.checksum         A fingerprint of a graph, which equal graphs share.
%     knng.loadgraph        Read a graph, or some of its rows, from the file of
%                           'Output'.
%
%   Clusters:
%
%     knng.mstknn           Clusters by MST-kNN: tree edges that join near
%                           neighbours.
%     knng.linkage          The tree of clusters of rows, by hierarchical
%                           clustering.
%     knng.cluster          Clusters of rows, from a tree.
%     knng.clusterdata      Clusters of rows by hierarchical clustering, in one
%                           call.
%     knng.inconsistent     How far each step of a tree lies above those below
%                           it.
%     knng.cophenet         How well a tree keeps the distances between rows.
%     knng.optimalleaforder  An order of a tree's rows in which neighbours are
%                           alike.
%     knng.leiden           Clusters of a graph by the method of Leiden.
%     knng.louvain          Clusters of a graph by the method of Louvain.
%     knng.spectralcluster  Spectral clustering of the graph of neighbours.
%     knng.kmeans           Clusters of rows around k centres.
%     knng.kmedoids         Clusters of rows around k of them, the medoids.
%     knng.evalclusters     How many clusters rows fall into, by a criterion.
%     knng.dbscan           Clusters where points lie densely, and noise
%                           (DBSCAN).
%     knng.hdbscan          Clusters of any density, and noise (HDBSCAN*).
%     knng.optics           Rows in the order of their density, and clusters in
%                           it (OPTICS).
%     knng.lof              How much of an outlier each row is: the local
%                           outlier factor.
%     knng.silhouette       How well each row of a matrix fits its cluster.
%
%   Statistics:
%
%     knng.compare          Which rows differ between classes of samples, with
%                           p-values.
%     knng.mutualinfo       How much each column tells of a target: mutual
%                           information.
%     knng.enrich           Gene sets that are over-represented in clusters,
%                           with p-values.
%     knng.clustertable     Size, tightness and centre of each cluster, as a
%                           table.
%
%   Maps:
%
%     knng.intrinsicdim     Of how many dimensions points are: the intrinsic
%                           dimension.
%     knng.pca              Principal components.
%     knng.umap             A map of points on which neighbours stay neighbours
%                           (UMAP).
%     knng.tsne             A map of points on which neighbours stay neighbours
%                           (t-SNE).
%     knng.diffusionmap     Coordinates for the points of a graph.
%     knng.nystrom          Put new points on a diffusion map.
%     knng.isomap           A map that keeps the lengths of ways over
%                           neighbours (Isomap).
%     knng.laplacianeigenmaps  A map on which joined points lie near each
%                           other.
%
%   Classification:
%
%     knng.labelspread      Labels for all rows of a graph from those of a few.
%     knng.fitcknn          A classifier that asks the k nearest rows.
%     knng.fitrknn          Predict numbers by the mean of the k nearest rows.
%     knng.predict          Classes or numbers of new samples, by their nearest
%                           neighbours.
%     knng.loss             How often, how dearly or how far a model is wrong.
%     knng.resubLoss        How often, or how far, a model is wrong on its own
%                           samples.
%     knng.crossval         Split the samples of a model into parts for a test.
%     knng.kfoldPredict     Classes or numbers of samples by models that never
%                           saw them.
%     knng.kfoldLoss        How often, or how far, a model is wrong on unseen
%                           samples.
%     knng.cvk              Which k to take: how well a classifier does with
%                           each.
%     knng.confusionmat     How often each class was called what.
%     knng.rocmetrics       How well scores tell classes apart: ROC curves.
%
%   Data sets and files:
%
%     knng.read             Read a data set or a graph from a file.
%     knng.write            Write a graph, data set or table to a file for
%                           other programs.
%     knng.annotate         Gene symbols and other columns for the rows of a
%                           data set.
%     knng.readsets         Read gene sets from a GMT file.
%     knng.filterrows       Leave out rows that miss much, are low, or vary
%                           little.
%     knng.normalize        Logarithms, equal quantiles, z-scores, medians of
%                           0.
%     knng.impute           Fill in missing values from the nearest rows.
%     knng.collapse         One row for all rows of a group: the probes of a
%                           gene.
%     knng.metafeatures     Differences, sums, products and ratios of all pairs
%                           of rows.
%     knng.metanames        Names of metafeatures, of those rows that are asked
%                           for.
%     knng.addphenotype     The class of the samples as one more row of a data
%                           set.
%
%   Pictures:
%
%     knng.explore          Write a page to explore a graph in, with any
%                           browser.
%     knng.plot             Draw a graph: points in the colours of their
%                           groups, edges as lines.
%     knng.scatter          Draw points in the colours of their groups or
%                           values.
%     knng.profile          Draw a gene and its nearest neighbours over the
%                           samples.
%     knng.dendrogram       Draws a tree of clusters.
%     knng.heatmap          Draw a matrix in colours, similar rows and columns
%                           side by side.
%     knng.clustergram      Draw a matrix in colours, and trees of its rows and
%                           columns.
%
%   Selection:
%
%     knng.mink             The k smallest elements along a dimension, in
%                           order.
%     knng.maxk             The k largest elements along a dimension, in order.
%
%   See also knngraph, knng.demo, knng.read.
