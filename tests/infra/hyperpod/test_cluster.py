"""The HyperPod cluster as it is registered: in AWS's own words, in its Region, after what it needs."""

import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from muster.unknown import UNKNOWN
from tests.aws_schemas import api_faults, cloudformation_faults, create_only, properties
from tests.factories import DROP
from tests.infra.hyperpod.described import (
    ATTACHMENT,
    BUCKET,
    CLUSTER,
    EXISTING,
    PROVIDER,
    RELEASE,
    ROLE,
    ROLE_POLICY,
    SCRIPT,
    THEIRS,
    a_blueprint,
    cluster_of,
    group_of,
    registered,
)
from tests.infra.registered import Registered

KEY = "arn:aws:kms:us-west-2:111122223333:key/01234567-89ab-cdef-0123-456789abcdef"
PLAN = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/p5-june"
WORKERS = "groups.workers"
EVERYTHING: Mapping[str, Any] = {
    "hyperpod": {
        "name": "Pod-1",
        "provisioning": "continuous",
        "autoscaling": "karpenter",
        "tiered-storage": {"memory-percent": 20},
    },
    f"{WORKERS}.nodes": {"count": 4, "minimum": 2},
    f"{WORKERS}.labels": {"example.com/TeamName": "vision", "SomeWord": "x"},
    f"{WORKERS}.taints": {"example.com/OnlyVision": "NoSchedule"},
    f"{WORKERS}.security-groups": [THEIRS],
    f"{WORKERS}.capacity": {"training-plan": {"arn": PLAN, "zone": "us-west-2a", "count": 4}},
    f"{WORKERS}.hyperpod": {
        "deep-health-checks": ["instance-stress", "instance-connectivity"],
        "volume": {"size": "500GiB", "key": KEY},
        "root-volume-key": KEY,
        "interface": "efa-only",
        "updates": {"schedule": "cron(0 3 ? * SUN *)", "at-once": {"count": 1}, "wait-seconds": 60},
    },
    "groups.inference": {
        "for": "inference",
        "instance": "g5.8xlarge",
        "nodes": 1,
        "capacity": "spot",
        "hyperpod": {
            "lifecycle": {"own": {"at": "s3://sagemaker-theirs/lcs", "on-init-complete": "after.sh"}},
            "image": {"release": "1.3.0"},
            "updates": {"patching": "when-all-idle"},
        },
    },
}
"""What a description can say of HyperPod."""


def names(program: Registered, urns: Any) -> set[tuple[str, str]]:
    """(type, name) of some registrations."""
    by_urn = {each.urn: (each.type, each.name) for each in program.all}
    return {by_urn[urn] for urn in urns}


@pytest.mark.parametrize("edits", [{}, EVERYTHING])
def test_what_is_registered_is_what_aws_takes(edits: Mapping[str, Any]) -> None:
    """By CloudFormation's schema and by the API's model, with every field that a description can set."""
    request = properties(cluster_of(registered(edits)))
    assert cloudformation_faults(request) == []
    assert api_faults(request) == []


@pytest.mark.parametrize(
    ("own", "scaling", "storage"),
    [
        ({}, None, {"mode": "Disable"}),
        ({"provisioning": "continuous"}, {"mode": "Disable"}, {"mode": "Disable"}),
        (
            {"provisioning": "continuous", "autoscaling": "karpenter"},
            {"mode": "Enable", "autoScalerType": "Karpenter"},
            {"mode": "Disable"},
        ),
        (
            {"tiered-storage": {"memory-percent": 20}},
            None,
            {"mode": "Enable", "instanceMemoryAllocationPercentage": 20},
        ),
    ],
)
def test_what_is_off_is_said(own: Mapping[str, Any], scaling: Any, storage: Any) -> None:
    """An update that says nothing of it turns nothing off; what there is only with continuous is named only there."""
    cluster = cluster_of(registered({"hyperpod": own}))
    assert (cluster.get("autoScaling"), cluster.get("tieredStorageConfig")) == (scaling, storage)
    assert api_faults(properties(cluster)) == []
    assert cloudformation_faults(properties(cluster)) == []


def test_groups_stand_in_one_order() -> None:
    """By name, as the engine has them: written in another, `plan` and `hyperpod config` show what `up` registers."""
    written = {**EVERYTHING, "groups.before": {"for": "system", "instance": "m5.2xlarge", "nodes": 1}}
    assert [group["instanceGroupName"] for group in cluster_of(registered(written))["instanceGroups"]] == [
        "before",
        "inference",
        "system",
        "workers",
    ]
    assert [group.name for group in a_blueprint(written).instance_groups] == [
        "before",
        "inference",
        "system",
        "workers",
    ]


