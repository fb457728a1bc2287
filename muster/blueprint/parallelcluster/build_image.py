"""The configuration of `pcluster build-image` for a cluster: a custom AMI of the same version. Pure.

Sources: `schemas/imagebuilder_schema.py`, `validators/imagebuilder_validators.py` and `resources/imagebuilder/` of
aws-parallelcluster 3.16.1; ParallelCluster user guide, "`Build` section"; aws-parallelcluster-cookbook,
`install_pyxis.rb` and `_enroot_common.rb`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from muster.blueprint.cluster import ParallelClusterBlueprint
from muster.blueprint.iam import managed_policy
from muster.blueprint.logical_names import stack_tags
from muster.blueprint.parallelcluster.post_install import bucket, software
from muster.config.description.parallelcluster_nodes import Software
from muster.config.description.slurm_settings import Os
from muster.fleet.resources import Script
from muster.fleet.resources.parallelcluster import START, UPDATED
from muster.hardware import ami
from muster.hardware.catalogue import Accelerator, accelerated_types, architecture_of, hardware

PARENT_IMAGE = "PARENT_IMAGE"
"""The placeholder of the value that only AWS knows."""

MOST_COMPONENTS = 15
"""`ComponentsValidator`."""

_NEURON_BASE: Mapping[Os, str] = {
    Os.ALINUX2023: "amazon-linux-2023",
    Os.UBUNTU2204: "ubuntu-22.04",
    Os.UBUNTU2404: "ubuntu-24.04",
}
"""Operating system -> its name in the parameters of Neuron's base images (Neuron DLAMI user guide)."""

_OWN_PARENT: Mapping[Os, str] = {
    Os.ROCKY8: "an image of Rocky Linux 8 (ParallelCluster has none): https://rockylinux.org/download",
    Os.ROCKY9: "an image of Rocky Linux 9 (ParallelCluster has none): https://rockylinux.org/download",
}


@dataclass(frozen=True, slots=True)
class BuildImage:
    """The configuration of `pcluster build-image`, and notes on it."""

    configuration: Mapping[str, Any]
    parent: str
    """The source of the parent image's id."""
    at_start: Mapping[str, str]
    """Script that nodes still run when they start -> why it is in no image."""


def build_image(blueprint: ParallelClusterBlueprint) -> BuildImage:
    """An image that contains the software that every node of the cluster would otherwise install when it starts."""
    baked, at_start = _scripts_for_image(blueprint)
    instance = _instance(blueprint)
    build: dict[str, Any] = {
        "InstanceType": instance,
        "ParentImage": f"${{{PARENT_IMAGE}}}",
        "Imds": {"ImdsSupport": "v2.0"},
    }
    if any(bucket(script) for script in baked):
        policy = managed_policy(blueprint.region, "AmazonS3ReadOnlyAccess")
        build["Iam"] = {"AdditionalIamPolicies": [{"Policy": policy}]}
    if baked:
        build["Components"] = [{"Type": "script", "Value": script.at} for script in baked]
    if _has_gpu(instance):
        # The cookbook installs Enroot and Pyxis with it, and only a machine with a GPU takes it
        # (InstanceTypeSoftwareValidator).
        build["Installation"] = {"NvidiaSoftware": {"Enabled": True}}
    configuration: dict[str, Any] = {
        "Region": blueprint.region,
        "Image": {
            "RootVolume": {"Size": _root_gib(blueprint)},
            "Tags": [{"Key": key, "Value": value} for key, value in stack_tags(blueprint).items()],
        },
        "Build": build,
    }
    if _old_gpus(blueprint):
        attributes = {"cluster": {"nvidia": {"kernel_open": False}}}
        configuration["DevSettings"] = {"Cookbook": {"ExtraChefAttributes": json.dumps(attributes)}}
    return BuildImage(configuration, _parent(blueprint), at_start)


def image_id(blueprint: ParallelClusterBlueprint) -> str:
    """A valid name for the image in ParallelCluster. It contains the version, because the image works with no other."""
    return f"{blueprint.cluster_name}-{blueprint.described.version.replace('.', '-')}"


