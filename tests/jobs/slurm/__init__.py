"""Batch scripts."""
