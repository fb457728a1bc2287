"""Programs of other teams on the offline monitor: with ids known, and as in a preview."""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from muster.fleet.resources import Fleet, Ref
from muster.offline import run_program
from policies.catalogue import rule_of, rules
from policies.judgement import Judgement, judge
from policies.views import fleet_of
from tests.factories import AS_OF, REGION

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = sorted(
    file.stem
    for file in FOLDER.glob("*.py")
    if file.stem not in ("__init__", "world", "kubernetes", "hyperpod", "pcluster")
)

ONLY_DESCRIBED = {
    "access-entries-taken",
    "addon-has-a-use",
    "addon-has-what-it-needs",
    "addon-serves-a-group",
    "addon-supports-kubernetes",
    "addon-values-have-a-form",
    "aws-auth-kept",
    "capacity-block-begun",
    "capacity-block-dates",
    "capacity-block-kept-by-id",
    "capacity-block-length",
    "capacity-block-not-bought-again",
    "daemons-fit-nodes",
    "eks-addons-pinned",
    "existing-cluster-active",
    "existing-cluster-as-declared",
    "group-has-its-device-plugin",
    "hyperpod-huge-pages-set-aside",
    "kueue-serves-its-queues",
    "lustre-as-declared",
    "lustre-in-cluster-vpc",
    "lustre-mount-name-short",
    "lustre-usable",
    "managed-settings-only",
    "mlflow-pods-have-a-role",
    "named-things-exist",
    "named-things-in-vpc",
    "operators-fit-nodes",
    "parallelcluster-schema",
    "parallelcluster-validator",
    "parallelcluster-warning",
    "quota-covers-vcpus",
    "reservation-as-declared",
    "scaling-range-without-autoscaler",
    "subnet-reaches-aws",
    "subnet-zone-as-declared",
    "untainted-group",
    "vpc-resolves-names",
}
"""Rules about what only a description says: no program of another team can break them."""


def program(name: str) -> ModuleType:
    return import_module(f"tests.policies.programs.{name}")


def rule_id(name: str) -> str:
    return name.replace("_", "-")


def judged(name: str, which: str, *, preview: bool) -> Judgement:
    module = program(name)
    region = getattr(module, "REGION", REGION)
    facts: Any = getattr(module, "FACTS", None)
    if which == "failing":
        facts = getattr(module, "FAILING_FACTS", facts)
    registered = run_program(getattr(module, which), project="theirs", stack="dev", region=region, preview=preview)
    fleet: Fleet = fleet_of(registered, facts=facts, region=region, as_of=getattr(module, "AS_OF", AS_OF))
    return judge(fleet)


def found(judgement: Judgement) -> set[tuple[str, str]]:
    """(rule, logical name): findings name resources by URN."""
    return {(each.rule, Ref.of_urn(each.where).name) for each in judgement.findings}


seen_both_ways = pytest.mark.parametrize("preview", [False, True], ids=["known", "preview"])
each_program = pytest.mark.parametrize("name", PROGRAMS)


@each_program
@seen_both_ways
def test_a_program_that_breaks_a_rule(name: str, *, preview: bool) -> None:
    judgement = judged(name, "failing", preview=preview)
    assert found(judgement) == {(rule_id(name), at) for at in program(name).AT}
    for each in judgement.findings:
        assert each.where == each.resource
        assert each.level is rule_of(each.rule).level


@each_program
@seen_both_ways
def test_a_program_that_keeps_it(name: str, *, preview: bool) -> None:
    judgement = judged(name, "passing", preview=preview)
    assert found(judgement) == set()
    assert judgement.judged[rule_id(name)]
    assert rule_id(name) not in {each.rule for each in judgement.not_evaluated}


def test_every_rule_has_its_programs() -> None:
    assert {rule_id(name) for name in PROGRAMS} | ONLY_DESCRIBED == {rule.id for rule in rules()}
