"""The backends, and what finds the record of one."""

from typing import Protocol

from muster.backends.backend import Backend
from muster.backends.records import RECORDS

__all__ = ["RECORDS", "described_by", "meant_by", "of"]


class HasBackend(Protocol):
    """A description of a cluster, or its blueprint."""

    @property
    def backend(self) -> str:
        """The value of the key `backend`."""


def of(cluster: HasBackend) -> Backend:
    """The record of the backend that a cluster is on."""
    return RECORDS[cluster.backend]


def meant_by(word: str) -> str | None:
    """The backend that people mean who write another word, in lower case."""
    return next((record.name for record in RECORDS.values() if word in record.other_names), None)


def described_by(model: type) -> Backend | None:
    """The record whose descriptions are of this model; None for `AddonsOf` and for blocks."""
    place = f"{model.__module__}:{model.__name__}"
    return next((record for record in RECORDS.values() if record.description.place == place), None)
