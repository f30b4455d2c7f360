"""What write_array.m wrote."""

import numpy


def read(name):
    """The matrix in a file, rows by columns."""
    x = numpy.fromfile(name)
    return x[2:].reshape(int(x[1]), int(x[0])).T.copy()
