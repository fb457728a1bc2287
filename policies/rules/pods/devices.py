"""Devices that pods request."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Fleet, PodOwner, PodTemplate
from muster.hardware.catalogue import partial_neuron_parts
from muster.message_text import or_list
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.pod_placement import NodeKind
from muster.policies.lookups.pods import (
    DEVICES,
    NEURON_DEVICES,
    device_count,
    known_nodes_for,
    missing_devices,
    nodes_for,
    requests_of,
)
from muster.unknown import any_of


@rule(
    "devices-within-instance",
    title="A pod requests at most the devices that one of its nodes has",
    judges=PodOwner,
    backends=ON_KUBERNETES,
    why="A pod runs on one node. A pod that requests more than any node has never starts, while AWS bills the nodes.",
    source=(
        "https://github.com/aws/sagemaker-hyperpod-cli/blob/011ca927123e/src/sagemaker/hyperpod/training/quota_allocation_util.py",
        "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_InstanceTypeInfo.html",
    ),
    remedy="Request what one node has, and use more pods.",
    facts=("rules.md#44", "hardware.md#R7", "pains.md#9"),
)
def devices_within_instance(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    def judge(template: PodTemplate) -> Iterator[Verdict]:
        asks = requests_of(template)
        wanted = {resource: asks[resource] for resource in DEVICES if resource in asks}
        nodes = known_nodes_for(template, fleet) if wanted else ()
        each_alone = True
        for resource, amount in wanted.items():
            if _has_all({resource: amount}, nodes, fleet):
                continue
            each_alone = False
            numbers = {spot: device_count(spot, resource, fleet) for spot in nodes}
            best = max(numbers, key=lambda spot: numbers[spot])
            most = numbers[best]
            got = (
                f"{template.path} requests {amount} {resource}, but a {best.machine.instance} of {best.name} has {most}"
            )
            change = f"request at most {most}, and use more pods" if most else f"select nodes that have {resource}"
            yield rule.finding(owner, got=got, change=change)
        if each_alone and wanted and not _has_all(wanted, nodes, fleet):
            yield _together(owner, template.path, wanted, nodes, fleet, rule)

    yield from rule.each(owner.templates, judge, owner.place)


def _has_all(wanted: Mapping[str, int], nodes: Iterable[NodeKind], fleet: Fleet) -> bool:
    """Whether a node has all devices that a pod requests."""
    return any_of(*(partial(_lacks_none, spot, wanted, fleet) for spot in nodes))


def _lacks_none(spot: NodeKind, wanted: Mapping[str, int], fleet: Fleet) -> bool:
    return not missing_devices(spot, wanted, fleet)


def _together(
    owner: PodOwner, path: str, wanted: dict[str, int], nodes: tuple[NodeKind, ...], fleet: Fleet, rule: Rule
) -> Verdict:
    """The finding about devices of which some nodes have enough, but no node has enough of all."""
    lacking = [(spot, missing_devices(spot, wanted, fleet)) for spot in nodes]
    best, short = min(lacking, key=lambda each: sum(wanted[resource] - few for resource, few in each[1].items()))
    amount = and_list(f"{number} {resource}" for resource, number in wanted.items())
    has = f"a {best.machine.instance} has {and_list(f'{number} {resource}' for resource, number in short.items())}"
    change = (f"request what a {best.machine.instance} has", "select nodes that have all of them")
    return rule.finding(owner, got=f"{path} requests {amount}, but no node has all of them: {has}", change=change)


@rule(
    "neuron-devices-connected",
    title="On trn1.32xlarge a pod requests 1, 4, 8 or 16 Neuron devices",
    judges=PodOwner,
    backends=ON_KUBERNETES,
    why="The devices of these types are connected in a torus, in which only these numbers of devices are connected to "
    "each other. The Neuron scheduler places no other number; if it is not installed, the devices of a pod cannot "
    "reach each other.",
    source=("https://awsdocs-neuron.readthedocs-hosted.com/en/latest/containers/tutorials/k8s-neuron-scheduler.html",),
    remedy="Request 1, 4, 8 or 16 devices.",
    facts=("rules.md#45",),
)
def neuron_devices_connected(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    def judge(template: PodTemplate) -> Iterator[Verdict]:
        asks = requests_of(template)
        for resource in NEURON_DEVICES:
            if not (amount := asks.get(resource, 0)):
                continue
            parts = {spot.machine.neuron_parts for spot in nodes_for(template, fleet)} or partial_neuron_parts()
            if any(not each or amount in each or amount > each[-1] for each in parts):
                continue  # devices-within-instance reports more devices than a node has
            machine = known_nodes_for(template, fleet)[0].machine
            less = max(each for each in machine.neuron_parts if each < amount)
            more = min(each for each in machine.neuron_parts if each > amount)
            got = (
                f"{template.path} requests {amount} {resource}, but only {or_list(machine.neuron_parts)} are connected"
            )
            yield rule.finding(owner, got=got, change=f"request {or_list((less, more))}")

    yield from rule.each(owner.templates, judge, owner.place)
