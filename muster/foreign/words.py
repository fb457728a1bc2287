"""The errors of this package: what somebody gave, and what to do."""


class CannotBeRead(Exception):
    """What was given cannot be judged; the message has the place, what was found there, and what to do."""
