"""What runs in the environment of AWS ParallelCluster's own package (`.venv-parallelcluster`), and nowhere else.

It may import the standard library, that package and moto; of Muster only itself, and it is given plain JSON. Muster
never imports it: it starts it as a process (`muster.authority.worker_process`).
"""
