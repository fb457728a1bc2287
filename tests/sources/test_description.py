"""What is written for the clusters of other tools' files: the same groups, types, counts and capacity, and one line for
each part that is left out."""

import json
from typing import Any

import pytest
import yaml

from muster.cli.imported_file import import_file
from muster.sources.recognition import recognize
from muster.sources.source import CannotBeRead, ImportedDescription
from tests.sources.brought_over import opened
from tests.sources.judged import EXAMPLES as FOLDER
from tests.sources.judged import SOUND, a_file

RESERVED = {"id": "cr-0123456789abcdef0", "zone": "us-west-2a"}
EXAMPLES: dict[str, tuple[str, dict[str, tuple[str, Any, str]], set[str]]] = {
    "eks-p5.yaml": (
        "eks",
        {
            "system": ("c5.2xlarge", 1, "on-demand"),
            "workers": ("p5.48xlarge", {"min": 0, "start": 2, "max": 2, "scaled-by": "you"}, "reservation"),
        },
        {"iam.withOIDC"},
    ),
    "eks-training.template.yaml": (
        "eks",
        {"workers": ("p4d.24xlarge", 2, "capacity-block")},
        {"LaunchTemplate NodeTemplate.NetworkInterfaces", "Role NodeRole"},
    ),
    "terraform-plan.json": (
        "eks",
        {"gpu": ("p5.48xlarge", 2, "reservation")},
        {"aws_launch_template.gpu.network_interfaces", "aws_security_group.efa"},
    ),
    "hyperpod.json": (
        "hyperpod",
        {
            "system": ("m5.2xlarge", 2, "on-demand"),
            "workers": ("p5.48xlarge", {"count": 4, "minimum": 4}, "on-demand"),
        },
        {"Cluster ml-cluster.VpcConfig.SecurityGroupIds"},
    ),
    "parallelcluster.yaml": (
        "parallelcluster",
        {"p5-workers": ("p5.48xlarge", 8, "reservation")},
        set(),
    ),
}
"""File -> its backend, its groups, and some of the parts that are left out."""


def groups_of(cluster: Any) -> dict[str, Any]:
    queues = cluster.get("queues", {}).values()
    return cluster.get("groups") or {name: each for queue in queues for name, each in queue["groups"].items()}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_stack_has_the_groups_of_the_file(name: str) -> None:
    backend, groups, left_out = EXAMPLES[name]
    described = import_file(FOLDER / name).described
    opened(described)
    assert described.backend == backend
    found = {
        group: (each["instance"], each["nodes"], next(iter(each.get("capacity", ["on-demand"]))))
        for group, each in groups_of(described.cluster).items()
    }
    assert found == groups
    assert left_out <= {each.path for each in described.left_out}


def test_storage_zones_and_addons_are_kept() -> None:
    eks, slurm = (import_file(FOLDER / each) for each in ("eks-p5.yaml", "parallelcluster.yaml"))
    assert eks.described.cluster["network"]["create"]["zones"] == ["us-west-2a", "us-west-2b"]
    assert {"efa-device-plugin", "nvidia-device-plugin"} <= set(eks.described.cluster["addons"])
    assert eks.described.cluster["groups"]["workers"]["capacity"]["reservation"].items() >= RESERVED.items()
    lustre = slurm.described.cluster["storage"]["fsx"]["lustre"]
    assert (lustre["size"], lustre["throughput"]) == ("4800GiB", 250)
    assert "network.existing.vpc" in slurm.described.placeholders


def test_subnets_of_one_zone_and_values_of_eks_addons_come_over() -> None:
    """The workers keep their own subnet, the second of its zone."""
    ids = {name: f"subnet-{name * 17}" for name in "abc"}
    zones = {"a": "us-west-2a", "b": "us-west-2b", "c": "us-west-2a"}
    group = {"instanceType": "m5.2xlarge", "desiredCapacity": 1, "privateNetworking": True}
    file = {
        "apiVersion": "eksctl.io/v1alpha5",
        "kind": "ClusterConfig",
        "metadata": {"name": "ml", "region": "us-west-2", "version": "1.35"},
        "vpc": {
            "id": "vpc-0123456789abcdef0",
            "subnets": {"private": {name: {"id": id_, "az": zones[name]} for name, id_ in ids.items()}},
        },
        "addons": [{"name": "vpc-cni", "configurationValues": 'env: {WARM_ENI_TARGET: "2"}'}],
        "managedNodeGroups": [
            {**group, "name": "system", "subnets": ["a", "b"]},
            {**group, "name": "w", "subnets": ["c"]},
        ],
    }
    made = described(file)
    assert made.cluster["network"]["existing"]["private"] == {
        "us-west-2a": [ids["a"], ids["c"]],
        "us-west-2b": ids["b"],
    }
    assert [each.get("subnets") for each in made.cluster["groups"].values()] == [None, [ids["c"]]]
    assert made.cluster["addons"]["eks-addons"] == {"vpc-cni": {"values": {"env": {"WARM_ENI_TARGET": "2"}}}}
    assert "addons[0].configurationValues" not in {each.path for each in made.left_out}


