"""Pods, whoever registers them."""