def _scripts_for_image(blueprint: ParallelClusterBlueprint) -> tuple[tuple[Script, ...], dict[str, str]]:
    """The scripts for the image, and those for nodes that start."""
    nodes = _scripts(blueprint)
    baked: list[Script] = []
    at_start: dict[str, str] = {}
    for script in dict.fromkeys(script for scripts in nodes for script in scripts):
        if why := _why_at_start(script, nodes):
            at_start[str(script.at)] = why
        elif len(baked) == MOST_COMPONENTS:
            at_start[str(script.at)] = f"ParallelCluster allows at most {MOST_COMPONENTS} scripts in an image"
        else:
            baked.append(script)
    return tuple(baked), at_start


def _why_at_start(script: Script, nodes: tuple[tuple[Script, ...], ...]) -> str:
    if software(script) is Software.PYXIS:
        return "it configures a node of a cluster; Pyxis and Enroot, which it configures, are in the image"
    if script.event == START:
        return "it has at-start, so it runs before ParallelCluster configures a node"
    if script.arguments:
        return "scripts of an image get no arguments"
    if not all(script in scripts for scripts in nodes):
        return "not every node runs it, but all nodes use the image"
    return ""


def _instance(blueprint: ParallelClusterBlueprint) -> str:
    """The instance type of the build: the smallest with a GPU if the image needs NVIDIA's software, otherwise that of
    the head node. Pyxis also needs it: otherwise the image has no Enroot, and the script of Pyxis fails."""
    head = blueprint.described.head.instance
    gpus = any(group.node.hardware.accelerator is Accelerator.GPU for group in blueprint.groups)
    pyxis = any(software(each) is Software.PYXIS for scripts in _scripts(blueprint) for each in scripts)
    if not gpus and not pyxis:
        return head
    architecture = architecture_of(head) or blueprint.groups[0].node.hardware.architecture
    able = (
        each
        for each in map(hardware, accelerated_types())
        if each.accelerator is Accelerator.GPU and each.gpu_fraction == 1 and each.architecture == architecture
    )
    return min(able, key=lambda each: (each.vcpus, each.accelerators, each.memory_mib, each.instance)).instance


def _has_gpu(instance: str) -> bool:
    """A head node may be of a type that Muster does not know, which counts as one without a GPU."""
    return instance in accelerated_types() and hardware(instance).accelerator is Accelerator.GPU


def _old_gpus(blueprint: ParallelClusterBlueprint) -> bool:
    """Whether it needs NVIDIA's closed driver (`nvidia_kernel_module` of the cookbook's `_nvidia_driver_common.rb`)."""
    return not all(ami.supports_open_driver(each) for group in blueprint.groups for each in group.described.types)


def _scripts(blueprint: ParallelClusterBlueprint) -> tuple[tuple[Script, ...], ...]:
    """The scripts of the head node, of each queue and of each pool of login nodes."""
    pools = (each.scripts for each in blueprint.login_pools)
    head = tuple(each for each in blueprint.head.scripts if each.event != UPDATED)
    return (head, *(each.resource.scripts for each in blueprint.queues), *pools)


def _parent(blueprint: ParallelClusterBlueprint) -> str:
    """The source of the parent image's id. ParallelCluster's own images of another version are refused."""
    os, region = blueprint.described.os, blueprint.region
    machines = [group.node.hardware for group in blueprint.groups]
    if any(each.accelerator is Accelerator.NEURON for each in machines):
        if os in _NEURON_BASE:
            name = f"/aws/service/neuron/dlami/base/{_NEURON_BASE[os]}/latest/image_id"
            return (
                "the base image of Neuron, because the image of ParallelCluster has no Neuron driver: "
                f"aws ssm get-parameter --region {region} --name {name} --query Parameter.Value --output text"
            )
        return f"your own image of {os} with the Neuron driver, because AWS has none; AWS has one for os: ubuntu2404"
    if _old_gpus(blueprint):
        return (
            f"an image of {os} without ParallelCluster, because the image of ParallelCluster has an open driver, "
            "which does not support these GPUs"
        )
    if os in _OWN_PARENT:
        return _OWN_PARENT[os]
    architecture = machines[0].architecture
    return (
        f"the image of ParallelCluster {blueprint.described.version}, which already has drivers, EFA and Slurm: "
        f"pcluster list-official-images --region {region} --os {os} --architecture {architecture} --query "
        "'images[0].amiId'"
    )


def _root_gib(blueprint: ParallelClusterBlueprint) -> int:
    """The size of the image's root volume: never more than the smallest root volume of the cluster's nodes, because
    ParallelCluster refuses a cluster whose image is larger."""
    roots = (blueprint.described.head.root, *(queue.root for queue in blueprint.described.queues.values()))
    return min(root.size.gib for root in roots)
