"""Trees of knng.linkage against SciPy's: read_trees.py FOLDER

FOLDER has what tests/others/write_trees.m writes. No two distances of these points are equal, so the trees are the same
but for rounding. Prints each failure and at last 'N passed, N failed'."""

import glob
import math
import os
import sys

import numpy as np
import scipy.cluster.hierarchy as hierarchy
import scipy.io
from scipy.spatial.distance import pdist, squareform

from tally import check, finish


def same_parts(a, b):
    pairs = set(zip(a, b))
    return len(pairs) == len(set(a)) == len(set(b))


def same_tree(Z, R):
    return np.array_equal(Z[:, :2] - 1, R[:, :2]) and np.allclose(Z[:, 2], R[:, 2], rtol=1e-8, atol=1e-10)


def coefficient(Z, step, depth):
    """How far a step is above the mean of those at most so deep below it, in their deviations, by plain sums."""
    n, heights, layer = len(Z) + 1, [], [step]
    for _ in range(depth):
        heights += [Z[s, 2] for s in layer]
        layer = [int(c) - n for s in layer for c in Z[s, :2] if c >= n]
    mean = math.fsum(heights) / len(heights)
    deviation = math.sqrt(math.fsum((h - mean) ** 2 for h in heights) / max(1, len(heights) - 1))
    return (Z[step, 2] - mean) / deviation if deviation > 0 else 0


pictures = 0
files = sorted(glob.glob(os.path.join(sys.argv[1], "*.mat")))
for path in files:
    data = scipy.io.loadmat(path)
    name, metric = os.path.basename(path), str(data["metric"][0])
    y = pdist(data["X"], metric)
    D = squareform(y)
    for method in ["single", "complete", "average", "weighted", "ward", "centroid", "median"]:
        one = {k: data[method][k][0, 0] for k in data[method].dtype.names}
        R = hierarchy.linkage(y, method)
        n = len(R) + 1
        check(same_tree(one["Z"], R), name, method, "of points")
        check(same_tree(one["Y"], R), name, method, "of distances")
        Z = np.column_stack([one["Z"][:, :2] - 1, one["Z"][:, 2], R[:, 3]])
        if not hierarchy.is_valid_linkage(Z):
            check(False, name, method, "is no tree")
            continue
        rising = bool(np.all(np.diff(Z[:, 2]) >= 0))
        if rising:  # SciPy cuts by heights, which then say the same as steps
            check(same_parts(one["T"].ravel(), hierarchy.fcluster(Z, min(5, n), "maxclust")), name, method, "maxclust")
            height = np.median(Z[:, 2])
            check(same_parts(one["D"].ravel(), hierarchy.fcluster(Z, height, "distance")), name, method, "distance")
        check(same_parts(one["I"].ravel(), hierarchy.fcluster(Z, 1.1, "inconsistent", 3)), name, method, "inconsistent")
        r = hierarchy.inconsistent(Z, 3)
        check(np.allclose(one["R"][:, :3], r[:, :3], rtol=1e-6, atol=1e-6), name, method, "means")
        apart = r[:, 1] > 1e-3 * r[:, 0]  # SciPy subtracts sums of squares: of heights nearly equal its deviation is rounding
        check(np.allclose(one["R"][apart, 3], r[apart, 3], rtol=1e-6, atol=1e-6), name, method, "coefficients")
        plain = np.array([coefficient(Z, i, 3) for i in np.flatnonzero(~apart)])
        check(np.allclose(one["R"][~apart, 3], plain, rtol=1e-6, atol=1e-6), name, method, "coefficients of near heights")
        c, d = hierarchy.cophenet(Z, y)
        check(np.allclose(one["d"].ravel(), d, rtol=1e-12), name, method, "heights of pairs")
        check(n < 3 or np.allclose(one["c"], c, rtol=1e-6, atol=1e-6), name, method, "correlation")
        if "order" in one:
            ours = one["order"].ravel().astype(int) - 1
            theirs = hierarchy.leaves_list(hierarchy.optimal_leaf_ordering(Z, y))
            lengths = [D[p[:-1], p[1:]].sum() for p in (ours, theirs)]
            check(lengths[0] <= lengths[1] * (1 + 1e-9), name, method, "order of leaves", lengths)
            check(np.array_equal(one["data"], one["T"]), name, method, "clusterdata")
        if "order" in one and rising:
            drawn = hierarchy.dendrogram(Z, no_plot=True)["leaves"]
            check(np.array_equal(one["leaves"].ravel() - 1, drawn), name, method, "leaves drawn")
            last = hierarchy.dendrogram(Z, no_plot=True, truncate_mode="lastp", p=12)["ivl"]
            sizes = [int(label[1:-1]) if label.startswith("(") else 1 for label in last]
            check(np.array_equal(one["sizes"].ravel(), sizes), name, method, "last leaves drawn")
    if "picture" in data:  # rows less their mean, in units of their deviation
        one = {k: data["picture"][k][0, 0] for k in data["picture"].dtype.names}
        S = (one["X"] - one["X"].mean(1, keepdims=True)) / one["X"].std(1, ddof=1, keepdims=True)
        R, C = hierarchy.linkage(S, "average"), hierarchy.linkage(S.T, "ward")
        check(np.array_equal(one["order"].ravel() - 1, hierarchy.leaves_list(R)), name, "clustergram: rows")
        check(np.array_equal(one["columns"].ravel() - 1, hierarchy.leaves_list(C)), name, "clustergram: columns")
        check(same_parts(one["groups"].ravel(), hierarchy.fcluster(R, 9, "maxclust")), name, "clustergram: clusters")
        D = squareform(pdist(S))
        lengths = [D[p[:-1], p[1:]].sum() for p in (one["best"].ravel().astype(int) - 1, hierarchy.leaves_list(hierarchy.optimal_leaf_ordering(R, pdist(S))))]
        check(lengths[0] <= lengths[1] * (1 + 1e-9), name, "clustergram: best order", lengths)
        pictures += 1
check(pictures == 1, pictures, "clustergrams")
check(len(files) == 44, len(files), "sets of points")
finish()
