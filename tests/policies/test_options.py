"""Options of rules: each decides something, on both sides of its boundary, and says so in words."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple

import pytest

from muster.fleet.resources import Fleet
from policies.engine.catalogue import all_rules, rule_of
from policies.engine.judgement import judge
from policies.engine.options import NoOptions, Options
from tests.factories import A, a_control_plane, a_fleet, a_group, a_reservation, a_subnet, a_template, facts, on
from tests.hyperpods import a_hyperpod_fleet, plan_facts
from tests.policies.cases import (
    lifecycles,
    parallelcluster_authority,
    pods,
    training_plans,
)
from tests.policies.cases.addons import room
from tests.policies.cases.parallelcluster_queues import nodes
from tests.policies.pods import PODS


class Boundary(NamedTuple):
    """Two settings next to each other: with the first a rule finds nothing, with the second it says something."""

    rule: str
    fleet: Callable[[], Fleet]
    option: str
    within: Any
    beyond: Any
    got: str
    remedy: str = ""
    where: str = "groups.workers.nodes"


MIRROR = "registry.ml-platform.dev:5000/nccl-tests"


def _a_quota() -> Fleet:
    group = a_group(reservation=a_reservation())
    return a_fleet(a_template(**on()), group, facts=facts(quotas={"L-417A185B": 400}))


def _a_subnet_of(free: int) -> Fleet:
    return a_fleet(a_group(nodes_max=2), subnets=[a_subnet(free_addresses=free)])


def _networks() -> Fleet:
    return a_fleet(subnets=[a_subnet(A, created=True, cidr="10.1.0.0/18")])


def _ending() -> Fleet:
    return a_fleet(a_control_plane("1.35"), as_of=date(2027, 3, 1))


def _plan() -> Fleet:
    return a_hyperpod_fleet(training_plans.planned(), known=plan_facts(end="2026-12-01T11:30:00Z"))


def _asked() -> Fleet:
    return a_fleet(a_control_plane(), facts=facts(observed="2026-11-11T10:00:00Z", permissions={}))


BOUNDARIES = [
    Boundary(
        "kubernetes-standard-support",
        _ending,
        "days",
        26,
        27,
        "standard support of Kubernetes 1.35 ends on 2027-03-27",
        "upgrade until 2027-03-28: from then on the control plane costs six times as much",
        where="kubernetes",
    ),
    Boundary(
        "api-not-open-to-all",
        lambda: a_fleet(a_control_plane(public_networks=("203.0.113.0/25",))),
        "networks",
        ["2001:db8::/32", "203.0.113.0/24"],
        ["2001:db8::/32", "203.0.113.0/26"],
        "the Kubernetes API is open to 203.0.113.0/25",
        "list networks of 2001:db8::/32 and 203.0.113.0/26 instead, or make the API private",
        where="api.public",
    ),
    Boundary(
        "control-plane-two-zones",
        a_fleet,
        "zones",
        2,
        3,
        "the control plane has 2 subnets, in us-west-2a and us-west-2b only",
        where="network.existing.private",
    ),
    Boundary(
        "vpc-outside-docker-range",
        _networks,
        "networks",
        ["172.17.0.0/16", "10.1.64.0/18"],
        ["172.17.0.0/16", "10.1.0.0/24"],
        "subnets inside 10.1.0.0/24: 10.1.0.0/18",
        "take another range",
        where="network.create.cidr",
    ),
    Boundary(
        "quota-covers-vcpus",
        _a_quota,
        "vcpus",
        208,
        209,
        "workers may grow to 192 vCPUs; quota L-417A185B allows 400, and others use 209 of them",
    ),
    Boundary(
        "facts-fresh",
        _asked,
        "days",
        10,
        9,
        "AWS was asked on 2026-11-11, 10 days ago",
        where="facts.observed",
    ),
    Boundary(
        "training-plan-usable",
        _plan,
        "days",
        9,
        10,
        "training plan spring ends on 2026-12-01",
        where="groups.workers.capacity.training-plan.arn",
    ),
    Boundary(
        "parallelcluster-shared-volume-serves-fleet",
        nodes.more_than_a_hundred_nodes,
        "nodes",
        101,
        100,
        "apps is exported by the head node to 101 nodes",
        where="queues",
    ),
    Boundary(
        "parallelcluster-warning",
        parallelcluster_authority.a_validator_warns,
        "without",
        ["EfaValidator", "ComputeResourceSizeValidator"],
        ["EfaValidator"],
        "ParallelCluster's ComputeResourceSizeValidator says: Few nodes",
        where="queues.train.groups.workers.nodes",
    ),
    Boundary(
        "lifecycle-source-prefix",
        lifecycles.scripts_that_instances_may_not_read,
        "prefixes",
        ["sagemaker-", "ml-"],
        ["sagemaker-", "mlops-"],
        "the scripts of workers are in s3://ml-scripts/p5; its instances may read s3://sagemaker-... or s3://mlops-... "
        "only",
        where="groups.workers.hyperpod.lifecycle",
    ),
    Boundary(
        "p5-image-new-enough",
        lambda: pods.running(f"{MIRROR}:cuda11.8.0-efa1.30.0-ofiv1.7.2-ncclv2.18.5-1-testsv2.13.8"),
        "repositories",
        [MIRROR[:-1]],
        [MIRROR],
        "spec.template.spec.containers[0] runs CUDA 11.8.0 on p5",
        where=PODS,
    ),
    Boundary(
        "p6-image-new-enough",
        lambda: pods.running(
            f"{MIRROR}:cuda12.6.3-efa1.42.0-ofiv1.16.0-ncclv2.27.5-1-testsv2.16.4", "p6-b200.48xlarge"
        ),
        "repositories",
        [MIRROR[:-1]],
        [MIRROR],
        "spec.template.spec.containers[0] runs CUDA 12.6.3 on p6-b200",
        where=PODS,
    ),
    Boundary(
        "subnet-holds-all-nodes", lambda: _a_subnet_of(4000), "addresses", 0, 4000, "with 4000 addresses for others"
    ),
    Boundary(
        "daemons-fit-nodes",
        room.a_daemon_that_leaves_half_of_the_node,
        "cpus",
        95,
        96,
        "take 192160m CPU of 191450m",
        where="groups.workers.instance",
    ),
    Boundary(
        "daemons-fit-nodes",
        room.a_daemon_that_leaves_half_of_the_node,
        "memory-gib",
        1892,
        1893,
        "memory of 1938410Mi",
        where="groups.workers.instance",
    ),
]


def settings(rule: str, given: Mapping[str, Any]) -> Options:
    """A rule's options as a configuration gives them."""
    return rule_of(rule).options.model_validate(given)


