"""SciPy's and scikit-learn's part of bench_clusters.m: clusters_of.py FILE COLUMNS

FILE has doubles, rows of so many. Prints processor seconds of a call, the least of three runs; of more than 10 000 rows those of each of
three trees by average, and seconds by the clock."""

import sys
import time

import numpy
import scipy
import sklearn
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.metrics import silhouette_samples

X = numpy.fromfile(sys.argv[1]).reshape(-1, int(sys.argv[2]))
if len(X) > 10000:
    for _ in range(3):
        begun, since = time.process_time(), time.perf_counter()
        hierarchy.linkage(pdist(X), "average")
        print(f"  SciPy {scipy.__version__}         {time.process_time() - begun:9.2f}   by the clock {time.perf_counter() - since:9.2f}", flush=True)
    sys.exit()
y = pdist(X)
Z = hierarchy.linkage(y, "average")
T = hierarchy.fcluster(Z, 10, "maxclust")
calls = {f"linkage, {m}": lambda m=m: hierarchy.linkage(pdist(X), m) for m in ("single", "average", "ward")}
calls |= {
    "cluster, 10": lambda: hierarchy.fcluster(Z, 10, "maxclust"),
    "inconsistent": lambda: hierarchy.inconsistent(Z),
    "cophenet": lambda: hierarchy.cophenet(Z, y),
    "kmeans, 10": lambda: KMeans(10, init=X[:10], n_init=1).fit(X),
    "silhouette": lambda: silhouette_samples(X, T, metric="sqeuclidean"),
    "pca": lambda: PCA().fit_transform(X),
}
if len(X) < 1000:
    calls["optimalleaforder"] = lambda: hierarchy.optimal_leaf_ordering(Z, y)
print(f"  SciPy {scipy.__version__}, scikit-learn {sklearn.__version__}")
for name, call in calls.items():
    least = numpy.inf
    for _ in range(3):
        begun, count = time.process_time(), 0
        while count < 1 or (time.process_time() - begun < 0.05 and count < 1000):
            call()
            count += 1
        least = min(least, (time.process_time() - begun) / count)
    print(f"  {name:20} {least:9.4f}", flush=True)
