"""Groups that join a cluster which exists: what AWS says of it decides, in a preview too."""

from dataclasses import replace

import pytest

from tests.pulumi_engine.conftest import MakeStack
from tests.pulumi_engine.existing import GET_CLUSTER, ExistingCluster, get_cluster
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED
from tests.pulumi_engine.muster_stack import MusterStack
from tests.pulumi_engine.provider import StandIn

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

STACK = "p5-join-existing"


def described(it: MusterStack) -> ExistingCluster:
    """The cluster as the description has it."""
    (cluster,) = it.clusters()
    return cluster


def test_what_aws_says_otherwise_is_refused_by_its_key(muster: MakeStack, stand_in: StandIn) -> None:
    """Another version, another way to be let in, another security group, another VPC: each by its key, at once."""
    it = muster(STACK)
    cluster = described(it)
    other = {
        "kubernetes": replace(cluster, version="1.34"),
        "control-plane.existing.authentication": replace(cluster, authentication="CONFIG_MAP"),
        "control-plane.existing.security-group": replace(cluster, security_group="sg-0123456789abcdef0"),
        "network.existing.vpc": replace(cluster, vpc="vpc-0123456789abcdef0"),
    }
    for key, observed in other.items():
        stand_in.calls[GET_CLUSTER] = get_cluster(observed)
        outcome = it.preview()
        assert outcome.code != 0, key
        assert f"{key}: " in outcome.text
        assert "Traceback" not in outcome.text, key
    every = replace(cluster, version="1.34", authentication="CONFIG_MAP", security_group="sg-0123456789abcdef0")
    stand_in.calls[GET_CLUSTER] = get_cluster(every)
    outcome = it.up()
    assert outcome.code != 0
    assert [key for key in other if f"{key}: " in outcome.text] == list(other)[:3]
    assert stand_in.log.names("create") == []


def test_a_cluster_that_is_not_there_is_refused_by_its_key(muster: MakeStack, stand_in: StandIn) -> None:
    """A slip in its name, the wrong Region: in words, with the key."""
    it = muster(STACK)
    stand_in.calls[GET_CLUSTER] = get_cluster(replace(described(it), name="another"))
    outcome = it.up()
    assert outcome.code != 0
    assert "control-plane.existing.name: " in outcome.text
    assert "Traceback" not in outcome.text
    assert stand_in.log.names("create") == []


def test_nothing_of_the_cluster_is_registered(muster: MakeStack) -> None:
    """The cluster is asked about, and left alone: no control plane, no role or log group of it, no EKS add-on."""
    state = muster(STACK).up().require()
    types = {each["type"] for each in state.resources.values()}
    assert not types & {
        "aws:eks/cluster:Cluster",
        "aws:eks/addon:Addon",
        "aws:cloudwatch/logGroup:LogGroup",
        "aws:kms/key:Key",
    }
    entry = state.one("aws:eks/accessEntry:AccessEntry")
    assert entry["inputs"]["clusterName"] == "ml-platform"
    assert entry["inputs"]["type"] == "EC2_LINUX"
