"""Ways, bridges, ranks, clusters and labels in graphs against networkx, igraph and scikit-learn: read_ways.py FOLDER

FOLDER has what tests/others/write_ways.m writes. Prints each failure and at last 'N passed, N failed'."""

import glob
import os
import random
import sys

import igraph
import networkx as nx
import numpy as np
import scipy.io
from sklearn.semi_supervised import LabelSpreading

from tally import check, finish


def vector(of, size):
    return np.array([of.get(i, np.inf) for i in range(size)])


ahead = []
files = sorted(glob.glob(os.path.join(sys.argv[1], "*.mat")))
for path in files:
    data = scipy.io.loadmat(path)
    name, A = os.path.basename(path), data["A"].tocsr()
    n = A.shape[0]
    for directed in (0, 1):
        G = nx.from_scipy_sparse_array(A if directed else A.maximum(A.T), create_using=nx.DiGraph if directed else nx.Graph)
        for length, weight in (("hops", None), ("distance", "weight")):
            tag = f"{length}{directed}"
            far = vector(
                nx.single_source_dijkstra_path_length(G, 1, weight=weight) if weight else dict(nx.single_source_shortest_path_length(G, 1)), n
            )
            check(np.allclose(data["far" + tag][:, 0], far, rtol=1e-12), name, "how far", tag)
            before = data["before" + tag][:, 0].astype(int) - 1
            on = np.flatnonzero(np.isfinite(far) & (np.arange(n) != 1))
            steps = [G.edges[i, j]["weight"] if weight else 1 for i, j in zip(before[on], on) if G.has_edge(i, j)]
            right = len(steps) == len(on) and np.allclose(far[before[on]] + steps, far[on], rtol=1e-12)
            check(right and np.all(before[np.setdiff1d(np.arange(n), on)] == -1), name, "ways", tag)
            b = vector(nx.betweenness_centrality(G, weight=weight, normalized=False), n)
            check(np.allclose(data["between" + tag][:, 0], b, rtol=1e-9, atol=1e-9), name, "betweenness", tag)
    G = nx.from_scipy_sparse_array(A, create_using=nx.DiGraph)
    ranks = {
        "rank": nx.pagerank(G, weight=None, tol=1e-13, max_iter=5000),
        "weighted": nx.pagerank(nx.from_scipy_sparse_array(data["W"], create_using=nx.DiGraph), 0.7, tol=1e-13, max_iter=5000),
        "restart": nx.pagerank(G, personalization={1: 1, n - 1: 1}, dangling={1: 1, n - 1: 1}, weight=None, tol=1e-13, max_iter=5000),
    }
    for what, rank in ranks.items():
        check(np.allclose(data[what][:, 0], vector(rank, n), atol=1e-8), name, what)
    both = (A != 0).multiply((A != 0).T)
    check(abs(data["M"] - A.multiply(both)).nnz == 0, name, "mutual")
    check(np.array_equal(data["count"][:, 0], [d for _, d in G.in_degree()]), name, "hubness")

    # The partitions have the modularity that is said, and as much as igraph's: of the genes more by the mean and the best
    # of ten, of all graphs together more by the mean, and of none less by more than 0.001, since of small ones chance decides.
    upper = scipy.sparse.triu(data["S"].tocoo(), 1)
    g = igraph.Graph(n, np.column_stack((upper.row, upper.col)).tolist())
    q = data["modularity"].ravel()
    for c in range(10):
        part = (data["community"][:, c] - 1).astype(int).tolist()
        check(abs(g.modularity(part, weights=upper.data.tolist()) - q[c]) < 1e-12, name, "modularity")
    random.seed(1)
    theirs = [g.community_multilevel(weights=upper.data.tolist()).modularity for _ in range(10)]
    ahead += [q.mean() - np.mean(theirs)]
    least = 0 if name == "genes.mat" else -0.001
    check(ahead[-1] >= least and q.max() - max(theirs) >= least, name, "clusters", ahead[-1], q.max(), max(theirs))

    # scikit-learn spreads labels over the kernel that it is given, S less its diagonal, scaled by the roots of its sums.
    known = ~np.isnan(data["Y"][:, 0])
    y = np.where(known, np.nan_to_num(data["Y"][:, 0]), -1).astype(int)
    model = LabelSpreading(kernel=lambda a, b: data["S"].toarray(), alpha=0.8, max_iter=5000, tol=1e-14)
    model.fit(np.arange(n)[:, None], y)
    F = model.label_distributions_
    reached = data["share"].sum(1) > 0
    check(np.allclose(data["share"][reached], F[reached], atol=1e-6), name, "shares of labels")
    check(np.all(np.isnan(data["label"][~reached, 0])), name, "no label")
    top = np.sort(F, 1)
    clear = reached & (top[:, -1] - top[:, -2] > 1e-9)
    check(np.array_equal(data["label"][clear, 0], 1 + np.argmax(F[clear], 1)), name, "labels")

check(np.mean(ahead) > 0, "clusters", np.mean(ahead))
check(len(files) == 14, "files", len(files))
finish()