def test_the_head_node_keeps_its_subnet_and_what_comes_over_is_not_left_out() -> None:
    boundary = "arn:aws:iam::222233334444:policy/team"
    compute = {"Name": "gpu", "InstanceType": "p5.48xlarge", "MinCount": 1, "MaxCount": 1}
    queue = {"Name": "q", "Networking": {"SubnetIds": ["subnet-aaaaaaaa"]}, "ComputeResources": [compute]}
    efs = {"MountDir": "/data", "Name": "d", "StorageType": "Efs", "EfsSettings": {"ThroughputMode": "elastic"}}
    made = described(
        {
            "Region": "us-west-2",
            "Image": {"Os": "ubuntu2204"},
            "Iam": {"PermissionsBoundary": boundary},
            "HeadNode": {"InstanceType": "m5.xlarge", "Networking": {"SubnetId": "subnet-bbbbbbbb"}},
            "Scheduling": {"Scheduler": "slurm", "SlurmQueues": [queue]},
            "SharedStorage": [efs],
        }
    )
    zones = {subnet: zone for zone, subnet in made.cluster["network"]["existing"]["private"].items()}
    assert made.cluster["head"]["zone"] == zones["subnet-bbbbbbbb"]
    assert made.cluster["iam"] == {"permissions-boundary": boundary}
    assert "efs" in made.cluster["storage"]["data"]
    assert not made.left_out


MOUNTED = "kind: NodeConfig\nspec: {instance: {localStorage: {strategy: Mount}}}"


@pytest.mark.parametrize(
    ("family", "command"), [("AmazonLinux2", "/etc/eks/bootstrap.sh ml"), ("AmazonLinux2023", MOUNTED)]
)
def test_user_data_without_a_key_is_left_out(family: str, command: str) -> None:
    group = {"name": "w", "instanceType": "m5.xlarge", "amiFamily": family, "ami": "ami-0123456789abcdef0"}
    file = {
        "apiVersion": "eksctl.io/v1alpha5",
        "kind": "ClusterConfig",
        "metadata": {"name": "ml", "region": "us-west-2", "version": "1.32"},
        "managedNodeGroups": [{**group, "overrideBootstrapCommand": command}],
    }
    assert "node group w" in {each.path for each in described(file).left_out}


REQUEST = json.loads(SOUND["hyperpod.json"].read_text(encoding="utf-8"))
(WORKERS,) = REQUEST["InstanceGroups"]
SLURM = {
    **REQUEST,
    "Orchestrator": {"Slurm": {}},
    "InstanceGroups": [
        {**WORKERS, "InstanceGroupName": "controller", "SlurmConfig": {"NodeType": "Controller"}},
        {**WORKERS, "SlurmConfig": {"NodeType": "Compute", "PartitionNames": ["train"]}},
    ],
}


def described(document: Any, region: str | None = None) -> ImportedDescription:
    """What is written for a file, which has no faults."""
    file = a_file(json.dumps(document), "cluster.json")
    made = recognize(file).describe(file, region)
    opened(made)
    return made


def in_a_template(type_: str, **properties: Any) -> Any:
    """A CloudFormation template with one resource."""
    return {"Resources": {"Cluster": {"Type": type_, "Properties": properties}}}


def whole(name: str) -> Any:
    return yaml.safe_load(SOUND[name].read_text(encoding="utf-8"))


FILES: dict[str, Any] = {
    "request": REQUEST,
    "HyperPod CLI": whole("hyperpod-cli.yaml"),
    "HyperPod with Slurm": SLURM,
    "ParallelCluster": whole("parallelcluster.yaml"),
    "HyperPod in a template": in_a_template("AWS::SageMaker::Cluster", **REQUEST),
    "ParallelCluster in a template": in_a_template(
        "Custom::PclusterCluster", ClusterName="ml", ClusterConfiguration=whole("parallelcluster.yaml")
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_given_region_replaces_that_of_the_file(name: str) -> None:
    made = described(FILES[name], "eu-north-1")
    assert made.region == "eu-north-1"
    assert groups_of(made.cluster)
    assert "us-west-2a" not in json.dumps(made.cluster)


def test_counts_out_of_order_become_counts_that_a_description_can_have() -> None:
    made = described({**REQUEST, "InstanceGroups": [{**WORKERS, "MinInstanceCount": 8}]})
    assert made.cluster["groups"]["workers"]["nodes"] == {"count": 4, "minimum": 4}


def test_an_unknown_throughput_has_a_placeholder() -> None:
    settings = {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": {"Ref": "Unknown"}}
    document = in_a_template("AWS::SageMaker::Cluster", **REQUEST)
    document["Parameters"] = {"Unknown": {"Type": "Number"}}
    document["Resources"]["Scratch"] = {
        "Type": "AWS::FSx::FileSystem",
        "Properties": {"FileSystemType": "LUSTRE", "StorageCapacity": 2400, "LustreConfiguration": settings},
    }
    made = described(document)
    assert made.cluster["storage"]["scratch"]["lustre"]["throughput"] == 125
    assert "storage.scratch.lustre.throughput" in made.placeholders


def test_the_controller_of_slurm_is_no_group() -> None:
    made = described(SLURM).cluster
    assert made["controller"]["name"] == "controller"
    assert [each["partition"] for each in made["groups"].values()] == ["train"]


def test_nodes_of_an_unknown_type_are_refused() -> None:
    with pytest.raises(CannotBeRead):
        described({**REQUEST, "InstanceGroups": [{**WORKERS, "InstanceType": "ml.none.large"}]})
