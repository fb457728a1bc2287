"""What keeps us from looking at a cluster, in words for people."""


class NoAccess(Exception):
    """The cluster cannot be read; the message says why, and what to do."""
