"""Compares a stack's files with their versions at a git ref: what changes, and what it costs on a live cluster.

The installed Muster reads both versions. Changes that are not in the files are not seen.
"""
