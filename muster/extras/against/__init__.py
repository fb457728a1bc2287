"""Compares a stack's files with their versions at a git ref: the changes, and their cost on a live cluster.

The installed Muster reads both versions. It does not see changes outside the files.
"""
