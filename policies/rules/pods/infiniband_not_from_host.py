"""EFA's device files in a pod, and what mounts them."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Fleet, PodOwner, PodTemplate
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.pods import host_paths, is_device_plugin, is_or_below

_DEVICES = PurePosixPath("/dev/infiniband")


@rule(
    "infiniband-not-from-host",
    title="No pod mounts /dev/infiniband from its node",
    judges=PodOwner,
    backends=ON_KUBERNETES,
    why="The EFA plugin gives a container only the device files of the container's interfaces. With a mount from the "
    "node, every pod also has all the others: libfabric opens files that belong to another pod, or none.",
    source=(
        "https://github.com/aws-samples/aws-do-eks/issues/63",
        "https://github.com/NVIDIA/k8s-device-plugin/issues/1692",
    ),
    remedy="Request vpc.amazonaws.com/efa, and mount nothing.",
    facts=("rules.md#46", "pains.md#11"),
)
def infiniband_not_from_host(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    def judge(template: PodTemplate) -> Iterator[Verdict]:
        for name, path in host_paths(template).items():
            if is_or_below(path, _DEVICES) and not is_device_plugin(owner, template):
                got = f"{template.path} mounts {path} from its node (volume {name})"
                change = "remove the volume, and set vpc.amazonaws.com/efa under resources.limits"
                yield rule.finding(owner, got=got, change=change)

    yield from rule.each(owner.templates, judge, owner.place)
