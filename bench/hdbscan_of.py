"""The Python package's part of bench_spanning.m: hdbscan_of.py FILE COLUMNS RUNS

FILE has doubles, row after row. Prints processor seconds and seconds, the medians of so many runs: with the exact tree,
and as the package does it by default."""

import statistics
import sys
import time

import hdbscan
import numpy

X = numpy.fromfile(sys.argv[1]).reshape(-1, int(sys.argv[2]))
for name, how in (("exact tree", {"approx_min_span_tree": False}), ("default", {})):
    cpu, wall = [], []
    for _ in range(int(sys.argv[3])):
        begun, since = time.process_time(), time.perf_counter()
        hdbscan.HDBSCAN(min_cluster_size=20, core_dist_n_jobs=1, **how).fit(X)
        cpu.append(time.process_time() - begun)
        wall.append(time.perf_counter() - since)
    print(f"  hdbscan {hdbscan.__version__ if hasattr(hdbscan, '__version__') else ''}, {name}:".ljust(42)
          + f" {statistics.median(cpu):8.2f} s of processor, {statistics.median(wall):8.2f} s", flush=True)
