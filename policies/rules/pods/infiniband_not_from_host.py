"""EFA's device files in a pod, and who put them there."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from muster.fleet.resources import Fleet, PodOwner
from muster.plain_data import value_at
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.pods import host_paths, is_device_plugin, is_or_below

_DEVICES = PurePosixPath("/dev/infiniband")


@rule(
    "infiniband-not-from-host",
    title="No pod mounts /dev/infiniband from its node",
    judges=PodOwner,
    backends=("eks", "hyperpod"),
    why="The EFA plugin gives a container the device files of its interfaces, and no others. Mounted from the node, "
    "all of them are there beside those, in every pod: libfabric opens some that are another pod's, or none.",
    source="aws-samples/aws-do-eks#63; NVIDIA/k8s-device-plugin#1692",
    remedy="Ask for vpc.amazonaws.com/efa, and mount nothing.",
    facts=("rules.md#46", "pains.md#11"),
)
def infiniband_not_from_host(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for template in owner.templates:
        if value_at(template.spec, "volumes") is UNKNOWN:
            yield rule.unjudged(owner.place, f"the volumes of {template.path}, not known before creation")
            continue
        if is_device_plugin(owner, template):
            continue
        for name, path in host_paths(template).items():
            if path is not UNKNOWN and is_or_below(path, _DEVICES):
                yield rule.finding(
                    owner.place,
                    got=f"{template.path} mounts {path} of its node (volume {name})",
                    remedy="remove the volume, and ask for vpc.amazonaws.com/efa under resources.limits",
                )
