"""Medoids that knng.kmedoids found, beside those of the package kmedoids: compare_medoids.py FOLDER

FOLDER has what write_medoids.m wrote. Prints each failure and at last 'N passed, N failed'."""

import glob
import sys

import kmedoids
import numpy

from arrays import read
from tally import check, finish

names = sorted(n[: -len(".found")] for n in glob.glob(sys.argv[1] + "/*.found"))
check(len(names) == 6, f"{len(names)} cases")
for n in names:
    D, start, (total, sums, iterations, swaps) = read(n + ".D"), read(n + ".start")[:, 0].astype(int), read(n + ".found")[0]
    idx, midx = read(n + ".idx")[:, 0].astype(int), read(n + ".midx")[:, 0].astype(int)
    theirs = kmedoids.fasterpam(D, start.astype(numpy.uint64), n_cpu=1)
    check(total <= theirs.loss * (1 + 1e-9), f"{n}: {total} is more than {theirs.loss}")
    check(numpy.isclose(sums, total, rtol=1e-9), f"{n}: {sums} is not {total}")
    check(numpy.isclose(D[midx].min(0).sum(), total, rtol=1e-9), f"{n}: the medoids have {D[midx].min(0).sum()}, not {total}")
    check((D[midx[idx], range(len(D))] == D[midx].min(0)).all(), f"{n}: a row is not at its nearest medoid")
    print(n[len(sys.argv[1]) + 1:], total, theirs.loss, int(iterations), theirs.n_iter, int(swaps), theirs.n_swap)
finish()
