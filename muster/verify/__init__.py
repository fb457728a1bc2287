"""Compares a running cluster with the blueprint. It changes nothing.

`cluster_reader` reads the cluster: only GET requests. It is the only module here that loads a Kubernetes client;
everything else is pure.
"""
