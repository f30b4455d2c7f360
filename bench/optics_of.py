"""scikit-learn's part of bench_optics.m: optics_of.py FILE COLUMNS MINPTS

FILE has doubles, row after row. Prints processor seconds and seconds of one run."""

import sys
import time

import numpy
import sklearn
from sklearn.cluster import OPTICS

X = numpy.fromfile(sys.argv[1]).reshape(-1, int(sys.argv[2]))
begun, since = time.process_time(), time.perf_counter()
found = OPTICS(min_samples=int(sys.argv[3])).fit(X)
print(f"  OPTICS of scikit-learn {sklearn.__version__}".ljust(42) + f" {time.process_time() - begun:8.2f} s of processor, "
      f"{time.perf_counter() - since:8.2f} s; {max(found.labels_) + 1} clusters", flush=True)
