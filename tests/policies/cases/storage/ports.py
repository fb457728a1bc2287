"""Whom file systems let in."""


# lustre-ports-open


# programs of other teams
