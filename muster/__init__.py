"""Muster: one typed description of a distributed-training cluster, judged, planned and deployed."""

__version__ = "0.2.0"
"""The only place with the version: pyproject.toml, the schemas' addresses and the policy pack read it."""
