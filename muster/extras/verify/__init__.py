"""Compares a running cluster with the blueprint. Nothing is changed.

`access` reads (only GET requests, and the only module here that loads a Kubernetes client); everything else is pure.
"""
