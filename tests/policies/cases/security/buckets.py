"""Buckets that all may read."""


# buckets-private
