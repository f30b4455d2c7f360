"""Scores of knng.lof beside scikit-learn's: compare_densities.py FOLDER compares what write_densities.m wrote.

Prints each failure, and at last 'N passed, N failed'."""

import sys

import numpy
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
finish()
