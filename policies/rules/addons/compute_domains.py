"""ComputeDomains: NVLink between the nodes of an UltraServer."""

from collections.abc import Iterator

from muster.addons.values import workloads_of
from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Addon, Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import KubernetesGroup
from muster.hardware.ultraservers import NVLINK, ultraservers_of
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.chart_contents import NVIDIA_DRA_CHARTS, switched_on
from muster.policies.lookups.device_plugins import labelled_node_kinds_of
from muster.policies.lookups.installed_addons import catalogued
from muster.policies.lookups.machines import known_machines
from muster.policies.lookups.pod_placement import Schedulable, schedulable
from muster.unknown import UNKNOWN, has_unknown

_DOMAINS = ("resources", "computeDomains", "enabled")


@rule(
    "ultraserver-has-compute-domains",
    title="NVIDIA's DRA driver creates ComputeDomains for the UltraServers of a cluster",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup | InstanceGroup,
    backends=ON_KUBERNETES,
    why="GPUs of different nodes use NVLink through an IMEX domain. NVIDIA's DRA driver creates one for each "
    "ComputeDomain, and gives its pods their channel. AWS states that P6e-GB200 on EKS requires DRA.",
    source=("https://docs.aws.amazon.com/eks/latest/userguide/ml-eks-nvidia-ultraserver.html",),
    remedy="Install NVIDIA's DRA driver with ComputeDomains.",
    facts=("hardware.md#u3",),
)
def ultraserver_has_compute_domains(group: KubernetesGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # Only for described clusters: a foreign program may install the driver in another project.
    if group.purpose is None:
        return
    machines = known_machines(group, fleet)
    if not any(each.interconnect == NVLINK for machine in machines for each in ultraservers_of(machine.instance)):
        return
    drivers = [addon for addon in fleet.of(Addon) if addon.chart in NVIDIA_DRA_CHARTS]
    missing = [addon for addon in fleet.of(Addon) if addon.chart is UNKNOWN]
    missing += [addon for addon in drivers if addon.values is UNKNOWN or has_unknown(addon.values)]
    creating = [addon for addon in drivers if addon not in missing and _creates_domains(addon)]
    if any(_reaches(addon, group, fleet) for addon in creating):
        return
    if fleet.absent or missing:
        stacks = f"whether another stack installs NVIDIA's DRA driver: {'; '.join(fleet.absent)}"
        yield rule.unjudged(group.place, stacks if fleet.absent else f"the values of {missing[0].ref.name}")
    elif creating:
        yield rule.finding(
            group.place,
            at="instance",
            got=f"the nodes are part of an UltraServer, but {creating[0].ref.name} does not run on them",
            remedy=f"add {group.ref.name} to groups of {creating[0].ref.name}, or remove groups",
        )
    elif drivers:
        switch = ".".join(_DOMAINS)
        yield rule.finding(
            group.place,
            at="instance",
            got=f"the nodes are part of an UltraServer, but {drivers[0].ref.name} creates no ComputeDomains",
            remedy=f"remove {switch}: false from the values of {drivers[0].ref.name}",
        )
    else:
        yield rule.finding(
            group.place,
            at="instance",
            got="the nodes are part of an UltraServer, but no add-on creates ComputeDomains for NVLink between nodes",
            remedy="add `nvidia-dra-driver: {values: {resources: {gpus: {enabled: false}}}}` under addons",
        )


def _reaches(driver: Addon, group: KubernetesGroup, fleet: Fleet) -> bool:
    """Whether its pods run on the nodes of a group, as far as known."""
    known = catalogued(driver)
    assert isinstance(driver.values, dict), "known"
    daemons = [each for each in workloads_of(known, driver.values) if each.kind == "DaemonSet"] if known else []
    return not daemons or any(
        schedulable(each.placement.pod_spec, spot) is not Schedulable.NO
        for each in daemons
        for spot in labelled_node_kinds_of(group, fleet)
    )


def _creates_domains(addon: Addon) -> bool:
    return isinstance(addon.values, dict) and switched_on(addon.values, *_DOMAINS, default=True)
