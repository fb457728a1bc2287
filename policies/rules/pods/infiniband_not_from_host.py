"""EFA's device files in a pod, and what mounts them."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from muster.fleet.resources import Fleet, PodOwner, PodTemplate
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.pods import host_paths, is_device_plugin, is_or_below

_DEVICES = PurePosixPath("/dev/infiniband")


def infiniband_not_from_host(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    def judge(template: PodTemplate) -> Iterator[Verdict]:
        for name, path in host_paths(template).items():
            if is_or_below(path, _DEVICES) and not is_device_plugin(owner, template):
                got = f"{template.path} mounts {path} from its node (volume {name})"
                change = "remove the volume, and set vpc.amazonaws.com/efa under resources.limits"
                yield rule.finding(owner, got=got, change=change)

    yield from rule.each(owner.templates, judge, owner.place)
