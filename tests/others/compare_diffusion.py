"""Diffusion maps of knng.diffusionmap against those of pydiffmap: compare_diffusion.py FOLDER

FOLDER has what write_diffusion.m writes. pydiffmap searches the neighbours itself, counts each row among its own, and
returns eigenvalues of (P - 1)/epsilon and vectors of length 1. Prints each failure and at last 'N passed, N failed'."""

import glob
import os
import sys

import numpy
import scipy.io
from pydiffmap.diffusion_map import DiffusionMap

from tally import check, finish

files = sorted(glob.glob(os.path.join(sys.argv[1], "*.mat")))
for path in files:
    data = scipy.io.loadmat(path)
    name, X, epsilon = os.path.basename(path), data["X"], float(data["epsilon"][0, 0])
    for alpha in (0, 0.5, 1):
        ours = {k: data[f"map{10 * alpha:.0f}"][k][0, 0] for k in ("Y", "lambda", "density")}
        theirs = DiffusionMap.from_sklearn(alpha=alpha, k=int(data["k"][0, 0]) + 1, epsilon=epsilon, n_evecs=4,
                                           neighbor_params={"algorithm": "kd_tree"}).fit(X)
        check(numpy.allclose(ours["density"][:, 0], theirs.q, rtol=1e-10), name, alpha, "sums of weights")
        check(numpy.allclose(ours["lambda"][:, 0], 1 + epsilon * theirs.evals, atol=1e-9), name, alpha, "eigenvalues")
        K = theirs.kernel_matrix.toarray() * numpy.outer(theirs.right_norm_vec, theirs.right_norm_vec)
        visits = K.sum(1) / K.sum()
        V = theirs.evecs / numpy.sqrt(visits @ theirs.evecs**2)
        V = V * numpy.sign((V * ours["Y"]).sum(0))
        check(numpy.allclose(ours["Y"], V, atol=1e-6 * abs(V).max()), name, alpha, "map", abs(ours["Y"] - V).max(0))
check(len(files) == 4, len(files), "sets of points")
finish()
