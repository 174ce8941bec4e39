"""Times SciPy's sparse product over a graph in a folder; prints one JSON object.

Usage: scipy_product.py FOLDER ROUNDS, where FOLDER holds offsets.bin (uint32, rows + 1) and
sources.bin (uint32, one an edge): the in-links of each URL.
"""

import json
import sys
import time

import numpy
import scipy
from scipy.sparse import csr_matrix

folder, rounds = sys.argv[1], int(sys.argv[2])
offsets = numpy.fromfile(f"{folder}/offsets.bin", dtype=numpy.uint32).astype(numpy.int32)
sources = numpy.fromfile(f"{folder}/sources.bin", dtype=numpy.uint32).astype(numpy.int32)
urls = len(offsets) - 1
matrix = csr_matrix((numpy.ones(len(sources)), sources, offsets), shape=(urls, urls))
vector = numpy.full(urls, 1.0 / urls)
matrix @ vector  # the first touches the memory

start = time.process_time()
for _ in range(rounds):
    received = matrix @ vector
seconds = time.process_time() - start
print(json.dumps({"version": scipy.__version__, "cpuSeconds": seconds, "sum": float(received.sum())}))