def found(one: Boundary, value: Any) -> list[tuple[str, str, str]]:
    """What the rule finds with its option set so, what is to be done, and where."""
    rule = rule_of(one.rule).configured(settings=settings(one.rule, {one.option: value}))
    return [(each.got, each.remedy, each.where) for each in judge(one.fleet(), rules=[rule]).findings]


@pytest.mark.parametrize("one", BOUNDARIES, ids=lambda one: f"{one.rule}-{one.option}")
def test_an_option_decides_at_its_boundary(one: Boundary) -> None:
    """Within it nothing is found, one step beyond it the rule says what is asked of it, at the key that mends it."""
    assert found(one, one.within) == []
    ((got, remedy, where),) = found(one, one.beyond)
    assert one.got in got
    assert remedy == (one.remedy or remedy)
    assert where == one.where


@pytest.mark.parametrize(
    ("network", "is_within"),
    [
        ("203.0.113.0/24", True),
        ("203.0.113.128/25", True),
        ("203.0.113.7/24", True),
        ("203.0.112.0/23", False),
        ("0.0.0.0/0", False),
        ("2001:db8:1::/48", True),
        ("2001:db9::/48", False),
        ("::/0", False),
        ("our office", False),
        ("", False),
    ],
)
def test_what_is_no_network_is_within_none(network: str, is_within: bool) -> None:
    """Of either family; a network that is written by one of its addresses counts as what it is."""
    allowed = {"networks": ["203.0.113.0/24", "2001:db8::/32"]}
    rule = rule_of("api-not-open-to-all").configured(settings=settings("api-not-open-to-all", allowed))
    said = judge(a_fleet(a_control_plane(public_networks=(network,))), rules=[rule]).findings
    assert [each.where for each in said] == ([] if is_within else ["api.public"])


def test_addresses_that_are_kept_are_counted_to_the_last_one() -> None:
    """As many as are left are kept; one more is one too many."""

    def short(spare: int) -> bool:
        return bool(found(Boundary("subnet-holds-all-nodes", lambda: _a_subnet_of(4000), "addresses", 0, 0, ""), spare))

    least = next(spare for spare in range(4001) if short(spare))
    ((got, *_),) = found(BOUNDARIES[-3], least)
    assert f"take 4001 addresses of {A} at most; 4000 are free there" in got


def test_every_option_outside_of_security_is_tried_at_its_boundary() -> None:
    """Options of the security rules are tried beside those rules."""
    every = {
        (rule.id, name.replace("_", "-"))
        for rule in all_rules()
        if rule.options is not NoOptions and rule.topic != "security"
        for name in rule.options.model_fields
    }
    assert {(each.rule, each.option) for each in BOUNDARIES} == every


def test_every_option_has_a_default_and_a_description() -> None:
    """A file names only what it changes; the defaults are the documented rule."""
    for rule in all_rules():
        assert rule.settings is None
        rule.options()  # raises where an option has no default
        for name, info in rule.options.model_fields.items():
            assert info.description, (rule.id, name)
            assert info.description[-1] == ".", (rule.id, name)
        assert rule.options is NoOptions or rule.options.model_fields, rule.id


def test_a_rule_reads_no_other_rules_options() -> None:
    """Settings of another rule are a bug, never defaults."""
    rule = rule_of("control-plane-two-zones").configured(settings=settings("training-plan-usable", {"days": 3}))
    with pytest.raises(Exception, match="Left where Zones belongs"):
        judge(a_fleet(), rules=[rule])
