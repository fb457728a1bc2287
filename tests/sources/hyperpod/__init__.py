"""Requests for HyperPod clusters, and the HyperPod CLI's configurations."""
