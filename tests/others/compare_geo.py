"""Files as GEO has them, read by knng and by GEOparse: compare_geo.py FOLDER

FOLDER has the files GDS507, GSE781 (a family of two platforms), GSM11805 and GPL97.annot, and what read_geo.m has made of
them. Values, names, samples, symbols and subsets are the same. Prints each failure and at last 'N passed, N failed'."""

import gzip
import logging
import os
import sys

import GEOparse
import numpy as np
import scipy.io

from tally import check, finish

logging.disable(logging.CRITICAL)
folder = sys.argv[1]


def ours(name):
    data = scipy.io.loadmat(os.path.join(folder, name + ".mat"))
    return {k: [t[0] if t.size else "" for t in v.ravel()] if v.dtype == object else v for k, v in data.items() if k[0] != "_"}


def theirs(name):
    return GEOparse.get_GEO(filepath=os.path.join(folder, name), silent=True)


def same(a, b):
    """Numbers to the bit; None and null are missing."""
    return np.array_equal(np.asarray(a, float), np.asarray(b, float), equal_nan=True)


def text(value):
    """A symbol; '--Control' is none."""
    return value if isinstance(value, str) and not value.startswith("--") else ""


one, gds = ours("GDS507"), theirs("GDS507.soft.gz")
columns = [c for c in gds.table.columns if c.startswith("GSM")]
check(one["X"].shape == (22645, 17), f"the shape of the data set: {one['X'].shape}")
check(one["samples"] == columns, "samples of the data set")
check(one["names"] == gds.table["ID_REF"].tolist(), "rows of the data set")
check(one["symbols"] == [text(t) for t in gds.table["IDENTIFIER"]], "symbols of the data set")
check(same(one["X"], gds.table[columns]), "values of the data set")
for kind, got in (("disease state", one["classes"]), ("individual", one["individual"])):
    of = {}
    for subset in gds.subsets.values():
        if subset.metadata["type"] == [kind]:
            of.update({s: subset.metadata["description"][0] for s in subset.metadata["sample_id"][0].split(",")})
    check(got == [of[c] for c in columns], f"subsets: {kind}")

gse = theirs("GSE781_family.soft.gz")
for name in ("GPL96", "GPL97"):
    one = ours(name)
    samples = [s for s, g in gse.gsms.items() if g.metadata["platform_id"] == [name]]
    platform = gse.gpls[name].table
    check(one["samples"] == samples and len(samples) == 17, f"samples of {name}")
    check(one["names"] == platform["ID"].tolist(), f"rows of {name}")
    check(one["symbols"] == [text(t) for t in platform["Gene Symbol"]], f"symbols of {name}")
    for j, s in enumerate(samples):
        values = gse.gsms[s].table.set_index("ID_REF")["VALUE"].reindex(platform["ID"])
        check(same(one["X"][:, j], values), f"values of {s}")
    check("Sample_source_name_ch1" in one["known"], f"what is known of the samples of {name}: {one['known']}")
said = ours("refused")
check(said["id"][0] == "knng:io:format" and "'GPL96', 'GPL97'" in said["said"][0], f"both platforms at once: {said['said'][0]}")

one, gsm = ours("GSM11805"), theirs("GSM11805.txt.gz")
check(one["names"] == gsm.table["ID_REF"].tolist() and same(one["X"].ravel(), gsm.table["VALUE"]), "one sample")

with gzip.open(os.path.join(folder, "GPL97.annot.gz"), "rt", encoding="latin-1") as f:
    lines = f.read().split("!platform_table_begin\n")[1].split("!platform_table_end")[0].splitlines()
head = lines[0].split("\t")
symbol = {r.split("\t")[0]: r.split("\t")[head.index("Gene symbol")].strip() for r in lines[1:]}
one = ours("annotated")
check(one["symbols"] == [symbol.get(n, "") for n in one["names"]] and sum(map(bool, one["symbols"])) > 10000, "symbols of a platform's table")
finish()
