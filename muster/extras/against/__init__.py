"""Compares a stack's files with their versions at a git ref: what changes, and what it costs on a live cluster.

Today's program reads both. Changes made outside the files are not seen.
"""
