"""Options of rules, each at its boundary: with the first value its rule finds nothing, with the second it does."""

from collections.abc import Callable
from datetime import date
from typing import Any

from muster.fleet.resources import Fleet, Statement
from tests.factories import a_control_plane, a_fleet, a_group, a_reservation, a_subnet, a_template, facts, on
from tests.factories.hyperpod_fleets import a_hyperpod_fleet, a_lifecycle, an_instance_group, hyperpod_facts, plan_facts
from tests.policies.case import cases
from tests.policies.cases import pods, training_plans
from tests.policies.security import AWS_POLICY, role

TRIED: set[tuple[str, str]] = set()
"""Rule and option."""


def boundary(rule: str, option: str, within: Any, beyond: Any, fleet: Callable[[], Fleet], what: str = "") -> None:
    """Two cases of one fleet."""
    TRIED.add((rule, option))
    name = f"{rule}_{option}{what and f'_{what}'}".replace("-", "_")
    for value, which in ((within, "within"), (beyond, "beyond")):
        cases(rule, {option: value}, **{f"{name}_{which}": lambda: fleet()})


def a_quota() -> Fleet:
    group = a_group(reservation=a_reservation())
    return a_fleet(a_template(**on()), group, facts=facts(quotas={"L-417A185B": 400}))


def an_ending_version() -> Fleet:
    return a_fleet(a_control_plane("1.35"), as_of=date(2027, 3, 1))


def an_ending_plan() -> Fleet:
    return a_hyperpod_fleet(training_plans.planned(), known=plan_facts(end="2026-12-01T11:30:00Z"))


def old_facts() -> Fleet:
    return a_fleet(a_control_plane(), facts=facts(observed="2026-11-11T10:00:00Z", permissions={}))


def scripts_that_instances_may_not_read() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle("s3://ml-scripts/p5")),
        known=hyperpod_facts(buckets={"ml-scripts": {"files": ["p5/on_create.sh"]}}),
    )


def nodes_with_all_of_s3() -> Fleet:
    return a_fleet(role(f"{AWS_POLICY}/AmazonS3FullAccess", f"{AWS_POLICY}/AmazonEKSWorkerNodePolicy"))


def nodes_allowed_all_of_s3_by_a_policy_of_their_own() -> Fleet:
    return a_fleet(role(statements=(Statement(frozenset({"s3:*", "ec2:Describe*"}), frozenset({"*"})),)))


MIRROR = "registry.ml-platform.dev:5000/nccl-tests"
OLD_P5 = f"{MIRROR}:cuda11.8.0-efa1.30.0-ofiv1.7.2-ncclv2.18.5-1-testsv2.13.8"

boundary("kubernetes-standard-support", "days", 26, 27, an_ending_version)
boundary("quota-covers-vcpus", "vcpus", 208, 209, a_quota)
boundary("facts-fresh", "days", 10, 9, old_facts)
boundary("training-plan-usable", "days", 9, 10, an_ending_plan)
boundary(
    "lifecycle-source-prefix",
    "prefixes",
    ["sagemaker-", "ml-"],
    ["sagemaker-", "mlops-"],
    scripts_that_instances_may_not_read,
)
boundary("nccl-image-new-enough", "repositories", [MIRROR[:-1]], [MIRROR], lambda: pods.running(OLD_P5))
boundary(
    "subnet-holds-all-nodes",
    "addresses",
    0,
    4000,
    lambda: a_fleet(a_group(nodes_max=2), subnets=[a_subnet(free_addresses=4000)]),
)


# security

boundary("imds-out-of-pods", "hops", 3, 2, lambda: a_fleet(a_template(hop_limit=3)))
boundary("node-role-narrow", "allowed", ["AmazonS3FullAccess"], ["AmazonS3"], nodes_with_all_of_s3)
boundary(
    "node-role-narrow",
    "allowed",
    ["S3:*"],
    ["s3:Get*"],
    nodes_allowed_all_of_s3_by_a_policy_of_their_own,
    "of_a_statement",
)
