"""Auto Scaling groups of EKS nodes (`aws.autoscaling.Group`) as judged things."""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import NodeGroup, Place, Taint
from muster.fleet.resources.place import AUTO_SCALING_GROUP, CLUSTER, SUBNET
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.views.mixed_instances import launched, own_target
from policies.views.references import References, blocks, known, size, whole

SCHEDULE = "aws:autoscaling/schedule:Schedule"
CLUSTER_TAG = "kubernetes.io/cluster/"
LABEL_TAG = "k8s.io/cluster-autoscaler/node-template/label/"
TAINT_TAG = "k8s.io/cluster-autoscaler/node-template/taint/"


def auto_scaling_group(
    resource: Registration, references: References, schedules: Iterable[Registration]
) -> NodeGroup | None:
    """Reads an Auto Scaling group whose tags say that it is an EKS cluster's; another is none of ours.

    Labels and taints stand in the tags that a cluster autoscaler reads.
    """
    inputs = resource.inputs
    listed = blocks(inputs.get("tags"))
    tags = {str(each.get("key", "")): each.get("value", "") for each in known(listed)}
    if not any(key.startswith(CLUSTER_TAG) for key in tags) and not _made_of_a_cluster(resource, references, listed):
        return None
    labels, taints = _after(LABEL_TAG, tags), _after(TAINT_TAG, tags)
    made_of = launched(resource, references)
    first = inputs.get("desiredCapacity", inputs.get("minSize"))
    return NodeGroup(
        ref=references.ref(resource),
        template=made_of.template,
        instance_types=made_of.instance_types,
        subnets=references.several(inputs.get("vpcZoneIdentifiers"), resource, "vpcZoneIdentifiers", (SUBNET,)),
        ami_type=None,
        capacity_type=made_of.capacity_type,
        nodes_min=size(inputs.get("minSize")) if made_of.counted else UNKNOWN,
        nodes_start=size(first) if made_of.counted else UNKNOWN,
        nodes_max=size(inputs.get("maxSize")) if made_of.counted else UNKNOWN,
        disk_size=None,
        remote_access=False,
        release_version=None,
        version=None,
        labels=UNKNOWN if UNKNOWN in (listed, *labels.values()) else frozenset(labels.items()),
        taints=UNKNOWN if UNKNOWN in (listed, *taints.values()) else frozenset(map(_taint, taints, taints.values())),
        place=Place(resource.urn),
        managed=False,
        zero_at=_zero_at(resource, references, schedules),
        target=own_target(resource, references),
    )


def _made_of_a_cluster(
    resource: Registration, references: References, tags: list[Mapping[str, Any]] | UnknownType
) -> bool:
    """Whether tags that are not yet known are made of a cluster's name: then one of them says whose nodes they are."""
    unknown = tags is UNKNOWN or any(each.get("key") is UNKNOWN for each in tags)
    return unknown and bool(references.behind(resource, ("tags",), (CLUSTER,)))


def _after(prefix: str, tags: Mapping[str, Any]) -> dict[str, str | UnknownType]:
    """The tags of a prefix, without it."""
    return {
        key.removeprefix(prefix): value if value is UNKNOWN else str(value)
        for key, value in tags.items()
        if key.startswith(prefix)
    }


def _taint(key: str, said: object) -> Taint:
    """``true:NoSchedule``."""
    value, _, effect = str(said).rpartition(":")
    return Taint(key, value, effect)


def _zero_at(
    group: Registration, references: References, schedules: Iterable[Registration]
) -> tuple[str, ...] | UnknownType:
    """When schedules set it to no nodes. One that may be its own, or may set it to none, says that it is not known."""
    moments: list[Any] = []
    for each in schedules:
        start = each.inputs.get("startTime", UNKNOWN if each.inputs.get("recurrence") else None)
        desired = whole(each.inputs.get("desiredCapacity"))
        answers = (_is_about(group, each, references), UNKNOWN if desired is UNKNOWN else desired == 0)
        if start is not None and not any(answer is False for answer in answers):
            moments.append(UNKNOWN if UNKNOWN in answers else start)
    if any(each is UNKNOWN for each in moments):
        return UNKNOWN
    return tuple(sorted(map(str, moments)))


_NAME = "autoscalingGroupName"


def _is_about(group: Registration, schedule: Registration, references: References) -> bool | UnknownType:
    """Whether it is a group's schedule. One whose name is made of groups of the program is of one of them."""
    own = references.ref(group)
    named = references.one(schedule.inputs.get(_NAME), schedule, _NAME, (AUTO_SCALING_GROUP,))
    if named is not UNKNOWN:
        return named == own
    candidates = references.behind(schedule, (_NAME,), (AUTO_SCALING_GROUP,))
    return UNKNOWN if not candidates or own in candidates else False
