"""Versions."""

from muster.unknown import UNKNOWN
from tests.policies.case import cases
from tests.policies.parallelclusters import said_of

cases(
    another_version=lambda: said_of(version="3.15.0"),
    a_version_not_yet_known=lambda: said_of(version=UNKNOWN),
)
