"""Clusters that knng.kmeans found, beside scikit-learn's: compare_kmeans.py FOLDER

FOLDER has what write_kmeans.m wrote. From the same starts the labels and the number of iterations have to be the same,
up to ties. Prints each failure and at last 'N passed, N failed'."""

import glob
import sys
import warnings

import numpy
from sklearn import metrics
from sklearn.cluster import KMeans

from arrays import read
from tally import check, finish

warnings.filterwarnings("ignore")

names = sorted(n[: -len(".found")] for n in glob.glob(sys.argv[1] + "/*.found"))
check(len(names) == 8, f"{len(names)} cases")
for n in names:
    X, start, D = read(n + ".X"), read(n + ".start"), read(n + ".D")
    idx, (total, iterations, converged) = read(n + ".idx")[:, 0].astype(int), read(n + ".found")[0]
    k, rows = len(start), numpy.arange(len(X))
    for algorithm in ("lloyd", "elkan"):
        m = KMeans(k, init=start, n_init=1, max_iter=30, tol=0, algorithm=algorithm).fit(X)
        what = f"{n}, {algorithm}"
        scale = numpy.abs(X).max() ** 2
        ties = numpy.abs(D[rows, idx] - D[rows, m.labels_]) <= 1e-9 * scale
        check((idx == m.labels_)[~ties].all(), f"{what}: {(idx != m.labels_).sum()} rows are elsewhere")
        check((idx != m.labels_).mean() < 0.01, f"{what}: {(idx != m.labels_).sum()} rows are elsewhere, by ties")
        check(total <= m.inertia_ * (1 + 1e-9), f"{what}: {total} is more than {m.inertia_}")
        check(not converged or abs(iterations - m.n_iter_) <= 1, f"{what}: {iterations}, {m.n_iter_} iterations")
    best = KMeans(k, n_init=10, random_state=0, tol=0).fit(X).inertia_
    # Starts of its own: scikit-learn, too, draws several rows for each and takes the best, which shows where k is large.
    plain, moved = read(n + ".best")[0]
    print(f"{n[len(sys.argv[1]) + 1:]}: sums at best {plain / best:.4f} and, with the online phase, {moved / best:.4f} of scikit-learn's")
    check(plain <= 1.002 * best, f"{n}: {plain} at best, scikit-learn {best}")
    check(moved <= 1.001 * best, f"{n}: {moved} at best with the online phase, scikit-learn {best}")
    ch, db = read(n + ".criteria")[0]
    check(numpy.isclose(ch, metrics.calinski_harabasz_score(X, idx), rtol=1e-9), f"{n}: Calinski-Harabasz {ch}")
    check(numpy.isclose(db, metrics.davies_bouldin_score(X - X.mean(0), idx), rtol=1e-9), f"{n}: Davies-Bouldin {db}")
    several = numpy.bincount(idx)[idx] > 1  # a row alone has 1, scikit-learn's 0
    for metric, ours in zip(("sqeuclidean", "cityblock"), read(n + ".silhouette").T):
        theirs = metrics.silhouette_samples(X - X.mean(0), idx, metric=metric)
        check(numpy.allclose(ours[several], theirs[several], atol=1e-8), f"{n}: other silhouettes, {metric}")
finish()