def test_its_region_is_said_aloud() -> None:
    """By a provider of its own: neither the environment's Region nor another provider's decides where machines run."""
    program = registered(region="eu-west-1")
    provider, cluster = program.one(PROVIDER, "aws-native"), program.one(CLUSTER, "hyperpod")
    assert provider.inputs["region"] == "eu-west-1"
    assert cluster.options["provider"] == f"{provider.urn}::{provider.id}"


def test_a_change_of_name_network_or_eks_cluster_replaces_and_nothing_else_does() -> None:
    """As AWS's schema has it; groups change in place."""
    replacing = {path.replace("/", ".") for path in create_only()}
    said = registered().one(CLUSTER, "hyperpod").options["replaceOnChanges"]
    assert {each.lower() for each in said} == {each.lower() for each in replacing}


def test_it_waits_for_all_that_its_instances_need() -> None:
    """Its chart, the CNI, the network's rules, the rights of its role, every script: a node that comes first fails."""
    program = registered(EVERYTHING)
    needed = names(program, program.one(CLUSTER, "hyperpod").dependencies)
    assert {
        (RELEASE, "hyperpod"),
        ("aws:eks/addon:Addon", "vpc-cni"),
        ("aws:eks/addon:Addon", "eks-pod-identity-agent"),
        ("aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule", "efa-to-itself"),
        ("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", "efa-from-itself"),
        (ROLE_POLICY, "hyperpod-instances"),
        (ROLE_POLICY, "hyperpod-autoscaler"),
        (ATTACHMENT, "hyperpod-instances-AmazonSageMakerClusterInstanceRolePolicy"),
        ("aws:s3/bucketPolicy:BucketPolicy", "lifecycle"),
        (SCRIPT, "workers/on_create.sh"),
        (SCRIPT, "workers/settings.env"),
    } <= needed
    assert {name for type_, name in needed if type_ == SCRIPT} == set(program.named(SCRIPT))


def test_nothing_that_needs_a_node_stands_before_it() -> None:
    """CoreDNS and operators come after: they would wait for nodes that wait for them."""
    program = registered()
    cluster = program.one(CLUSTER, "hyperpod").urn
    late = {("aws:eks/addon:Addon", "coredns"), ("kubernetes:yaml/v2:ConfigFile", "mpi-operator")}
    after = {(each.type, each.name) for each in program.all if cluster in each.dependencies}
    assert late <= after
    assert not late & names(program, program.one(CLUSTER, "hyperpod").dependencies)


@pytest.mark.parametrize("preview", [False, True])
@pytest.mark.parametrize("theirs", ["1.34", "1.36", "1.38"])
def test_an_eks_cluster_of_another_version_is_refused(theirs: str, *, preview: bool) -> None:
    """Its nodes have the cluster's version, which HyperPod may not take: rules judge what the description says."""
    with pytest.raises(Exception, match=r"^kubernetes: ") as refusal:
        registered({"control-plane": {"existing": EXISTING}, "api": DROP}, found={"version": theirs}, preview=preview)
    said = f"kubernetes: the description sets 1.35, but AWS reports {theirs} for cluster theirs"
    assert str(refusal.value) == f"{said}\n  fix: write {theirs}"


def test_ids_may_be_unknown() -> None:
    """In a preview the program's own words are there, and what only AWS knows is not: rules see the rest."""
    program = registered(EVERYTHING, preview=True)
    group = group_of(program)
    assert group["executionRole"] is UNKNOWN
    assert group["lifeCycleConfig"]["sourceS3Uri"] is UNKNOWN
    assert group["lifeCycleConfig"]["onCreate"] == "on_create.sh"
    assert (group["instanceType"], group["instanceCount"]) == ("ml.p5.48xlarge", 4)
    assert cluster_of(program)["orchestrator"] == {"eks": {"clusterArn": UNKNOWN}}


def test_outputs_lead_into_the_cluster() -> None:
    """Its ARN's last part is the cluster's id, by which logs and Session Manager go."""
    program = registered()
    id_ = program.one(CLUSTER, "hyperpod").outputs["clusterArn"].rpartition("/")[2]
    told = program.outputs["hyperpod"]
    assert told["arn"].endswith(f":cluster/{id_}")
    assert f"/aws/sagemaker/Clusters/test/{id_}" in program.outputs["logGroups"].values()
    assert f"sagemaker-cluster:{id_}_workers-" in program.outputs["nodeGroups"]["workers"]["session"]
    assert program.outputs["nodeGroups"]["workers"]["roleArn"] == program.one(ROLE, "hyperpod-instances").outputs["arn"]
    assert told["lifecycle"] == program.one(BUCKET, "lifecycle").outputs["bucket"]


def test_a_stack_on_eks_never_loads_the_native_provider() -> None:
    """It costs seconds and memory, and its plugin a download."""
    code = (
        "import sys; from tests.infra.registered import registered; registered(); "
        "assert not [each for each in sys.modules if each.startswith('pulumi_aws_native')]; "
        "from tests.infra.hyperpod.described import registered; registered(); "
        "assert 'pulumi_aws_native' in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
