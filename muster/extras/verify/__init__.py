"""A look at a cluster that runs: what the blueprint says, what is there, and where they differ. Nothing is changed.

`access` reads (only GET requests, and the only module here that loads a Kubernetes client); everything else is pure.
"""
