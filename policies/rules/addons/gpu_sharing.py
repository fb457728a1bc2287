"""GPUs that the device plugin shares, on nodes for training."""

from collections.abc import Iterator

from muster.blueprint.gpu_sharing import GPU, GpuSharing, gpu_sharing
from muster.config.description.node_group import Purpose
from muster.fleet.resources import Addon, Fleet
from muster.plain_data import value_at
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import AddonPart, PartKind
from muster.policies.lookups.device_plugins import offers_device, schedulable_on
from muster.policies.lookups.installed_addons import parts_of
from muster.policies.lookups.pod_placement import NodeKind, Schedulable, node_kinds


def training_gpus_not_shared(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for part, spot, sharing in _shared(addon, fleet):
        gpus, leveled = spot.machine.accelerators, rule
        if sharing.renamed:
            got = f"{part.what} of {part.name} offers nvidia.com/gpu.shared on {spot.name}, but no {GPU}: jobs wait"
        elif sharing.one_only and gpus > 1:
            got = f"{part.what} of {part.name} rejects pods with more than one {GPU} on {spot.name} ({sharing.how})"
        else:
            leveled = rule.advice
            got = f"{part.what} of {part.name} offers each GPU of {spot.name} {sharing.replicas} times ({sharing.how})"
        change = (f"remove sharing.{sharing.how} from this configuration", "select another one for these nodes")
        yield leveled.finding(addon, f"{part.at}.{sharing.at}", got=got, change=change)


def _shared(addon: Addon, fleet: Fleet) -> Iterator[tuple[AddonPart, NodeKind, GpuSharing]]:
    """The kinds of nodes for training whose GPUs a plugin of this add-on shares, one for each configuration."""
    seen = set()
    plugins = [each for each in parts_of(addon) if each.what is PartKind.NVIDIA_PLUGIN]
    for part in (each for each in plugins if value_at(each.values, "config")):
        for spot in node_kinds(fleet):
            trains = spot.group is not None and spot.group.purpose is Purpose.TRAINING
            if not trains or not offers_device(spot, GPU, fleet) or schedulable_on(part, spot) is Schedulable.NO:
                continue
            sharing = gpu_sharing(part.values, spot.known_labels)
            if sharing and (at := f"{part.at}.{sharing.at}") not in seen:
                seen.add(at)
                yield part, spot, sharing
