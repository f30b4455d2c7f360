"""Scores of knng.lof beside scikit-learn's, dimensions of knng.intrinsicdim beside scikit-dimension's:
compare_densities.py FOLDER compares what write_densities.m wrote.

Prints each failure, and at last 'N passed, N failed'."""

import sys

import numpy
import skdim
from sklearn.neighbors import LocalOutlierFactor

from arrays import read
from tally import check, finish

folder = sys.argv[1]
for name in ("genes", "uneven"):
    X, Y = read(f"{folder}/{name}.X"), read(f"{folder}/{name}.Y")
    for k in (5, 20, 50):
        theirs = LocalOutlierFactor(n_neighbors=k, novelty=True).fit(X)
        ours, new = read(f"{folder}/{name}.lof{k}")[:, 0], read(f"{folder}/{name}.new{k}")[:, 0]
        for what, found, known in ("rows", ours, -theirs.negative_outlier_factor_), ("new rows", new, -theirs.score_samples(Y)):
            off = numpy.max(abs(found / known - 1))
            check(off < 1e-7, f"{name}, k = {k}, {what}: scores differ by {off}")
        mle, dim = skdim.id.MLE().fit(X, n_neighbors=k), read(f"{folder}/{name}.dim{k}")[:, 0]
        check(numpy.allclose(dim, [mle.dimension_, *mle.dimension_pw_], rtol=1e-9), f"{name}, k = {k}: other dimensions")
    found, known = read(f"{folder}/{name}.twonn")[0, 0], skdim.id.TwoNN().fit(X).dimension_
    check(abs(found / known - 1) < 1e-9, f"{name}: {found} dimensions by two neighbours, not {known}")
finish()
