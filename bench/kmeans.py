"""scikit-learn's part of bench_kmeans.m: kmeans.py FOLDER ITERATIONS

FOLDER has size.txt (n d k) and X.bin and C.bin, doubles by columns. Prints for each algorithm its name, processor
seconds, seconds, iterations, the sum of squares; labels go to NAME.bin, doubles from 1."""

import sys
import time
import warnings

import numpy
from sklearn.cluster import KMeans

warnings.filterwarnings("ignore")
folder, iterations = sys.argv[1], int(sys.argv[2])
n, d, k = numpy.loadtxt(f"{folder}/size.txt", dtype=int)
X = numpy.ascontiguousarray(numpy.fromfile(f"{folder}/X.bin").reshape(d, n).T)
C = numpy.ascontiguousarray(numpy.fromfile(f"{folder}/C.bin").reshape(d, k).T)
for algorithm in ("lloyd", "elkan"):
    start, since = time.process_time(), time.perf_counter()
    m = KMeans(k, init=C, n_init=1, max_iter=iterations, tol=0, algorithm=algorithm).fit(X)
    print(algorithm, round(time.process_time() - start, 2), round(time.perf_counter() - since, 2), m.n_iter_, repr(float(m.inertia_)), flush=True)
    (m.labels_ + 1.0).tofile(f"{folder}/{algorithm}.bin")
