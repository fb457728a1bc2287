"""The code that runs in the environment of AWS's ParallelCluster package (`.venv-parallelcluster`), and nowhere else.

It may import the standard library, that package, moto, and of Muster only itself. It gets plain JSON. Muster never
imports it, but starts it as a process (`muster.authority.worker_process`).
"""
