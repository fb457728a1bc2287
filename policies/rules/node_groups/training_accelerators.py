"""Groups for training on types without accelerators and without EFA."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ComputeResource, Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import AnyGroup
from policies.engine.finding_text import and_list, singular_or_plural
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.device_plugins import plugins_without_devices, trains_without_devices
from policies.lookups.machines import machines_of

_REMEDY = "take an instance type with GPUs or Neuron devices, or write for: system"


@rule(
    "training-group-has-devices",
    title="Where device plugins are chosen, a training group has devices that they offer",
    judges=NodeGroup | InstanceGroup,
    backends=("eks", "hyperpod"),
    why="The plugins are for accelerators or EFA, and the group that is to train has neither: no node offers them, and "
    "jobs that request them wait for ever.",
    source="EKS user guide, device-management-nvidia; Kubernetes API, NodeSelectorRequirement",
    remedy="Take a type with accelerators for the group.",
    facts=("addons.md#surprises-1", "pains.md#10"),
)
def training_group_has_devices(group: NodeGroup | InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    plugins = plugins_without_devices(fleet)
    if not plugins or not trains_without_devices(group, fleet):
        return
    names = [each.ref.name for each in plugins]
    got = f"{_is_for_training(group, fleet)}, and {and_list(names)} {singular_or_plural(names, 'has', 'have')} no nodes"
    yield rule.finding(group.place, got, _REMEDY, at="instance")


@rule(
    "training-group-has-accelerators",
    title="A training group's type has accelerators or EFA",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=NodeGroup | InstanceGroup | ComputeResource,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Training on CPUs is possible and slow. More often the type is a mistake: system nodes of the same family have "
    "a purpose of their own.",
    source="EC2 DescribeInstanceTypes (GpuInfo, NeuronInfo, EfaInfo)",
    remedy="Take a type with accelerators, unless CPUs are meant.",
    facts=("hardware.md#R5",),
)
def training_group_has_accelerators(group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not trains_without_devices(group, fleet):
        return
    if isinstance(group, ComputeResource) and group.has_efa is True:
        return  # efa-fits-instance refuses it
    if isinstance(group, ComputeResource):
        remedy = "take an instance type with GPUs or Neuron devices, unless its jobs run on CPUs"
    elif plugins_without_devices(fleet):
        return  # training-group-has-devices refuses it
    else:
        remedy = f"{_REMEDY}, unless its jobs run on CPUs"
    yield rule.finding(group.place, _is_for_training(group, fleet), remedy, at="instance")


def _is_for_training(group: AnyGroup, fleet: Fleet) -> str:
    machines, _ = machines_of(group, fleet)
    types = and_list({each.instance for each in machines})
    return f"{types} for training {singular_or_plural(machines, 'has', 'have')} neither accelerators nor EFA"
