"""The registry of backends: whole, lazy, and the only place that tells backends apart."""

import subprocess
import sys
from dataclasses import fields

import pytest

from muster import backends
from muster.backends.backend import Lazy


def test_every_record_is_known_by_its_name():
    """The registry's key is the record's name, and the value of `backend` that its model takes."""
    for name, record in zip(backends.MODULES, backends.every(), strict=True):
        assert record.name == name
        assert backends.described_by(record.description.load()) is record


@pytest.mark.parametrize("name", backends.MODULES)
def test_every_part_of_a_record_is_there(name):
    """A place that is misspelt would be found when it is used."""
    record = backends.named(name)
    for each in fields(record):
        part = getattr(record, each.name)
        if isinstance(part, Lazy):
            assert part.load() is not None


@pytest.mark.parametrize("name", backends.MODULES)
def test_a_backend_loads_no_other(name):
    """Its description and its blueprint are made without the models of other backends, and without pulumi."""
    others = {
        "eks": ("hyperpod_cluster", "slurm_cluster"),
        "hyperpod": ("eks_cluster", "slurm_cluster"),
        "parallelcluster": ("eks_cluster", "hyperpod_cluster"),
    }[name]
    program = (
        "import sys; from muster import backends; "
        f"backends.named({name!r}).description.load(); "
        f"print(*(each for each in {(*others, 'pulumi')!r} "
        "if each in sys.modules or f'muster.config.description.{each}' in sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []
