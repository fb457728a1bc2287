"""What of rendered add-ons lands where it should not, or nowhere. Pure.

Whose fault it is (the user's values, or ours) is not asked here: `addons.blame` does.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from addons import checks
from addons.addon import Addon
from addons.landing import Landing
from addons.plugin_images import PLUGIN_IMAGES
from addons.site import Site
from addons.workload import Workload

_OFFERS = {image: device for device, image in PLUGIN_IMAGES.items()}


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing that is wrong with one add-on."""

    check: str
    addon: str
    about: str
    """A device, an image, or what a workload is but for its name: with other values it may have another."""
    group: str
    """Where; empty where no group is meant."""
    got: str = field(compare=False)
    remedy: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Landed:
    """An add-on, rendered."""

    addon: Addon
    workloads: tuple[Workload, ...]
    """What its values say it runs."""
    landings: tuple[Landing, ...]
    """What its chart gave."""
    images: tuple[str, ...] = ()

    def serving(self, landing: Landing) -> str | None:
        """The device that a workload offers: as we know it, or else by what runs in it."""
        if landing.kind != "DaemonSet":
            return None
        known = {each.name: each.serves for each in self.workloads if each.kind == landing.kind}
        if landing.name in known:
            return known[landing.name]
        if not landing.registers:
            # Feature discovery runs from the plugin's image, too.
            return None
        return next((_OFFERS[name] for name in map(_basename, landing.images) if name in _OFFERS), None)

    def meant(self, device: str, site: Site) -> tuple[str, ...]:
        """The groups that it is to offer a device to."""
        only = all(each.of_hyperpod for each in self.workloads if each.serves == device)
        known = any(each.serves == device for each in self.workloads)
        return tuple(each.group for each in site.offering(device) if each.hyperpod or not (known and only))

    @property
    def devices(self) -> tuple[str, ...]:
        """What it is there to offer."""
        own = (self.addon.serves, *(each.serves for each in self.workloads))
        return tuple(dict.fromkeys(each for each in own if each))


def _basename(image: str) -> str:
    return image.partition("@")[0].rpartition("/")[2].partition(":")[0]


def misplaced(landed: Landed, site: Site) -> Iterator[Fault]:
    """What is wrong with one add-on by itself."""
    for device in landed.devices:
        yield from _served(landed, device, site)
    for each in landed.landings:
        yield from _elsewhere(landed, each, site)
        yield from _without_a_place(landed, each)
    if site.mirrors.images:
        yield from _not_mirrored(landed, site.mirrors.images)


def served_twice(every: Iterable[Landed], site: Site) -> Iterator[Fault]:
    """Devices of a group that several plugins offer, of whichever add-ons: told of the later ones."""
    first: dict[tuple[str, str], tuple[str, str]] = {}
    for landed in every:
        for each in landed.landings:
            device = landed.serving(each)
            for group in each.groups if device else ():
                if device not in _nodes(site)[group]:
                    continue
                before = first.setdefault((str(device), group), (each.called, landed.addon.name))
                if before != (each.called, landed.addon.name):
                    yield Fault(
                        checks.ALONE,
                        landed.addon.name,
                        str(device),
                        group,
                        f"{each.called} offers {device} on group {group}, and so does {before[0]} of {before[1]}",
                        "keep one: two give the same device to two pods, and whichever goes takes all devices with it",
                    )


def _nodes(site: Site) -> Mapping[str, frozenset[str]]:
    return {each.group: each.offers for each in site.nodes}


def _served(landed: Landed, device: str, site: Site) -> Iterator[Fault]:
    """Each group that has the device and needs a plugin for it, and where the plugin does not land."""
    serving = [each for each in landed.landings if landed.serving(each) == device]
    name = landed.addon.name
    for group in landed.meant(device, site):
        obstacles = [(each.called, each.obstacle(group)) for each in serving]
        if not serving:
            there = ", ".join(each.called for each in landed.landings if each.kind == "DaemonSet") or "none"
            got = f"no DaemonSet offers {device} to group {group} (there are: {there})"
            yield Fault(checks.SERVES, name, device, group, got, "leave the chart's plugin switched on")
        elif all(why for _, why in obstacles):
            called, why = obstacles[0]
            got = f"{called} keeps off group {group}, which has {device}: {why}"
            yield Fault(checks.SERVES, name, device, group, got, f"let it onto the nodes of group {group}")


def _elsewhere(landed: Landed, each: Landing, site: Site) -> Iterator[Fault]:
    """Where a DaemonSet lands that offers devices, or can, and none are to be offered by it."""
    if each.kind != "DaemonSet":
        return
    device = landed.serving(each)
    if device is None and not (each.registers and landed.devices):
        return
    wanted = (device,) if device else landed.devices
    meant = {group for one in wanted for group in landed.meant(one, site)}
    built_in = {nodes.group: nodes.built_in for nodes in site.nodes}
    for group in each.groups:
        if group in meant:
            continue
        own = built_in[group].intersection(wanted)
        why = f"whose image offers {', '.join(sorted(own))} itself" if own else f"which has no {' or '.join(wanted)}"
        got = f"{each.called} lands on group {group}, {why}"
        yield Fault(checks.ELSEWHERE, landed.addon.name, _kind(each), group, got, f"keep it off group {group}")


def _without_a_place(landed: Landed, each: Landing) -> Iterator[Fault]:
    if each.kind == "DaemonSet" or not each.wanted or each.groups:
        return
    reasons = "; ".join(f"{group}: {each.obstacle(group)}" for group in each.obstacles)
    what = f"{each.called}, a hook," if each.hook else each.called
    got = f"{what} has no group that takes its pods: {reasons}"
    remedy = "tolerate the taints of a group for the system, or have one without taints"
    yield Fault(checks.PLACE, landed.addon.name, _kind(each), "", got, remedy)


def _kind(each: Landing) -> str:
    return " ".join((each.kind, *each.images))


def _not_mirrored(landed: Landed, mirror: str) -> Iterator[Fault]:
    for image in landed.images:
        if not image.startswith(f"{mirror.rstrip('/')}/"):
            got = f"image {image} does not come from {mirror}"
            yield Fault(checks.MIRROR, landed.addon.name, image, "", got, "name it as it is called in the mirror")
