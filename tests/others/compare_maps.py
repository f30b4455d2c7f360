"""Maps of knng.umap beside umap-learn's; those of knng.tsne and others, and components of knng.pca, beside scikit-learn's.

compare_maps.py digits FOLDER writes scikit-learn's digits for write_maps.m; compare_maps.py compare FOLDER compares
what that wrote. A map is as good as its trustworthiness among 15 neighbours: the mean of three seeds may be 1 % below
umap-learn's mean of three, and those of t-SNE below scikit-learn's. Prints the numbers, each failure, and at last
'N passed, N failed'."""

import sys

import numpy
import scipy.sparse
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.manifold import Isomap, TSNE, SpectralEmbedding, trustworthiness

from arrays import read
from tally import check, finish


def compare(folder):
    import umap
    from umap.umap_ import find_ab_params, fuzzy_simplicial_set

    for name in ("genes", "digits", "roll"):
        def part(what):
            return read(f"{folder}/{name}.{what}")

        X, idx, dist = part("X"), part("idx").astype(int) - 1, part("dist")
        n = len(X)
        own = numpy.arange(n)[:, None]
        theirs = fuzzy_simplicial_set(X, 15, numpy.random.RandomState(0), "euclidean", knn_indices=numpy.hstack([own, idx]),
                                      knn_dists=numpy.hstack([0.0 * own, dist]).astype(numpy.float32))[0]
        i, j, w = part("W").T
        ours = scipy.sparse.csr_matrix((w, (i.astype(int) - 1, j.astype(int) - 1)), (n, n))
        off = abs(ours - theirs).max()
        check(off < 1e-3, f"{name}: memberships differ by {off}")

        found = [trustworthiness(X, part(f"map{s}"), n_neighbors=15) for s in range(3)]
        known = [trustworthiness(X, umap.UMAP(n_neighbors=15, random_state=s).fit_transform(X), n_neighbors=15) for s in range(3)]
        print(f"{name}: trustworthiness", *(f"{t:.4f}" for t in found), "umap-learn's", *(f"{t:.4f}" for t in known))
        check(numpy.mean(found) >= 0.99 * numpy.mean(known), f"{name}: {found} is more than 1 % below {known}")

        found = [trustworthiness(X, part(f"tsne{s}"), n_neighbors=15) for s in range(3)]
        model = TSNE(random_state=0).fit(X)
        known = trustworthiness(X, model.embedding_, n_neighbors=15)
        print(f"{name}: trustworthiness", *(f"{t:.4f}" for t in found), f"scikit-learn's TSNE {known:.4f}")
        check(min(found) >= 0.99 * known, f"{name}: t-SNE: one of {found} is more than 1 % below {known}")
        found, known = part("loss").ravel(), model.kl_divergence_
        print(f"{name}: divergence", *(f"{t:.4f}" for t in found), f"scikit-learn's {known:.4f}")
        check(max(found) <= 1.02 * known, f"{name}: t-SNE: a divergence of {found}, not {known}")

        if name != "digits":  # of digits, whole numbers, many are equally near, of which scikit-learn takes others
            ways, flat = part("ways"), Isomap(n_neighbors=12, n_components=3, eigen_solver="dense").fit_transform(X[:600])
            sign = numpy.sign((ways * flat).sum(0))
            check(numpy.allclose(ways, sign * flat, atol=1e-6 * abs(flat).max()), f"{name}: another map of ways")

        near, far = part("near").astype(int) - 1, part("far")
        for what, weight in ("joined", numpy.ones(far.shape)), ("heat", numpy.exp(-((far / numpy.median(far)) ** 2))):
            graph = numpy.zeros((len(far), len(far)))
            numpy.put_along_axis(graph, near, weight, 1)
            graph = numpy.maximum(graph, graph.T)
            flat = SpectralEmbedding(3, affinity="precomputed", eigen_solver="arpack", random_state=0).fit_transform(graph)
            places = part(what)
            sign = numpy.sign((places * flat).sum(0))
            check(numpy.allclose(places, sign * flat, atol=1e-6 * abs(flat).max()), f"{name}: another map by the Laplacian, {what}")

        pca = PCA(5, svd_solver="full").fit(X)
        score, scale = part("score"), numpy.sqrt(pca.explained_variance_[0])
        sign = numpy.sign((score * pca.transform(X)).sum(0))
        check(numpy.allclose(score, sign * pca.transform(X), atol=1e-8 * scale), f"{name}: other scores")
        check(numpy.allclose(part("latent")[:, 0], pca.explained_variance_, rtol=1e-10), f"{name}: other variances")
        check(numpy.allclose(part("drawn"), score, atol=1e-4 * scale), f"{name}: other scores from drawn directions")
    for least, spread, a, b in read(f"{folder}/all.curves"):
        check(numpy.allclose(find_ab_params(spread, least), [a, b], rtol=1e-3), f"curve of {least}, {spread}: {a}, {b}")


if sys.argv[1] == "digits":
    digits = load_digits().data
    with open(f"{sys.argv[2]}/digits.X", "wb") as f:
        f.write(numpy.array(digits.shape, dtype=float).tobytes() + digits.T.tobytes())
else:
    compare(sys.argv[2])
    finish()
