"""The roles of a HyperPod cluster: what its instances may do, and what its autoscaler may."""

from collections.abc import Iterable, Mapping

import pulumi

from infra.hyperpod.lifecycle import LifecycleScripts
from infra.hyperpod.permissions import INSTANCES, Ground, of_autoscaler, of_instances
from infra.joined import Joined
from infra.role import Role
from infra.surroundings import Surroundings
from muster.fleet.blueprint import Blueprint
from muster.fleet.iam import trust
from muster.fleet.resources import Ref, Reference


def instance_role(
    blueprint: Blueprint,
    cluster: Joined,
    around: Surroundings,
    security_groups: Mapping[Reference, pulumi.Input[str]],
    scripts: LifecycleScripts | None,
    below: pulumi.ResourceOptions,
) -> Role:
    """The execution role of all instance groups.

    Nodes of EKS have others: SageMaker makes this one's access entry itself, with the deployer's rights and of a type
    of its own, when it makes the cluster.

    Args:
        blueprint: of a cluster on HyperPod.
        cluster: the control plane.
        around: the network.
        security_groups: the ids of those that this program makes.
        scripts: Muster's own, where any group has them.
        below: options of the role.
    """
    assert blueprint.hyperpod is not None, "only a cluster on HyperPod has one"
    shared, own = blueprint.hyperpod.cluster, [group.instance_group for group in blueprint.instance_groups]
    subnets = _distinct([shared.subnets, *(each.subnets for each in own)])
    groups = _distinct([shared.security_groups, *(each.security_groups for each in own)])
    buckets = _buckets(blueprint)
    told = pulumi.Output.all(
        cluster.arn,
        around.vpc,
        around.ids(subnets),
        [security_groups.get(each, str(each)) for each in groups],
        [*buckets, *([scripts.bucket] if scripts else [])],
    )
    keys = _volume_keys(blueprint)
    permissions: pulumi.Output[str] = told.apply(
        lambda known: of_instances(Ground(known[0], known[1], tuple(known[2]), tuple(known[3]), tuple(known[4]), keys))
    )
    sagemaker = trust("sagemaker.amazonaws.com", "sts:AssumeRole")
    return Role("hyperpod-instances", blueprint, sagemaker, (INSTANCES,), below, inline=permissions)


def autoscaler_role(blueprint: Blueprint, cluster: Joined, below: pulumi.ResourceOptions) -> Role:
    """The role by which HyperPod's Karpenter adds nodes (`ClusterRole`)."""
    keys = _volume_keys(blueprint)
    permissions: pulumi.Output[str] = pulumi.Output.from_input(cluster.arn).apply(
        lambda arn: of_autoscaler(Ground(arn, keys=keys))
    )
    hyperpod = trust("hyperpod.sagemaker.amazonaws.com", "sts:AssumeRole")
    return Role("hyperpod-autoscaler", blueprint, hyperpod, (), below, inline=permissions)


def _distinct(several: Iterable[tuple[Reference, ...]]) -> list[Reference]:
    return sorted({each for references in several for each in references}, key=str)


def _buckets(blueprint: Blueprint) -> list[str]:
    """The names of buckets of the description that instances have scripts from."""
    scripts = (group.instance_group.lifecycle for group in blueprint.instance_groups)
    places = {str(each.source) for each in scripts if each and not isinstance(each.source, Ref)}
    return sorted({place.removeprefix("s3://").partition("/")[0] for place in places})


def _volume_keys(blueprint: Blueprint) -> tuple[str, ...]:
    """The ARNs of the KMS keys of instances' volumes."""
    volumes = [volume for group in blueprint.instance_groups for volume in group.instance_group.volumes]
    return tuple(sorted({str(volume.key) for volume in volumes if volume.key}))
