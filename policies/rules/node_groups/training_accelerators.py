"""Groups for training on types without accelerators and without EFA."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.backend_sets import EVERY_BACKEND, ON_KUBERNETES
from muster.fleet.resources import ComputeNodeGroup, ComputeResource, Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import AnyGroup
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.device_plugins import plugins_without_devices, trains_without_devices
from muster.policies.lookups.machines import machines_of

_REMEDY = "use an instance type with GPUs or Neuron devices, or set for: system"


@rule(
    "training-group-has-devices",
    title="If device plugins are installed, a training group has devices that they offer",
    judges=NodeGroup | InstanceGroup,
    backends=ON_KUBERNETES,
    why="The plugins are for accelerators or EFA, but the training group has neither: no node offers them, and jobs "
    "that request them never start.",
    source="EKS user guide, device-management-nvidia; Kubernetes API, NodeSelectorRequirement",
    remedy="Use a type with accelerators for the group.",
    facts=("addons.md#surprises-1", "pains.md#10"),
)
def training_group_has_devices(group: NodeGroup | InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    plugins = plugins_without_devices(fleet)
    if not plugins or not trains_without_devices(group, fleet):
        return
    names = [each.ref.name for each in plugins]
    have = singular_or_plural(names, "has", "have")
    got = f"{_is_for_training(group, fleet)}, so {and_list(names)} {have} no nodes to run on"
    yield rule.finding(group.place, got, _REMEDY, at="instance")


@rule(
    "training-group-has-accelerators",
    title="A training group's type has accelerators or EFA",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=NodeGroup | InstanceGroup | ComputeResource | ComputeNodeGroup,
    backends=EVERY_BACKEND,
    why="Training on CPUs is possible, but slow. More often the type is a mistake: for system nodes of the same "
    "family, set the purpose `system`.",
    source="EC2 DescribeInstanceTypes (GpuInfo, NeuronInfo, EfaInfo)",
    remedy="Use a type with accelerators, unless you want to train on CPUs.",
    facts=("hardware.md#R5",),
)
def training_group_has_accelerators(group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not trains_without_devices(group, fleet):
        return
    if isinstance(group, ComputeResource) and group.has_efa is True:
        return  # efa-fits-instance reports it
    if isinstance(group, ComputeResource):
        remedy = "use an instance type with GPUs or Neuron devices, unless its jobs run on CPUs"
    elif plugins_without_devices(fleet):
        return  # training-group-has-devices reports it
    else:
        remedy = f"{_REMEDY}, unless its jobs run on CPUs"
    yield rule.finding(group.place, _is_for_training(group, fleet), remedy, at="instance")


def _is_for_training(group: AnyGroup, fleet: Fleet) -> str:
    machines, _ = machines_of(group, fleet)
    types = and_list({each.instance for each in machines})
    have = singular_or_plural(machines, "has", "have")
    return f"the group is for training, but {types} {have} neither accelerators nor EFA"
