"""The registry of backends: whole, lazy, and the only place that tells backends apart."""

import ast
import re
import subprocess
import sys
from dataclasses import fields

import pytest

from muster import backends
from muster.backends.backend import Lazy
from tools import product_files


def test_every_record_is_known_by_its_name():
    """The registry's key is the record's name, and the value of `backend` that its model takes."""
    for name, record in backends.RECORDS.items():
        assert record.name == name
        assert backends.described_by(record.description.load()) is record


@pytest.mark.parametrize("name", backends.RECORDS)
def test_every_part_of_a_record_is_there(name):
    """A place that is misspelt would be found when it is used."""
    record = backends.RECORDS[name]
    for each in fields(record):
        part = getattr(record, each.name)
        if isinstance(part, Lazy):
            assert part.load() is not None


@pytest.mark.parametrize("name", backends.RECORDS)
def test_a_backend_loads_no_other(name):
    """Its description and its blueprint are made without the models of other backends, and without pulumi."""
    models = {
        "eks": "eks_cluster",
        "hyperpod": "hyperpod_cluster",
        "hyperpod-slurm": "hyperpod_slurm_cluster",
        "parallelcluster": "parallelcluster",
        "pcs": "pcs_cluster",
    }
    others = [f"muster.config.description.{each}" for backend, each in models.items() if backend != name]
    program = (
        "import sys; from muster import backends; "
        f"record = backends.RECORDS[{name!r}]; record.description.load(); record.derive.load(); "
        f"print(*({{*{others!r}, 'pulumi'}} & sys.modules.keys()))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []


ROOT = product_files.ROOT
OF_A_BACKEND = re.compile(r"eks|hyperpod|parallelcluster|slurm|pcs|muster/backends/|commands/config\.py")
"""Paths of the modules that are a backend's own."""


def _classes():
    """The names of the descriptions that one backend alone has."""
    for record in backends.RECORDS.values():
        yield record.description.place.rpartition(":")[2]


def _uses(tree, classes):
    """Every place that tells backends apart by a class or by a name."""
    described = {
        name.asname or name.name
        for each in ast.walk(tree)
        if isinstance(each, ast.ImportFrom) and (each.module or "").startswith(("muster.blueprint", "muster.config"))
        for name in each.names
        if name.name in classes
    }
    for each in ast.walk(tree):
        match each:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
                if described & {name.id for name in ast.walk(kinds) if isinstance(name, ast.Name)}:
                    yield each.lineno
            case ast.MatchClass(cls=ast.Name(id=name)) if name in described:
                yield each.lineno
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
                about = any("backend" in ast.unparse(side).lower() for side in sides)
                if about and any(isinstance(side, ast.Constant) and side.value in backends.RECORDS for side in sides):
                    yield each.lineno


def test_only_a_backends_own_modules_tell_backends_apart():
    """Everything else asks the record, the description, the blueprint or the group: a new backend is new files."""
    classes = {*_classes()}
    assert classes >= {"SlurmCluster", "EksCluster"}
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in product_files.files()
        if not OF_A_BACKEND.search(str(path.relative_to(ROOT)))
        for line in _uses(ast.parse(path.read_text()), classes)
    ]
    assert found == []
