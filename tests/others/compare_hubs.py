"""Hubs of knng.hubness and graphs of knng.mutualproximity beside those of the package scikit-hubness: compare_hubs.py FOLDER
compares what write_hubs.m wrote.

Of the package, which is older than today's scikit-learn, two files are read, without its search of neighbours, and without
checks of arguments, whose options have other names now. Prints each failure, and at last 'N passed, N failed'."""

import importlib
import importlib.util
import sys
import types

import numpy
import scipy.sparse
import scipy.stats
import sklearn.utils.validation

from arrays import read
from tally import check, finish

home = importlib.util.find_spec("skhubness").submodule_search_locations
for part in ("", ".analysis", ".reduction"):
    module = types.ModuleType("skhubness" + part)
    module.__path__ = [path + part.replace(".", "/") for path in home]
    sys.modules["skhubness" + part] = module
sys.modules["skhubness.neighbors"] = types.SimpleNamespace(NearestNeighbors=None)
sys.modules["scipy.sparse.base"] = types.SimpleNamespace(issparse=scipy.sparse.issparse)
sklearn.utils.validation.check_array = lambda array, **how: array
sklearn.utils.validation.check_is_fitted = lambda model, *names, **how: None
Hubness = importlib.import_module("skhubness.analysis.estimation").Hubness
MutualProximity = importlib.import_module("skhubness.reduction.mutual_proximity").MutualProximity

for name in ("cube", "few", "genes", "patients"):
    idx, dist, near, far = (read(f"{sys.argv[1]}/{name}.{what}") for what in ("idx", "dist", "near", "far"))
    idx, near = idx.astype(int) - 1, near.astype(int) - 1
    n, k = near.shape
    known = MutualProximity().fit(dist, idx).transform(dist, idx)[0]
    best = numpy.sort(known, axis=1)[:, :k]
    check(numpy.allclose(far, best, rtol=0, atol=1e-12), f"{name}: other distances by mutual proximity")
    place = numpy.zeros((n, n)) + 2
    numpy.put_along_axis(place, idx, known, 1)
    check(numpy.allclose(numpy.take_along_axis(place, near, 1), best, rtol=0, atol=1e-12), f"{name}: other neighbours by mutual proximity")
    for t, table in ((1, idx[:, :k]), (2, near)):
        count, hubs, measures = (read(f"{sys.argv[1]}/{name}.{what}{t}") for what in ("count", "hubs", "measures"))
        occurs = numpy.bincount(table.ravel(), minlength=n)
        check(numpy.array_equal(count[:, 0], occurs), f"{name}, {t}: other counts")
        theirs, share = Hubness._calc_hub_occurrence(k, occurs, n)
        check(sorted(hubs.ravel().astype(int) - 1) == sorted(theirs), f"{name}, {t}: other hubs")
        check(numpy.all(numpy.diff(occurs[hubs.ravel().astype(int) - 1]) <= 0), f"{name}, {t}: hubs in another order")
        other = [scipy.stats.skew(occurs), Hubness._calc_robinhood_index(occurs), share, Hubness._calc_antihub_occurrence(occurs)[1]]
        check(numpy.allclose(measures[0], other, rtol=1e-12), f"{name}, {t}: measures are {measures[0]}, not {other}")
finish()
