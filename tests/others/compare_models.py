"""What knng.fitrknn and knng.fitcknn predicted, and how well, beside scikit-learn's: compare_models.py FOLDER

FOLDER has what write_models.m wrote. Of 'ties' all rows at the k-th distance are asked, as in a search for that radius. Prints
each failure and at last 'N passed, N failed'."""

import sys

import numpy
from sklearn.metrics import confusion_matrix, mean_squared_error, pairwise_distances, roc_auc_score, roc_curve
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, RadiusNeighborsClassifier, RadiusNeighborsRegressor

from arrays import read
from tally import check, finish

metrics = {"uniform": "euclidean", "genes": "euclidean", "samples": "cosine", "blocks": "cityblock", "largest": "chebyshev",
           "twins": "cityblock", "ties": "cityblock"}
weights = {1: "uniform", 2: "distance", 3: lambda d: numpy.array([numpy.exp(-x) for x in d], dtype=d.dtype)}


def known_classes(y):
    return 1 + (y > 0.4) + (y > 0.7)


def near(a, b):
    return a.shape == b.shape and numpy.allclose(a, b, rtol=1e-9, atol=1e-12)


for n, metric in metrics.items():
    X, Y, Q = (read(f"{sys.argv[1]}/{n}.{what}") for what in "XYQ")
    label = Y[:, 1] > 0.4
    for w, weight in weights.items():
        if n == "twins" and w != 2:  # where chance decides which of two equal rows is a neighbour; at distance 0 one alone counts
            continue
        for k in (1, 5, 17):
            numbers, scores = (read(f"{sys.argv[1]}/{n}.{what}.{w}.{k}") for what in ("numbers", "scores"))
            how = {"weights": weight, "metric": metric, "algorithm": "brute"}
            if n == "ties":
                radius = numpy.sort(pairwise_distances(Q, X, metric=metric))[:, k - 1]
                mean, share = numpy.zeros_like(numbers), numpy.zeros_like(scores)
                for r in numpy.unique(radius):
                    at = radius == r
                    mean[at] = RadiusNeighborsRegressor(r, **how).fit(X, Y).predict(Q[at])
                    share[at] = RadiusNeighborsClassifier(r, **how).fit(X, label).predict_proba(Q[at])
            else:
                mean = KNeighborsRegressor(k, **how).fit(X, Y).predict(Q)
                share = KNeighborsClassifier(k, **how).fit(X, label).predict_proba(Q)
            check(near(numbers, mean), f"{n}, weight {w}, k = {k}: other numbers")
            check(near(scores, share), f"{n}, weight {w}, k = {k}: other scores")
    table = read(f"{sys.argv[1]}/{n}.classes")
    known, label, scores = table[:, 0], table[:, 1], table[:, 2:]
    known, label, scores = known[label > 0], label[label > 0], scores[label > 0]
    check(numpy.array_equal(read(f"{sys.argv[1]}/{n}.confusion"), confusion_matrix(known, label)), f"{n}: other counts of classes")
    check(numpy.array_equal(read(f"{sys.argv[1]}/{n}.ordered"), confusion_matrix(known, label, labels=[3, 1])), f"{n}: other counts of two classes")
    for c in range(4):
        best = numpy.max(numpy.delete(scores, c, 1), 1) if c < 3 else 0
        is_c, score = known == (c + 1 if c < 3 else 2), scores[:, c if c < 3 else 1] - best
        curve = read(f"{sys.argv[1]}/{n}.curve{c + 1}")
        false, true, threshold = roc_curve(is_c, score, drop_intermediate=False)
        check(near(curve, numpy.column_stack([threshold, false, true])), f"{n}: another curve of class {c + 1}")
        if c < 3:
            area = read(f"{sys.argv[1]}/{n}.auc")[0, c]
            check(abs(area - roc_auc_score(is_c, score)) < 1e-12, f"{n}: an area of {area} of class {c + 1}")
    if n not in ("ties", "twins"):
        three, parts, wanted, ours = known_classes(Y[:, 1]), *(read(f"{sys.argv[1]}/{n}.{what}") for what in ("parts", "wanted", "losses"))
        how, split = {"metric": metric, "algorithm": "brute"}, PredefinedSplit(parts[:, 0] - 1)
        wrong = [numpy.mean(cross_val_predict(KNeighborsClassifier(k, **how), X, three, cv=split) != three) for k in (1, 3, 8, 17)]
        check(near(read(f"{sys.argv[1]}/{n}.cvk")[0], numpy.array(wrong)), f"{n}: other losses of each k, not {wrong}")
        R, C = KNeighborsRegressor(4, **how).fit(X, Y[:, 0]), KNeighborsClassifier(4, **how).fit(X, three)
        asked = known_classes(wanted[:, 1])
        share = [numpy.mean(three == c) for c in (1, 2, 3)]  # a class weighs what it does in the model, where it is asked for
        of_class = [numpy.mean(C.predict(Q[asked == c]) != c) if any(asked == c) else 0 for c in (1, 2, 3)]
        weighs = share * numpy.isin((1, 2, 3), asked)
        theirs = [mean_squared_error(wanted[:, 0], R.predict(Q)), mean_squared_error(Y[:, 0], R.predict(X)),
                  numpy.dot(of_class, weighs) / sum(weighs), 1 - C.score(X, three)]
        check(near(ours[0], numpy.array(theirs)), f"{n}: losses of {ours[0]}, not {theirs}")
        yfit = KNeighborsRegressor(5, metric=metric, algorithm="brute").fit(X, Y).predict(None)  # each row by the others
        loss = mean_squared_error(Y, yfit, multioutput="raw_values")
        check(near(read(f"{sys.argv[1]}/{n}.loss")[0], loss), f"{n}: a loss of {read(f'{sys.argv[1]}/{n}.loss')[0]}, not {loss}")
finish()
