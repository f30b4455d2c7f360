"""Pairs of rows and their neighbours beside NumPy's and scikit-learn's: compare_metafeatures.py FOLDER

FOLDER has what write_metafeatures.m writes. Prints each failure and at last 'N passed, N failed'."""

import glob
import itertools
import os
import sys

import numpy
import scipy.io
from sklearn.metrics import pairwise_distances

from tally import check, finish

of = {"-": numpy.subtract, "+": numpy.add, "*": numpy.multiply, "/": numpy.divide}
files = sorted(glob.glob(os.path.join(sys.argv[1], "*.mat")))
for path in files:
    data = scipy.io.loadmat(path)
    name, X, ops = os.path.basename(path), data["X"], str(data["ops"][0])
    n = len(X)
    pairs = list(itertools.combinations(range(n), 2))
    i, j = numpy.array(pairs).T
    Z = numpy.vstack([X] + [of[op](X[i], X[j]) for op in ops])
    names = [str(r + 1) for r in range(n)] + [f"{a + 1}{op}{b + 1}" for op in ops for a, b in pairs]
    check(numpy.array_equal(data["Z"], Z), name, "rows")
    at = [(a + 1, b + 1, p + 1) for p in range(len(ops)) for a, b in pairs]
    check(numpy.array_equal(data["pairs"][n:], at), name, "pairs")
    D = pairwise_distances(Z, metric=str(data["metric"][0]))
    numpy.fill_diagonal(D, numpy.inf)
    idx, dist = data["idx"].astype(int) - 1, data["dist"]
    near = numpy.sort(D, axis=1)[:, : dist.shape[1]]
    check(numpy.allclose(dist, near, rtol=1e-9, atol=1e-12), name, "distances", abs(dist - near).max())
    check(numpy.allclose(numpy.take_along_axis(D, idx, 1), near, rtol=1e-9, atol=1e-12), name, "neighbours")
    check([str(t[0]) for t in data["names"].ravel()] == [names[r] for r in idx[:, 0]], name, "names")
check(len(files) == 4, len(files), "sets of rows")
finish()
