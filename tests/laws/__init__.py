"""Laws of resource math: huge pages, EFA interfaces, pods and memory, addresses, zones, reservations, sizes of jobs.

Each test states its law in one sentence, with its source where it is not Muster's own. Finite tables are walked whole;
other inputs are random.
"""
