"""The backends. A new one is a module here and a line in `MODULES`; docs/contributing/developing.md has the recipe."""

from collections.abc import Mapping
from importlib import import_module
from typing import Protocol

from muster.backends.backend import Backend

MODULES: Mapping[str, str] = {
    "eks": "muster.backends.eks",
    "hyperpod": "muster.backends.hyperpod",
    "hyperpod-slurm": "muster.backends.hyperpod_slurm",
    "parallelcluster": "muster.backends.parallelcluster",
    "pcs": "muster.backends.pcs",
}
"""The value of `backend` -> the module whose `BACKEND` is its record, imported when it is needed."""


class HasBackend(Protocol):
    """A description of a cluster, or its blueprint."""

    @property
    def backend(self) -> str:
        """The value of the key `backend`."""


def named(name: str) -> Backend:
    """The record of a backend.

    Raises:
        KeyError: there is none of that name.
    """
    record: Backend = import_module(MODULES[name]).BACKEND
    return record


def of(cluster: HasBackend) -> Backend:
    """The record of the backend that a cluster is on."""
    return named(cluster.backend)


def every() -> tuple[Backend, ...]:
    """All records. None of them loads what it refers to."""
    return tuple(map(named, MODULES))


def meant_by(word: str) -> str | None:
    """The backend that people mean who write another word, in lower case."""
    return next((record.name for record in every() if word in record.other_names), None)


def described_by(model: type) -> Backend | None:
    """The record whose descriptions are of this model; None for `AddonsOf` and for blocks."""
    place = f"{model.__module__}:{model.__name__}"
    return next((record for record in every() if record.description.place == place), None)
