"""The table of ParallelCluster's validators is whole, and names rules that there are."""

import importlib
import inspect
import pkgutil

import pytest

from policies.catalogue import rules
from policies.parallelcluster_checks import VALIDATORS, By

ABSTRACT = {"_LaunchTemplateValidator"}
"""What several validators are made of."""
OF_OTHERS = {"common", "imagebuilder_validators"}
"""Modules of what is abstract, and of `pcluster build-image`."""


def test_every_rule_that_is_named_is_there() -> None:
    """And is asked of clusters on ParallelCluster."""
    there = {rule.id for rule in rules() if "parallelcluster" in rule.backends}
    named = {rule for answer in VALIDATORS.values() for rule in answer.rules}
    assert named - there == set()


def test_an_answer_says_what_its_kind_needs() -> None:
    """Rules where rules judge, a reason everywhere else: a clause that a sentence can go on with."""
    for name, answer in VALIDATORS.items():
        assert answer.rules if answer.by is By.RULE else answer.why, name
        assert len(set(answer.rules)) == len(answer.rules), name
        if answer.why:
            assert answer.why[-1] not in ".,;:", name
            assert "|" not in answer.why, name


def test_every_validator_of_parallelcluster_has_an_answer() -> None:
    """Of the release that is pinned; where its package is not installed, nobody knows."""
    pytest.importorskip("pcluster", reason="aws-parallelcluster is not installed")
    importlib.import_module("pcluster.config.cluster_config")
    package = importlib.import_module("pcluster.validators")
    base = importlib.import_module("pcluster.validators.common").Validator
    there = {
        name
        for module in pkgutil.iter_modules(package.__path__)
        if module.name not in OF_OTHERS
        for name, kind in inspect.getmembers(
            importlib.import_module(f"pcluster.validators.{module.name}"), inspect.isclass
        )
        if issubclass(kind, base) and kind.__module__ == f"pcluster.validators.{module.name}"
    }
    assert there - ABSTRACT == VALIDATORS.keys()
