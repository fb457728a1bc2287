"""The registry of backends: whole, lazy, and the only place that tells backends apart."""

import ast
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

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


ROOT = Path(__file__).parent.parent
PRODUCT = ("muster", "deploy", "infra", "exports", "addons", "policies", "components", "gate.py", "__main__.py")
OF_A_BACKEND = re.compile(r"eks|hyperpod|parallelcluster|pcluster|slurm|blueprint/kubernetes\.py|muster/backends/")
"""Paths of the modules that are a backend's own."""
CLASSES = {
    "EksCluster",
    "HyperPodCluster",
    "SlurmCluster",
    "EksGroup",
    "HyperPodGroup",
    "SlurmGroup",
    "SlurmBlueprint",
}


def _uses(tree):
    """Every place that tells backends apart by a class or by a name."""
    described = {
        name.asname or name.name
        for each in ast.walk(tree)
        if isinstance(each, ast.ImportFrom) and (each.module or "").startswith(("muster.blueprint", "muster.config"))
        for name in each.names
        if name.name in CLASSES
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
                about = any("backend" in ast.unparse(side).rpartition(".")[2].lower() for side in sides)
                if about and any(isinstance(side, ast.Constant) and side.value in backends.MODULES for side in sides):
                    yield each.lineno


def test_only_a_backends_own_modules_tell_backends_apart():
    """Everything else asks the record, the description, the blueprint or the group: a new backend is new files."""
    files = [
        path for each in PRODUCT for path in ([ROOT / each] if each.endswith(".py") else (ROOT / each).rglob("*.py"))
    ]
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in files
        if not OF_A_BACKEND.search(str(path.relative_to(ROOT)))
        for line in _uses(ast.parse(path.read_text()))
    ]
    assert found == []
