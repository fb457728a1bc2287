"""Every stack in the real engine: a life from preview to destroy, and the offline plan beside it."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from muster.offline.plan import Plan
from tests.pulumi_engine.conftest import MakeStack
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED, Outcome
from tests.pulumi_engine.muster_stack import MusterStack
from tests.pulumi_engine.provider import Log, StandIn
from tests.stack_files import OF_EACH_KIND_FIRST, edited

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

_KEPT_FILES = (("throughput: 250}}", "throughput: 250, on-destroy: delete}}"),)
KEPT = {
    "hyperpod-p5": (
        ("mlflow: {pods:", "mlflow: {on-destroy: delete, pods:"),
        ("          throughput: 250\n", "          throughput: 250\n          on-destroy: delete\n"),
    ),
    "hyperpod-slurm-p5": (
        ("          throughput: 250\n", "          throughput: 250\n          on-destroy: delete\n"),
    ),
    "hyperpod-trn1": (
        ("    registry: {}\n", "    registry: {on-destroy: delete}\n"),
        ("throughput: 250}", "throughput: 250, on-destroy: delete}"),
    ),
    "pcluster-gpu": _KEPT_FILES,
    "pcluster-p4de-batch-g5": _KEPT_FILES,
    "pcluster-p4de-custom-ami": _KEPT_FILES,
    "pcluster-p4de-postinstall": (
        ("    registry: {} ", "    registry: {on-destroy: delete} "),
        *_KEPT_FILES,
    ),
    "pcluster-trn1": _KEPT_FILES,
    "pcs-p5": (("zone: us-west-2a}\n", "zone: us-west-2a, on-destroy: delete}\n"),),
    "trn1": (
        ("    registry: {}\n", "    registry: {on-destroy: delete}\n"),
        ("backup-days: 1}", "backup-days: 1, on-destroy: delete}"),
    ),
}
"""Stacks with something that `destroy` keeps, and how their users let it go."""

_RELEASE, _CLUSTER = "kubernetes:helm.sh/v3:Release", "aws:eks/cluster:Cluster"
_HYPERPOD, _SLURM = "aws-native:sagemaker:Cluster", "aws:cloudformation/stack:Stack"
_PCS_CLUSTER, _PCS_GROUP = "aws-native:index:ExtensionResource", "aws-native:pcs:ComputeNodeGroup"
_GROUPS = ("aws:eks/nodeGroup:NodeGroup", "aws:autoscaling/group:Group", _HYPERPOD, _SLURM, _PCS_GROUP)
_BEFORE_NODES = f"{_RELEASE} hyperpod"
"""The release that HyperPod wants to find when it makes a node, and to have until it has none left."""
_POLICY, _GATEWAY = "aws:iam/rolePolicyAttachment:RolePolicyAttachment", "aws:ec2/internetGateway:InternetGateway"
_FILES, _SECURITY_GROUP = "aws:fsx/lustreFileSystem:LustreFileSystem", "aws:ec2/securityGroup:SecurityGroup"
_SUBNET, _VPC = "aws:ec2/subnet:Subnet", "aws:ec2/vpc:Vpc"

GOES_FIRST = (
    *((_RELEASE, group) for group in _GROUPS),
    (_HYPERPOD, _BEFORE_NODES),
    (_BEFORE_NODES, _CLUSTER),
    *((_HYPERPOD, f"aws:s3/{what}") for what in ("bucketObjectv2:BucketObjectv2", "bucketPolicy:BucketPolicy")),
    ("aws:s3/bucketObjectv2:BucketObjectv2", "aws:s3/bucket:Bucket"),
    ("aws:autoscaling/schedule:Schedule", "aws:autoscaling/group:Group"),
    *((group, later) for group in _GROUPS for later in (_CLUSTER, _POLICY, _FILES, _SECURITY_GROUP, _SUBNET)),
    *((group, "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule") for group in _GROUPS),
    *((group, f"aws:ec2/{way}") for group in _GROUPS for way in ("route:Route", "natGateway:NatGateway")),
    (_CLUSTER, "aws:cloudwatch/logGroup:LogGroup"),
    (_CLUSTER, _SUBNET),
    ("aws-native:pcs:Queue", _PCS_GROUP),
    (_PCS_GROUP, _PCS_CLUSTER),
    (_PCS_GROUP, "aws:iam/instanceProfile:InstanceProfile"),
    (_PCS_CLUSTER, _SECURITY_GROUP),
    (_PCS_CLUSTER, _SUBNET),
    (_FILES, _SECURITY_GROUP),
    (_FILES, _SUBNET),
    (_SECURITY_GROUP, _VPC),
    (_SUBNET, _VPC),
    ("aws:ec2/eip:Eip", _GATEWAY),
    (_GATEWAY, _VPC),
)
"""(type, type): on destroy everything of the first goes before anything of the second."""


@pytest.mark.parametrize("stack", OF_EACH_KIND_FIRST)
def test_a_life(stack: str, muster: MakeStack, stand_in: StandIn) -> None:
    """Preview makes nothing; up makes all that the offline plan says; a second up and a refresh change nothing;
    destroy leaves nothing, but for what is kept until the description lets it go."""
    it = muster(stack)

    planned = it.preview(packs=["policies"]).require()
    assert set(planned.changes.values()) == {"create"}
    assert [told for told in planned.violations if told.level == "mandatory"] == []
    assert stand_in.log.names("create") == []

    first = it.up().require()
    assert set(first.changes) == set(planned.changes)
    assert_offline_is_the_engines(it.planned(), first)

    again = it.up().require()
    assert again.changes == {}
    assert it.refresh().require().changes == {}

    if kept := {urn: state for urn, state in first.resources.items() if state.get("protect")}:
        let_go(it, stack, kept, stand_in.log)
    gone = it.destroy().require()
    assert gone.resources == {}
    assert out_of_order(stand_in.log) == []
    record(stack, preview=planned, up=first, again=again, destroy=gone)


def let_go(it: MusterStack, stack: str, kept: Mapping[str, Mapping[str, Any]], log: Log) -> None:
    """`destroy` deletes nothing and names what is kept, but for what stands below something that is: there the engine
    never comes; another description and an `up` let it go."""
    assert stack in KEPT, kept
    stopped = it.destroy(preview=True)
    assert stopped.code != 0
    below = {urn for state in kept.values() for urn in state.get("dependencies", ())}
    for urn in kept.keys() - below:
        assert urn in stopped.text
    assert log.names("delete") == []
    text = it.text
    for before, after in KEPT[stack]:
        text = edited(text, before, after)
    it.describe(text)
    done = it.up().require()
    assert set(done.changes.values()) <= {"update"}
    assert [urn for urn, state in done.resources.items() if state.get("protect")] == []


def assert_offline_is_the_engines(plan: Plan, outcome: Outcome) -> None:
    """The same URNs, parents, dependencies and inputs, but for what only the cloud decides."""
    engine = {urn: each for urn, each in outcome.resources.items() if "pulumi:providers:" not in each["type"]}
    offline = {each.urn: each for each in plan.registrations if "pulumi:providers:" not in each.type}
    assert set(offline) == set(engine)
    for urn, each in offline.items():
        real = engine[urn]
        assert real.get("parent", "") == each.parent, urn
        assert real["custom"] is each.custom, urn
        assert set(real.get("dependencies", ())) == set(each.dependencies), urn
        if each.custom:
            assert given(real["inputs"]) == given(each.inputs), urn


def given(inputs: Mapping[str, Any]) -> set[str]:
    """The inputs a program gives: names the engine or a provider makes up are not among them."""
    made_up = inputs.get("__defaults", [])
    return {
        key
        for key, value in inputs.items()
        if not key.startswith("__") and key not in made_up and value not in (None, [], {})
    }


def out_of_order(log: Log) -> list[tuple[str, str]]:
    """The pairs of GOES_FIRST that were deleted in another order."""
    deleted = [
        _BEFORE_NODES if f"{call.token} {call.name}" == _BEFORE_NODES else call.token
        for call in log.calls
        if call.method == "delete"
    ]
    last = {token: place for place, token in enumerate(deleted)}
    return [
        (first, then)
        for first, then in GOES_FIRST
        if first in last and then in last and last[first] > deleted.index(then)
    ]


def record(stack: str, **runs: Outcome) -> None:
    """Adds what the engine counted to the file that MUSTER_ENGINE_SUMMARY names, for whoever wants to quote it."""
    if file := os.environ.get("MUSTER_ENGINE_SUMMARY"):
        line = "; ".join(f"{name}: {outcome.summary}" for name, outcome in runs.items())
        with Path(file).open("a", encoding="utf-8") as target:
            target.write(f"{stack}: {line}\n")
