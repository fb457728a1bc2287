"""Kubernetes add-ons."""
