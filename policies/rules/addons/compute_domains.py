"""ComputeDomains: NVLink between the nodes of an UltraServer."""

from collections.abc import Iterator
from functools import partial

from muster.addons.values import workloads_of
from muster.edits import add, remove, set_to
from muster.fleet.resources import Addon, Fleet
from muster.fleet.resources.fleet import KubernetesGroup
from muster.hardware.ultraservers import NVLINK, ultraservers_of
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import NVIDIA_DRA_CHARTS, switched_on
from muster.policies.lookups.device_plugins import labelled_node_kinds_of
from muster.policies.lookups.installed_addons import catalogued
from muster.policies.lookups.pod_placement import Schedulable, schedulable
from muster.unknown import NotKnown, any_of, has_unknown

_DOMAINS = ("resources", "computeDomains", "enabled")


def ultraserver_has_compute_domains(group: KubernetesGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # Only for described clusters: a foreign program may install the driver in another project.
    if group.purpose is None:
        return
    machines = [spot.machine for spot in labelled_node_kinds_of(group, fleet)]
    if not any(each.interconnect == NVLINK for machine in machines for each in ultraservers_of(machine.instance)):
        return
    if any_of(*(partial(_creates_for, group, fleet, addon) for addon in fleet.of(Addon))):
        return
    if fleet.absent:
        raise NotKnown(f"whether another stack installs NVIDIA's DRA driver: {'; '.join(fleet.absent)}")
    drivers = [addon for addon in fleet.of(Addon) if addon.chart in NVIDIA_DRA_CHARTS]
    creating = [addon for addon in drivers if _creates_domains(addon)]
    if creating:
        got = f"the nodes are part of an UltraServer, but {creating[0].ref.name} does not run on them"
        change = (add(group.ref.name, at=_of(creating[0], "groups")), remove(at=_of(creating[0], "groups")))
        yield rule.finding(group, "instance", got=got, change=change)
    elif drivers:
        got = f"the nodes are part of an UltraServer, but {drivers[0].ref.name} creates no ComputeDomains"
        yield rule.finding(
            group, "instance", got=got, change=remove(at=_of(drivers[0], ".".join(("values", *_DOMAINS))))
        )
    else:
        got = "the nodes are part of an UltraServer, but no add-on creates ComputeDomains for NVLink between nodes"
        driver = set_to({"values": {"resources": {"gpus": {"enabled": False}}}}, at="/addons.nvidia-dra-driver")
        yield rule.finding(group, "instance", got=got, change=driver)


def _of(addon: Addon, at: str) -> str:
    """A key of an add-on, from the root."""
    return f"/{addon.place.path(at)}"


def _creates_for(group: KubernetesGroup, fleet: Fleet, addon: Addon) -> bool:
    """Whether an add-on creates ComputeDomains, and its pods run on the nodes of a group."""
    if addon.chart not in NVIDIA_DRA_CHARTS or not _creates_domains(addon):
        return False
    known = catalogued(addon)
    daemons = [each for each in workloads_of(known, addon.values) if each.kind == "DaemonSet"] if known else []
    return not daemons or any(
        schedulable(each.placement.pod_spec, spot) is not Schedulable.NO
        for each in daemons
        for spot in labelled_node_kinds_of(group, fleet)
    )


def _creates_domains(addon: Addon) -> bool:
    if has_unknown(addon.values):
        raise NotKnown("values", addon)
    return switched_on(addon.values, *_DOMAINS, default=True)
