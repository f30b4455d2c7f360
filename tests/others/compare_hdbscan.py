"""Clusters, probabilities and scores of outliers of knng.hdbscan beside those of the package hdbscan: compare_hdbscan.py
digits FOLDER writes scikit-learn's digits for write_hdbscan.m; compare_hdbscan.py compare FOLDER compares what that wrote.

With core distances of the nearest row no two lengths of these trees are equal, and all has to be the same. Of others a row
that joins two groups does so at one length, its core distance; the package takes such edges one after the other, in some
order. There the parts that hang together up to a length have to be the same, and the clusters those of the package but for a
few rows: no more than by which its own answers differ where it gets the rows in other orders, or 3 of 100; and of the scores
of outliers at most 5 of 100 are others. Prints the counts, each failure, and at last 'N passed, N failed'."""

import sys

import hdbscan
import numpy
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from sklearn.datasets import load_digits

from arrays import read
from tally import check, finish

METRICS = {"gauss": "euclidean", "uneven": "euclidean", "blocks": "manhattan", "digits": "euclidean", "genes": "precomputed"}


def same(a, b):
    """Whether two lists of clusters are the same ones, -1 being noise."""
    pairs = set(zip(a, b))
    return len(pairs) == len(set(a)) == len(set(b)) and all((i < 0) == (j < 0) for i, j in pairs)


def apart(a, b):
    """How many rows are not where most of those of their cluster are."""
    pairs = {}
    for pair in zip(a, b):
        pairs[pair] = pairs.get(pair, 0) + 1
    return max(len(a) - sum(max(v for p, v in pairs.items() if p[side] == k) for k in set(of)) for side, of in enumerate((a, b)))


def compare(folder):
    for name, metric in METRICS.items():
        X = read(f"{folder}/{name}.X")
        n = len(X)
        for w in range(1, 13):
            least, samples, leaf, epsilon, most = read(f"{folder}/{name}.how{w}")[0]
            how = {"min_cluster_size": int(least), "min_samples": int(samples), "cluster_selection_method": "leaf" if leaf else "eom",
                   "cluster_selection_epsilon": float(epsilon), "max_cluster_size": 0 if numpy.isinf(most) else int(most),
                   "metric": metric, "algorithm": "generic"}
            theirs = hdbscan.HDBSCAN(**how).fit(X)
            what = f"{name}, {least:.0f} and {samples:.0f}, {how['cluster_selection_method']}, epsilon {epsilon}, at most {most}"
            idx, p, score = read(f"{folder}/{name}.rows{w}").T
            labels, known = numpy.maximum(idx, 0) - 1, theirs.labels_
            edges = read(f"{folder}/{name}.edges{w}")
            tree = theirs.single_linkage_tree_
            check(numpy.allclose(edges[:, 2], tree.to_numpy()[:, 2], rtol=1e-9, atol=1e-12), f"{what}: other lengths")
            for share in (0.3, 0.6, 0.9):
                length = edges[int(share * len(edges)), 2] * (1 + 1e-9)
                i, j = edges[edges[:, 2] <= length, :2].astype(int).T - 1
                parts = connected_components(coo_matrix((numpy.ones(len(i)), (i, j)), (n, n)))[1]
                check(same(parts, tree.get_clusters(length, 1)), f"{what}: other parts up to {length}")
            if samples == 1:
                check(same(labels, known), f"{what}: other clusters, {apart(labels, known)} rows")
                check(numpy.allclose(p, theirs.probabilities_, atol=1e-7), f"{what}: other probabilities")
                check(numpy.allclose(score, theirs.outlier_scores_, atol=1e-7), f"{what}: other scores")
                continue
            own = 0
            for seed in range(3):
                order = numpy.random.RandomState(seed).permutation(n)
                again = hdbscan.HDBSCAN(**how).fit(X[order][:, order] if metric == "precomputed" else X[order])
                own = max(own, apart(again.labels_, known[order]))
            off, scores = apart(labels, known), numpy.sum(abs(score - theirs.outlier_scores_) > 1e-6)
            print(f"{what}: {max(labels) + 1:.0f} clusters and {max(known) + 1}, {off} of {n} rows apart, its own up to {own}; {scores} scores")
            check(off <= max(own, 0.03 * n), f"{what}: {off} rows are in other clusters, of its own {own}")
            check(scores <= 0.05 * n, f"{what}: {scores} scores are others")


if sys.argv[1] == "digits":
    load_digits().data.tofile(f"{sys.argv[2]}/digits.bin")
else:
    compare(sys.argv[2])
    finish()
