"""Options of rules: each has a default and a description, and is tested at its boundary."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from muster.fleet.resources import Fleet, NodeRole, Place, Ref, Statement
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.judgement import judge
from muster.policies.engine.options import NoOptions
from tests.factories import a_control_plane, a_fleet, a_group, a_reservation, a_subnet, a_template, facts, on
from tests.factories.hyperpod import a_hyperpod_fleet, on_a_training_plan
from tests.policies.findings import rule_of
from tests.policies.pods import running


def a_quota() -> Fleet:
    group = a_group(reservation=a_reservation())
    return a_fleet(a_template(**on()), group, facts=facts(quotas={"L-417A185B": 400}))


def scripts_that_instances_may_not_read() -> Fleet:
    own = {"own": {"at": "s3://ml-scripts/p5", "on-create": "on_create.sh"}}
    known = facts(buckets={"ml-scripts": {"files": ["p5/on_create.sh"]}})
    fleet = a_hyperpod_fleet({"groups.workers.hyperpod.lifecycle": own}, known=known)
    return replace(fleet, backend=None)  # of another program: Muster's own role may read the bucket


def nodes_that_may(*policies: str, **said: Any) -> Fleet:
    """With managed policies of AWS's, by name."""
    arns = frozenset(f"arn:aws:iam::aws:policy/{each}" for each in policies)
    return a_fleet(NodeRole(Ref("aws:iam/role:Role", "nodes"), Place("urn:role"), arns, **said))


ALL_OF_S3 = (Statement(frozenset({"s3:*", "ec2:Describe*"}), frozenset({"*"})),)
MIRROR = "registry.ml-platform.dev:5000/nccl-tests"
OLD_P5 = f"{MIRROR}:cuda11.8.0-efa1.30.0-ofiv1.7.2-ncclv2.18.5-1-testsv2.13.8"

BOUNDARIES: list[tuple[str, str, Any, Any, Callable[[], Fleet]]] = [
    (
        "kubernetes-standard-support",
        "days",
        *(26, 27),
        lambda: a_fleet(a_control_plane("1.35"), as_of=date(2027, 3, 1)),
    ),
    ("quota-covers-vcpus", "vcpus", 208, 209, a_quota),
    (
        "facts-fresh",
        "days",
        *(10, 9),
        lambda: a_fleet(a_control_plane(), facts=facts(observed="2026-11-11T10:00:00Z", permissions={})),
    ),
    (
        "training-plan-usable",
        "days",
        *(9, 10),
        lambda: on_a_training_plan("2026-12-01T11:30:00Z"),
    ),
    (
        "lifecycle-source-prefix",
        "prefixes",
        *(["sagemaker-", "ml-"], ["sagemaker-", "mlops-"]),
        scripts_that_instances_may_not_read,
    ),
    ("nccl-image-new-enough", "repositories", [MIRROR[:-1]], [MIRROR], lambda: running(OLD_P5)),
    (
        "subnet-holds-all-nodes",
        "addresses",
        *(3894, 3895),
        lambda: a_fleet(a_group(nodes_max=2), subnets=[a_subnet(free_addresses=4000)]),
    ),
    ("imds-out-of-pods", "hops", 3, 2, lambda: a_fleet(a_template(hop_limit=3))),
    (
        "node-role-narrow",
        "allowed",
        *(["AmazonS3FullAccess"], ["AmazonS3"]),
        lambda: nodes_that_may("AmazonS3FullAccess", "AmazonEKSWorkerNodePolicy"),
    ),
    ("node-role-narrow", "allowed", ["S3:*"], ["s3:Get*"], lambda: nodes_that_may(statements=ALL_OF_S3)),
]
"""Rule, option, the last value without a finding, the first value with one, the fleet."""


@pytest.mark.parametrize(("id", "option", "within", "beyond", "fleet"), BOUNDARIES)
def test_an_option_at_its_boundary(id: str, option: str, within: Any, beyond: Any, fleet: Callable[[], Fleet]) -> None:
    rule, judged = rule_of(id), fleet()
    found = []
    for value in (within, beyond):
        settings = rule.options.model_validate({option: value})
        found.append(len(judge(judged, rules=[rule.configured(settings=settings)]).findings))
    assert found == [0, 1]


def test_every_option_is_tried_at_its_boundary() -> None:
    assert {
        (rule.id, name.replace("_", "-"))
        for rule in all_rules()
        if rule.options is not NoOptions
        for name in rule.options.model_fields
    } == {(rule, option) for rule, option, *_ in BOUNDARIES}


def test_every_option_has_a_default_and_a_description() -> None:
    for rule in all_rules():
        assert rule.settings is None
        rule.options()  # raises where an option has no default
        for name, info in rule.options.model_fields.items():
            assert info.description, (rule.id, name)
            assert info.description[-1] == ".", (rule.id, name)
        assert rule.options is NoOptions or rule.options.model_fields, rule.id


def test_a_rule_reads_no_other_rules_options() -> None:
    """A rule with the settings of another rule is a bug: it does not use its defaults."""
    given = rule_of("training-plan-usable").options.model_validate({"days": 3})
    rule = rule_of("subnet-holds-all-nodes").configured(settings=given)
    with pytest.raises(Exception, match="expected Spare, got Left"):
        judge(a_fleet(), rules=[rule])
