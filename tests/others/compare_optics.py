"""The order and the clusters of knng.optics beside scikit-learn's, to the last row: compare_optics.py digits FOLDER
writes scikit-learn's digits for write_optics.m; compare_optics.py compare FOLDER compares what that wrote.

Prints each failure, and at last 'N passed, N failed'."""

import sys

import numpy
from sklearn.cluster import OPTICS, cluster_optics_dbscan, cluster_optics_xi
from sklearn.datasets import load_digits

from arrays import read
from tally import check, finish

folder = sys.argv[2]
if sys.argv[1] == "digits":
    load_digits().data.tofile(f"{folder}/digits.bin")
    sys.exit()
METRICS = {"uneven": "euclidean", "digits": "euclidean", "lattice": "cityblock", "lattice2": "chebyshev", "genes": "precomputed"}
for name in ("uneven", "uneven2", "lattice", "lattice2", "digits", "genes", "genes2"):
    X, (minpts, most) = read(f"{folder}/{name}.X"), read(f"{folder}/{name}.how")[0]
    metric = METRICS.get(name) or METRICS[name[:-1]]
    theirs = OPTICS(min_samples=int(minpts), max_eps=most, metric=metric).fit(X)
    order, reach, core, pred = read(f"{folder}/{name}.order").T
    check(numpy.array_equal(order - 1, theirs.ordering_), f"{name}: another order")
    check(numpy.array_equal(pred - 1, theirs.predecessor_), f"{name}: other predecessors")
    # they round to 15 decimals
    check(numpy.allclose(reach, theirs.reachability_, rtol=1e-14, atol=1e-15), f"{name}: other reachability distances")
    check(numpy.allclose(core, theirs.core_distances_, rtol=1e-14, atol=1e-15), f"{name}: other core distances")
    plot = {"reachability": theirs.reachability_, "predecessor": theirs.predecessor_, "ordering": theirs.ordering_, "min_samples": int(minpts)}
    low, valleys = cluster_optics_xi(**plot, xi=0.01, min_cluster_size=30)
    kinds = {
        "xi": theirs.labels_,
        "xi 0.01 of 30": low,
        "xi 0.1, not corrected": cluster_optics_xi(**plot, xi=0.1, predecessor_correction=False)[0],
        "dbscan": cluster_optics_dbscan(reachability=theirs.reachability_, core_distances=theirs.core_distances_,
                                        ordering=theirs.ordering_, eps=read(f"{folder}/{name}.epsilon")[0, 0] * (1 + 1e-14)),
    }
    for (kind, labels), ours in zip(kinds.items(), read(f"{folder}/{name}.xi").T):
        check(numpy.array_equal(numpy.maximum(ours, 0) - 1, labels), f"{name}: other clusters by {kind}")
    for what, theirs_are in (("clusters", theirs.cluster_hierarchy_), ("low", valleys)):
        check(numpy.array_equal(read(f"{folder}/{name}.{what}") - 1, numpy.reshape(theirs_are, (-1, 2))), f"{name}: other valleys ({what})")
    print(f"{name}: {len(X)} rows, {max(theirs.labels_) + 1} clusters of {len(theirs.cluster_hierarchy_)} valleys, {len(valleys)} and {max(low) + 1}, "
          f"{max(kinds['dbscan']) + 1} by a cut")
finish()
