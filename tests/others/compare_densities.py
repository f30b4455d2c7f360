"""Scores of knng.lof and information of knng.mutualinfo beside scikit-learn's, dimensions of knng.intrinsicdim beside
scikit-dimension's: compare_densities.py FOLDER compares what write_densities.m wrote.

Prints each failure, and at last 'N passed, N failed'."""

import sys

import numpy
import skdim
from sklearn.feature_selection._mutual_info import _compute_mi
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
for name in ("rows", "tissues"):
    table = read(f"{folder}/{name}.X")
    for k in (3, 8):
        for j, (numbers, classes) in enumerate(read(f"{folder}/{name}.mi{k}")):
            x, what = table[:, 2 + j], f"{name}, column {j}, k = {k}"
            # without the noise that scikit-learn adds before it gets there
            off = abs(max(numbers, 0) - _compute_mi(x, table[:, 0], False, False, k))
            check(off < 1e-9, f"{what}: information differs by {off}")
            if len(numpy.unique(x)) > 500 or name == "tissues":  # else copies of rows, of which knng counts all
                off = abs(max(classes, 0) - _compute_mi(x, table[:, 1], False, True, k))
                check(off < 1e-9, f"{what}: information of classes differs by {off}")
finish()
