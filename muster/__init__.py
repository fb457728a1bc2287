"""Muster: one typed description of a distributed-training cluster, judged, planned and deployed."""

__version__ = "0.1.0"
